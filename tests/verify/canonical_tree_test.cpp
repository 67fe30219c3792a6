// SPDX-License-Identifier: BSL-1.0
#include <tutti/verify/canonical_tree.hpp>

#include <tutti/schedule/allreduce/tree.hpp>
#include <tutti/schedule/combinators.hpp>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

/// The definition: ranks first .. first + n - 1.
std::uint64_t tree_by_definition(rank_type first, rank_type n) {
    if (n == 1) return tutti::detail::tree_of_leaf(first);
    const rank_type left = floor_pow2(n - 1); // the largest power of two below n
    return tutti::detail::tree_of_fold(tree_by_definition(first, left),
                                       tree_by_definition(first + left, n - left));
}

} // namespace

TEST_CASE("the canonical tree splits at the largest power of two below the number of ranks", "[verify]") {
    const tutti::detail::canonical_trees trees(300);
    for (rank_type n = 1; n <= 300; ++n) CHECK(trees.of(n) == tree_by_definition(0, n));
}

TEST_CASE("who folds otherwise and claims the canonical tree is found out", "[verify]") {
    const generator_factory liar = [](place at) {
        const auto flow = generate(of<collective::allreduce>, serial{}, at);
        capabilities claims = flow.claims();
        claims.canonical_tree = true;
        return any_generator(claiming(flow, claims));
    };
    CHECK(prove(collective::allreduce, 3, 0, liar).proved); // (0 1) 2 either way
    const proof p = prove(collective::allreduce, 4, 0, liar);
    CHECK_FALSE(p.proved);
    CHECK_FALSE(p.canonical_tree);
    REQUIRE(p.findings.size() == 1);
    CHECK(p.findings.front().what
          == "rank 0, block 0: false claim: canonical_tree, but this result is folded otherwise");
}

TEST_CASE("what folds nothing has no canonical tree", "[verify]") {
    const auto nobody = [](place at) { return any_generator(generate(of<collective::bcast>, serial{}, at)); };
    CHECK_FALSE(prove(collective::bcast, 4, 0, nobody).canonical_tree);
}
