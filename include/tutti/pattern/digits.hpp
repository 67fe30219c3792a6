// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Numbers 0 .. count - 1 by their digits: those to the base `radix`, and before them one of less values, if
/// there is need. Exchange i of a butterfly joins the numbers that differ in digit i alone; the numbers that
/// are joined by digits 0 .. i are consecutive. Of `size` ranks as many can be numbered as
/// b radix^a <= size, b < radix: more than half of them.
///
/// Example with 5 ranks: radix 2: 4 numbers of 2 digits; radix 3: 3 numbers of one digit; radix 5 and more: 5
/// numbers of one digit. With 13 ranks and radix 3: 9 numbers of 2 digits; radix 4: 12 numbers, digit 0 with
/// 4 values and digit 1 with 3. Source: the groups of recursive multiplying, see
/// schedule/allreduce/recursive_multiplying.hpp.
class digits {
public:
    constexpr digits(rank_type size, rank_type radix) : radix_(radix) {
        if (radix < 2) detail::throw_argument("radix", radix, "at least 2");
        full_ = floor_log(radix, size);
        const auto whole = static_cast<rank_type>(power(radix, full_));
        first_ = size / whole;
        count_ = first_ * whole;
    }

    /// The largest b radix^a <= size with b < radix: so many ranks have a number.
    constexpr rank_type count() const noexcept { return count_; }
    /// Digits of every number; none if there is one number only.
    constexpr int places() const noexcept { return full_ + (first_ > 1 ? 1 : 0); }

    /// How many values digit i has; 1 of a number without digits.
    constexpr rank_type values(int i) const noexcept { return i < full_ ? radix_ : first_; }
    /// Those of the digit that has most, which is digit 0: the largest group of an exchange.
    constexpr rank_type most_values() const noexcept { return values(0); }

    /// How much a one in place i counts.
    constexpr rank_type weight(int i) const noexcept { return static_cast<rank_type>(power(radix_, i)); }

    /// Example with 5 ranks, radix 2: the digits of 3 are 1 and 1.
    constexpr rank_type digit(rank_type number, int i) const noexcept {
        if (radix_ == 2) return number >> i & 1; // by far the commonest, and two divisions less
        return number / weight(i) % values(i);
    }

    /// All digits of the sum of values minus one: the numbers that one meets, place by place.
    /// Example with 5 ranks: radix 2: 2; radix 5: 4.
    constexpr rank_type partners() const noexcept { return full_ * (radix_ - 1) + first_ - 1; }

private:
    rank_type radix_;
    int full_ = 0;        // digits of `radix_` values
    rank_type first_ = 1; // values of the digit before them
    rank_type count_ = 1;
};

} // namespace tutti
