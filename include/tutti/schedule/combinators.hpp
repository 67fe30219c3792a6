// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>

/// How new algorithms are made from old ones. Every combinator takes generators by value and is a generator.
/// What a composition claims cannot always be computed from its parts; `claiming` states it, the prover
/// checks it.
namespace tutti {

namespace detail {

/// Hands `s`, which counts blocks modulo `inner`, to `sink` as steps on blocks [base, base + inner) of a
/// larger vector. A range that wraps there becomes two pieces of one message. Example: inner 4, base 8:
/// blocks 3,0 become 11 and 8.
template <class Sink>
constexpr void rebase(const step& s, block_index inner, block_index base, Sink&& sink) {
    if (s.blocks.count == 0) {
        step empty = s;
        empty.blocks = {.first = base, .count = 0};
        sink(empty);
        return;
    }
    block_index left = s.blocks.count;
    for_each_run(s.blocks, inner, [&](block_index first, block_index count) {
        left -= count;
        step piece = s;
        piece.blocks = {.first = base + first, .count = count};
        sink(left > 0 && s.is_message() ? piece.and_next() : piece);
    });
}

/// `blocks` with every block cut into `factor` blocks.
constexpr block_set refine(block_set blocks, block_index factor) noexcept {
    const auto f = static_cast<std::int32_t>(factor);
    return {.first = blocks.first * factor,
            .count = blocks.count * factor,
            .run = blocks.run * f,
            .stride = blocks.stride * f};
}

} // namespace detail

/// `g` with its claims replaced: a composition states its own.
template <generator G>
class claiming : public G {
public:
    constexpr claiming(G g, capabilities stated) : G(std::move(g)), stated_(stated) {}
    constexpr const capabilities& claims() const noexcept { return stated_; }

private:
    capabilities stated_;
};

/// First `a`, then `b`, on the same vector. If one counts in coarser blocks, the other's number of blocks
/// must be a multiple of its own. Rounds add up. The order and the claims are those of a composition: state
/// them with `claiming`.
template <generator A, generator B>
class sequence {
public:
    constexpr sequence(A a, B b) : a_(std::move(a)), b_(std::move(b)) {
        if (blocks() % a_.blocks() != 0 || blocks() % b_.blocks() != 0)
            detail::throw_argument("sequence: blocks of the first part", a_.blocks(),
                                   "a multiple or a divisor of " + std::to_string(b_.blocks()));
    }

    constexpr round_index rounds() const noexcept { return a_.rounds() + b_.rounds(); }
    constexpr block_index blocks() const noexcept {
        return a_.blocks() > b_.blocks() ? a_.blocks() : b_.blocks();
    }
    constexpr capabilities claims() const {
        const capabilities a = a_.claims();
        const capabilities b = b_.claims();
        return {.any_size = a.any_size && b.any_size,
                .order_preserving = a.order_preserving && b.order_preserving,
                .moves_blocks = a.moves_blocks || b.moves_blocks,
                .reads_input = a.reads_input || b.reads_input,
                .scratch_blocks = a.scratch_blocks > b.scratch_blocks ? a.scratch_blocks : b.scratch_blocks,
                .rounds = rounds()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (i < a_.rounds())
            emit_part(a_, i, sink);
        else
            emit_part(b_, i - a_.rounds(), sink);
    }

private:
    template <class Part, class Sink>
    constexpr void emit_part(const Part& part, round_index i, Sink& sink) const {
        const block_index factor = blocks() / part.blocks();
        part.emit(i, [&](step s) {
            if (factor != 1) s.blocks = detail::refine(s.blocks, factor);
            sink(s);
        });
    }

    A a_;
    B b_;
};

/// What happens to the data that flows backwards in `reversed`.
enum class reversal : bool {
    copies, ///< received data replaces: reduce becomes bcast, reduce_scatter becomes allgather
    folds,  ///< received data is folded: bcast becomes reduce, allgather becomes reduce_scatter
};

/// `g` with time running backwards: what was received last is sent first.
/// A rank at `rank` folds from lower ranks on the left.
/// Rounds are those of g; blocks sent and received change places.
template <generator G>
class reversed {
public:
    constexpr reversed(G g, reversal how, rank_type rank) : g_(std::move(g)), how_(how), rank_(rank) {}

