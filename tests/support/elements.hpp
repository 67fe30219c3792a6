// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include <tutti/execute/operation.hpp>

/// Element types and operations with which collectives are run in tests. All are exact, so that results can
/// be compared whatever the order in which they were folded.
namespace support {

/// 24 bytes that no built-in operation knows.
struct moments {
    std::int64_t count = 0;
    std::int64_t sum = 0;
    std::int32_t low = 0;
    std::int32_t high = 0;

    friend bool operator==(const moments&, const moments&) = default;
};
static_assert(sizeof(moments) == 24);

struct merge_moments {
    moments operator()(const moments& a, const moments& b) const {
        return {a.count + b.count, a.sum + b.sum, a.low < b.low ? a.low : b.low,
                a.high > b.high ? a.high : b.high};
    }
};

/// Associative, not commutative, and wraps round instead of overflowing.
struct matrix {
    std::uint32_t a = 1, b = 0, c = 0, d = 1;

    friend bool operator==(const matrix&, const matrix&) = default;
};

struct multiply {
    matrix operator()(const matrix& x, const matrix& y) const {
        return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
    }
};

/// Element i of rank r's input.
template <class T>
T sample(std::int64_t rank, std::int64_t i) {
    return static_cast<T>(rank + 1 + i % 13);
}
template <>
inline moments sample<moments>(std::int64_t rank, std::int64_t i) {
    const auto value = static_cast<std::int32_t>((rank * 7 + i) % 101);
    return {1, value, value, value};
}
template <>
inline matrix sample<matrix>(std::int64_t rank, std::int64_t i) {
    const auto r = static_cast<std::uint32_t>(rank);
    const auto k = static_cast<std::uint32_t>(i % 5);
    return {1 + k, r + 1, r * r + 2, 3 + k};
}

template <class T>
void fill(std::vector<T>& v, std::int64_t count, std::int64_t rank) {
    v.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) v[static_cast<std::size_t>(i)] = sample<T>(rank, i);
}
template <class T>
std::vector<T> samples(std::int64_t rank, std::int64_t count) {
    std::vector<T> v;
    fill(v, count, rank);
    return v;
}

/// The fold of ranks first .. last-1, in order: what a serial program computes. Each rank asks for the same
/// few again and again, for every algorithm and root, so it keeps them.
template <class T, class Op>
const std::vector<T>& serial_fold(std::int64_t first, std::int64_t last, std::int64_t count, const Op& op) {
    static_assert(sizeof(Op) == 1, "an operation with a state: what is kept would have to depend on it");
    thread_local std::map<std::array<std::int64_t, 3>, std::vector<T>> kept;
    const auto [found, is_new] = kept.try_emplace({first, last, count});
    std::vector<T>& result = found->second;
    if (is_new) {
        result = samples<T>(first, count);
        for (std::int64_t r = first + 1; r < last; ++r)
            for (std::int64_t i = 0; i < count; ++i) {
                T& x = result[static_cast<std::size_t>(i)];
                x = op(x, sample<T>(r, i));
            }
    }
    return result;
}

} // namespace support
