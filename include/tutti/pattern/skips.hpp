// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
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

/// Skips of a circulant graph by hand: the number of ranks, then ever less of them, none less than half of
/// the one before. Behind the last they halve until 1, so a list may end early. Träff's algorithms work for
/// all such skips, with the same volume, in as many rounds as there are skips behind the first: halves are
/// the fewest, skips that fall by one the most. Examples with 5 ranks: 5, 3, 2, 1 and 5, 4, 3, 2, 1.
///
/// Lies in generators by value: no more than the halving skips of the largest world, so as to be copied fast.
class skip_list {
public:
    /// So many numbers at most.
    static constexpr std::size_t most = 32;

    /// None: the halving skips.
    constexpr skip_list() = default;
    /// `{16, 8, 4, 3, 2, 1}`. Throws argument_error for more than `most`; whether they are skips is checked
    /// where the number of ranks is known, see circulant_skips.
    constexpr skip_list(std::initializer_list<rank_type> skips)
        : skip_list(std::span(skips.begin(), skips.size())) {}
    /// Likewise, of skips that were computed.
    constexpr explicit skip_list(std::span<const rank_type> skips);

    constexpr int size() const noexcept { return size_; }
    /// Number k of those listed, 0 <= k < size().
    constexpr rank_type operator[](int k) const noexcept { return skips_[k]; }

private:
    int size_ = 0;
    rank_type skips_[most] = {};
};

namespace detail {
/// Of a list of `numbers` skips.
[[noreturn, gnu::cold]] void throw_too_many_skips(std::size_t numbers);
/// Of skip k, which is to follow `before`; k = 0: to be `before`, the number of ranks.
[[noreturn, gnu::cold]] void throw_skip(int k, rank_type skip, rank_type before);
} // namespace detail

constexpr skip_list::skip_list(std::span<const rank_type> skips) {
    if (skips.size() > most) detail::throw_too_many_skips(skips.size());
    for (const rank_type skip : skips) skips_[size_++] = skip;
}

/// The skips that a circulant algorithm goes by: those that are listed, then bounded ones. Without a list the
/// bounded ones of all ranks. Example with 12 ranks, 12, 8 listed, and most 2: 12, 8, 6, 4, 2, 1.
class circulant_skips {
public:
    /// Throws argument_error for a list that does not begin with `size` or falls by more than to half, and
    /// for `message_blocks` < 0, which is the bound; 0 is none.
    constexpr explicit circulant_skips(rank_type size, rank_type message_blocks = 0,
                                       const skip_list& listed = {})
        : listed_(listed), rest_(last_checked(size), checked(message_blocks)) {}

    /// How many there are behind the first.
    constexpr int count() const noexcept { return rest_begins() + rest_.count(); }

    /// Skip k, 0 <= k <= count().
    constexpr rank_type operator[](int k) const noexcept {
        return k < listed_.size() ? listed_[k] : rest_[k - rest_begins()];
    }

private:
    /// The bounded skips begin with the last one listed.
    constexpr int rest_begins() const noexcept { return listed_.size() > 0 ? listed_.size() - 1 : 0; }

    static constexpr rank_type checked(rank_type message_blocks) {
        if (message_blocks < 0) detail::throw_argument("message_blocks", message_blocks, "0 or more");
        return message_blocks;
    }

    /// The last one listed, or `size`.
    constexpr rank_type last_checked(rank_type size) const {
        rank_type last = size;
        for (int k = 0; k < listed_.size(); last = listed_[k++]) {
            const rank_type skip = listed_[k];
            if (k == 0 ? skip != size : skip >= last || skip < ceil_div(last, 2))
                detail::throw_skip(k, skip, last);
        }
        return last;
    }

    skip_list listed_;
    bounded_skips rest_;
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

#if TUTTI_BODIES
namespace detail {
[[noreturn]] TUTTI_BODY void throw_too_many_skips(std::size_t numbers) {
    throw argument_error("skips", sentence({numbers, " numbers"}),
                         sentence({"at most ", skip_list::most, "; behind the last they halve"}));
}
[[noreturn]] TUTTI_BODY void throw_skip(int k, rank_type skip, rank_type before) {
    const std::string allowed = k == 0 ? sentence({before, ", the number of ranks"})
                                : before == 1
                                    ? std::string("nothing, the one before is 1")
                                    : sentence({ceil_div(before, 2), "..", before - 1,
                                                ", less than the one before and no less than half of it"});
    throw argument_error(sentence({"skips[", k, "]"}), sentence({skip}), allowed);
}
} // namespace detail
#endif

} // namespace tutti
