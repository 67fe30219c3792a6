// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather by r-fold growth, r being the radix: a rank that has the blocks of the ranks r .. r + w - 1, w =
/// radix^i, sends them to the ranks r - w, r - 2w, ..., r - (radix-1) w and gets the next (radix-1) w from
/// the ranks as far the other way; the last round brings what is still missing. Ranges are cyclic, which
/// saves the rotation at the end. Radix 2 is for one port, k + 1 for k.
///
/// Rounds: ceil(log_radix p), of at most radix - 1 messages each. Volume: every rank sends p - 1 of p blocks.
/// Both are lower bounds, for every p and radix - 1 ports. The longest messages go farthest. Cost with radix
/// 2: ceil(lg p) alpha + (p - 1) m beta, m being the length of a block.
/// Order: nothing is folded. Restrictions: none; any radix >= 2.
/// Source: Bruck, Ho, Kipnis, Upfal and Weathersby 1997, section 4 (the concatenation, k ports; the last
/// round simpler than theirs); the cost as in Thakur and Gropp 2003.
class allgather_bruck {
public:
    constexpr explicit allgather_bruck(place at, rank_type radix = 2) : at_(checked(at)), radix_(radix) {
        if (radix < 2) detail::throw_argument("radix", radix, "at least 2");
    }

    constexpr round_index rounds() const noexcept { return ceil_log(radix_, at_.size); }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = std::int64_t{2} * std::min(radix_ - 1, at_.size - 1),
                            .rounds = rounds(),
                            .sent_blocks = at_.size - 1,
                            .uniform_rounds = rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks: rank 3 sends 3 to rank 2 and gets 4 from rank 4; sends 3,4 to rank 1 and gets
        // 0,1 from rank 0; sends 3 to rank 4 and gets 2 from rank 2. With radix 3 it sends 3 to ranks 2 and 1
        // and gets 4 and 0 from ranks 4 and 0, then it sends 3,4 to rank 0 and gets 1,2 from rank 1.
        const std::int64_t held = power(radix_, static_cast<int>(i));
        const std::int64_t most = std::min<std::int64_t>((radix_ - 1) * held, at_.size - 1);
        for (std::int64_t far = held; far <= most; far += held)
            sink(step::send(behind(at_.rank, static_cast<rank_type>(far), at_.size),
                            {.first = at_.rank, .count = std::min(held, at_.size - far)}));
        for (std::int64_t far = held; far <= most; far += held) {
            const rank_type from = ahead(at_.rank, static_cast<rank_type>(far), at_.size);
            sink(step::recv(from, {.first = from, .count = std::min(held, at_.size - far)}));
        }
    }

private:
    place at_;
    rank_type radix_;
};

constexpr auto generate(collective_constant<collective::allgather>, const bruck& how, place at) {
    return allgather_bruck(at, how.radix);
}

} // namespace tutti
