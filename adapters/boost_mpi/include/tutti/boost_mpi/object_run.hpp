// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <list>
#include <memory>
#include <span>
#include <utility>

#include <tutti/boost_mpi/object_memory.hpp>
#include <tutti/boost_mpi/object_message.hpp>
#include <tutti/core/any_generator.hpp>
#include <tutti/core/error.hpp>
#include <tutti/execute/action.hpp>

namespace tutti::boost_mpi::detail {

/// In the place of an operation: for collectives that only move objects.
struct nothing_folded {};

/// Runs one rank's part of a schedule over objects.
///
/// Round by round: its sends are packed, which fixes their values; then its receives and local steps land in
/// the order listed, and the next round begins. Sends own what they send and are not waited for, but for
/// those of long ago, which would fill the memory. So a rank waits for less than one that ends a round before
/// it begins the next, and with such ranks every schedule ends, whatever the network buffers (generator.hpp,
/// rule 4).
template <object T, class Op>
class object_run {
public:
    object_run(mpi::transport& wires, channels on, const any_generator& schedule, const Op& op,
               object_memory<T>& data)
        : wires_(wires), on_(on), schedule_(schedule), op_(op), data_(data) {}

    object_run(const object_run&) = delete;
    object_run& operator=(const object_run&) = delete;
    ~object_run() {
        for (arrival& a : arrivals_) a.abandon(wires_);
        for (outgoing& o : sends_) o.abandon(wires_);
    }

    void run() {
        const round_range active = schedule_.active();
        for (round_ = active.begin; round_ < active.end; ++round_) {
            start_round();
            wait_until([&] { return landed_ == arrivals_.size() && !sends_of_long_ago(); });
        }
        wait_until([&] { return sends_.empty(); });
    }

    /// The step at fault, for messages to people: what was being done when something was thrown, else the
    /// oldest unfinished step that talks to `suspect`, else the oldest unfinished one.
    collective_error::location where(rank_type suspect) const {
        collective_error::location at = at_hand_;
        if (at.step < 0) at = oldest_with(suspect);
        if (at.step < 0) at = oldest_with(no_rank); // suspect has failed, and another step waits for it
        at.rank = wires_.rank();
        if (at.round < 0) at.round = round_;
        if (suspect != no_rank) at.peer = suspect;
        return at;
    }

private:
    void start_round() {
        steps_.clear();
        schedule_.append(round_, steps_);
        arrivals_.clear();
        landed_ = 0;
        const outgoing* before = nullptr;
        std::span<const step> sent_before;
        for (std::size_t i = 0, end = 0; i < steps_.size(); i = end) {
            for (end = i + 1; steps_[end - 1].continues() && end < steps_.size();) ++end;
            const std::span<const step> parts(steps_.begin() + i, end - i);
            const step& head = parts.front();
            at_hand_ = location(round_, i, head.peer);
            if (head.kind == step_kind::send) {
                // What goes to several peers, as in a tree, is packed once.
                auto bytes =
                    before != nullptr && same_blocks(parts, sent_before) ? before->bytes() : packed(parts);
                sends_.emplace_back(round_, i, head, count(parts), std::move(bytes));
                sends_.back().start(wires_, on_);
                before = &sends_.back();
                sent_before = parts;
            } else {
                arrivals_.emplace_back(parts, i);
                arrivals_.back().start(wires_, on_);
            }
        }
        at_hand_ = {};
    }

    template <class Reached>
    void wait_until(const Reached& reached) {
        for (std::uint32_t turns = 0; !reached();) {
            if (progress())
                turns = 0;
            else
                wires_.idle(turns++);
        }
    }