    constexpr round_index rounds() const noexcept { return g_.rounds(); }
    constexpr block_index blocks() const noexcept { return g_.blocks(); }
    constexpr capabilities claims() const { return {.any_size = g_.claims().any_size, .rounds = rounds()}; }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        const round_index forward = rounds() - 1 - i;
        std::size_t end = 0;
        g_.emit(forward, [&](const step&) { ++end; });
        // Steps are handed out last first, a window at a time: no allocation, whatever their number.
        // Most rounds have a few steps, and a small window costs less to prepare.
        if (end <= few_steps) end = emit_window<few_steps>(forward, end, sink);
        while (end > 0) end = emit_window<window_steps>(forward, end, sink);
    }

private:
    static constexpr std::size_t few_steps = 4;
    static constexpr std::size_t window_steps = 64;

    /// Emits the messages that lie wholly in the last `Steps` steps before `end`, last message first;
    /// returns where they begin.
    template <std::size_t Steps, class Sink>
    constexpr std::size_t emit_window(round_index forward, std::size_t end, Sink& sink) const {
        std::array<step, Steps> window{};
        const std::size_t begin = end > Steps ? end - Steps : 0;
        std::size_t message = begin; // where the message that holds step `begin` starts
        std::size_t index = 0;
        bool inside = false;
        g_.emit(forward, [&](const step& s) {
            if (!inside && index <= begin) message = index;
            inside = s.continues();
            if (index >= begin && index < end) window[index - begin] = s;
            ++index;
        });
        std::size_t first = message < begin ? end : begin; // first whole message in the window
        for (std::size_t k = begin; first == end && k + 1 < end; ++k)
            if (!window[k - begin].continues()) first = k + 1;
        if (first == end) { // one message fills the window: hand its pieces through
            index = 0;
            g_.emit(forward, [&](const step& s) {
                if (index >= message && index < end) sink(backwards(s));
                ++index;
            });
            return message;
        }
        for (std::size_t last = end; last > first;) {
            std::size_t start = last - 1;
            while (start > first && window[start - 1 - begin].continues()) --start;
            for (std::size_t k = start; k < last; ++k) sink(backwards(window[k - begin]));
            last = start;
        }
        return first;
    }

    constexpr step backwards(step s) const noexcept {
        const std::uint8_t keep = s.flags & step::continues_flag;
        const bool fold = how_ == reversal::folds;
        switch (s.kind) {
        case step_kind::send:
            s = fold ? step::recv_reduce(s.peer, s.blocks, side_of(s.peer, rank_), s.buffer)
                     : step::recv(s.peer, s.blocks, s.buffer);
            break;
        case step_kind::recv:
        case step_kind::recv_reduce: s = step::send(s.peer, s.blocks, s.buffer); break;
        case step_kind::copy:
        case step_kind::reduce:
            s = fold ? step::reduce(s.blocks, s.buffer, s.source, operand_side::right)
                     : step::copy(s.blocks, s.buffer, s.source);
            break;
        }
        s.flags |= keep;
        return s;
    }

    G g_;
    reversal how_;
    rank_type rank_;
};

/// The vector cut into `segments`, each run through `g` one round after the one before: round i carries
/// segment s of g's round i - s. Rounds: g.rounds() + segments - 1.
template <generator G>
class pipelined {
public:
    constexpr pipelined(G g, block_index segments) : g_(std::move(g)), segments_(segments) {
        if (segments < 1) detail::throw_argument("segments", segments, "at least 1");
    }

