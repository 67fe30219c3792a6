// SPDX-License-Identifier: BSL-1.0
#include <tutti/verify/bounds.hpp>

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
    CHECK(bounds_of(collective::alltoall, 5, 5) == lower_bounds{3, 3, 4, 0});
    CHECK(bounds_of(collective::exscan, 5, 5) == lower_bounds{2, 2, 5, 3});
}

TEST_CASE("a share of a block counts as a block", "[verify]") {
    CHECK(bounds_of(collective::allreduce, 3, 1).sent_blocks == 2);    // 4/3
    CHECK(bounds_of(collective::allreduce, 3, 1).reduced_blocks == 1); // 2/3
}

TEST_CASE("bounds do not overflow where sums of 32 bits would", "[verify]") {
    const block_index blocks = block_index{1} << 33;
    CHECK(bounds_of(collective::reduce_scatter, 1 << 20, blocks).sent_blocks == blocks - (1 << 13));
}

TEST_CASE("two ranks need one round of exscan", "[verify]") {
    CHECK(bounds_of(collective::exscan, 2, 1) == lower_bounds{1, 1, 1, 0});
    CHECK(bounds_of(collective::exscan, 3, 1) == lower_bounds{1, 1, 1, 1});
}

} // namespace
