// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/model/cost.hpp>

/// The cost model of Rabenseifner and Adamidis 2004 and the formulas of their sections 3.3 to 3.5 and 3.7.
/// Section 3.6 and the choice of section 4 are in model/rabenseifner_2004_blocks.hpp.
namespace tutti::rabenseifner_2004 {

/// Section 3.1: a message of n bytes takes alpha + n beta if its two ends send and receive at the same time,
/// alpha_uni + n beta_uni if traffic goes one way only; gamma per folded byte.
struct model {
    static constexpr bool synchronous = true;

    double alpha = 0;     ///< latency of a message both ways, us
    double beta = 0;      ///< per byte both ways, us
    double gamma = 0;     ///< per byte folded, us
    double alpha_uni = 0; ///< latency one way, us; alpha/2 (simplex) to alpha (full duplex)
    double beta_uni = 0;  ///< per byte one way, us; beta/2 to beta

    cost start() const noexcept { return {}; }
    cost sender(const message_facts& m) const noexcept { return flight(m); }
    cost flight(const message_facts& m) const noexcept {
        const auto n = static_cast<double>(m.bytes);
        return m.both_ways ? cost{.startup = alpha, .transfer = n * beta}
                           : cost{.startup = alpha_uni, .transfer = n * beta_uni};
    }
    cost receiver(const message_facts&) const noexcept { return {}; }
    cost fold(std::int64_t bytes) const noexcept { return {.fold = gamma * static_cast<double>(bytes)}; }
    cost copy(std::int64_t) const noexcept { return {}; }

    friend bool operator==(const model&, const model&) = default;
};

namespace detail {

/// The bytes as the formulas take them. Throws argument_error for no ranks or less than no bytes.
inline double vector_bytes(rank_type p, std::int64_t n) {
    if (p < 1) tutti::detail::throw_argument("p", p, "at least 1");
    if (n < 0) tutti::detail::throw_argument("n", n, "at least 0");
    return static_cast<double>(n);
}

/// `messages` and `bytes` both ways, `messages_uni` and `bytes_uni` one way, `folded` bytes.
constexpr cost sum(const model& on, double messages, double bytes, double messages_uni, double bytes_uni,
                   double folded) noexcept {
    return {.startup = messages * on.alpha + messages_uni * on.alpha_uni,
            .transfer = bytes * on.beta + bytes_uni * on.beta_uni,
            .fold = folded * on.gamma};
}

} // namespace detail

// All formulas: p >= 1 ranks, a whole vector of n >= 0 bytes, else argument_error. Ranks and rounds are
// counted exactly, blocks as fractions of the vector, so that a vector which cannot be cut evenly costs a bit
// more. "f_alpha alpha" is alpha_uni, "f_beta beta" is beta_uni.

/// T_red,tree (3.3): reduce fnomial with radix 2.
inline cost reduce_tree(const model& on, rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    const double q = ceil_log2(p);
    return detail::sum(on, 0, 0, q, q * bytes, q * bytes);
}

/// T_all,tree (3.3): allreduce fnomial with radix 2.
inline cost allreduce_tree(const model& on, rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    const double q = ceil_log2(p);
    return detail::sum(on, 0, 0, 2 * q, 2 * q * bytes, q * bytes);
}

/// T_all,r.d. (3.4). Two messages go one way if p is not a power of two, the removed rank's vector and its
/// result; the formula has only one of them at the price of one way.
inline cost allreduce_recursive_doubling(const model& on, rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    const double q = ceil_log2(p);
    const double extra = floor_pow2(p) == p ? 0 : 1;
    return detail::sum(on, q, q * bytes, extra, extra * bytes, q * bytes);
}

/// T_all,h&d (3.5), for powers of two and others. For others the last message, the result for a removed rank,
/// goes one way; the formula has it at the price of both ways.
inline cost allreduce_halving_doubling(const model& on, rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    const double rounds = floor_log2(p);
    const double kept = 1 - 1.0 / floor_pow2(p); // what halving sends and folds, in vectors
    const cost exchanges = detail::sum(on, 2 * rounds, 2 * kept * bytes, 0, 0, kept * bytes);
    if (floor_pow2(p) == p) return exchanges;
    return exchanges + detail::sum(on, 2, 1.5 * bytes, 1, 0.5 * bytes, 0.5 * bytes);
}

/// The paper's short form of it: 2 lg p alpha + 2 n beta + n gamma for a power of two, else (3 + 2 floor(lg
/// p)) alpha + 4 n beta + 3/2 n gamma. Too much by 1/p' (2 n beta + n gamma), and by what one way is cheaper
/// than both.
inline cost allreduce_halving_doubling_roughly(const model& on, rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    const double rounds = floor_log2(p);
    if (floor_pow2(p) == p) return detail::sum(on, 2 * rounds, 2 * bytes, 0, 0, bytes);
    return detail::sum(on, 3 + 2 * rounds, 4 * bytes, 0, 0, 1.5 * bytes);
}

/// T_red,h&d (3.5), for powers of two and others, any root.
inline cost reduce_halving_doubling(const model& on, rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    const double rounds = floor_log2(p);
    const double kept = 1 - 1.0 / floor_pow2(p);
    const cost all = detail::sum(on, rounds, kept * bytes, rounds, kept * bytes, kept * bytes);
    if (floor_pow2(p) == p) return all;
    return all + detail::sum(on, 1, 0.5 * bytes, 1, 0.5 * bytes, 0.5 * bytes);
}

/// The paper's short form of it: 2 lg p alpha + 2 n beta + n gamma, else (2 + 2 floor(lg p)) alpha + 3 n beta
/// + 3/2 n gamma.
inline cost reduce_halving_doubling_roughly(const model& on, rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    const double rounds = floor_log2(p);
    if (floor_pow2(p) == p) return detail::sum(on, 2 * rounds, 2 * bytes, 0, 0, bytes);
    return detail::sum(on, 2 + 2 * rounds, 3 * bytes, 0, 0, 1.5 * bytes);
}

/// T_all,ring (3.7), pairwise_ring.
inline cost allreduce_ring(const model& on, rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    const double rounds = p - 1;
    const double kept = rounds / p;
    return detail::sum(on, 2 * rounds, 2 * kept * bytes, 0, 0, kept * bytes);
}

/// T_red,ring (3.7), pairwise_ring: the root takes the p - 1 segments of the result one after the other.
inline cost reduce_ring(const model& on, rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    const double rounds = p - 1;
    const double kept = rounds / p;
    return detail::sum(on, rounds, kept * bytes, rounds, kept * bytes, kept * bytes);
}

} // namespace tutti::rabenseifner_2004
