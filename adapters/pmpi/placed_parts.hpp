// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <tutti/core/rank.hpp>

#include "data_type.hpp"

namespace tutti::pmpi {

/// A list of the user's with a number for every rank, of one of the lengths that MPI has them in. Null where
/// MPI does not look at it.
class number_list {
public:
    template <std::integral Number>
    number_list(const Number* list) noexcept : list_(list), is_long_(sizeof(Number) == sizeof(std::int64_t)) {
        static_assert(sizeof(Number) == sizeof(int) || sizeof(Number) == sizeof(std::int64_t));
    }

    std::int64_t operator[](rank_type rank) const noexcept {
        const auto at = static_cast<std::size_t>(rank);
        return is_long_ ? of<std::int64_t>(at) : of<int>(at);
    }

private:
    template <class Number> // as bytes: there are two types of 64 bits
    std::int64_t of(std::size_t at) const noexcept {
        Number one;
        std::memcpy(&one, static_cast<const std::byte*>(list_) + at * sizeof one, sizeof one);
        return one;
    }

    const void* list_;
    bool is_long_;
};

/// A part of a vector for every rank, each at a place of the user's choice.
class placed_parts {
public:
    /// Part r has counts[r] elements and begins places[r] extents behind the vector's beginning. A negative
    /// count is none here, nor is one that no memory has room for: the call refuses it.
    placed_parts(const number_list& counts, const number_list& places, const data_type& type,
                 rank_type ranks);

    /// Of all parts.
    std::int64_t bytes() const noexcept { return bytes_; }
    /// By rank; -1 where the user's count is negative, or more than memory can have.
    std::span<const std::int64_t> each() const noexcept { return each_; }
    std::int64_t of(rank_type rank) const noexcept { return each_[static_cast<std::size_t>(rank)]; }
    bool has_negative() const noexcept { return has_negative_; }

    /// Whether the parts lie as they are sent: one right behind the other, in the order of ranks.
    bool in_order() const noexcept { return in_order_; }

    /// Part `rank` of the user's vector.
    template <class Byte>
    Byte* part(Byte* vector, rank_type rank) const noexcept {
        return vector + places_[static_cast<std::size_t>(rank)] * type_.extent;
    }

    /// What the user has in all parts, one behind the other: where it lies, or packed into `room`.
    const std::byte* packed(const void* vector, std::vector<std::byte>& room) const;
    /// Where the same is to be written.
    std::byte* target(void* vector, std::vector<std::byte>& room) const;
    /// Brings to the user what was written to target().
    void unpack(const std::byte* from, void* vector) const;

private:
    template <class Byte>
    Byte* begin(Byte* vector) const noexcept {
        return bytes_ == 0 ? vector : part(vector, first_);
    }
    /// f(rank, bytes) of all parts that have any.
    template <class F>
    void for_each_part(const F& f) const {
        for (std::size_t r = 0; r < each_.size(); ++r)
            if (each_[r] > 0) f(static_cast<rank_type>(r), each_[r]);
    }

    data_type type_;
    std::vector<std::int64_t> each_;   // bytes
    std::vector<std::int64_t> places_; // extents
    std::int64_t bytes_ = 0;
    rank_type first_ = 0; // of those that have any
    bool in_order_;
    bool has_negative_ = false;
};

} // namespace tutti::pmpi
