// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/ensemble.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"
#include "support/scripted.hpp"

using namespace tutti;
using support::any_ensemble;
using support::ensemble_of;

namespace {

std::vector<message> messages_of(const any_ensemble& all, round_index i, std::int64_t block = 1) {
    std::vector<message> list;
    for_each_message(all, i, block_bytes::even(block * all.blocks(), all.blocks()),
                     [&](const message& m) { list.push_back(m); });
    return list;
}

/// A scripted generator that is not an any_generator.
struct typed_play {
    testing::play of;

    testing::scripted operator()(place at) const {
        testing::script mine = of.ranks[static_cast<std::size_t>(at.rank)];
        return testing::scripted(mine, of.blocks, of.claims);
    }
};

} // namespace

TEST_CASE("an ensemble hands out what every rank's generator does", "[core]") {
    for (const catalogue_entry& entry : catalogue()) {
        const any_ensemble all = ensemble_of(entry, 5);
        INFO(support::name_of(entry, 5));
        CHECK(all.size() == 5);
        for (rank_type r = 0; r < 5; ++r) {
            const any_generator alone = entry.make({.rank = r, .size = 5}, {});
            CHECK(all.rounds() == alone.rounds());
            CHECK(all.blocks() == alone.blocks());
            CHECK(all.claims() == alone.claims());
            CHECK(all.active(r) == alone.active());
            for (round_index i = 0; i < all.rounds(); ++i) {
                std::vector<step> mine;
                std::vector<step> expected;
                all.emit(r, i, [&](const step& s) { mine.push_back(s); });
                alone.append(i, expected);
                CHECK(mine == expected);
            }
        }
    }
}

TEST_CASE("the type of generators is kept where it is known", "[core]") {
    testing::play two;
    two.ranks = {{{step::send(1, {0, 1})}}, {{step::recv(0, {0, 1})}}};
    const ensemble all(typed_play{two}, 2);
    static_assert(std::same_as<decltype(all)::generator_type, testing::scripted>);
    CHECK(all.active(1) == round_range{0, 1});
    std::int64_t count = 0;
    for_each_message(all, 0, block_bytes::even(8, 1), [&](const message& m) {
        CHECK(m == message{.from = 0, .to = 1, .bytes = 8, .blocks = 1});
        ++count;
    });
    CHECK(count == 1);
}

TEST_CASE("messages come by sender, in the order of sending, each whole", "[core]") {
    const std::vector<message> ring = messages_of(ensemble_of(collective::allgather, "ring", 5), 0, 10);
    REQUIRE(ring.size() == 5);
    for (rank_type r = 0; r < 5; ++r)
        CHECK(ring[static_cast<std::size_t>(r)] == message{r, mod(r + 1, 5), 10, 1});

    testing::play p; // one message of two sets of blocks, then another one
    p.blocks = 4;
    p.ranks = {{{step::send(1, {0, 1}).and_next(), step::send(1, {2, 2}), step::send(1, {1, 1})}},
               {{step::recv(0, {0, 1}).and_next(), step::recv(0, {2, 2}), step::recv(0, {1, 1})}}};
    const any_ensemble all([&](place at) { return p(at); }, 2);
    CHECK(messages_of(all, 0, 8)
          == std::vector<message>{{.from = 0, .to = 1, .bytes = 24, .blocks = 3},
                                  {.from = 0, .to = 1, .bytes = 8, .blocks = 1}});
}

TEST_CASE("an empty message is one", "[core]") {
    CHECK(messages_of(ensemble_of(collective::barrier, "dissemination", 5), 2)
          == std::vector<message>{{0, 4, 0, 0}, {1, 0, 0, 0}, {2, 1, 0, 0}, {3, 2, 0, 0}, {4, 3, 0, 0}});
}

TEST_CASE("the root is handed to the generators", "[core]") {
    const any_ensemble all = ensemble_of(collective::bcast, "serial", 5, {}, 3);
    CHECK(all.root() == 3);
    for (const message& m : messages_of(all, 0)) CHECK(m.from == 3);
    CHECK(messages_of(all, 0).size() == 4);
}

TEST_CASE("what is no number of ranks, no root or no schedule is refused", "[core]") {
    const auto make = [](place at) { return find_algorithm(collective::bcast, "serial")->make(at, {}); };
    CHECK_THROWS_AS(ensemble(make, 0), argument_error);
    CHECK_THROWS_AS(ensemble(make, 5, 5), argument_error);
    CHECK_THROWS_AS(ensemble(make, 5, -1), argument_error);
    testing::play p; // rank 2 has a round more
    p.ranks = {{}, {}, {{}}};
    try {
        ensemble all(typed_play{p}, 3);
        FAIL("rank 2 is not like the others");
    } catch (const argument_error& e) {
        CHECK(e.argument() == "rounds() of rank 2");
        CHECK(e.allowed() == "0, as on rank 0");
    }
}
