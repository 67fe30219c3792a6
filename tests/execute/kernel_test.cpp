// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/kernel.hpp>

#include <cstdint>
#include <vector>

#include "support/catch2.hpp"
#include "support/elements.hpp"

namespace {

using support::matrix;
using tutti::operand;
using tutti::operand_side;

template <class T, class Op>
std::vector<T> folded_one_by_one(std::vector<T> mine, const std::vector<std::vector<T>>& sources,
                                 const std::vector<operand_side>& sides, const Op& op) {
    for (std::size_t k = 0; k < sources.size(); ++k)
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i] =
                sides[k] == operand_side::left ? op(sources[k][i], mine[i]) : op(mine[i], sources[k][i]);
    return mine;
}

// Any number of sources on any sides, at the borders of tiles.
template <class T, class Op>
void check_fold_all(std::int64_t count, const Op& op) {
    const tutti::folding_kernel<T, Op> kernel(op);
    for (std::size_t many = 1; many <= 8; ++many) {
        const std::vector<T> mine = support::samples<T>(50, count);
        std::vector<std::vector<T>> sources;
        std::vector<operand_side> sides;
        std::vector<operand<T>> operands;
        for (std::size_t k = 0; k < many; ++k) {
            sources.push_back(support::samples<T>(static_cast<std::int64_t>(k), count));
            sides.push_back(k % 3 == 0 ? operand_side::left : operand_side::right);
        }
        for (std::size_t k = 0; k < many; ++k) operands.push_back({sources[k].data(), sides[k]});
        const std::vector<T> expected = folded_one_by_one(mine, sources, sides, op);
        INFO(count << " elements from " << many << " sources");

        std::vector<T> apart(mine.size());
        kernel.fold_all(apart.data(), mine.data(), operands.data(), many, count);
        CHECK(apart == expected);

        std::vector<T> in_place = mine;
        kernel.fold_all(in_place.data(), in_place.data(), operands.data(), many, count);
        CHECK(in_place == expected);
    }
}

} // namespace

TEST_CASE("one pass over many sources equals one fold after the other", "[execute][kernel]") {
    SECTION("ints") {
        for (const std::int64_t count : {0, 1, 2, 7, 2047, 2048, 2049, 6001})
            check_fold_all<int>(count, tutti::sum{});
    }
    SECTION("an operation that is not commutative") {
        for (const std::int64_t count : {0, 1, 2, 511, 512, 513, 1700})
            check_fold_all<matrix>(count, support::multiply{});
    }
    SECTION("elements whose size does not divide a tile") {
        for (const std::int64_t count : {1, 340, 341, 342, 1000})
            check_fold_all<support::moments>(count, support::merge_moments{});
    }
}

TEST_CASE("an element larger than a tile is folded as well", "[execute][kernel]") {
    struct large {
        std::uint32_t values[3000];
    };
    const auto add = [](const large& a, const large& b) {
        large r = a;
        for (std::size_t i = 0; i < 3000; ++i) r.values[i] += b.values[i];
        return r;
    };
    std::vector<large> mine(3), other(3);
    for (std::size_t i = 0; i < 3; ++i) {
        mine[i].values[2999] = static_cast<std::uint32_t>(i);
        other[i].values[2999] = 10;
    }
    const operand<large> from{other.data(), operand_side::right};
    tutti::folding_kernel<large, decltype(add)>(add).fold_all(mine.data(), mine.data(), &from, 1, 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(mine[i].values[2999] == 10 + i);
}

TEST_CASE("the side says which operand the incoming value is", "[execute][kernel]") {
    const auto minus = [](const int& a, const int& b) { return a - b; };
    const tutti::folding_kernel<int, decltype(minus)> kernel(minus);
    for (const std::int64_t count : {1, 5}) {
        const std::vector<int> mine(5, 10);
        const std::vector<int> incoming(5, 3);
        std::vector<int> result(5);
        kernel.fold(result.data(), mine.data(), {incoming.data(), operand_side::right}, count);
        CHECK(result.front() == 7);
        kernel.fold(result.data(), mine.data(), {incoming.data(), operand_side::left}, count);
        CHECK(result.front() == -7);
    }
}

TEST_CASE("copying no elements touches nothing", "[execute][kernel]") {
    tutti::copy_elements<int>(nullptr, nullptr, 0);
    std::vector<int> to(3, 0);
    const std::vector<int> from{1, 2, 3};
    tutti::copy_elements(to.data(), from.data(), 2);
    CHECK(to == std::vector<int>{1, 2, 0});
}
