// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <string>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/copy_bytes.hpp>
#include <tutti/execute/action.hpp>
#include <tutti/execute/delivery.hpp>
#include <tutti/transport/pieces.hpp>

namespace tutti {

/// The engine: runs one rank's part of a schedule over a transport, and can stop and go on at any point.
///
/// It keeps a window of rounds in flight. Within it a step starts as soon as no earlier step touches its
/// blocks in a conflicting way and no earlier message to the same peer waits (generator.hpp, rule 4): rounds
/// are no barriers. `progress` never blocks, never recurses and, once its memory has grown to the window's
/// size, never allocates.
///
/// Receives do not wait for memory: one whose target is still being sent is received into staging memory
/// first. So two ranks that exchange the same blocks never wait for each other, even without any buffering in
/// between.
template <transport Transport>
class cursor {
public:
    /// `any_order`: fold what several peers send into the same blocks in the order in which it comes.
    cursor(Transport& wires, channel_type channel, const any_generator& schedule, const fold_function& fold,
           memory& data, workspace<Transport>& kept, const call_label& label = {}, bool any_order = false)
        : wires_(wires), channel_(channel), label_(label), schedule_(schedule), data_(data),
          delivery_(fold, data), kept_(kept), any_order_(any_order) {}

    cursor(const cursor&) = delete;
    cursor& operator=(const cursor&) = delete;
    ~cursor() { abandon(); }

    /// Whether all rounds are over on this rank; other ranks may still be at it.
    bool done() const noexcept { return oldest_ == schedule_.rounds(); }

    /// Moves whatever can move now; false if nothing could.
    bool progress() {
        bool moved = emit_rounds();
        for (round_index i = oldest_; i < next_; ++i) {
            slot& round = at(i);
            for (std::size_t k = round.open; k < round.used; ++k) {
                advancing_ = &round[k];
                if (!advancing_->done() && advance(round, *advancing_)) moved = true;
            }
            advancing_ = nullptr;
            while (round.open < round.used && round[round.open].done()) ++round.open;
        }
        for (; oldest_ < next_ && at(oldest_).open == at(oldest_).used; ++oldest_) moved = true;
        return moved;
    }

    /// Goes on no more, and stands in nobody's way: gives back the messages that it holds, which their
    /// senders may be waiting for, and those that its receivers have not seen yet.
    void let_go() noexcept {
        for_each_open([this](act& a) { let_go_of(a); });
    }

    /// The step at fault, for messages to people: the one being advanced when something was thrown, else the
    /// oldest unfinished one that talks to `suspect`, else the oldest unfinished one.
    collective_error::location where(rank_type suspect = no_rank) const {
        const act* found = advancing_;
        for (round_index i = oldest_; found == nullptr && i < next_; ++i) found = oldest_open(at(i), suspect);
        for (round_index i = oldest_; found == nullptr && i < next_; ++i) found = oldest_open(at(i), no_rank);
        if (found == nullptr) return {.rank = wires_.rank(), .round = oldest_, .peer = suspect};
        return {.rank = wires_.rank(),
                .round = found->round,
                .step = static_cast<std::int64_t>(found->first_step),
                .peer = found->head().peer};
    }

private:
    using act = detail::action<Transport>;
    using slot = detail::round_in_flight<Transport>;
    using state = detail::action_state;
    static constexpr bool takes = folding_transport<Transport>;
    static constexpr bool labels = labelling_transport<Transport>;

    slot& at(round_index i) noexcept {
        return kept_.rounds[static_cast<std::size_t>(i % detail::rounds_in_flight)];
    }
    const slot& at(round_index i) const noexcept {
        return kept_.rounds[static_cast<std::size_t>(i % detail::rounds_in_flight)];
    }

    static const act* oldest_open(const slot& round, rank_type suspect) noexcept {
        for (std::size_t k = round.open; k < round.used; ++k) {
            const act& a = round[k];
            if (!a.done() && (suspect == no_rank || a.head().peer == suspect)) return &a;
        }
        return nullptr;
    }

    bool emit_rounds() {
        bool moved = false;
        for (; next_ < schedule_.rounds() && next_ - oldest_ < detail::rounds_in_flight; ++next_) {
            slot& round = at(next_);
            round.steps.clear();
            schedule_.append(next_, round.steps);
            round.fill(next_);
            moved = true;
        }
        return moved;
    }