    bool progress() {
        bool moved = false;
        for (std::size_t k = landed_; k < arrivals_.size(); ++k) {
            arrival& a = arrivals_[k];
            if (a.is_here()) continue;
            at_hand_ = location(round_, a.first_step(), a.head().peer);
            if (a.advance(wires_, on_, count(a.parts()), [&] { return is_next(k); })) moved = true;
        }
        for (; landed_ < arrivals_.size() && arrivals_[landed_].is_here(); ++landed_) {
            arrival& a = arrivals_[landed_];
            at_hand_ = location(round_, a.first_step(), a.head().peer);
            land(a);
            moved = true;
        }
        for (auto o = sends_.begin(); o != sends_.end();) {
            at_hand_ = location(o->round(), o->first_step(), o->peer());
            const bool gone = o->test(wires_);
            o = gone ? sends_.erase(o) : std::next(o);
            moved = moved || gone;
        }
        at_hand_ = {};
        return moved;
    }

    bool sends_of_long_ago() const {
        return !sends_.empty() && sends_.front().round() + tutti::detail::rounds_in_flight <= round_;
    }

    bool is_next(std::size_t k) const {
        for (std::size_t i = landed_; i < k; ++i)
            if (arrivals_[i].is_unmatched() && arrivals_[i].head().peer == arrivals_[k].head().peer)
                return false;
        return true;
    }

    // --- values ---

    static bool same_blocks(std::span<const step> a, std::span<const step> b) noexcept {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const step& x, const step& y) {
            return x.blocks == y.blocks && x.buffer == y.buffer;
        });
    }

    std::uint64_t count(std::span<const step> parts) const noexcept {
        std::int64_t sum = 0;
        for (const step& part : parts) sum += data_.count(part.blocks);
        return static_cast<std::uint64_t>(sum);
    }

    std::shared_ptr<payload> packed(std::span<const step> parts) {
        packing into(wires_.comm(), parts.front().peer);
        for (const step& part : parts)
            data_.read(part.blocks, part.buffer,
                       [&](const T* from, std::int64_t many) { into.put(from, many); });
        return std::move(into).result();
    }

    void land(arrival& a) {
        if (a.head().is_local()) {
            for (const step& part : a.parts())
                data_.write_from(part.blocks, part.source, part.buffer,
                                 [&](T& to, const T& from) { put(part, to, from); });
            return;
        }
        unpacking from(wires_.comm(), a.bytes(), a.head().peer);
        for (const step& part : a.parts())
            data_.write(part.blocks, part.buffer, [&](T& to) {
                T came{};
                from.get(came);
                put(part, to, std::move(came));
            });
        a.bytes() = {};
    }

    /// `from` is a const T& or a T&&.
    template <class From>
    void put(const step& how, T& to, From&& from) {
        if (!how.folds())
            to = std::forward<From>(from);
        else if constexpr (std::same_as<Op, nothing_folded>)
            throw transport_error("the schedule folds, but the collective has no operation");
        else if (how.side() == operand_side::left)
            to = op_(std::as_const(from), std::as_const(to));
        else
            to = op_(std::as_const(to), std::as_const(from));
    }

    // --- failure ---

    static collective_error::location location(round_index round, std::size_t first_step, rank_type peer) {
        return {.round = round, .step = static_cast<std::int64_t>(first_step), .peer = peer};
    }

    /// no_rank: with anybody.
    collective_error::location oldest_with(rank_type peer) const {
        for (const outgoing& o : sends_)
            if ((peer == no_rank || o.peer() == peer) && o.round() < round_)
                return location(o.round(), o.first_step(), o.peer());
        for (const arrival& a : arrivals_)
            if (!a.is_here() && (peer == no_rank || a.head().peer == peer))
                return location(round_, a.first_step(), a.head().peer);
        return {};
    }

    mpi::transport& wires_;
    channels on_;
    const any_generator& schedule_;
    const Op& op_;
    object_memory<T>& data_;
    round_index round_ = 0;
    step_list steps_;                    // of this round
    std::deque<arrival> arrivals_;       // of this round, in the order in which they land
    std::size_t landed_ = 0;             // so many have
    std::list<outgoing> sends_;          // of this round and earlier ones, oldest first
    collective_error::location at_hand_; // the step that is being advanced; stays set when that throws
};

} // namespace tutti::boost_mpi::detail
