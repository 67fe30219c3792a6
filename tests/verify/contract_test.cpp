// SPDX-License-Identifier: BSL-1.0
#include <tutti/verify/contract.hpp>

#include "support/catch2.hpp"

namespace {

using namespace tutti;

constexpr contract terms(collective what, rank_type size, rank_type root, block_index blocks) {
    return {.what = what, .size = size, .root = root, .blocks = blocks};
}

TEST_CASE("only the root of a bcast has something, and all get it", "[verify]") {
    const contract c = terms(collective::bcast, 5, 3, 2);
    for (rank_type r = 0; r < 5; ++r) {
        CHECK(c.work_given(r, 1) == (r == 3));
        CHECK(c.required(r, 1) == obligation{true, 1, 3, 3});
    }
    CHECK_FALSE(c.input_given());
}

TEST_CASE("the fold of all goes to the root of a reduce, to all of an allreduce", "[verify]") {
    for (rank_type r = 0; r < 5; ++r) {
        CHECK(terms(collective::reduce, 5, 3, 2).work_given(r, 0));
        CHECK(terms(collective::reduce, 5, 3, 2).required(r, 0).required == (r == 3));
        CHECK(terms(collective::allreduce, 5, 0, 2).required(r, 0) == obligation{true, 0, 0, 4});
    }
}

TEST_CASE("blocks belong to ranks in order, several to each if there are more", "[verify]") {
    const contract c = terms(collective::reduce_scatter, 5, 0, 10);
    CHECK(c.owner(0) == 0);
    CHECK(c.owner(1) == 0);
    CHECK(c.owner(7) == 3);
    CHECK(c.required(3, 7) == obligation{true, 7, 0, 4});
    CHECK_FALSE(c.required(2, 7).required);
    const contract g = terms(collective::allgather, 5, 0, 10);
    CHECK(g.work_given(3, 7));
    CHECK_FALSE(g.work_given(2, 7));
    CHECK(g.required(2, 7) == obligation{true, 7, 3, 3});
}

TEST_CASE("a gather brings the root all blocks, and asks nothing of the others", "[verify]") {
    const contract c = terms(collective::gather, 5, 2, 10);
    CHECK(c.shared());
    CHECK(c.work_given(3, 7));
    CHECK_FALSE(c.work_given(2, 7));
    CHECK(c.required(2, 7) == obligation{true, 7, 3, 3});
    CHECK(c.required(2, 4) == obligation{true, 4, 2, 2});
    CHECK_FALSE(c.required(3, 7).required);
    CHECK_FALSE(c.input_given());
}

TEST_CASE("of a scatter only the root has something, and every rank gets its block", "[verify]") {
    const contract c = terms(collective::scatter, 5, 2, 10);
    CHECK(c.shared());
    for (rank_type r = 0; r < 5; ++r) {
        CHECK(c.work_given(r, 7) == (r == 2));
        CHECK(c.required(r, 7) == (r == 3 ? obligation{true, 7, 2, 2} : obligation{}));
    }
    CHECK_FALSE(c.input_given());
}

TEST_CASE("alltoall turns blocks of ranks into ranks of blocks", "[verify]") {
    CHECK(terms(collective::alltoall, 5, 0, 5).required(1, 3) == obligation{true, 1, 3, 3});
    CHECK(terms(collective::alltoall, 5, 0, 10).required(1, 7) == obligation{true, 3, 3, 3});
    CHECK_FALSE(terms(collective::alltoall, 5, 0, 5).work_given(1, 1));
    CHECK(terms(collective::alltoall, 5, 0, 5).input_given());
}

TEST_CASE("exscan leaves out the rank itself and asks nothing of rank 0", "[verify]") {
    const contract c = terms(collective::exscan, 5, 0, 1);
    CHECK_FALSE(c.required(0, 0).required);
    CHECK(c.required(1, 0) == obligation{true, 0, 0, 0});
    CHECK(c.required(4, 0) == obligation{true, 0, 0, 3});
    CHECK_FALSE(c.work_given(2, 0));
    CHECK(c.input_given());
}

TEST_CASE("scan gives a rank what is folded up to itself, and begins with its own", "[verify]") {
    const contract c = terms(collective::scan, 5, 0, 1);
    CHECK(c.required(0, 0) == obligation{true, 0, 0, 0});
    CHECK(c.required(4, 0) == obligation{true, 0, 0, 4});
    CHECK(c.work_given(2, 0));
    CHECK(c.input_given());
    CHECK_FALSE(c.shared());
}

TEST_CASE("a multicast asks for what the relation names, and for everybody's own", "[verify]") {
    const relation who(3, {{2}, {}, {0, 1}});
    contract c = terms(collective::multicast, 3, 0, 3);
    c.who = &who;
    CHECK(c.shared());
    CHECK(c.work_given(1, 1));
    CHECK_FALSE(c.work_given(1, 2));
    CHECK(c.required(2, 0) == obligation{true, 0, 0, 0});
    CHECK(c.required(0, 2) == obligation{true, 2, 2, 2});
    CHECK(c.required(1, 1) == obligation{true, 1, 1, 1});
    CHECK_FALSE(c.required(1, 0).required);
    CHECK_FALSE(c.required(0, 1).required);
    CHECK_FALSE(c.input_given());
}

TEST_CASE("a barrier moves no blocks", "[verify]") {
    CHECK_FALSE(terms(collective::barrier, 5, 0, 1).required(2, 0).required);
    CHECK_FALSE(terms(collective::barrier, 5, 0, 1).input_given());
}

} // namespace
