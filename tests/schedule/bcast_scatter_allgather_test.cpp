// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast/scatter_allgather.hpp>

#include <tutti/schedule/allgather/kshift.hpp>
#include <tutti/schedule/allgather/recursive_doubling.hpp>
#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("scatter and allgather broadcast for every size, root and radix",
          "[schedule][bcast][scatter_allgather]") {
    const rank_type radix = GENERATE(2, 3, 4, 7, 100);
    CAPTURE(radix);
    const rank_type largest = radix == 2 ? 70 : 30;
    prove_up_to<collective::bcast>(largest, scatter_allgather<circulant>{radix, {}});
    prove_up_to<collective::bcast>(largest, scatter_allgather<ring>{radix, {}});
}

TEST_CASE("van de Geijn: a broadcast of 2(p-1) of p blocks in 2 ceil(lg p) rounds, or in as many as a ring "
          "has more",
          "[schedule][bcast][scatter_allgather]") {
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        const proof short_way = check_proved(collective::bcast, size, size / 3,
                                             factory_of<scatter_allgather<>, collective::bcast>());
        CHECK(short_way.rounds == 2 * ceil_log2(size));
        CHECK(short_way.critical_messages == short_way.rounds);
        CHECK(short_way.sent_blocks == 2 * (size - 1));
        CHECK(short_way.received_blocks <= 3 * size / 2);
    }
    for (rank_type size = 2; size <= 70; ++size) {
        const proof round_a_ring = check_proved(collective::bcast, size, size / 3,
                                                factory_of<scatter_allgather<ring>, collective::bcast>());
        CHECK(round_a_ring.rounds == ceil_log2(size) + size - 1);
        CHECK(round_a_ring.critical_messages == round_a_ring.rounds);
        CHECK(round_a_ring.sent_blocks == 2 * (size - 1));
    }
}

TEST_CASE("any allgather serves, and where ranks differ in it no volume is stated",
          "[schedule][bcast][scatter_allgather]") {
    for (rank_type size = 1; size <= 40; ++size)
        for (rank_type root = 0; root < size; ++root) {
            const auto doubling = factory_of<scatter_allgather<recursive_doubling>, collective::bcast>();
            const auto shift = factory_of<scatter_allgather<kshift>, collective::bcast>({3, {.k = 4}});
            const proof p = check_proved(collective::bcast, size, root, doubling);
            CHECK(p.rounds
                  == ceil_log2(size)
                         + generate(of<collective::allgather>, recursive_doubling{}, {0, size, 0}).rounds());
            CHECK(check_proved(collective::bcast, size, root, shift).sent_blocks == 2 * (size - 1));
            const block_index stated = doubling({0, size, root}).claims().sent_blocks;
            CHECK(stated == (size == floor_pow2(size) ? 2 * (size - 1) : unstated));
        }
}

TEST_CASE("every allgather of the catalogue serves, and no claim is weaker than what is proved",
          "[schedule][bcast][scatter_allgather]") {
    for (const catalogue_entry& entry : catalogue_of(collective::allgather))
        for (rank_type size = 1; size <= 30; ++size) {
            CAPTURE(entry.name, size);
            const auto second = [&](place at) { return entry.make(at, {}); };
            const proof alone = check_proved(collective::allgather, size, 0, second);
            for (rank_type root = 0; root < size; ++root) {
                if (!support::searches_root(root, size)) continue;
                const auto make =
                    factory_of<scatter_allgather<named>, collective::bcast>({2, {.name = entry.name}});
                const proof p = check_proved(collective::bcast, size, root, make);
                REQUIRE(p.rounds == ceil_log2(size) + alone.rounds);
                REQUIRE(weak_claims(make({0, size, root}).claims(), p, size) == "");
            }
        }
}

TEST_CASE("the broadcast of 5 ranks by scatter and ring is the example of the header",
          "[schedule][bcast][scatter_allgather]") {
    const auto make = factory_of<scatter_allgather<ring>, collective::bcast>();
    const std::string text = schedule_text(5, 0, make);
    for (const char* line :
         {"0.0: send 4 [4]\n0.1: send 2 [2..3]\n0.2: send 1 [1]\n0.3: send 1 [0]; recv 4 [4]\n",
          "2.1: recv 0 [2..3]\n2.2: send 3 [3]\n2.3: send 3 [2]; recv 1 [1]\n",
          "3.2: recv 2 [3]\n3.3: send 4 [3]; recv 2 [2]\n"})
        CHECK(text.find(line) != std::string::npos);
}

TEST_CASE("a scatter has a radix of two at least", "[schedule][bcast][scatter_allgather]") {
    CHECK_THROWS_AS(generate(of<collective::bcast>, scatter_allgather<>{1, {}}, place{0, 2, 0}),
                    argument_error);
    CHECK_THROWS_AS(generate(of<collective::bcast>, scatter_allgather<>{}, place{0, 2, 2}), argument_error);
}

static_assert(generate(of<collective::bcast>, scatter_allgather{}, {3, 1 << 20, 0}).rounds() == 40);
