// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tutti::detail {

/// Whether every message of an allgather generator that has blocks in it carries the block of its sender and
/// nothing else. Such generators, those of direct strategies, say so by a member
/// `static constexpr bool sends_only_own_block = true`; for others nothing is known.
template <class G>
inline constexpr bool sends_only_own_block = false;
template <class G>
    requires requires { G::sends_only_own_block; }
inline constexpr bool sends_only_own_block<G> = G::sends_only_own_block;

} // namespace tutti::detail
