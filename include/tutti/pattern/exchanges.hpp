// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tutti/core/block.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/pattern/halving.hpp>
#include <tutti/pattern/survivors.hpp>
#include <tutti/pattern/swing.hpp>

/// In what order 2^levels ranks exchange all they have, so that all have everything in the end. Each order is
/// a type that says of a number among the survivors
///  - partner(number, i, levels): with whom it exchanges in exchange i;
///  - is_left(number, i, levels): whether its part comes before that of its partner, which all that have the
///    same part agree on;
///  - held(number, i, group): the blocks that it has before, those of removed ranks among them, one per rank;
///  - sent(group): how many blocks the busiest of the numbers that have two of their own sends in all.
namespace tutti {

/// A few sets of blocks, which travel as one message.
class block_pieces {
public:
    /// Puts a set behind the others, unless it is empty. There is room for four, which is not checked.
    constexpr void add(block_set piece) noexcept {
        if (piece.count > 0) pieces_[count_++] = piece;
    }
    constexpr std::size_t size() const noexcept { return count_; }
    constexpr const block_set& operator[](std::size_t k) const noexcept { return pieces_[k]; }

private:
    std::array<block_set, 4> pieces_{};
    std::size_t count_ = 0;
};

namespace detail {

/// Adds the blocks of all numbers that are `number` modulo `apart`, a power of two: those of pairs, two by
/// two, then the others.
/// Example with 5 ranks (0,2,3,4 are numbered 0,1,2,3), modulo 2: of number 0 blocks 0,1 and 3.
constexpr void add_class(block_pieces& to, const survivors& group, rank_type number,
                         std::int64_t apart) noexcept {
    const std::int64_t first = number & (apart - 1);
    const std::int64_t pairs = first < group.extra() ? ceil_div(group.extra() - first, apart) : 0;
    const std::int64_t others = group.power() / apart - pairs;
    // With a single piece the stride does not matter, and must not overflow.
    const auto strided = [](block_index begin, std::int64_t pieces, std::int32_t run, std::int64_t stride) {
        if (pieces < 2) return block_set{.first = begin, .count = pieces * run};
        return block_set{
            .first = begin, .count = pieces * run, .run = run, .stride = static_cast<std::int32_t>(stride)};
    };
    to.add(strided(2 * first, pairs, 2, 2 * apart));
    to.add(strided(first + pairs * apart + group.extra(), others, 1, apart));
}

/// The blocks of the numbers first .. first + count - 1, which are consecutive.
/// Example with 5 ranks: numbers 0,1 have blocks 0,1,2, numbers 2,3 have 3,4.
constexpr block_set blocks_of_range(const survivors& group, rank_type first, std::int64_t count) noexcept {
    const auto before = [&group](std::int64_t number) {
        return number + (number < group.extra() ? number : group.extra());
    };
    return {.first = before(first), .count = before(first + count) - before(first)};
}

} // namespace detail

/// Distances 1, 2, 4, ...: what a number has are always those next to each other.
struct doubling_exchanges {
    /// Parts are joined with their neighbours, lower ranks on the left: operations need not commute.
    static constexpr bool keeps_order = true;

    /// Example with 5 ranks, levels 2: number 0 meets 1, then 2.
    static constexpr rank_type partner(rank_type number, int i, int) noexcept {
        return halving_partner(number, i);
    }
    /// The lower number, which has what lower numbers have.
    static constexpr bool is_left(rank_type number, int i, int) noexcept {
        return number < halving_partner(number, i);
    }
    /// Example with 5 ranks, i = 1: number 1 (rank 2) has blocks 0,1,2, number 3 (rank 4) 3,4.
    static constexpr block_pieces held(rank_type number, int i, const survivors& group) noexcept {
        block_pieces all;
        all.add(detail::blocks_of_range(group, number >> i << i, std::int64_t{1} << i));
        return all;
    }
    /// Number 0 sends the blocks of 0 .. 2^i - 1; no other range of as many numbers has more pairs in it.
    static constexpr block_index sent(const survivors& group) noexcept {
        block_index sum = 0;
        for (int i = 0; i < group.levels(); ++i)
            sum += detail::blocks_of_range(group, 0, std::int64_t{1} << i).count;
        return sum;
    }
};

/// Distances 2^(levels-1), ..., 2, 1: what a number has are all that agree with it in their last bits.
struct halving_exchanges {
    /// Parts that are joined are no neighbours: operations must commute.
    static constexpr bool keeps_order = false;

