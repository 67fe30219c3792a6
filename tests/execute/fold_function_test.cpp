// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/fold_function.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "support/catch2.hpp"
#include "support/elements.hpp"

namespace {

using support::matrix;
using tutti::operand;
using tutti::operand_side;

template <class T>
const std::byte* bytes_of(const std::vector<T>& elements) {
    return reinterpret_cast<const std::byte*>(elements.data());
}
template <class T>
std::byte* bytes_of(std::vector<T>& elements) {
    return reinterpret_cast<std::byte*>(elements.data());
}

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
    const auto fold = tutti::fold_function::of<T>(op);
    const auto bytes = count * static_cast<std::int64_t>(sizeof(T));
    for (std::size_t many = 1; many <= 8; ++many) {
        const std::vector<T> mine = support::samples<T>(50, count);
        std::vector<std::vector<T>> sources;
        std::vector<operand_side> sides;
        std::vector<operand> operands;
        for (std::size_t k = 0; k < many; ++k) {
            sources.push_back(support::samples<T>(static_cast<std::int64_t>(k), count));
            sides.push_back(k % 3 == 0 ? operand_side::left : operand_side::right);
        }
        for (std::size_t k = 0; k < many; ++k) operands.push_back({bytes_of(sources[k]), sides[k]});
        const std::vector<T> expected = folded_one_by_one(mine, sources, sides, op);
        INFO(count << " elements from " << many << " sources");

        std::vector<T> apart(mine.size());
        fold.fold_all(bytes_of(apart), bytes_of(mine), operands.data(), many, bytes);
        CHECK(apart == expected);

        std::vector<T> in_place = mine;
        fold.fold_all(bytes_of(in_place), bytes_of(in_place), operands.data(), many, bytes);
        CHECK(in_place == expected);
    }
}

} // namespace

TEST_CASE("one pass over many sources equals one fold after the other", "[execute][fold_function]") {
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

TEST_CASE("an element larger than a tile is folded as well", "[execute][fold_function]") {
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
    const operand from{bytes_of(other), operand_side::right};
    tutti::fold_function::of<large>(add).fold_all(bytes_of(mine), bytes_of(mine), &from, 1,
                                                  3 * sizeof(large));
    for (std::size_t i = 0; i < 3; ++i) CHECK(mine[i].values[2999] == 10 + i);
}

TEST_CASE("the side says which operand the incoming value is", "[execute][fold_function]") {
    const auto minus = [](const int& a, const int& b) { return a - b; };
    const auto fold = tutti::fold_function::of<int>(minus);
    for (const std::int64_t count : {1, 5}) {
        const std::vector<int> mine(5, 10);
        const std::vector<int> incoming(5, 3);
        std::vector<int> result(5);
        fold(bytes_of(result), bytes_of(mine), {bytes_of(incoming), operand_side::right}, count * 4);
        CHECK(result.front() == 7);
        fold(bytes_of(result), bytes_of(mine), {bytes_of(incoming), operand_side::left}, count * 4);
        CHECK(result.front() == -7);
    }
}

TEST_CASE("an operation is kept however large it is, and shared by copies or copied with them",
          "[execute][fold_function]") {
    const std::vector<int> mine{1, 2}, other{10, 20};
    const auto folded = [&](const tutti::fold_function& fold) {
        std::vector<int> result(2);
        fold(bytes_of(result), bytes_of(mine), {bytes_of(other), operand_side::right}, 8);
        return result;
    };
    const auto check = [&](const auto& op, int expected) {
        tutti::fold_function copy;
        CHECK(!copy);
        {
            const auto fold = tutti::fold_function::of<int>(op);
            copy = fold;
        }
        CHECK(copy);
        CHECK(folded(copy) == std::vector<int>{expected, 2 * expected});
        const tutti::fold_function moved = std::move(copy);
        CHECK(folded(moved) == std::vector<int>{expected, 2 * expected});
    };
    check([](int a, int b) { return a + b; }, 11);
    const int factor = static_cast<int>(mine.size()) + 1;
    check([factor](int a, int b) { return factor * a + b; }, 13);
    std::array<int, 100> many{};
    many[99] = 5;
    check([many](int a, int b) { return many[99] * a + b; }, 15);
    const auto shared = std::make_shared<int>(7);
    check([shared](int a, int b) { return *shared * a + b; }, 17);
    CHECK(shared.use_count() == 1);
}

TEST_CASE("an operation on bytes folds elements whose type is known at run time", "[execute]") {
    struct pair_of_ints {
        int left, right;
    };
    // Takes the left operand's first number and the right one's second: what is where shows the order.
    const auto op = [](std::byte* result, const std::byte* left, const std::byte* right, std::int64_t bytes) {
        for (std::int64_t at = 0; at < bytes; at += static_cast<std::int64_t>(sizeof(pair_of_ints))) {
            const int first = reinterpret_cast<const pair_of_ints*>(left + at)->left;
            const int second = reinterpret_cast<const pair_of_ints*>(right + at)->right;
            *reinterpret_cast<pair_of_ints*>(result + at) = {first, second};
        }
    };
    const auto fold = tutti::fold_function::over({sizeof(pair_of_ints), alignof(pair_of_ints)}, op);
    CHECK(fold);
    CHECK(fold.shape() == tutti::element_shape::of<pair_of_ints>());
    std::vector<pair_of_ints> mine{{1, 2}, {3, 4}}, incoming{{5, 6}, {7, 8}}, result(2);
    const auto bytes = [](auto& v) { return reinterpret_cast<std::byte*>(v.data()); };
    fold(bytes(result), bytes(mine), {bytes(incoming), tutti::operand_side::right}, 16);
    CHECK((result[0].left == 1 && result[0].right == 6 && result[1].left == 3 && result[1].right == 8));
    const tutti::operand two[] = {{bytes(incoming), tutti::operand_side::left},
                                  {bytes(incoming), tutti::operand_side::right}};
    const auto copy = fold; // shares the operation
    copy.fold_all(bytes(mine), bytes(mine), two, 2, 16);
    CHECK((mine[0].left == 5 && mine[0].right == 6 && mine[1].left == 7 && mine[1].right == 8));
}
