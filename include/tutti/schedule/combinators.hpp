// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/core/math.hpp>
#include <tutti/schedule/reversed.hpp>

/// How new algorithms are made from old ones. Every combinator takes generators by value and is a generator.
/// What a composition claims is computed from its parts where they say enough; what differs `claiming` states
/// and the prover checks.
namespace tutti {

namespace detail {

/// Hands `s`, which counts blocks modulo `inner`, to `sink` as steps on blocks [base, base + inner) of a
/// larger vector. A range that wraps there becomes two pieces of one message. Example: inner 4, base 8:
/// blocks 3,0 become 11 and 8.
template <class Sink>
TUTTI_INLINE constexpr void rebase(const step& s, block_index inner, block_index base, Sink&& sink) {
    if (s.blocks.count == 0 || (s.blocks.contiguous() && s.blocks.first + s.blocks.count <= inner))
        [[likely]] {
        step whole = s;
        whole.blocks.first += base;
        sink(whole);
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

/// Two parts, each as a generator and its claims, in blocks of which `of_a` and `of_b` make one of theirs.
/// What the busiest rank of each does adds up if all ranks do the same in one part, or nothing in it: then
/// who is busiest in the other is so in both. Else it need not be, and the sum is unstated.
template <generator A, generator B>
constexpr auto adding_up(const A& a, const capabilities& claims_a, block_index of_a, const B& b,
                         const capabilities& claims_b, block_index of_b) noexcept {
    const bool alike = claims_a.uniform_rounds == a.rounds() || claims_b.uniform_rounds == b.rounds();
    return [=](block_index in_a, block_index in_b) noexcept -> block_index {
        if (in_a == unstated || in_b == unstated) return unstated;
        return alike || in_a == 0 || in_b == 0 ? in_a * of_a + in_b * of_b : unstated;
    };
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

/// `g` with its claims replaced, where those that are computed say too little.
template <generator G>
class claiming : public G {
public:
    constexpr claiming(G g, capabilities stated) : G(std::move(g)), stated_(stated) {}
    /// As they were stated.
    constexpr const capabilities& claims() const noexcept { return stated_; }

private:
    capabilities stated_;
};

/// `g`, in which no rank receives a block twice, with time running backwards: whoever received the blocks of
/// all others sends these p - 1 of p, and nobody sends more.
/// Example with 5 ranks: see reversed_gather.hpp.
template <generator G>
constexpr auto reversed_once_each(const G& g, reversal how, place at) {
    const reversed back(g, how, at.rank);
    capabilities stated = back.claims();
    stated.sent_blocks = (at.size - 1) * (g.blocks() / at.size);
    return claiming(back, stated);
}

/// First `a`, then `b`, on the same vector. If one counts in coarser blocks, the other's number of blocks
/// must be a multiple of its own. Rounds add up. What is sent and folded does, too, if in one of the parts
/// all ranks do the same, or nothing: else the busiest rank of one need not be that of the other, and
/// `claiming` has to state it.
template <generator A, generator B>
class sequence {
public:
    constexpr sequence(A a, B b) : a_(std::move(a)), b_(std::move(b)) {
        if (blocks() % a_.blocks() != 0 || blocks() % b_.blocks() != 0)
            detail::throw_argument("sequence: blocks of the first part", a_.blocks(),
                                   detail::sentence({"a multiple or a divisor of ", b_.blocks()}));
    }

    constexpr round_index rounds() const noexcept { return a_.rounds() + b_.rounds(); }
    constexpr block_index blocks() const noexcept {
        return a_.blocks() > b_.blocks() ? a_.blocks() : b_.blocks();
    }
    constexpr capabilities claims() const {
        const capabilities a = a_.claims();
        const capabilities b = b_.claims();
        const auto sum = detail::adding_up(a_, a, factor(a_), b_, b, factor(b_));
        return {.any_size = a.any_size && b.any_size,
                .order_preserving = a.order_preserving && b.order_preserving,
                .same_bits_on_all_ranks =
                    a.same_bits_on_all_ranks && b.same_bits_on_all_ranks && b.reduced_blocks == 0,
                .canonical_tree = a.canonical_tree && b.reduced_blocks == 0,
                .moves_blocks = a.moves_blocks || b.moves_blocks,
                .reads_input = a.reads_input || b.reads_input,
                .scratch_blocks = std::max(a.scratch_blocks, b.scratch_blocks),
                .max_outstanding = a.max_outstanding == unstated || b.max_outstanding == unstated
                                       ? unstated
                                       : std::max(a.max_outstanding, b.max_outstanding),
                .rounds = rounds(),
                .sent_blocks = sum(a.sent_blocks, b.sent_blocks),
                .reduced_blocks = sum(a.reduced_blocks, b.reduced_blocks),
                .uniform_rounds =
                    a.uniform_rounds < a_.rounds() ? a.uniform_rounds : a_.rounds() + b.uniform_rounds,
                .bounded_from = bounded_from(a, b)};
    }
    constexpr rank_type busiest(round_index i) const noexcept {
        return i < a_.rounds() ? busiest_rank(a_, i) : busiest_rank(b_, i - a_.rounds());
    }
    constexpr round_range active() const noexcept {
        return hull(active_rounds(a_), active_rounds(b_).shifted(a_.rounds()));
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        if (i < a_.rounds())
            emit_part(a_, i, sink);
        else
            emit_part(b_, i - a_.rounds(), sink);
    }

private:
    constexpr round_index bounded_from(const capabilities& a, const capabilities& b) const noexcept {
        if (a.uniform_rounds == a_.rounds() && b.uniform_rounds == b_.rounds())
            return unstated; // that all ranks do the same says more
        const round_index of_a = bounded_rounds_of(a_, a);
        const round_index of_b = bounded_rounds_of(b_, b);
        if (of_b == unstated) return unstated;
        return of_b == 0 && of_a != unstated ? of_a : a_.rounds() + of_b;
    }

    template <class Part, class Sink>
    TUTTI_INLINE constexpr void emit_part(const Part& part, round_index i, Sink& sink) const {
        const block_index finer = factor(part);
        part.emit(i, [&](step s) TUTTI_INLINE {
            if (finer != 1) s.blocks = detail::refine(s.blocks, finer);
            sink(s);
        });
    }
    /// How many blocks of the sequence are one of this part.
    template <class Part>
    TUTTI_INLINE constexpr block_index factor(const Part& part) const {
        return part.blocks() == blocks() ? 1 : blocks() / part.blocks();
    }

    A a_;
    B b_;
};

/// The vector cut into `segments`, each run through `g` one round after the one before: round i carries
/// segment s of g's round i - s. Rounds: g.rounds() + segments - 1. A generator that has something to do in a
/// few rounds alone may say which by a member `busy()`, a list of rounds that ascend, each once, where a
/// negative one is none: no other is asked for.
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
        if constexpr (requires { g_.most_messages(segments_); })
            c.max_outstanding =
                g_.most_messages(segments_); // of a rank in as many rounds of g that follow each other
        else
            c.max_outstanding = unstated;
        if (c.sent_blocks != unstated) c.sent_blocks *= segments_;
        if (c.reduced_blocks != unstated) c.reduced_blocks *= segments_;
        if (c.uniform_rounds == g_.rounds()) c.uniform_rounds = rounds();
        c.bounded_from = unstated;
        return c;
    }
    constexpr round_range active() const noexcept {
        const round_range inner = active_rounds(g_);
        return {inner.begin, inner.empty() ? inner.begin : inner.end + segments_ - 1};
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        const auto carry = [&](block_index s) TUTTI_INLINE {
            g_.emit(i - s, [&](const step& whole)
                               TUTTI_INLINE { detail::rebase(whole, g_.blocks(), s * g_.blocks(), sink); });
        };
        if constexpr (requires { g_.busy(); }) {
            const auto& busy = g_.busy(); // the first segments are in the last of these rounds
            for (std::size_t k = busy.size(); k-- > 0;)
                if (const round_index one = busy[k]; one >= 0 && i >= one && i - one < segments_)
                    carry(i - one);
        } else {
            // Only segments in whose round i - s this rank may have something to do.
            const round_range inner = active_rounds(g_);
            const block_index oldest = i >= inner.end ? i - inner.end + 1 : 0;
            const block_index newest = i - inner.begin < segments_ ? i - inner.begin : segments_ - 1;
            for (block_index s = oldest; s <= newest; ++s) carry(s);
        }
    }

private:
    G g_;
    block_index segments_;
};

/// `g` on blocks [first, first + g.blocks()) of a vector of `total` blocks; the others are left alone.
/// Example with 5 ranks: a broadcast of one block from 0 to 1, 2, 3, 4, as on_blocks{g, 1, 3}: the same
/// messages carry block 1 of 3.
template <generator G>
class on_blocks {
public:
    constexpr on_blocks(G g, block_index first, block_index total)
        : g_(std::move(g)), first_(first), total_(total) {
        if (first < 0 || first + g_.blocks() > total)
            detail::throw_argument("first block", first, detail::sentence({"0..", total - g_.blocks()}));
    }

    constexpr round_index rounds() const noexcept { return g_.rounds(); }
    constexpr block_index blocks() const noexcept { return total_; }
    constexpr capabilities claims() const { return g_.claims(); }
    constexpr round_range active() const noexcept { return active_rounds(g_); }
    constexpr rank_type busiest(round_index i) const noexcept { return busiest_rank(g_, i); }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        g_.emit(i, [&](const step& s) TUTTI_INLINE { detail::rebase(s, g_.blocks(), first_, sink); });
    }

private:
    G g_;
    block_index first_;
    block_index total_;
};

/// `a` on the first a.blocks() blocks and, in the same rounds, `b` on the b.blocks() blocks behind them. What
/// is sent and folded adds up as in a sequence; how many messages meet in a round the parts do not say.
/// Example with 5 ranks: chains of one block each, 0 to 1 to 2 to 3 to 4 and the other way round: in round 1
/// rank 1 sends block 0 to 2, and rank 3 block 1 to 2.
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
        const auto sum = detail::adding_up(a_, a, 1, b_, b, 1);
        return {.any_size = a.any_size && b.any_size,
                .order_preserving = a.order_preserving && b.order_preserving,
                .same_bits_on_all_ranks = a.same_bits_on_all_ranks && b.same_bits_on_all_ranks,
                .moves_blocks = a.moves_blocks || b.moves_blocks,
                .reads_input = a.reads_input || b.reads_input,
                .scratch_blocks = a.scratch_blocks + b.scratch_blocks,
                .rounds = rounds(),
                .sent_blocks = sum(a.sent_blocks, b.sent_blocks),
                .reduced_blocks = sum(a.reduced_blocks, b.reduced_blocks),
                .uniform_rounds = std::min(a.uniform_rounds < a_.rounds() ? a.uniform_rounds : rounds(),
                                           b.uniform_rounds < b_.rounds() ? b.uniform_rounds : rounds())};
    }
    constexpr round_range active() const noexcept { return hull(active_rounds(a_), active_rounds(b_)); }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        if (i < a_.rounds())
            a_.emit(i, [&](const step& s)
                           TUTTI_INLINE { detail::rebase(s, a_.blocks(), block_index{0}, sink); });
        if (i < b_.rounds())
            b_.emit(i,
                    [&](const step& s) TUTTI_INLINE { detail::rebase(s, b_.blocks(), a_.blocks(), sink); });
    }