    /// Example with 5 ranks, levels 2: number 0 meets 2, then 1.
    static constexpr rank_type partner(rank_type number, int i, int levels) noexcept {
        return halving_partner(number, levels - 1 - i);
    }
    /// The lower number: all that have the same part as one of the two are on its side of that bit.
    static constexpr bool is_left(rank_type number, int i, int levels) noexcept {
        return number < partner(number, i, levels);
    }
    /// Example with 5 ranks, i = 1: numbers 0 and 2 have blocks 0,1 and 3, numbers 1 and 3 have 2 and 4.
    static constexpr block_pieces held(rank_type number, int i, const survivors& group) noexcept {
        block_pieces all;
        detail::add_class(all, group, number, std::int64_t{1} << (group.levels() - i));
        return all;
    }
    /// No class has more pairs in it than that of number 0.
    static constexpr block_index sent(const survivors& group) noexcept {
        block_index sum = group.power() - 1;
        for (int k = 1; k <= group.levels(); ++k)
            sum += ceil_div(std::int64_t{group.extra()}, std::int64_t{1} << k);
        return sum;
    }
};

/// The distances of Swing, the farthest first: what a number has are two classes, see pattern/swing.hpp.
struct swing_exchanges {
    /// Parts that are joined are no neighbours: operations must commute.
    static constexpr bool keeps_order = false;

    /// Example with 5 ranks, levels 2: number 0 meets 3, then 1.
    static constexpr rank_type partner(rank_type number, int i, int levels) noexcept {
        return swing_partner(number, levels - 1 - i, levels);
    }
    /// By the even one of its two classes: see swing_is_left().
    static constexpr bool is_left(rank_type number, int i, int levels) noexcept {
        return swing_is_left(number, levels - 1 - i, levels);
    }
    /// Example with 5 ranks, i = 1: numbers 0 and 3 have blocks 0,1 and 4, numbers 1 and 2 have 2 and 3.
    static constexpr block_pieces held(rank_type number, int i, const survivors& group) noexcept {
        const std::int64_t apart = std::int64_t{1} << (group.levels() - i + 1);
        block_pieces all;
        if (i == 0) {
            detail::add_class(all, group, number, group.power());
            return all;
        }
        detail::add_class(all, group, number, apart);
        detail::add_class(all, group, partner(number, i - 1, group.levels()), apart);
        return all;
    }
    /// Of a class modulo 2^k so many numbers have two blocks as 2^k goes into extra, and one more if the
    /// class is below the rest. The odd class is the even one plus 1/3 (modulo 2^k: 3, 3, 11, 11, 43, 43,
    /// ...). So bit by bit of the even class, from the lowest: with each of both on either side of the rest
    /// of extra, and each carry, the most that could have been counted until then.
    static constexpr block_index sent(const survivors& group) noexcept {
        block_index sum = group.power() - 1;
        if (group.extra() == 0) return sum;
        most_counted most{};
        most.raise({.carry = 0, .even_below = group.extra() & 1, .odd_below = 0}, 0);
        for (int k = 1; k < group.levels(); ++k) {
            most = most.after_bit(k == 1 ? 1 : k & 1, (group.extra() >> k) & 1);
            sum += 2 * block_index{group.extra() >> (k + 1)};
        }
        return sum + most.of_a_pair() + 1; // at last it sends its own two blocks
    }

private:
    struct classes {
        int carry;      // into the next bit of the odd class
        int even_below; // whether the even class is below the rest of extra
        int odd_below;
    };

    class most_counted {
    public:
        constexpr void raise(const classes& c, int counted) noexcept {
            int& most = counted_[index(c)];
            if (counted >= most) most = counted + 1; // 0: there is none
        }
        /// With one more bit of the even class, `third` and `extra` being those of 1/3 and of extra.
        constexpr most_counted after_bit(int third, int extra) const noexcept {
            most_counted next{};
            for (int state = 0; state < 8; ++state)
                for (int even = 0; even < 2; ++even) {
                    const int counted = counted_[static_cast<std::size_t>(state)] - 1;
                    if (counted < 0) continue;
                    const classes c{
                        .carry = state >> 2, .even_below = (state >> 1) & 1, .odd_below = state & 1};
                    const int sum = even + third + c.carry;
                    const int odd = sum & 1;
                    const classes longer{.carry = sum >> 1,
                                         .even_below = even == extra ? c.even_below : extra,
                                         .odd_below = odd == extra ? c.odd_below : extra};
                    next.raise(longer, counted + longer.even_below + longer.odd_below);
                }
            return next;
        }
        /// Of classes that are single numbers, one of which has two blocks.
        constexpr int of_a_pair() const noexcept {
            int most = 0;
            for (std::size_t state = 0; state < 8; ++state)
                if ((state & 3) != 0 && counted_[state] > most) most = counted_[state];
            return most - 1;
        }

    private:
        static constexpr std::size_t index(const classes& c) noexcept {
            return static_cast<std::size_t>(4 * c.carry + 2 * c.even_below + c.odd_below);
        }
        std::array<int, 8> counted_{};
    };
};

} // namespace tutti
