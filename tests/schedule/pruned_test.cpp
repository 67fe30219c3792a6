// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/pruned.hpp>

#include <string>
#include <vector>

#include <tutti/schedule/allgather/circulant.hpp>
#include <tutti/schedule/allgather/ring.hpp>

#include "support/catch2.hpp"
#include "support/multicasts.hpp"
#include "support/planted.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

std::vector<step> listed_round(const schedule& s, round_index i) {
    return {s.round(i).begin(), s.round(i).end()};
}

schedule ring_of_5(const relation& who, rank_type rank) {
    return pruned(who, {.rank = rank, .size = 5}, [](place at) { return allgather_ring(at); });
}

std::string refusal(const play& p, rank_type size) {
    try {
        pruned(relation::all_to_all(size), {.rank = 0, .size = size}, [&](place at) { return p(at); });
    } catch (const argument_error& e) {
        return e.argument() + ": " + e.value();
    }
    return "";
}

} // namespace

TEST_CASE("a block is handed on as far as somebody wants it, and rounds without messages vanish",
          "[schedule][multicast]") {
    const relation who(5, {{2}, {}, {}, {}, {}});
    for (rank_type r = 0; r < 5; ++r) CHECK(ring_of_5(who, r).rounds() == 2);
    CHECK(listed_round(ring_of_5(who, 0), 0) == std::vector{step::send(1, one(0))});
    CHECK(listed_round(ring_of_5(who, 0), 1).empty());
    CHECK(listed_round(ring_of_5(who, 1), 0) == std::vector{step::recv(0, one(0))});
    CHECK(listed_round(ring_of_5(who, 1), 1) == std::vector{step::send(2, one(0))});
    CHECK(listed_round(ring_of_5(who, 2), 1) == std::vector{step::recv(1, one(0))});
    CHECK(ring_of_5(who, 3).steps().empty());
    CHECK(ring_of_5(who, 4).steps().empty());
    const capabilities claims = ring_of_5(who, 4).claims();
    CHECK(claims.rounds == 2);
    CHECK(claims.sent_blocks == 1);
    CHECK(claims.max_outstanding == 1);
    CHECK(claims.order_preserving);
}

TEST_CASE("what is left of a message is joined runs of blocks, wrapping ones too", "[schedule][multicast]") {
    // Three ranks of a star: rank 1 sends blocks 3,4,0,1,2 to rank 2, which wants 0, 1, 3 and 4.
    play star;
    star.blocks = 5;
    star.ranks = {
        {{step::send(1, one(0))}},
        {{step::recv(0, one(0)), step::recv(3, one(3)), step::recv(4, one(4)), step::recv(2, one(2))},
         {step::send(2, {.first = 3, .count = 5})}},
        {{step::send(1, one(2))}, {step::recv(1, {.first = 3, .count = 5})}},
        {{step::send(1, one(3))}},
        {{step::send(1, one(4))}}};
    const auto part_of = [&](rank_type r, const relation& who) {
        return pruned(who, {.rank = r, .size = 5}, [&](place at) { return star(at); });
    };
    const relation wrapping(5, {{2}, {2}, {}, {2}, {2}});
    CHECK(listed_round(part_of(1, wrapping), 1)
          == std::vector{step::send(2, {.first = 3, .count = 4})}); // 3,4,0,1
    CHECK(listed_round(part_of(2, wrapping), 1) == std::vector{step::recv(1, {.first = 3, .count = 4})});
    const relation split(5, {{}, {2}, {}, {2}, {}});
    CHECK(listed_round(part_of(1, split), 0) == std::vector{step::recv(3, one(3))});
    CHECK(listed_round(part_of(1, split), 1)
          == std::vector{step::send(2, one(3)).and_next(), step::send(2, one(1))});
    CHECK(listed_round(part_of(2, split), 1)
          == std::vector{step::recv(1, one(3)).and_next(), step::recv(1, one(1))});
    for (const relation& who : {wrapping, split})
        check_proved(who, [&](place at) { return any_generator(part_of(at.rank, who)); });
}

TEST_CASE("a block that comes twice is received where it is needed", "[schedule][multicast]") {
    // Rank 1 gets block 0 in round 0, hands it to rank 2 in round 1, and gets it again in round 2.
    play twice;
    twice.blocks = 3;
    twice.ranks = {{{step::send(1, one(0))}, {}, {step::send(1, one(0))}},
                   {{step::recv(0, one(0))}, {step::send(2, one(0))}, {step::recv(0, one(0))}},
                   {{}, {step::recv(1, one(0))}, {}}};
    const auto traffic_for = [&](const relation& who) {
        const generator_factory make = [&](place at) {
            return any_generator(pruned(who, at, [&](place there) { return twice(there); }));
        };
        check_proved(who, make);
        return traffic_of(3, who, make).blocks;
    };
    CHECK(traffic_for(relation(3, {{1}, {}, {}})) == 1);
    CHECK(traffic_for(relation(3, {{2}, {}, {}})) == 2);
    CHECK(traffic_for(relation(3, {{1, 2}, {}, {}})) == 3);
}

TEST_CASE("messages that were empty at first stay", "[schedule][multicast]") {
    play paced;
    paced.blocks = 2;
    paced.ranks = {{{step::send(1, one(0))}, {step::send(1, {})}},
                   {{step::recv(0, one(0))}, {step::recv(0, {})}}};
    const relation nobody(2, {{}, {}});
    const auto part_of = [&](rank_type r) {
        return pruned(nobody, {.rank = r, .size = 2}, [&](place at) { return paced(at); });
    };
    CHECK(part_of(0).rounds() == 1);
    CHECK(listed_round(part_of(0), 0) == std::vector{step::send(1, {})});
    CHECK(listed_round(part_of(1), 0) == std::vector{step::recv(0, {})});
    CHECK(part_of(0).claims().max_outstanding == 1);
    CHECK(part_of(0).claims().sent_blocks == 0);
}

TEST_CASE("schedules whose blocks cannot be followed are refused", "[schedule][multicast]") {
    play copies = ring_allgather();
    copies.ranks[1][0].push_back(step::copy(one(2), buffer_name::work, buffer_name::scratch));
    CHECK(says(refusal(copies, 3), "algorithm: one that does more than to send and receive"));
    play from_scratch = ring_allgather();
    from_scratch.ranks[2][1][0].buffer = buffer_name::scratch;
    CHECK(says(refusal(from_scratch, 3), "algorithm: one that does more than to send and receive"));
    play nobody = ring_allgather();
    nobody.ranks[2][1][0].peer = 3;
    CHECK(says(refusal(nobody, 3), "algorithm: one that does more than to send and receive"));
    play many = ring_allgather();
    many.blocks = 7;
    CHECK(says(refusal(many, 3), "algorithm: one with 7 blocks for 3 ranks"));
    CHECK(refusal(ring_allgather(), 3) == "");
}
