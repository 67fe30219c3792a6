// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/model/cost.hpp>
#include <tutti/model/piecewise.hpp>

/// The cost model of Moody, Fernandez, Petrini and Panda 2003, "Scalable NIC-based reduction on large-scale
/// clusters", and its formulas for reductions.
namespace tutti::moody_2003 {

/// Section 5.1, Table 1: LogP with the cost of receiving in place of the overhead and receiving plus reducing
/// in place of the gap.
struct model {
    static constexpr bool synchronous = false;

    double L = 0;                         ///< message latency, us
    piecewise r;                          ///< reception of a message of so many bytes
    double C = 0;                         ///< initial overhead, us, once
    std::map<std::string, piecewise> c{}; ///< reduction of so many bytes, by operation: "float64-add"
    std::string operation{};              ///< which of them is applied

    cost start() const noexcept { return {.startup = C}; }
    cost sender(const message_facts&) const noexcept { return {.startup = L}; }
    cost flight(const message_facts&) const noexcept { return {.startup = L}; }
    cost receiver(const message_facts& m) const noexcept { return {.transfer = r(m.bytes)}; }
    cost fold(std::int64_t bytes) const {
        const auto found = c.find(operation);
        return {.fold = found == c.end() || bytes == 0 ? 0 : found->second(bytes)};
    }
    cost copy(std::int64_t) const noexcept { return {}; }

    friend bool operator==(const model&, const model&) = default;
};

// All formulas: p >= 1 nodes, a vector of n >= 0 bytes, else argument_error. L and C are startup, r is
// transfer, c is fold. "r + c" is what a message costs its receiver.

namespace detail {

inline void check(std::int64_t p, std::int64_t n) {
    if (p < 1) tutti::detail::throw_argument("p", p, "at least 1");
    if (n < 0) tutti::detail::throw_argument("n", n, "at least 0");
}
inline void check(std::int64_t p, std::int64_t n, std::int64_t f) {
    check(p, n);
    if (f < 2) tutti::detail::throw_argument("f", f, "at least 2");
}

/// `latencies` messages waited for, `received` received one after the other and `folded` folded, n bytes
/// each.
inline cost work(const model& on, std::int64_t n, double latencies, double received, double folded) {
    return {.startup = latencies * on.L, .transfer = received * on.r(n), .fold = folded * on.fold(n).us()};
}

/// The root's way through the phases of an f-nomial tree.
inline cost phases(const model& on, std::int64_t p, std::int64_t f, std::int64_t n) {
    const int full = floor_log(f, p);
    const std::int64_t reached = power(f, full); // by the full phases
    const auto messages = static_cast<double>((f - 1) * full + ceil_div(p, reached) - 1);
    return work(on, n, ceil_log(f, p), messages, messages);
}

} // namespace detail

/// T_serial(P) (5.1): reduce serial. Exact.
inline cost reduce_serial(const model& on, rank_type p, std::int64_t n) {
    detail::check(p, n);
    return on.start() + detail::work(on, n, p > 1 ? 1 : 0, p - 1, p - 1);
}

/// T_f-nomial^full(P, f) (5.2): as if log_f p were an integer and f any number above 1.
inline cost reduce_fnomial_full(const model& on, rank_type p, double f, std::int64_t n) {
    detail::check(p, n);
    if (!(f > 1)) throw argument_error("f", std::to_string(f), "more than 1");
    const double phases = std::log(static_cast<double>(p)) / std::log(f);
    return on.start() + detail::work(on, n, phases, phases * (f - 1), phases * (f - 1));
}

/// T_f-nomial(P, f) (5.2): reduce fnomial. Exact, unless the last phase brings nothing but the message of a
/// subtree that lacks nodes: then that may be on its way before the root is ready for it, and the formula has
/// up to L too much.
/// Example with 5 nodes: f = 2 waits 3 L for 3 messages; the last, of node 4 alone, has in truth come in the
/// meantime.
inline cost reduce_fnomial(const model& on, rank_type p, rank_type f, std::int64_t n) {
    detail::check(p, n, f);
    return on.start() + detail::phases(on, p, f, n);
}

/// f-nomial split (5.3 describes it, but gives no formula): reduce fnomial_split, e = min(s, ceil(lg p))
/// halvings.
///
///     C + sum over k = 1 .. e of [L + (r + c)(n / 2^k)]       the halvings
///       + T_f-nomial(ceil(p / 2^e), f) - C with n / 2^e bytes   the root's group, the largest
///       + L + (2^e - 1) r(n / 2^e)                              the other groups' pieces, not folded; if e >
///       0
///
/// Exact where 2^e divides p and T_f-nomial(p / 2^e, f) is exact. Else some groups are odd: their last node
/// folds twice, which the formula lacks, and other trees than the root's lack a node. Pieces are rounded up
/// to bytes.
inline cost reduce_fnomial_split(const model& on, rank_type p, rank_type f, int splits, std::int64_t n) {
    detail::check(p, n, f);
    if (splits < 0 || splits > 30) tutti::detail::throw_argument("splits", splits, "0..30");
    const int halvings = std::min(splits, ceil_log2(p));
    const auto piece = [n](int k) { return ceil_div(n, std::int64_t{1} << k); };
    cost all = on.start();
    for (int k = 1; k <= halvings; ++k) all += detail::work(on, piece(k), 1, 1, 1);
    const std::int64_t groups = std::int64_t{1} << halvings;
    all += detail::phases(on, ceil_div(std::int64_t{p}, groups), f, piece(halvings));
    if (halvings > 0) {
        const auto others = static_cast<double>(std::min<std::int64_t>(groups, p) - 1);
        all += detail::work(on, piece(halvings), 1, others, 0);
    }
    return all;
}

/// The f > 1 with the least T_f-nomial^full (appendix B): f (ln f - 1) = L / (r + c) - 1, to 1e-12 of it. It
/// does not depend on the number of nodes. Infinite if messages cost their receiver nothing, where the widest
/// tree is best.
inline double ideal_radix(const model& on, std::int64_t n) {
    detail::check(1, n);
    const double message = on.r(n) + on.fold(n).us();
    if (!(message > 0)) return std::numeric_limits<double>::infinity();
    const double wanted = on.L / message - 1;
    // The left side ascends from -1 at f = 1 without end, as its slope is ln f; half way is not far off.
    double low = 1;
    double high = 2;
    const auto left = [](double f) { return f * (std::log(f) - 1); };
    while (left(high) < wanted) high *= 2;
    while (high - low > 1e-12 * high) {
        const double middle = (low + high) / 2;
        (left(middle) < wanted ? low : high) = middle;
    }
    return (low + high) / 2;
}

/// The better, for full trees, of the two whole numbers beside ideal_radix, at least 2 and at most p.
inline rank_type best_radix_of_full_trees(const model& on, rank_type p, std::int64_t n) {
    detail::check(p, n);
    const rank_type most = std::max<rank_type>(2, p);
    const double ideal = ideal_radix(on, n);
    if (ideal >= most) return most;
    const rank_type below = std::max<rank_type>(2, static_cast<rank_type>(ideal));
    const rank_type above = std::min<rank_type>(below + 1, most);
    const auto time = [&](rank_type f) { return reduce_fnomial_full(on, p, f, n).us(); };
    return time(above) < time(below) ? above : below;
}

/// The f in 2 .. max(2, p) with the least T_f-nomial(p, f), as section 5.2 advises; the smallest if there are
/// several. O(p log p).
inline rank_type best_radix(const model& on, rank_type p, std::int64_t n) {
    rank_type best = 2;
    double least = reduce_fnomial(on, p, best, n).us();
    for (rank_type f = 3; f <= p; ++f)
        if (const double us = reduce_fnomial(on, p, f, n).us(); us < least) {
            least = us;
            best = f;
        }
    return best;
}

/// A choice of the f-nomial split.
struct split_choice {
    rank_type radix = 2; ///< of the trees
    int splits = 0;      ///< how often the vector is halved

