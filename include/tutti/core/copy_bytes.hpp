// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tutti {
namespace detail {

/// Whether `rep movsb`, by which libraries and kernels copy what is longer than some KiB, would take up to
/// thirty times as long as it should: on AMD's Zen 3 and 4 it does where `to` is 1 to 31 bytes ahead of
/// `from` but for whole pages, as memory from malloc is ahead of memory that begins with a page (glibc bug
/// 30994).
inline bool copies_slowly(const std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
    constexpr std::uintptr_t page = 4096, near = 32;
    const std::uintptr_t ahead =
        (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % page;
    return bytes > 2048 && ahead - 1 < near - 1;
}

inline constexpr std::size_t line_bytes = 64;

/// Line by line, the first one first: `to` may lie a line or more before `from`, and overlap it then.
inline void copy_lines(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
    for (; bytes >= line_bytes; bytes -= line_bytes, to += line_bytes, from += line_bytes)
        std::memcpy(to, from, line_bytes); // a few instructions, no call
    std::memcpy(to, from, bytes);
}

} // namespace detail

/// Copies `bytes` bytes, if there are any; the ranges do not overlap.
inline void copy_bytes(std::byte* to, const std::byte* from, std::integral auto bytes) noexcept {
    if (bytes <= 0) return;
    const auto many = static_cast<std::size_t>(bytes);
    if (detail::copies_slowly(to, from, many)) [[unlikely]]
        detail::copy_lines(to, from, many);
    else
        std::memcpy(to, from, many);
}

} // namespace tutti