    /// The first unfinished action before `later` that `hinders` it, if any; remembers how far it has looked.
    template <class Hinders>
    act* find_hindrance(const act& later, detail::looked_at& from, Hinders&& hinders) {
        if (from.round < oldest_) from = {oldest_, at(oldest_).open};
        for (; from.round <= later.round; ++from.round, from.index = 0) {
            slot& round = at(from.round);
            const std::size_t end = from.round == later.round ? later.index : round.used;
            for (; from.index < end; ++from.index) {
                act& earlier = round[from.index];
                if (!earlier.done() && hinders(later, earlier)) return &earlier;
            }
            if (from.round == later.round) break;
        }
        return nullptr;
    }
    act* conflicting(act& a) {
        return find_hindrance(a, a.conflicts, [this](const act& later, const act& earlier) {
            if (any_order_ && later.head().kind == step_kind::recv_reduce
                && earlier.head().kind == step_kind::recv_reduce)
                return false;
            return detail::conflict(later, earlier, schedule_.blocks());
        });
    }
    bool must_queue(act& a) { return find_hindrance(a, a.order, detail::same_lane<Transport>) != nullptr; }

    bool advance(slot& round, act& a) {
        if (a.is_send()) return advance_send(a);
        if (a.is_receive()) return advance_receive(round, a);
        if (conflicting(a) != nullptr) return false;
        perform(a);
        a.state = state::done;
        return true;
    }

    bool advance_send(act& a) {
        if (a.state == state::waiting) {
            if (conflicting(a) != nullptr || must_queue(a)) return false;
            bool writable = false;
            for (const step& part : a.parts) writable |= list_pieces(a, part.blocks, part.buffer);
            a.reads_input_only = !writable;
            if constexpr (labels)
                a.handle = wires_.start_send(a.head().peer, channel_, a.to_send(), label_);
            else
                a.handle = wires_.start_send(a.head().peer, channel_, a.to_send());
            a.state = state::posted;
        }
        if (!wires_.test(a.handle)) return false;
        a.state = state::done;
        return true;
    }

    bool advance_receive(slot& round, act& a) {
        bool moved = false;
        if (a.state == state::waiting) {
            if (!receive(a)) return false;
            moved = true;
        }
        if (a.state == state::posted) {
            if (!wires_.test(a.handle)) return moved;
            a.state = a.in_place ? state::done : state::staged;
            moved = true;
        }
        if (a.done()) return moved;
        if (act* hindrance = conflicting(a)) {
            // The blocks are still being sent. The peer may be waiting for us to take its message before it
            // takes ours, so the message is moved out of its way.
            if (a.state == state::taken && hindrance->is_send()) {
                stage_taken(a);
                return true;
            }
            return moved;
        }
        if constexpr (takes) {
            if (a.state == state::taken) {
                land_taken(round, a);
                return true;
            }
        }
        land_staged(a);
        return true;
    }

    /// Takes the message if it has come (folding transports) or starts the receive (all others).
    bool receive(act& a) {
        a.bytes = 0;
        for (const step& part : a.parts) a.bytes += data_.layout().size(part.blocks);
        if constexpr (takes) {
            if (must_queue(a) || !take(a)) return false;
            a.state = state::taken;
            check_length(a);
        } else {
            a.in_place = a.head().kind == step_kind::recv && conflicting(a) == nullptr;
            if (a.in_place) {
                for (const step& part : a.parts)
                    for (const stretch& s : data_.write(part.blocks, part.buffer))
                        if (s.bytes > 0)
                            a.scatter.push_back({data_.target(s), static_cast<std::size_t>(s.bytes)});
            } else if (a.bytes > 0) {
                const auto bytes = static_cast<std::size_t>(a.bytes);
                a.scatter.push_back({a.staging.at_least(bytes), bytes});
            }
            if constexpr (labels)
                a.handle = wires_.start_recv(a.head().peer, channel_, a.to_fill(), label_);
            else
                a.handle = wires_.start_recv(a.head().peer, channel_, a.to_fill());
            a.state = state::posted;
        }
        return true;
    }

    bool take(act& a) {
        if constexpr (labels)
            return wires_.take(a.head().peer, channel_, a.incoming, label_);
        else
            return wires_.take(a.head().peer, channel_, a.incoming);
    }

    void check_length(act& a) {
        std::size_t bytes = 0;
        if constexpr (fetching_transport<Transport>)
            bytes = a.incoming.bytes();
        else
            for (const auto& piece : a.incoming.pieces()) bytes += piece.size();
        if (bytes == static_cast<std::size_t>(a.bytes)) return;
        throw detail::wrong_length(a.head().peer, wires_.rank(), bytes, static_cast<std::size_t>(a.bytes));
    }

    void stage_taken(act& a) {
        if constexpr (takes) {
            std::byte* to = a.staging.at_least(static_cast<std::size_t>(a.bytes));
            if constexpr (fetching_transport<Transport>)
                if (a.incoming.is_away())
                    wires_.fetch(a.incoming, 0, {to, static_cast<std::size_t>(a.bytes)});
            for (const auto& piece : a.incoming.pieces()) { // none of one that is away
                copy_bytes(to, piece.data(), piece.size());
                to += piece.size();
            }
            wires_.release(a.incoming);
            a.state = state::staged;
        }
    }