    friend constexpr bool operator==(const split_choice&, const split_choice&) = default;
};

/// The number of halvings with the least reduce_fnomial_split, as long as pieces have at least
/// `element_bytes` and groups more than one node; the smallest if there are several.
inline int best_splits(const model& on, rank_type p, rank_type f, std::int64_t n,
                       std::int64_t element_bytes) {
    if (element_bytes < 1) tutti::detail::throw_argument("element_bytes", element_bytes, "at least 1");
    int best = 0;
    double least = reduce_fnomial_split(on, p, f, 0, n).us();
    for (int s = 1; s <= ceil_log2(p) && (element_bytes << s) <= n; ++s)
        if (const double us = reduce_fnomial_split(on, p, f, s, n).us(); us < least) {
            least = us;
            best = s;
        }
    return best;
}

/// Radix and number of halvings together: all of them are tried.
inline split_choice best_split(const model& on, rank_type p, std::int64_t n, std::int64_t element_bytes) {
    split_choice best{.radix = 2, .splits = best_splits(on, p, 2, n, element_bytes)};
    const auto time = [&](const split_choice& c) {
        return reduce_fnomial_split(on, p, c.radix, c.splits, n).us();
    };
    for (rank_type f = 3; f <= p; ++f)
        if (const split_choice c{f, best_splits(on, p, f, n, element_bytes)}; time(c) < time(best)) best = c;
    return best;
}

} // namespace tutti::moody_2003
