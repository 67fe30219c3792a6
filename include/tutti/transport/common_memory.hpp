// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/reusable_list.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/mailbox.hpp>

namespace tutti::detail {

/// Memory that all ranks see, wherever each of them has it: what lies there is named by offsets. What a peer
/// names is checked, for it may be another program, or broken.
class common_memory {
public:
    common_memory() = default;
    explicit common_memory(std::span<const std::byte> memory) noexcept : memory_(memory) {}

    std::optional<std::size_t> offset_of(std::span<const std::byte> piece) const noexcept {
        const std::size_t offset =
            reinterpret_cast<std::uintptr_t>(piece.data()) - reinterpret_cast<std::uintptr_t>(memory_.data());
        return offset < memory_.size() ? std::optional(offset) : std::nullopt;
    }
    /// How many pieces of a message are not empty, if all of those lie here.
    std::optional<std::size_t> count(gather_list pieces) const noexcept {
        std::size_t many = 0;
        for (const auto& piece : pieces)
            if (!piece.empty() && (++many, !offset_of(piece))) return std::nullopt;
        return many;
    }
    /// Of a message of which all pieces lie here, those that are not empty.
    void name(gather_list pieces, std::byte* to) const noexcept {
        for (const auto& piece : pieces) {
            if (piece.empty()) continue;
            const shared_piece one{*offset_of(piece), piece.size()};
            std::memcpy(to, &one, sizeof one);
            to += sizeof one;
        }
    }

    /// Throws transport_error if it lies elsewhere, or has less than `least` bytes.
    std::span<const std::byte> at(const shared_piece& piece, std::size_t least, rank_type sender) const {
        if (piece.bytes < least || piece.offset > memory_.size()
            || piece.bytes > memory_.size() - piece.offset) [[unlikely]]
            throw_elsewhere(piece.bytes, sender);
        return memory_.subspan(piece.offset, piece.bytes);
    }
    /// The pieces of a list, of `least` bytes together.
    void read(const shared_list& list, std::size_t least, rank_type sender,
              reusable_list<std::span<const std::byte>>& pieces) const;

private:
    [[noreturn, gnu::cold]] static void throw_elsewhere(std::size_t bytes, rank_type sender);

    std::span<const std::byte> memory_{};
};

#if TUTTI_BODIES
TUTTI_BODY void common_memory::throw_elsewhere(std::size_t bytes, rank_type sender) {
    throw transport_error(
        sentence({"rank ", sender, " says that ", bytes, " bytes lie in shared memory, but they do not"}),
        sender);
}

TUTTI_BODY void common_memory::read(const shared_list& list, std::size_t least, rank_type sender,
                                    reusable_list<std::span<const std::byte>>& pieces) const {
    const std::size_t many = list.many;
    if (many > shared_list::most) throw_elsewhere(many * sizeof(shared_piece), sender);
    const std::byte* from = reinterpret_cast<const std::byte*>(list.inside);
    if (many > shared_list::most_inside) {
        const shared_piece all{list.inside[0].offset, many * sizeof(shared_piece)};
        from = at(all, 0, sender).data();
    }
    pieces.clear();
    std::size_t sum = 0;
    for (std::size_t k = 0; k < many; ++k) {
        shared_piece one; // read once: whoever wrote it may write again
        std::memcpy(&one, from + k * sizeof one, sizeof one);
        pieces.push_back(at(one, 1, sender));
        sum += std::min(one.bytes, std::numeric_limits<std::size_t>::max() - sum);
    }
    if (sum < least || sum > static_cast<std::size_t>(PTRDIFF_MAX)) throw_elsewhere(sum, sender);
}
#endif

} // namespace tutti::detail
