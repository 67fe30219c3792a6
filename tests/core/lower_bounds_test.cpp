// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/lower_bounds.hpp>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/verify/prover.hpp>

#include "support/catch2.hpp"

namespace {

using namespace tutti;

TEST_CASE("one rank needs nothing", "[verify]") {
    for (const collective what : all_collectives) CHECK(bounds_of(what, 1, 8) == lower_bounds{});
}

TEST_CASE("the bounds of 5 ranks and 5 blocks", "[verify]") {
    CHECK(bounds_of(collective::barrier, 5, 5) == lower_bounds{3, 3, 0, 0});
    CHECK(bounds_of(collective::bcast, 5, 5) == lower_bounds{3, 7, 5, 0});
    CHECK(bounds_of(collective::reduce, 5, 5) == lower_bounds{3, 7, 5, 4});
    CHECK(bounds_of(collective::allreduce, 5, 5) == lower_bounds{3, 3, 8, 4});
    CHECK(bounds_of(collective::reduce_scatter, 5, 5) == lower_bounds{3, 3, 4, 4});
    CHECK(bounds_of(collective::allgather, 5, 5) == lower_bounds{3, 3, 4, 0});
    CHECK(bounds_of(collective::gather, 5, 5) == lower_bounds{3, 4, 1, 0});
    CHECK(bounds_of(collective::scatter, 5, 5) == lower_bounds{3, 4, 4, 0});
    CHECK(bounds_of(collective::scatter, 3, 6) == lower_bounds{2, 4, 4, 0});
    CHECK(bounds_of(collective::alltoall, 5, 5) == lower_bounds{3, 3, 4, 0});
    CHECK(bounds_of(collective::exscan, 5, 5) == lower_bounds{3, 3, 5, 3});
    CHECK(bounds_of(collective::scan, 5, 5) == lower_bounds{3, 3, 5, 4});
}

TEST_CASE("a multicast is bounded by who wants most, and who is wanted most", "[verify]") {
    const relation from_one(5, {{1, 2, 3, 4}, {}, {}, {}, {}});
    const relation to_one(5, {{}, {0}, {0}, {0}, {0}});
    const relation in_pairs(5, {{1}, {0}, {3}, {2}, {}});
    CHECK(bounds_of(from_one, 5) == lower_bounds{.rounds = 3, .single_block_rounds = 3, .sent_blocks = 1});
    CHECK(bounds_of(from_one, 10) == lower_bounds{.rounds = 3, .single_block_rounds = 3, .sent_blocks = 2});
    CHECK(bounds_of(to_one, 5) == bounds_of(from_one, 5));
    CHECK(bounds_of(in_pairs, 5) == lower_bounds{.rounds = 1, .single_block_rounds = 1, .sent_blocks = 1});
    CHECK(bounds_of(relation(3, {{}, {}, {}}), 3) == lower_bounds{});
    CHECK(bounds_of(relation::all_to_all(5), 5) == bounds_of(collective::allgather, 5, 5));
}

TEST_CASE("a share of a block counts as a block", "[verify]") {
    CHECK(bounds_of(collective::allreduce, 3, 1).sent_blocks == 2);    // 4/3
    CHECK(bounds_of(collective::allreduce, 3, 1).reduced_blocks == 1); // 2/3
}

TEST_CASE("bounds do not overflow where sums of 32 bits would", "[verify]") {
    const block_index blocks = block_index{1} << 33;
    CHECK(bounds_of(collective::reduce_scatter, 1 << 20, blocks).sent_blocks == blocks - (1 << 13));
}

TEST_CASE("two ranks need one round of exscan and no fold", "[verify]") {
    CHECK(bounds_of(collective::exscan, 2, 1) == lower_bounds{1, 1, 1, 0});
    CHECK(bounds_of(collective::exscan, 3, 1) == lower_bounds{2, 2, 1, 1});
}

TEST_CASE("no algorithm of the catalogue beats the bounds", "[verify]") {
    for (const catalogue_entry& entry : catalogue())
        for (rank_type size = 1; size <= 33; ++size) {
            const proof p = prove(entry.what, size, 0, [&](place at) { return entry.make(at, {}); });
            INFO(name_of(entry.what) << " by " << entry.name << ", size " << size);
            REQUIRE(p.proved);
            CHECK(p.critical_messages >= p.bounds.rounds);
            CHECK(p.sent_blocks >= p.bounds.sent_blocks);
            CHECK(p.reduced_blocks >= p.bounds.reduced_blocks);
        }
}

TEST_CASE("the circulant reduce_scatter reaches all bounds at once, for any size", "[verify]") {
    for (rank_type size = 1; size <= 33; ++size) {
        const proof p = prove(collective::reduce_scatter, size, 0, [](place at) {
            return any_generator(generate(of<collective::reduce_scatter>, circulant{}, at));
        });
        CAPTURE(size);
        CHECK(p.critical_messages == p.bounds.rounds);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
    }
}

} // namespace
