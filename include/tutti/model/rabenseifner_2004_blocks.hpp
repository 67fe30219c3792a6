// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <tutti/core/rank.hpp>
#include <tutti/model/cost.hpp>
#include <tutti/model/rabenseifner_2004.hpp>
#include <tutti/pattern/binary_blocks.hpp>

/// Binary blocks in the model of Rabenseifner and Adamidis 2004. Section 3.6 describes the protocol, names
/// delta_expo,max (pattern/binary_blocks.hpp) as what makes it slow, and gives no formula. The formulas here
/// are derived from the schedules of this library, which follow the section.
///
/// Let the blocks have 2^e(1) > 2^e(2) > ... > 2^e(k) ranks, and let a message that block j + 1 sends to
/// block j, or back, cost c(j) = alpha_uni + n/2^e(j) beta_uni. A rank of block j + 1 shares its part of the
/// vector with 2^(e(j) - e(j+1)) ranks of block j and sends each of them its piece, one after the other.
///
///   H(j) = e(j) alpha + (1 - 2^-e(j)) n (beta + gamma)             block j has halved
///   F(k) = H(k)
///   F(j) = max(F(j+1), H(j)) + 2^(e(j) - e(j+1)) c(j) + n/2^e(j) gamma    and folded the smaller blocks
///   G(1) = F(1)
///   G(j+1) = G(j) + 2^(e(j) - e(j+1)) c(j)                            the result has come to block j + 1
///
/// Allreduce: max over j of max(G(j+1), G(j)) + e(j) alpha + (1 - 2^-e(j)) n beta: block j doubles when it
/// has served the next smaller one. Reduce: F(1) + e(1) alpha_uni + (1 - 2^-e(1)) n beta_uni.
///
/// F and G are those of the last one served of a block: the one of highest number, in the largest block, too.
namespace tutti::rabenseifner_2004 {

namespace detail {

/// The blocks, largest first.
struct blocks_of_ranks {
    std::array<int, 31> exponent{};
    std::size_t count = 0;

    explicit blocks_of_ranks(rank_type p) noexcept {
        for (rank_block b = block_of(0, p);; b = smaller(b, p)) {
            exponent[count++] = b.exponent;
            if (!has_smaller(b, p)) return;
        }
    }
};

inline double share(int exponent) noexcept { return std::ldexp(1.0, -exponent); }

/// H(j) and, with fold_too false, the doubling that is its reverse.
inline cost halving(const model& on, int exponent, double bytes, bool fold_too) noexcept {
    const double moved = (1 - share(exponent)) * bytes;
    return sum(on, exponent, moved, 0, 0, fold_too ? moved : 0);
}

/// All messages that one rank of a block of 2^smaller ranks sends to one of 2^larger.
inline cost pieces(const model& on, int larger, int smaller, double bytes) noexcept {
    return sum(on, 0, 0, std::ldexp(1.0, larger - smaller), share(smaller) * bytes, 0);
}

inline cost later(const cost& a, const cost& b) noexcept { return a.us() < b.us() ? b : a; }

/// F(1).
inline cost scattered(const model& on, const blocks_of_ranks& blocks, double bytes) noexcept {
    std::size_t j = blocks.count - 1;
    cost ready = halving(on, blocks.exponent[j], bytes, true);
    while (j > 0) {
        const int smaller = blocks.exponent[j--];
        const int own = blocks.exponent[j];
        ready = later(ready, halving(on, own, bytes, true)) + pieces(on, own, smaller, bytes)
                + sum(on, 0, 0, 0, 0, share(own) * bytes);
    }
    return ready;
}

} // namespace detail

/// Allreduce by binary_blocks: derived, see above. For a power of two it is that of halving_doubling.
/// p >= 1 and n >= 0 bytes, else argument_error.
inline cost allreduce_binary_blocks(const model& on, rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    const detail::blocks_of_ranks blocks(p);
    cost arrived = detail::scattered(on, blocks, bytes);
    cost last;
    for (std::size_t j = 0; j < blocks.count; ++j) {
        const int own = blocks.exponent[j];
        if (j + 1 < blocks.count) arrived += detail::pieces(on, own, blocks.exponent[j + 1], bytes);
        last = detail::later(last, arrived + detail::halving(on, own, bytes, false));
    }
    return last;
}

/// Reduce by binary_blocks to a root in the largest block, the first 2^floor(lg p) ranks: derived, see above.
/// To another root it takes up to alpha_uni + n/p' beta_uni more, for the result of rank 0, whose role that
/// root plays in the gather. p >= 1 and n >= 0 bytes, else argument_error.
inline cost reduce_binary_blocks(const model& on, rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    const detail::blocks_of_ranks blocks(p);
    const int own = blocks.exponent[0];
    return detail::scattered(on, blocks, bytes)
           + detail::sum(on, 0, 0, own, (1 - detail::share(own)) * bytes, 0);
}

/// Section 4, measured on a Cray T3E 900: whether binary blocks are faster than halving and doubling, which
/// they are "if delta_expo,max < lg(n / 1 byte)/2 - 2.5 and n >= 16 KB and more than 32 processes are used".
/// For a power of two the two are the same.
/// Example: 33 = 2^5 + 2^0 has 5; with 32 KB the bound is 5, so halving and doubling are faster.
inline bool prefers_binary_blocks(rank_type p, std::int64_t n) {
    const double bytes = detail::vector_bytes(p, n);
    return p > 32 && n >= 16 * 1024 && delta_expo_max(p) < std::log2(bytes) / 2 - 2.5;
}

} // namespace tutti::rabenseifner_2004
