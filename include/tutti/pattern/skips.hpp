// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// The halving skips of the circulant graph: size, ceil(size / 2), ceil(size / 4), ..., 1. Halving and
/// rounding up k times is the same as dividing by 2^k and rounding up once, so no table is kept. Example with
/// 5 ranks: skips 5, 3, 2, 1 for k = 0..3. Source: Träff 2024 (arXiv 2410.14234).
constexpr rank_type halving_skip(rank_type size, int k) noexcept {
    const std::int64_t parts = std::int64_t{1} << k;
    return static_cast<rank_type>((size + parts - 1) >> k);
}

/// Skips that halve, but never fall by more than `most`: s, then the greater of ceil(s / 2) and s - most,
/// from size down to 1; most 0 is no bound. Träff's algorithms work for all skips that fall to no less than
/// half. Example with 5 ranks: 5, 4, 3, 2, 1 with most 1; from 2 on they are the halving skips 5, 3, 2, 1.
/// With 12 ranks and most 3: 12, 9, 6, 3, 2, 1.
class bounded_skips {
public:
    constexpr explicit bounded_skips(rank_type size, rank_type most = 0) noexcept
        : size_(size), most_(most), halved_(size) {
        // While half a skip is more than `most`, it falls by `most`: until 2 most + 1 ranks are left, or
        // less.
        if (most == 0 || size / 2 <= most) return;
        falls_ =
            static_cast<int>(ceil_div(std::int64_t{size} - 1 - 2 * std::int64_t{most}, std::int64_t{most}));
        halved_ = size - falls_ * most;
    }

    /// How many there are behind the first.
    constexpr int count() const noexcept { return falls_ + ceil_log2(halved_); }

    /// Skip k, 0 <= k <= count().
    constexpr rank_type operator[](int k) const noexcept {
        return k < falls_ ? size_ - k * most_ : halving_skip(halved_, k - falls_);
    }

private:
    rank_type size_;
    rank_type most_;
    rank_type halved_; // the skip from which on they are halving ones
    int falls_ = 0;    // so many before it
};

/// `rank` + `distance` counted cyclically, for 0 <= distance <= size.
/// Example with 5 ranks: 3 ranks after rank 4 comes rank 2.
constexpr rank_type ahead(rank_type rank, rank_type distance, rank_type size) noexcept {
    return rank < size - distance ? rank + distance : rank - (size - distance);
}

/// `rank` - `distance` counted cyclically, for 0 <= distance <= size.
/// Example with 5 ranks: 3 ranks before rank 1 comes rank 3.
constexpr rank_type behind(rank_type rank, rank_type distance, rank_type size) noexcept {
    return rank >= distance ? rank - distance : rank + (size - distance);
}

/// Round the ring of ranks, to the next higher one or to the next lower one.
enum class direction : bool { up, down };

/// The other way round the ring.
constexpr direction opposite(direction where) noexcept {
    return where == direction::up ? direction::down : direction::up;
}

/// The rank `distance` ranks along the ring from `rank`.
/// Example with 5 ranks: 3 up from rank 4 is rank 2, 3 down is rank 1.
constexpr rank_type along(direction where, rank_type rank, rank_type distance, rank_type size) noexcept {
    return where == direction::up ? ahead(rank, distance, size) : behind(rank, distance, size);
}

} // namespace tutti
