// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/math.hpp>
#include <tutti/core/step.hpp>

namespace support {

/// How many ranks an exchange in groups of `radix` serves, written by hand.
/// Example with 5 ranks and radix 4: full is 1, there is one group of 4, and 1 rank is left over.
struct ranks_by_digits {
    int full;                   ///< digits that take all values
    tutti::rank_type groups;    ///< of radix^full ranks: the values of the digit above them
    tutti::rank_type left_over; ///< ranks in none

    ranks_by_digits(tutti::rank_type size, tutti::rank_type radix) : full(tutti::floor_log(radix, size)) {
        const auto whole = static_cast<tutti::rank_type>(tutti::power(radix, full));
        groups = size / whole;
        left_over = size % whole;
    }
    /// One for each digit, and two if ranks are left over.
    int rounds() const { return full + (groups > 1 ? 1 : 0) + (left_over > 0 ? 2 : 0); }
};

} // namespace support
