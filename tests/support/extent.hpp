// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <vector>

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

/// How far an exhaustive search of results goes: up to `all`, or no further than `some` where a sanitizer
/// watches. There it takes ten times as long, and what a sanitizer looks for, memory and undefined behaviour,
/// is in the same lines whatever the size. Results are searched whole by the builds without.
constexpr tutti::rank_type up_to(tutti::rank_type all, tutti::rank_type some) {
    return sanitized ? std::min(all, some) : all;
}

/// The numbers that an exhaustive search of results tries: `all`, or where a sanitizer watches `some`.
template <class T = tutti::rank_type>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<T>& some) {
    return sanitized ? some : all;
}

/// How far what a single algorithm does is compared with its formulas.
inline constexpr tutti::rank_type compared_up_to = up_to(200, 70);

/// Whether an exhaustive search over roots looks at this one: all of them are looked at; where a sanitizer
/// watches, beyond 16 ranks the first two, the one in the middle and the last.
constexpr bool searches_root(tutti::rank_type root, tutti::rank_type size) {
    return !sanitized || size <= 16 || root <= 1 || root == size / 2 || root == size - 1;
}

} // namespace support
