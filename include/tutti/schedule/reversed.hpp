// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>

namespace tutti {

/// A generator that can itself hand out a round last message first; worth it where rounds may be long.
template <class G>
concept emits_last_first =
    requires(const G& g, round_index i, detail::ignore_step sink) { g.emit_last_first(i, sink); };

/// What happens to the data that flows backwards in `reversed`.
enum class reversal : bool {
    copies, ///< received data replaces: reduce becomes bcast, reduce_scatter becomes allgather
    folds,  ///< received data is folded: bcast becomes reduce, allgather becomes reduce_scatter
};

/// A generator that somebody else keeps, and longer: what is both played forwards and `reversed` is there
/// once.
template <class G>
class kept_elsewhere {
public:
    constexpr explicit kept_elsewhere(const G& g) noexcept : g_(&g) {}

    constexpr round_index rounds() const noexcept { return g_->rounds(); }
    constexpr block_index blocks() const noexcept { return g_->blocks(); }
    constexpr capabilities claims() const { return g_->claims(); }
    constexpr round_range active() const noexcept { return active_rounds(*g_); }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        g_->emit(i, sink);
    }
    /// As emit, but the last message first.
    template <class Sink>
    TUTTI_INLINE constexpr void emit_last_first(round_index i, Sink&& sink) const
        requires emits_last_first<G>
    {
        g_->emit_last_first(i, sink);
    }

private:
    const G* g_;
};

/// `g` with time running backwards: what was received last is sent first.
/// A rank at `rank` folds from lower ranks on the left.
/// Rounds are those of g; blocks sent and received change places. What the ranks of g receive it does not
/// say, so who knows it states what is sent. What is to fold backwards only moves blocks forwards, without
/// local steps, and brings no rank a block twice.
template <generator G>
class reversed {
public:
    constexpr reversed(G g, reversal how, rank_type rank) : g_(std::move(g)), how_(how), rank_(rank) {}

    constexpr round_index rounds() const noexcept { return g_.rounds(); }
    constexpr block_index blocks() const noexcept { return g_.blocks(); }
    constexpr capabilities claims() const {
        capabilities c = g_.claims();
        c.rounds = rounds();
        c.reduced_blocks = c.sent_blocks; // whoever sends most folds most
        c.sent_blocks = unstated;
        c.order_preserving = c.canonical_tree = false;
        c.same_bits_on_all_ranks = true; // what is folded one rank has in the end
        if (c.uniform_rounds != rounds()) c.uniform_rounds = 0;
        c.bounded_from = unstated;
        return how_ == reversal::copies ? moving_only(c) : c;
    }
    constexpr round_range active() const noexcept {
        const round_range forward = active_rounds(g_);
        return {rounds() - forward.end, rounds() - forward.begin};
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        const round_index forward = rounds() - 1 - i;
        if constexpr (emits_last_first<G>) {
            g_.emit_last_first(forward, [&](const step& s) TUTTI_INLINE { sink(backwards(s)); });
        } else {
            // Nearly all rounds have a few steps: one look at them is enough. Else the steps are handed out a
            // window at a time, without allocation, whatever their number.
            window seen;
            look_at(forward, 0, window::steps, seen);
            if (seen.count <= window::steps) return hand_out(seen, 0, seen.count, sink);
            for (std::size_t left = seen.count; left > 0;) left = emit_window(forward, left, seen, sink);
        }
    }

private:
    /// Steps of a round that are only there once put: preparing an array of them would cost more than it.
    class window {
    public:
        static constexpr std::size_t steps = 64;

        constexpr void put(std::size_t k, const step& s) { std::construct_at(&slots_[k].kept, s); }
        constexpr const step& operator[](std::size_t k) const { return slots_[k].kept; }

        std::size_t count = 0;   ///< steps that the round has
        std::size_t message = 0; ///< where the message begins that holds the first step in the window

    private:
        union slot {
            constexpr slot() noexcept : empty{} {}
            struct {
            } empty;
            step kept;
        };
        slot slots_[steps];
    };

    /// Keeps the steps [begin .. end) of a round. Here alone `g` is compiled, whatever the sink.
    constexpr void look_at(round_index forward, std::size_t begin, std::size_t end, window& seen) const {
        std::size_t index = 0;
        bool inside = false;
        g_.emit(forward, [&](const step& s) TUTTI_INLINE {
            if (!inside && index <= begin) seen.message = index;
            inside = s.continues();
            if (index >= begin && index < end) seen.put(index - begin, s);
            ++index;
        });
        seen.count = index;
    }

    /// The messages in kept[first .. last), last first; the pieces of a message stay in order.
    template <class Sink>
    constexpr void hand_out(const window& kept, std::size_t first, std::size_t last, Sink& sink) const {
        while (last > first) {
            std::size_t start = last - 1;
            while (start > first && kept[start - 1].continues()) --start;
            for (std::size_t k = start; k < last; ++k) sink(backwards(kept[k]));
            last = start;
        }
    }

    /// Emits the messages that lie wholly in the last window before `end`, last message first; returns where
    /// they begin.
    template <class Sink>
    constexpr std::size_t emit_window(round_index forward, std::size_t end, window& kept, Sink& sink) const {
        std::size_t begin = end > window::steps ? end - window::steps : 0;
        look_at(forward, begin, end, kept);
        std::size_t first = kept.message < begin ? end : begin; // first whole message in the window
        for (std::size_t k = begin; first == end && k + 1 < end; ++k)
            if (!kept[k - begin].continues()) first = k + 1;
        if (first < end) {
            hand_out(kept, first - begin, end - begin, sink);
            return first;
        }
        const std::size_t message = kept.message; // it fills the window: its pieces, from the first on
        for (begin = message; begin < end; begin += window::steps) {
            const std::size_t until = std::min(end, begin + window::steps);
            look_at(forward, begin, until, kept);
            for (std::size_t k = begin; k < until; ++k) sink(backwards(kept[k - begin]));
        }
        return message;
    }

    constexpr step backwards(const step& s) const noexcept {
        const bool fold = how_ == reversal::folds;
        step back = s;
        back.flags &= step::continues_flag;
        if (s.is_local()) {
            back.kind = fold ? step_kind::reduce : step_kind::copy;
            std::swap(back.buffer, back.source);
        } else if (s.kind != step_kind::send) {
            back.kind = step_kind::send;
        } else if (fold) {
            back.kind = step_kind::recv_reduce;
            back.flags |= static_cast<std::uint8_t>(side_of(s.peer, rank_));
        } else {
            back.kind = step_kind::recv;
        }
        return back;
    }

    G g_;
    reversal how_;
    rank_type rank_;
};

} // namespace tutti