    void land_staged(act& a) {
        const std::span<const std::byte> staged(a.staging.at_least(0), static_cast<std::size_t>(a.bytes));
        delivery_.deliver(a.parts, gather_list(&staged, 1));
        a.state = state::done;
    }

    void land_taken(slot& round, act& a) {
        if constexpr (fetching_transport<Transport>)
            if (a.incoming.is_away()) {
                struct {
                    Transport& wires;
                    typename Transport::incoming& message;
                } there{wires_, a.incoming};
                const auto fetch = [](void* from, std::size_t offset, std::span<std::byte> to) {
                    auto& [wires, message] = *static_cast<decltype(there)*>(from);
                    wires.fetch(message, offset, to);
                };
                delivery_.deliver(a.parts, {&there, fetch}, a.staging);
                wires_.release(a.incoming);
                a.state = state::done;
                return;
            }
        const gather_list pieces = a.incoming.pieces();
        bool readable = true;
        for (const std::span<const std::byte>& piece : pieces)
            readable = readable && delivery_.readable(piece);
        if (!readable) {
            stage_taken(a);
            land_staged(a);
            return;
        }
        if (pieces.size() == 1 && a.head().kind == step_kind::recv_reduce && a.parts.size() == 1) {
            land_fused(round, a);
            return;
        }
        delivery_.deliver(a.parts, pieces);
        wires_.release(a.incoming);
        a.state = state::done;
    }

    /// Folds `first` and those that follow it into the same blocks and have come as well in one pass.
    void land_fused(slot& round, act& first) {
        std::array<act*, delivery::most_fused> group{&first};
        std::array<operand, delivery::most_fused> sources{source_of(first)};
        std::size_t many = 1;
        for (std::size_t k = first.index + 1; k < round.used && many < group.size(); ++k) {
            act& next = round[k];
            if (next.done() || next.head().kind != step_kind::recv_reduce || next.parts.size() != 1
                || next.head().blocks != first.head().blocks || next.head().buffer != first.head().buffer)
                break;
            if (next.state == state::waiting && !receive(next)) break;
            if (next.state != state::taken || next.incoming.pieces().size() != 1
                || !delivery_.readable(next.incoming.pieces().front()))
                break;
            sources[many] = source_of(next);
            group[many++] = &next;
        }
        delivery_.fuse(first.head(), sources.data(), many);
        for (std::size_t k = 0; k < many; ++k) {
            wires_.release(group[k]->incoming);
            group[k]->state = state::done;
        }
    }

    static operand source_of(const act& a) noexcept {
        return {a.incoming.pieces().front().data(), a.head().side()};
    }

    /// Adds where `blocks` of `buffer` lie to what `a` gathers; tells whether the schedule may write there.
    bool list_pieces(act& a, const block_set& blocks, buffer_name buffer) {
        bool writable = false;
        for (const stretch& s : data_.read(blocks, buffer)) {
            if (s.bytes > 0) a.gather.push_back({data_.present(s), static_cast<std::size_t>(s.bytes)});
            writable = writable || s.target != region::nowhere;
        }
        return writable;
    }

    /// A local step: copy, or fold of one buffer into another.
    void perform(act& a) {
        list_pieces(a, a.head().blocks, a.head().source);
        delivery_.deliver(a.parts, a.to_send());
    }

    void let_go_of([[maybe_unused]] act& a) noexcept {
        if constexpr (takes)
            if (a.state == state::taken) {
                wires_.release(a.incoming);
                a.state = state::done;
            }
        if constexpr (withdrawing_transport<Transport>)
            if (a.state == state::posted && a.is_send() && wires_.withdraw(a.handle)) a.state = state::done;
    }

    void abandon() noexcept {
        let_go(); // before it ends what this rank waits for
        for_each_open([this](act& a) {
            if (a.state == state::posted) wires_.abandon(a.handle);
        });
    }

    template <class F>
    void for_each_open(F&& f) {
        for (round_index i = oldest_; i < next_; ++i)
            for (std::size_t k = at(i).open; k < at(i).used; ++k) f(at(i)[k]);
    }

    Transport& wires_;
    channel_type channel_;
    call_label label_;
    const any_generator& schedule_;
    memory& data_;
    delivery delivery_;
    workspace<Transport>& kept_;
    const bool any_order_;
    round_index oldest_ = 0;   // first round with unfinished actions
    round_index next_ = 0;     // first round not emitted yet
    act* advancing_ = nullptr; // stays set when advancing it threw
};

} // namespace tutti
