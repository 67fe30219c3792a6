// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/hypercube.hpp>

#include <map>
#include <string>
#include <vector>

#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory make_with(int zeta) { return factory_of<hypercube, collective::allgather>({.zeta = zeta}); }

const generator_factory make = make_with(0);

bool power_of_two(rank_type p) { return floor_pow2(p) == p; }
} // namespace

TEST_CASE("allgather hypercube is proved for any size and zeta", "[schedule][allgather][hypercube]") {
    for (const int zeta : {0, 1, 2, 3, 30}) prove_up_to<collective::allgather>(70, hypercube{.zeta = zeta});
    for (const rank_type size : larger_sizes)
        for (const int zeta : {0, 2, 3, 5}) check_proved(collective::allgather, size, 0, make_with(zeta));
}

// Equation 4: lg p alpha + (p - 1) m beta. Exact.
TEST_CASE("allgather hypercube reaches both lower bounds for a power of two",
          "[schedule][allgather][hypercube]") {
    reaches_both_bounds_for_powers_of_two(make);
}

// Equation 5: (lg p + 1) alpha + 2 (p - 1) m beta for holes.
TEST_CASE(
    "equation 5 has the rounds, lg p rounded up, and the volume for 2^k - 1 ranks, else up to a fifth too "
    "little",
    "[schedule][allgather][hypercube][formulas]") {
    for (rank_type size = 3; size <= 129; ++size) {
        if (power_of_two(size)) continue;
        const proof p = check_proved(collective::allgather, size, 0, make);
        CAPTURE(size);
        CHECK(p.rounds == ceil_log2(size) + 1);
        CHECK(p.critical_messages == p.rounds);
        CHECK(p.critical_sent == p.sent_blocks + 1); // the extra ranks' own blocks in the first round
        const block_index equation = 2 * (size - 1);
        if (power_of_two(size + 1)) CHECK(p.sent_blocks == equation);
        CHECK(p.sent_blocks >= equation);
        CHECK(5 * p.sent_blocks <= 6 * equation);
    }
    for (rank_type size = 3; size <= 5000; ++size) // the claims have been proved above
        if (!power_of_two(size)) REQUIRE(5 * make({0, size, 0}).claims().sent_blocks <= 12 * (size - 1));
}

// Equation 6 and its text: p' = p/2^zeta, p' m in exchanges, (p - p') m in direct messages; "for zeta = 2,
// the number of messages would only increase by 1, and for zeta = 3 it would increase by 4".
TEST_CASE("zeta sends the same volume in a few more messages", "[schedule][allgather][hypercube][formulas]") {
    for (const rank_type size : {8, 16, 64, 256})
        for (int zeta = 0; zeta <= floor_log2(size); ++zeta) {
            const generator_factory hybrid = make_with(zeta);
            const proof p = check_proved(collective::allgather, size, 0, hybrid);
            const std::int64_t more = (std::int64_t{1} << zeta) - 1 - zeta;
            CHECK(p.rounds == ceil_log2(size) + more);
            CHECK(p.critical_messages == p.rounds);
            CHECK(p.sent_blocks == size - 1);
            if (zeta == 2) CHECK(more == 1);
            if (zeta == 3) CHECK(more == 4);

            const round_index exchanges = floor_log2(size) - zeta;
            block_index exchanged = 0;
            block_index direct = 0;
            for (const listed_message& m : messages_of(size, hybrid))
                if (m.rank == 0 && m.kind == step_kind::send)
                    (m.round < exchanges ? exchanged : direct) += static_cast<block_index>(m.blocks.size());
            CHECK(exchanged == (size >> zeta) - 1);
            CHECK(direct == size - (size >> zeta));
        }
}

TEST_CASE("a rank sends one and the same message to all of its sub-cube",
          "[schedule][allgather][hypercube]") {
    for (const rank_type size : {5, 13, 16, 23, 31, 64})
        for (const int zeta : {2, 3}) {
            const int dimensions = floor_log2(size);
            const int low = dimensions > zeta ? dimensions - zeta : 0;
            const bool extra = !power_of_two(size);
            const rank_type cube = floor_pow2(size);
            std::map<rank_type, std::vector<block_index>> sent;
            for (const listed_message& m : messages_of(size, make_with(zeta))) {
                const round_index round = m.round - (extra ? 1 : 0);
                const bool direct = round >= low && round < low + (cube >> low) - 1;
                if (!direct || m.kind != step_kind::send) continue;
                REQUIRE((m.rank ^ m.peer) % (1 << low) == 0);
                const auto [first, fresh] = sent.emplace(m.rank, m.blocks);
                if (!fresh) REQUIRE(first->second == m.blocks);
            }
            REQUIRE(sent.size() == static_cast<std::size_t>(cube));
        }
}

TEST_CASE("partners differ in one bit, the lowest first", "[schedule][allgather][hypercube]") {
    for (const rank_type size : {2, 8, 64, 128})
        for (const listed_message& m : messages_of(size, make))
            REQUIRE((m.rank ^ m.peer) == (rank_type{1} << m.round));
}

// Figure 2 of Kumar and Kalé 2004: "node 8 sends its messages to node 0 in the first stage. [...] All the
// messages for node 8 are sent to node 0. In the final stage, node 0 combines all the messages for node 8".
TEST_CASE("node 8 talks to node 0 only, first and last", "[schedule][allgather][hypercube]") {
    CHECK(exchange_text(9, 8, make)
          == "0: send 0 [8]\n"
             "4: recv 0 [0 1 2 3 4 5 6 7]");
    CHECK(exchange_text(9, 0, make)
          == "0: recv 8 [8]\n"
             "1: send 1 [0 8], recv 1 [1]\n"
             "2: send 2 [0 1 8], recv 2 [2 3]\n"
             "3: send 4 [0 1 2 3 8], recv 4 [4 5 6 7]\n"
             "4: send 8 [0 1 2 3 4 5 6 7]");
}

TEST_CASE("allgather hypercube of 5 ranks is the example of the header", "[schedule][allgather][hypercube]") {
    CHECK(exchange_text(5, 1, make)
          == "1: send 0 [1], recv 0 [0 4]\n"
             "2: send 3 [0 1 4], recv 3 [2 3]");
    CHECK(exchange_text(5, 1, make_with(2))
          == "1: send 0 [1], recv 0 [0 4]\n"
             "2: send 3 [1], recv 3 [3]\n"
             "3: send 2 [1], recv 2 [2]");
    CHECK(exchange_text(6, 5, make)
          == "0: send 1 [5]\n"
             "3: recv 1 [0 1 2 3 4]");
}

TEST_CASE("zeta larger than the cube is all dimensions; one out of range is refused by name",
          "[schedule][allgather][hypercube]") {
    for (const rank_type size : {1, 2, 5, 13})
        for (rank_type r = 0; r < size; ++r)
            CHECK(exchange_text(size, r, make_with(30))
                  == exchange_text(size, r, make_with(floor_log2(size))));
    for (const int zeta : {-1, 31}) {
        std::string said;
        try {
            make_with(zeta)({0, 8, 0});
        } catch (const argument_error& e) {
            said = e.argument() + " is " + e.value() + ", not " + e.allowed();
        }
        CHECK(said == "zeta is " + std::to_string(zeta) + ", not 0..30");
    }
}
