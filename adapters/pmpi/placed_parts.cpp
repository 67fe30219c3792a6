// SPDX-License-Identifier: BSL-1.0
#include "placed_parts.hpp"

namespace tutti::pmpi {

placed_parts::placed_parts(const number_list& counts, const number_list& places, const data_type& type,
                           rank_type ranks)
    : type_(type), in_order_(type.whole) {
    each_.reserve(static_cast<std::size_t>(ranks));
    places_.reserve(static_cast<std::size_t>(ranks));
    for (rank_type r = 0; r < ranks; ++r) {
        std::int64_t bytes = bytes_of(counts[r], type.bytes);
        if (bytes > most_memory - bytes_) bytes = -1;
        each_.push_back(bytes);
        places_.push_back(places[r]);
        has_negative_ = has_negative_ || bytes < 0;
        if (bytes <= 0) continue;
        if (bytes_ == 0) first_ = r;
        const std::int64_t behind_first = places[r] - places_[static_cast<std::size_t>(first_)];
        in_order_ = in_order_ && behind_first == bytes_ / type.bytes;
        bytes_ += bytes;
    }
}

const std::byte* placed_parts::packed(const void* vector, std::vector<std::byte>& room) const {
    const auto* const from = static_cast<const std::byte*>(vector);
    if (in_order_) return begin(from);
    std::byte* const all = room_of(room, bytes_);
    std::byte* to = all;
    for_each_part([&](rank_type r, std::int64_t bytes) {
        pack(part(from, r), bytes / type_.bytes, type_, to);
        to += bytes;
    });
    return all;
}

std::byte* placed_parts::target(void* vector, std::vector<std::byte>& room) const {
    return in_order_ ? begin(static_cast<std::byte*>(vector)) : room_of(room, bytes_);
}

void placed_parts::unpack(const std::byte* from, void* vector) const {
    if (in_order_) return;
    for_each_part([&](rank_type r, std::int64_t bytes) {
        pmpi::unpack(from, bytes / type_.bytes, type_, part(static_cast<std::byte*>(vector), r));
        from += bytes;
    });
}

} // namespace tutti::pmpi
