// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/rank.hpp>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SUPPORT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SUPPORT_SANITIZED 1
#endif
#endif

namespace support {

/// Whether a sanitizer watches.
#ifdef SUPPORT_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// How far an exhaustive search of results goes: up to `all`, or to `some` where a sanitizer watches. There
/// it takes ten times as long, and what a sanitizer looks for, memory and undefined behaviour, is in the same
/// lines whatever the size. Results are searched whole by the builds without.
constexpr tutti::rank_type up_to(tutti::rank_type all, tutti::rank_type some) {
    return sanitized ? some : all;
}

} // namespace support
