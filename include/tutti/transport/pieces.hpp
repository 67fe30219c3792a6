// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <tutti/core/copy_bytes.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/concept.hpp>

/// Copying between lists of pieces, for transports.
namespace tutti::detail {

template <class Byte>
std::size_t total_bytes(std::span<const std::span<Byte>> pieces) noexcept {
    std::size_t sum = 0;
    for (const auto& piece : pieces) sum += piece.size();
    return sum;
}

/// Puts all pieces one after the other to `to`.
inline void gather_into(std::byte* to, gather_list from) noexcept {
    for (const auto& piece : from) {
        copy_bytes(to, piece.data(), piece.size());
        to += piece.size();
    }
}

/// All pieces as one.
inline std::vector<std::byte> joined(gather_list from) {
    std::vector<std::byte> result(total_bytes(from));
    gather_into(result.data(), from);
    return result;
}

/// Copies between two lists of the same total length, cut differently.
inline void copy_pieces(gather_list from, scatter_list to) noexcept {
    std::size_t source = 0;
    std::size_t done = 0; // of from[source]
    for (std::span<std::byte> target : to) {
        while (!target.empty()) {
            while (done == from[source].size()) {
                ++source;
                done = 0;
            }
            const std::size_t rest = from[source].size() - done;
            const std::size_t part = rest < target.size() ? rest : target.size();
            copy_bytes(target.data(), from[source].data() + done, part);
            done += part;
            target = target.subspan(part);
        }
    }
}

[[gnu::cold]] inline std::string length_mismatch(rank_type from, rank_type to, std::size_t sent,
                                                 std::size_t expected) {
    return sentence({"a message from rank ", from, " to rank ", to, " has ", sent,
                     " bytes, but its receive expects ", expected});
}

/// A slip of two ranks that call alike.
[[gnu::cold]] inline transport_error wrong_length(rank_type from, rank_type to, std::size_t sent,
                                                  std::size_t expected) {
    return transport_error(length_mismatch(from, to, sent, expected) + ": do the counts of both agree?",
                           from);
}

} // namespace tutti::detail
