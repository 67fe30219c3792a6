// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/barrier/dissemination.hpp>
#include <tutti/schedule/own_block.hpp>

/// How many messages a rank may have in flight, and how far ranks may run apart (Kumar and Kalé 2004, section
/// 4.6): a barrier after every message keeps rounds apart, so that those free of contention stay so; *less
/// barriers*, one after k messages, leave the processor free in between.
namespace tutti {

/// A generator whose rounds come in stages of stage() rounds each, stage() >= 1, counted from the first: the
/// rounds of a stage do not need what the others brought and may run in any order or at once. The last stage
/// may be shorter.
template <class G>
concept staged_generator = generator<G> && requires(const G& g) {
    { g.stage() } -> std::convertible_to<round_index>;
};

/// `width` consecutive rounds of a stage of `g` at a time, in one round. Groups begin anew at every stage.
/// If g says by `outstanding(width)` how many messages a rank then has in a round, this is claimed.
/// Example: stages of 5 rounds, the last of 3, and width 2: rounds {0,1} {2,3} {4} {5,6} {7}.
template <staged_generator G>
class grouped {
public:
    /// What a multicast may leave out can be told on the spot (see own_block.hpp).
    static constexpr bool sends_only_own_block = detail::sends_only_own_block<G>;

    constexpr grouped(G g, std::int64_t outstanding)
        : g_(std::move(g)), width_(outstanding < g_.stage() ? outstanding : g_.stage()) {
        if (outstanding < 1) detail::throw_argument("outstanding", outstanding, "at least 1");
        groups_ = ceil_div(g_.stage(), width_);
    }

    /// Rounds of g in one round: as many as asked for, but not more than a stage has.
    constexpr round_index width() const noexcept { return width_; }

    constexpr round_index rounds() const noexcept {
        return g_.rounds() / g_.stage() * groups_ + ceil_div(g_.rounds() % g_.stage(), width_);
    }
    constexpr block_index blocks() const noexcept { return g_.blocks(); }
    constexpr capabilities claims() const {
        capabilities c = g_.claims();
        c.rounds = rounds();
        c.uniform_rounds = c.uniform_rounds == g_.rounds() ? rounds() : 0;
        // One rank has to be the busiest in all that is done at once.
        bool one = width_ == 1;
        if constexpr (requires { g_.same_busiest(width_); }) one = g_.same_busiest(width_);
        if (!one || c.bounded_from != 0) c.bounded_from = unstated;
        if constexpr (requires { g_.outstanding(width_); })
            c.max_outstanding = g_.outstanding(width_);
        else if (width_ > 1)
            c.max_outstanding = unstated;
        return c;
    }

    constexpr rank_type busiest(round_index i) const noexcept { return busiest_rank(g_, first_of(i)); }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        const round_index start = i / groups_ * g_.stage(); // of the stage
        const round_index first = first_of(i);
        round_index end = first + width_;
        if (end > start + g_.stage()) end = start + g_.stage();
        if (end > g_.rounds()) end = g_.rounds();
        for (round_index inner = first; inner < end; ++inner) g_.emit(inner, sink);
    }

private:
    /// Of the rounds of g that are round i.
    constexpr round_index first_of(round_index i) const noexcept {
        return i / groups_ * g_.stage() + i % groups_ * width_;
    }

    G g_;
    round_index width_;
    round_index groups_ = 1; // in a whole stage
};

/// `g` with all ranks coming into step after every `every` rounds, but not after the last; 0 means never.
/// With neighbours: one more round each time, in which every rank exchanges empty messages with the ranks
/// before and after it. With everybody: the rounds of a dissemination barrier.
template <generator G>
class paced {
public:
    /// As of the strategy: coming into step carries no blocks.
    static constexpr bool sends_only_own_block = detail::sends_only_own_block<G>;

    constexpr paced(G g, place at, round_index every, synchronise with)
        : g_(std::move(g)), at_(checked(at)), every_(every), with_(with) {
        if (every < 0) detail::throw_argument("every", every, "at least 0");
        if (every >= g_.rounds()) every_ = 0;
        if (every_ > 0) pause_ = with == synchronise::everybody ? ceil_log2(at.size) : at.size > 1 ? 1 : 0;
    }

    constexpr round_index rounds() const noexcept { return g_.rounds() + pauses() * pause_; }
    constexpr block_index blocks() const noexcept { return g_.blocks(); }
    constexpr capabilities claims() const {
        capabilities c = g_.claims();
        c.rounds = rounds();
        if (pause_ > 0) {
            c.uniform_rounds = c.uniform_rounds == g_.rounds() ? rounds() : 0;
            if (c.bounded_from != 0) c.bounded_from = unstated;
        }
        const std::int64_t both_ways = with_ == synchronise::neighbours && at_.size > 2 ? 4 : 2;
        if (pause_ > 0 && c.max_outstanding != unstated && c.max_outstanding < both_ways)
            c.max_outstanding = both_ways;
        return c;
    }

    constexpr rank_type busiest(round_index i) const noexcept {
        if (every_ == 0) return busiest_rank(g_, i);
        const round_index within = i % (every_ + pause_); // a pause is alike on all ranks
        return within < every_ ? busiest_rank(g_, i / (every_ + pause_) * every_ + within) : 0;
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        if (every_ == 0) return g_.emit(i, sink);
        const round_index turn = i / (every_ + pause_);
        const round_index within = i % (every_ + pause_);
        if (within < every_)
            g_.emit(turn * every_ + within, sink);
        else
            come_into_step(within - every_, sink);
    }

private:
    constexpr round_index pauses() const noexcept { return every_ == 0 ? 0 : (g_.rounds() - 1) / every_; }

    template <class Sink>
    constexpr void come_into_step(round_index k, Sink& sink) const {
        if (with_ == synchronise::everybody) return dissemination_barrier(at_).emit(k, sink);
        // Example with 5 ranks: rank 0 tells ranks 1 and 4 that it has come so far, and waits for them.
        const rank_type after = ahead(at_.rank, 1, at_.size);
        const rank_type before = behind(at_.rank, 1, at_.size);
        sink(step::send(after, {}));
        if (before != after) sink(step::send(before, {}));
        sink(step::recv(before, {}));
        if (before != after) sink(step::recv(after, {}));
    }

    G g_;
    place at_;
    round_index every_;
    round_index pause_ = 0; // rounds of coming into step
    synchronise with_;
};

/// Allgather or alltoall by a direct strategy under flow control.
///
/// Rounds: those of the strategy, `outstanding` of them in one as long as they do not need each other, and
/// after every `pace` messages, rounded up to whole rounds, those of coming into step: 1 with neighbours,
/// ceil(lg p) with everybody. Volume, order and restrictions: those of the strategy.
/// Source: Kumar and Kalé 2004, section 4.6: pace 1 is the barrier after every message, pace k that of
/// *kprefix-lb*.
template <collective C, class Strategy>
    requires(C == collective::allgather || C == collective::alltoall)
constexpr auto generate(collective_constant<C> what, const flow_controlled<Strategy>& how, place at) {
    if (how.pace < 0) detail::throw_argument("pace", how.pace, "at least 0");
    grouped rounds(generate(what, static_cast<const Strategy&>(how), at), how.outstanding);
    const round_index every = ceil_div(how.pace, rounds.width());
    return paced(std::move(rounds), at, every, how.with);
}

} // namespace tutti
