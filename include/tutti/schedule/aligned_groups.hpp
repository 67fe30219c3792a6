// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/schedule/combinators.hpp>

/// How groups of different sizes, each with a schedule of its own, become parts of one collective, whose
/// rounds and blocks all ranks count alike.
namespace tutti {

/// Whether an algorithm has a schedule for collective C.
template <class Algorithm, collective C>
concept has_schedule = requires(const Algorithm& how, place at) {
    { generate(of<C>, how, at) } -> generator;
};

namespace detail {

/// Blocks that divide those of both. Refuses more than positions of pieces, which are int, can name.
constexpr block_index common_blocks(block_index a, block_index b) {
    constexpr block_index most = std::numeric_limits<std::int32_t>::max();
    const block_index n = std::max(a, b) > most ? std::max(a, b) : common_multiple(a, b);
    if (n > most) throw_argument("blocks in common to all groups", n, sentence({"at most ", most}));
    return n;
}

/// What the schedules of all groups have in common. Rounds: the most. Blocks: the fewest that divide those of
/// each. Example: groups of 3 and 5 ranks, of as many rounds and blocks, have 5 rounds and 15 blocks.
struct frame {
    round_index rounds = 0;
    block_index blocks = 1;

    template <generator G>
    constexpr void add(const G& g) {
        if (g.rounds() > rounds) rounds = g.rounds();
        blocks = common_blocks(blocks, g.blocks());
    }
};

} // namespace detail

/// `g` in a longer schedule of finer blocks: behind its own rounds come idle ones, up to `rounds`, and each
/// of its blocks is blocks / g.blocks() of those that there are.
template <generator G>
class stretched {
public:
    constexpr stretched(G g, round_index rounds, block_index blocks)
        : g_(std::move(g)), rounds_(rounds), blocks_(blocks) {
        if (rounds < g_.rounds())
            detail::throw_argument("rounds", rounds, detail::sentence({"at least ", g_.rounds()}));
        if (blocks < 1 || blocks % g_.blocks() != 0)
            detail::throw_argument("blocks", blocks, detail::sentence({"a multiple of ", g_.blocks()}));
    }

    constexpr round_index rounds() const noexcept { return rounds_; }
    constexpr block_index blocks() const noexcept { return blocks_; }
    constexpr capabilities claims() const {
        const block_index factor = blocks_ / g_.blocks();
        capabilities c = g_.claims();
        c.rounds = rounds_;
        c.scratch_blocks *= factor;
        if (c.sent_blocks != unstated) c.sent_blocks *= factor;
        if (c.reduced_blocks != unstated) c.reduced_blocks *= factor;
        if (c.uniform_rounds == g_.rounds()) c.uniform_rounds = rounds_;
        c.bounded_from = unstated;
        return c;
    }
    constexpr round_range active() const noexcept { return active_rounds(g_); }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        if (i >= g_.rounds()) return;
        const block_index factor = blocks_ / g_.blocks();
        g_.emit(i, [&](step s) TUTTI_INLINE {
            if (factor != 1) s.blocks = detail::refine(s.blocks, factor);
            sink(s);
        });
    }

private:
    G g_;
    round_index rounds_;
    block_index blocks_;
};

/// The messages of `g` without what is in them: who heard of whom is all that is left. A reduce becomes the
/// way to a root of the news that all have come, a bcast the way back.
template <generator G>
class emptied {
public:
    constexpr explicit emptied(G g) : g_(std::move(g)) {}

    constexpr round_index rounds() const noexcept { return g_.rounds(); }
    constexpr block_index blocks() const noexcept { return 1; }
    constexpr capabilities claims() const {
        const capabilities full = g_.claims();
        return moving_only({.any_size = full.any_size,
                            .max_outstanding = full.max_outstanding,
                            .rounds = rounds(),
                            .sent_blocks = 0,
                            .uniform_rounds = full.uniform_rounds});
    }
    constexpr round_range active() const noexcept { return active_rounds(g_); }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        g_.emit(i, [&](const step& s) TUTTI_INLINE {
            if (s.is_local() || s.continues()) return; // a message is one step now: its last piece
            sink(s.kind == step_kind::send ? step::send(s.peer, {}) : step::recv(s.peer, {}));
        });
    }

private:
    G g_;
};

} // namespace tutti