    constexpr round_index rounds() const noexcept {
        return g_.rounds() == 0 ? 0 : g_.rounds() + segments_ - 1;
    }
    constexpr block_index blocks() const noexcept { return g_.blocks() * segments_; }
    constexpr capabilities claims() const {
        capabilities c = g_.claims();
        c.rounds = rounds();
        c.scratch_blocks *= segments_;
        c.max_outstanding = unstated;
        if (c.sent_blocks != unstated) c.sent_blocks *= segments_;
        if (c.reduced_blocks != unstated) c.reduced_blocks *= segments_;
        return c;
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Only segments whose own round i - s exists are under way.
        const block_index oldest = i >= g_.rounds() ? i - g_.rounds() + 1 : 0;
        const block_index newest = i < segments_ ? i : segments_ - 1;
        for (block_index s = oldest; s <= newest; ++s)
            g_.emit(i - s,
                    [&](const step& inner) { detail::rebase(inner, g_.blocks(), s * g_.blocks(), sink); });
    }

private:
    G g_;
    block_index segments_;
};

/// `g` on blocks [first, first + g.blocks()) of a vector of `total` blocks; the others are left alone.
template <generator G>
class on_blocks {
public:
    constexpr on_blocks(G g, block_index first, block_index total)
        : g_(std::move(g)), first_(first), total_(total) {
        if (first < 0 || first + g_.blocks() > total)
            detail::throw_argument("first block", first, "0.." + std::to_string(total - g_.blocks()));
    }

    constexpr round_index rounds() const noexcept { return g_.rounds(); }
    constexpr block_index blocks() const noexcept { return total_; }
    constexpr capabilities claims() const { return g_.claims(); }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        g_.emit(i, [&](const step& s) { detail::rebase(s, g_.blocks(), first_, sink); });
    }

private:
    G g_;
    block_index first_;
    block_index total_;
};

/// `a` on the first a.blocks() blocks and, in the same rounds, `b` on the b.blocks() blocks behind them.
template <generator A, generator B>
class side_by_side {
public:
    constexpr side_by_side(A a, B b) : a_(std::move(a)), b_(std::move(b)) {}

    constexpr round_index rounds() const noexcept {
        return a_.rounds() > b_.rounds() ? a_.rounds() : b_.rounds();
    }
    constexpr block_index blocks() const noexcept { return a_.blocks() + b_.blocks(); }
    constexpr capabilities claims() const {
        const capabilities a = a_.claims();
        const capabilities b = b_.claims();
        return {.any_size = a.any_size && b.any_size,
                .order_preserving = a.order_preserving && b.order_preserving,
                .same_bits_on_all_ranks = a.same_bits_on_all_ranks && b.same_bits_on_all_ranks,
                .moves_blocks = a.moves_blocks || b.moves_blocks,
                .reads_input = a.reads_input || b.reads_input,
                .scratch_blocks = a.scratch_blocks + b.scratch_blocks,
                .rounds = rounds()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (i < a_.rounds())
            a_.emit(i, [&](const step& s) { detail::rebase(s, a_.blocks(), block_index{0}, sink); });
        if (i < b_.rounds())
            b_.emit(i, [&](const step& s) { detail::rebase(s, b_.blocks(), a_.blocks(), sink); });
    }

private:
    A a_;
    B b_;
};

/// `g`, written for the ranks 0, 1, ... of a group, on the ranks map(0), map(1), ... of the world. A rank
/// outside the group takes any member's generator (it needs the number of rounds) and says so: it emits
/// nothing. The map must grow with its argument if `g` is to keep the order of ranks.
template <class Map, generator G>
class on_group {
public:
    constexpr on_group(Map map, G g, bool member = true)
        : map_(std::move(map)), g_(std::move(g)), member_(member) {}

    constexpr round_index rounds() const noexcept { return g_.rounds(); }
    constexpr block_index blocks() const noexcept { return g_.blocks(); }
    constexpr capabilities claims() const { return g_.claims(); }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (!member_) return;
        g_.emit(i, [&](step s) {
            if (s.is_message()) s.peer = map_(s.peer);
            sink(s);
        });
    }

private:
    Map map_;
    G g_;
    bool member_;
};

} // namespace tutti
