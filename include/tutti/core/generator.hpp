// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>

#include <tutti/core/capabilities.hpp>
#include <tutti/core/step.hpp>

/// The contract of a schedule generator: a small value that knows one rank's part of a collective.
///
/// 1. `rounds()` and `blocks()` are the same on every rank.
/// 2. `emit(i, sink)` hands this rank's steps of round i, 0 <= i < rounds(), to `sink(const step&)` in
/// program
///    order; none if the rank is idle. It is pure, allocates nothing and costs O(1) or O(log p) beyond its
///    steps.
/// 3. Sends of a round read the values from before the round. Receives and local steps land after them, in
/// the
///    order listed. A send is therefore never listed after a step that writes the blocks it reads.
/// 4. There is no barrier between rounds: a step may start as soon as no earlier step touches its blocks in a
///    conflicting way and no earlier message to the same peer waits. A send of no blocks, which carries
///    nothing but the news that its sender has come so far, waits for all earlier rounds. Running round by
///    round, with no buffering at all, must also end: that is what the prover shows.
/// 5. Construction costs O(log p) time at most.
namespace tutti {

namespace detail {
struct ignore_step {
    constexpr void operator()(const step&) const noexcept {}
};
} // namespace detail

/// G has rounds().
template <class G>
concept has_rounds = requires(const G& g) {
    { g.rounds() } -> std::convertible_to<round_index>;
};
/// G has blocks().
template <class G>
concept has_blocks = requires(const G& g) {
    { g.blocks() } -> std::convertible_to<block_index>;
};
/// G has claims().
template <class G>
concept has_capabilities = requires(const G& g) {
    { g.claims() } -> std::convertible_to<capabilities>;
};
/// G has emit(i, sink).
template <class G>
concept has_emit = requires(const G& g, round_index i, detail::ignore_step sink) { g.emit(i, sink); };

/// One rank's part of a collective, round by round; see the top of this header.
template <class G>
concept generator =
    std::copy_constructible<G> && has_rounds<G> && has_blocks<G> && has_capabilities<G> && has_emit<G>;

/// The rounds begin .. end - 1.
struct round_range {
    round_index begin = 0; ///< the first
    round_index end = 0;   ///< behind the last

    constexpr bool empty() const noexcept { return begin >= end; }
    /// Whether round i is among them.
    constexpr bool contains(round_index i) const noexcept { return begin <= i && i < end; }
    /// So many rounds later.
    constexpr round_range shifted(round_index by) const noexcept { return {begin + by, end + by}; }

    friend constexpr bool operator==(const round_range&, const round_range&) = default;
};

/// The least range that holds both.  Example: {1, 3} and {5, 6} are in {1, 6}; an empty one does not count.
constexpr round_range hull(const round_range& a, const round_range& b) noexcept {
    if (a.empty()) return b;
    if (b.empty()) return a;
    return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/// The rounds outside which this rank has no steps: what the generator says by a member `active()`, which
/// need not be the least such range; else all of them. For whoever would look at all ranks in all rounds, and
/// at a rank with two messages at every segment.
template <generator G>
constexpr round_range active_rounds(const G& g) noexcept {
    if constexpr (requires { g.active(); })
        return g.active();
    else
        return {0, g.rounds()};
}

/// Who stands for all in round i of those after capabilities::bounded_from: what the generator says by a
/// member `busiest(i)`, the same on every rank; else rank 0.
template <generator G>
constexpr rank_type busiest_rank(const G& g, round_index i) noexcept {
    if constexpr (requires { g.busiest(i); })
        return g.busiest(i);
    else
        return 0;
}

/// The claim bounded_from of `g`; where all ranks do the same, one of them stands for all from the first
/// round on.
template <generator G>
constexpr round_index bounded_rounds_of(const G& g, const capabilities& claims) noexcept {
    return claims.uniform_rounds == g.rounds() ? 0 : claims.bounded_from;
}

} // namespace tutti
