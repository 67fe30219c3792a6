// SPDX-License-Identifier: BSL-1.0
#include <tutti/verify/value.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "support/catch2.hpp"

namespace {

using namespace tutti;
using namespace tutti::detail;

constexpr std::uint32_t mark = 77;

std::set<rank_type> ranks_of(const value_view& v) {
    std::set<rank_type> ranks;
    const interval whole{v.first, v.last};
    for (const interval& i : v.contiguous() ? std::span(&whole, 1) : v.pieces)
        for (rank_type r = i.first; r <= i.last; ++r) ranks.insert(r);
    return ranks;
}

TEST_CASE("a contribution knows its rank and block", "[verify]") {
    const value_store store(10);
    const value_view v = store.view(store.leaf(4, 7));
    CHECK(v.origin == 7);
    CHECK(v.first == 4);
    CHECK(v.last == 4);
    CHECK(v.contiguous());
    CHECK(v.spoiled == 0);
    CHECK(store.leaf(4, 7) != store.leaf(7, 4));
}

TEST_CASE("a fold of neighbours is in order only with the lower ranks on the left", "[verify]") {
    value_store store(1);
    const value_view good = store.view(store.fold(store.leaf(1, 0), store.leaf(2, 0), mark));
    CHECK(good.contiguous());
    CHECK(good.spoiled == 0);
    const value_view bad = store.view(store.fold(store.leaf(2, 0), store.leaf(1, 0), mark));
    CHECK(bad.contiguous());
    CHECK(bad.first == 1);
    CHECK(bad.last == 2);
    CHECK(bad.spoiled == mark);
    CHECK(good.tree != bad.tree);
}

TEST_CASE("a gap spoils the order for good, even when it is filled", "[verify]") {
    value_store store(1);
    const value_id gap = store.fold(store.leaf(0, 0), store.leaf(2, 0), mark);
    CHECK_FALSE(store.view(gap).contiguous());
    CHECK(store.view(gap).spoiled == mark);
    const value_id filled = store.fold(gap, store.leaf(1, 0), mark + 1);
    CHECK(store.view(filled).contiguous());
    CHECK(store.view(filled).first == 0);
    CHECK(store.view(filled).last == 2);
    CHECK(store.view(filled).spoiled == mark);
}

TEST_CASE("what is folded twice or into another block has no value", "[verify]") {
    value_store store(2);
    const value_id both = store.fold(store.leaf(0, 0), store.leaf(3, 0), mark);
    CHECK(store.fold(both, store.leaf(3, 0), mark) == undefined_value);
    CHECK(store.fold(store.leaf(3, 0), store.leaf(3, 0), mark) == undefined_value);
    CHECK(store.fold(both, store.leaf(1, 1), mark) == undefined_value);
    CHECK(store.common_rank(store.view(both), store.view(store.leaf(3, 0))) == 3);
    CHECK(store.common_rank(store.view(both), store.view(store.leaf(1, 0))) == no_rank);
}

TEST_CASE("trees of folds differ by shape and by order of operands", "[verify]") {
    value_store store(1);
    const auto leaf = [&](rank_type r) { return store.leaf(r, 0); };
    const auto tree = [&](value_id id) { return store.view(id).tree; };
    const auto left_first = store.fold(store.fold(leaf(0), leaf(1), mark), leaf(2), mark);
    const auto right_first = store.fold(leaf(0), store.fold(leaf(1), leaf(2), mark), mark);
    const auto swapped = store.fold(leaf(2), store.fold(leaf(0), leaf(1), mark), mark);
    CHECK(tree(left_first) != tree(right_first));
    CHECK(tree(left_first) != tree(swapped));
    CHECK(tree(left_first) == tree(store.fold(store.fold(leaf(0), leaf(1), mark), leaf(2), mark)));
}

TEST_CASE("sets of ranks come out right whatever the order of folds", "[verify]") {
    // Against std::set, with values given back and used again on the way.
    constexpr rank_type size = 200;
    value_store store(1);
    std::uint32_t seed = 1;
    const auto random = [&seed](std::size_t below) {
        seed = seed * 1664525U + 1013904223U;
        return static_cast<std::size_t>(seed >> 8) % below;
    };
    for (int turn = 0; turn < 50; ++turn) {
        std::vector<value_id> values;
        std::vector<std::set<rank_type>> sets;
        for (rank_type r = 0; r < size; ++r) {
            values.push_back(store.leaf(r, 0));
            sets.push_back({r});
        }
        while (values.size() > 1) {
            const std::size_t i = random(values.size());
            std::size_t j = random(values.size());
            if (i == j) continue;
            const value_id sum = store.fold(values[i], values[j], mark);
            REQUIRE(sum != undefined_value);
            if (random(8) == 0) {
                CHECK(store.fold(sum, values[i], mark) == undefined_value);
                CHECK(sets[i].count(store.common_rank(store.view(sum), store.view(values[i]))) == 1);
            }
            store.release(values[i]);
            store.release(values[j]);
            sets[i].insert(sets[j].begin(), sets[j].end());
            values[i] = sum;
            values.erase(values.begin() + static_cast<std::ptrdiff_t>(j));
            const std::size_t k = i > j ? i - 1 : i;
            std::set<rank_type> united = sets[i];
            sets.erase(sets.begin() + static_cast<std::ptrdiff_t>(j));
            REQUIRE(ranks_of(store.view(values[k])) == united);
        }
        CHECK(store.view(values[0]).contiguous());
        store.release(values[0]);
        if (turn % 10 == 9) store.clear();
    }
}

TEST_CASE("a value lives as long as somebody shares it", "[verify]") {
    value_store store(1);
    const value_id a = store.fold(store.leaf(0, 0), store.leaf(2, 0), mark);
    store.share(a);
    store.release(a);
    const value_id b = store.fold(store.leaf(4, 0), store.leaf(6, 0), mark);
    CHECK(a != b);
    CHECK(ranks_of(store.view(a)) == std::set<rank_type>{0, 2});
    store.release(a);
    CHECK(store.fold(store.leaf(1, 0), store.leaf(2, 0), mark) == a); // its place is used again
}

} // namespace
