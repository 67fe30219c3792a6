// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Which call a message belongs to: what all ranks of one collective call agree in, and ranks that make
/// different calls do not. 16 bytes, so that it can travel in front of every message.
///
/// Channels number the calls; a label tells whether the calls of that number are the same one.
class call_label {
public:
    /// In place of the bytes of the whole vector where every pair of ranks has a length of its own.
    static constexpr std::int64_t lengths_by_pair = (std::int64_t{1} << 48) - 1;

    /// Of no call: of messages that no collective sends.
    call_label() = default;

    /// `kind` tells schedules apart: 24 bits of it are kept. `bytes` are those of the whole vector.
    call_label(collective what, std::int64_t bytes, std::size_t element, rank_type root,
               std::uint32_t kind) noexcept
        : what_((static_cast<std::uint64_t>(bytes) << 16) | (element > 0xFFFF ? 0 : element)),
          how_((static_cast<std::uint64_t>(static_cast<std::uint32_t>(root)) << 32) | (kind << 8)
               | (static_cast<std::uint32_t>(what) + 1)) {}

    /// "allreduce of 100 elements of 8 bytes"
    [[gnu::cold]] std::string text() const;

    /// Whether they differ in nothing but the schedule.
    bool alike(const call_label& other) const noexcept {
        return what_ == other.what_ && ((how_ ^ other.how_) & ~schedule_bits) == 0;
    }

    /// Whether they are of the same call and schedule: alike() leaves the schedule out.
    friend bool operator==(const call_label& a, const call_label& b) noexcept {
        return ((a.what_ ^ b.what_) | (a.how_ ^ b.how_)) == 0; // one branch
    }

private:
    static constexpr std::uint64_t schedule_bits = 0xFFFFFF00;

    std::uint64_t what_ = 0; ///< length in bytes, 48 bits; length of an element, 16: 0 if it is longer
    std::uint64_t how_ = 0;  ///< root, 32 bits; schedule, 24; collective + 1, 8
};

namespace detail {
/// Two ranks that make different calls at the same time: "rank 2 calls barrier, rank 0 allreduce of 100
/// elements of 8 bytes".
[[gnu::cold]] std::string different_calls(rank_type one, const call_label& of_one, rank_type other,
                                          const call_label& of_other);
} // namespace detail

#if TUTTI_BODIES
TUTTI_BODY std::string call_label::text() const {
    if (how_ == 0) return "no collective";
    const auto what = static_cast<collective>((how_ & 0xFF) - 1);
    if (what == collective::barrier) return std::string(name_of(what));
    const std::uint64_t bytes = what_ >> 16;
    const std::uint64_t element = what_ & 0xFFFF;
    if (bytes == static_cast<std::uint64_t>(lengths_by_pair)) {
        if (element == 0) return detail::sentence({name_of(what), "v of elements of over 65535 bytes"});
        return detail::sentence(
            {name_of(what), "v of elements of ", element, element == 1 ? " byte" : " bytes"});
    }
    std::string text = element > 0 && bytes % element == 0
                           ? detail::sentence({name_of(what), " of ", bytes / element,
                                               bytes == element ? " element of " : " elements of ", element,
                                               element == 1 ? " byte" : " bytes"})
                           : detail::sentence({name_of(what), " of ", bytes, " bytes"});
    if (has_root(what)) text += detail::sentence({" with root ", how_ >> 32});
    return text;
}

TUTTI_BODY std::string detail::different_calls(rank_type one, const call_label& of_one, rank_type other,
                                               const call_label& of_other) {
    if (of_one.alike(of_other))
        return sentence({"rank ", one, " calls ", of_one.text(),
                         " by another algorithm or with other counts "
                         "than rank ",
                         other});
    return sentence({"rank ", one, " calls ", of_one.text(), ", rank ", other, " ", of_other.text()});
}
#endif

} // namespace tutti