private:
    A a_;
    B b_;
};

/// `g`, written for the ranks 0, 1, ... of a group, on the ranks map(0), map(1), ... of the world. A rank
/// outside the group takes any member's generator (it needs the number of rounds) and says so: it emits
/// nothing. The map must grow with its argument if `g` is to keep the order of ranks.
/// Example with 5 ranks: a ring of 3 on 0, 2, 4, the map being 2 r: where rank 1 of the ring sends to its
/// rank 2, rank 2 sends to 4; 1 and 3 are idle.
template <class Map, generator G>
class on_group {
public:
    constexpr on_group(Map map, G g, bool member = true)
        : map_(std::move(map)), g_(std::move(g)), member_(member) {}

    constexpr round_index rounds() const noexcept { return g_.rounds(); }
    constexpr block_index blocks() const noexcept { return g_.blocks(); }
    constexpr capabilities claims() const {
        capabilities c = g_.claims();
        c.uniform_rounds = 0; // who is no member is idle
        c.bounded_from = unstated;
        return c;
    }
    constexpr round_range active() const noexcept { return member_ ? active_rounds(g_) : round_range{}; }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        if (!member_) return;
        g_.emit(i, [&](step s) TUTTI_INLINE {
            if (s.is_message()) s.peer = map_(s.peer);
            sink(s);
        });
    }

private:
    Map map_;
    G g_;
    bool member_;
};

/// `g` with other buffers in the places of its own: as[b] for buffer b.
/// Example: an exscan of what lies in `scratch`, with its result in `work`, as in_buffers{g,
/// {buffer_name::work, buffer_name::scratch, buffer_name::scratch_1, buffer_name::scratch_1}}, if it has one
/// block of scratch.
template <generator G>
class in_buffers {
public:
    constexpr in_buffers(G g, const std::array<buffer_name, buffer_count>& as) : g_(std::move(g)), as_(as) {}

    constexpr round_index rounds() const noexcept { return g_.rounds(); }
    constexpr block_index blocks() const noexcept { return g_.blocks(); }
    constexpr capabilities claims() const { return g_.claims(); }
    constexpr round_range active() const noexcept { return active_rounds(g_); }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        g_.emit(i, [&](step s) TUTTI_INLINE {
            s.buffer = as_[static_cast<std::size_t>(s.buffer)];
            if (s.is_local()) s.source = as_[static_cast<std::size_t>(s.source)];
            sink(s);
        });
    }

private:
    G g_;
    std::array<buffer_name, buffer_count> as_;
};

} // namespace tutti
