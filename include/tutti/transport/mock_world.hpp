// SPDX-License-Identifier: BSL-1.0
#pragma once

// longer than 400 lines: one class, of which every part is touched by whoever holds the baton

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/begun_calls.hpp>
#include <tutti/transport/mock_decisions.hpp>
#include <tutti/transport/mock_network.hpp>

namespace tutti::mock {

class transport;

/// Ranks, the network between them, and the one who decides what happens next.
///
/// Under for_each_rank the ranks are threads that hand on a baton: only its holder runs, so everything here
/// is touched by one thread at a time and the order of events is a function of the decisions alone. The baton
/// is passed when a rank waits (and, if the options say so, when it starts something). When no rank can move
/// and nothing can be delivered, every rank that waits gets an error that says what it waits for and why that
/// will never come.
///
/// Without for_each_rank one thread may drive all endpoints itself and move the messages by deliver_one().
class world {
public:
    explicit world(rank_type size, options how = {})
        : size_(checked({.rank = 0, .size = size, .root = 0}).size), options_(std::move(how)),
          network_(options_), decisions_(options_),
          members_(std::make_unique<member[]>(static_cast<std::size_t>(size))) {
        for (rank_type r : options_.late) of(checked({.rank = r, .size = size, .root = 0}).rank).late = true;
        for (const fault& f : options_.faults) {
            checked({.rank = f.rank, .size = size, .root = 0});
            if (f.to != no_rank) checked({.rank = f.to, .size = size, .root = 0});
        }
    }
    world(const world&) = delete;
    world& operator=(const world&) = delete;

    rank_type size() const noexcept { return size_; }
    mock::transport transport(rank_type rank);

    /// Delivers one message that can be delivered, chosen by seed or replay. False if there is none.
    bool deliver_one() {
        if (network_.deliverable() == 0) return false;
        deliver(decisions_.choose(network_.deliverable()));
        return true;
    }
    /// Delivers until nothing can be delivered any more; returns how many messages.
    std::size_t advance() {
        std::size_t count = 0;
        while (deliver_one()) ++count;
        return count;
    }
    /// How many messages can be delivered now, and the delivery of one of them.
    std::size_t deliverable() const noexcept { return network_.deliverable(); }
    void deliver(std::size_t which) {
        const std::uint32_t called_off = network_.called_off().count();
        const auto [from, to] = network_.deliver(which);
        if (network_.called_off().count() != called_off) wake_all();
        if (options_.rendezvous) of(from).awake = true;
        of(to).awake = true;
    }

    /// What was decided so far; give it to options::replay to see the same run again.
    const std::vector<std::uint32_t>& decisions() const noexcept { return decisions_.made(); }
    /// Among how many possibilities each decision chose.
    const std::vector<std::uint32_t>& alternatives() const noexcept { return decisions_.counts(); }
    /// What happened, one line per event.
    std::string log() const {
        std::string text;
        for (const std::string& line : network_.log()) text += line + '\n';
        return text;
    }
    /// How many of the faults of the options have come to pass.
    std::size_t faults_struck() const noexcept { return network_.faults_struck(); }
    /// What `rank` left with in the last run; null if it returned.
    std::exception_ptr failure_of(rank_type rank) const { return of(rank).failure; }

    // --- for endpoints ---

    operation& start(rank_type rank, operation op) {
        member& me = of(rank);
        const std::int64_t step = me.steps++;
        if (!me.dead) meet_death(rank, step);
        if (me.dead) throw killed(me.fate);
        me.operations.push_back(op);
        operation& kept = me.operations.back();
        if (!kept.sends)
            network_.receive(kept);
        else if (network_.send(kept, step))
            kept.state = operation::status::done;
        // One time in four: often enough to meet trouble, seldom enough to get somewhere.
        if (running_ && options_.switch_at_start && decisions_.choose(4) == 0) {
            me.willing = true;
            pass_on(rank);
            me.willing = false;
        }
        return kept;
    }

    bool test(rank_type rank, operation*& op) {
        member& me = of(rank);
        if (op == nullptr) return true;
        if (op->state == operation::status::waiting) {
            if (++me.looks <= looks_without_idle) return false;
            throw transport_error(detail::sentence(
                {"rank ", rank,
                 " tests again and again without calling idle(): nothing can move meanwhile"}));
        }
        me.looks = 0;
        const bool failed = op->state == operation::status::failed;
        const rank_type peer = op->peer;
        const std::string why = op->why;
        forget(rank, op);
        if (failed) {
            me.struck = true;
            throw transport_error(why, peer);
        }
        return true;
    }

    void abandon(rank_type rank, operation*& op) {
        if (op == nullptr) return;
        const member& me = of(rank);
        network_.withdraw(*op, me.fate.empty() ? "rank " + std::to_string(rank) + " gave up" : me.fate);
        forget(rank, op);
    }

    void idle(rank_type rank) {
        member& me = of(rank);
        me.looks = 0;
        if (running_) {
            pass_on(rank);
        } else if (!deliver_one() && !me.awake) {
            me.doom = why_stuck(rank);
        }
        me.awake = false;
        meet_doom(rank);
    }

    /// Lets something else happen, if anything can.
    void yield(rank_type rank) {
        if (!running_) return void(deliver_one());
        std::vector<rank_type> others = movable_ranks(false);
        if (others.empty() && network_.deliverable() == 0) others = movable_ranks(true);
        std::erase(others, rank);
        const std::size_t choices = others.size() + network_.deliverable();
        member& me = of(rank);
        if (choices == 0) {
            if (++me.looks > looks_without_idle) me.doom = why_stuck(rank);
            return meet_doom(rank);
        }
        const std::size_t choice = decisions_.choose(choices);
        if (choice >= others.size()) return deliver(choice - others.size());
        me.willing = true;
        give_baton(rank, others[choice]);
        me.willing = false;
    }

    /// `rank` takes no part any more, and says why.
    void give_up(rank_type rank, const std::string& why) {
        of(rank).fate = why;
        network_.incident(why);
    }

    /// A call fails on all ranks, though the world goes on.
    void call_off(rank_type rank, channel_type channel, const std::string& why) {
        if (network_.call_off(channel, rank, why)) wake_all();
    }
    void begin_call(rank_type rank, channel_type channel, const call_label& label) {
        of(rank).calls.add(channel, label);
    }
    void check_call(rank_type rank, channel_type channel) {
        if (network_.called_off().count() == 0) return;
        const auto found = network_.called_off().find(channel);
        if (!found.has_value()) return;
        if (found->by != rank) of(rank).struck = true;
        throw transport_error(found->why, found->by == rank ? no_rank : found->by);
    }

    void close(rank_type rank, channel_type channel) {
        const auto stray = network_.stray(rank, &channel);
        if (stray.what.empty()) return;
        if (const auto mine = of(rank).calls.find(channel); mine.has_value() && *mine != stray.label) {
            call_off(rank, channel, detail::different_calls(stray.from, stray.label, rank, *mine));
            check_call(rank, channel);
        }
        network_.incident(stray.what);
        throw transport_error(stray.what, stray.from);
    }

    // --- for for_each_rank ---

    void begin() {
        for (rank_type r = 0; r < size_; ++r) {
            member& m = of(r);
            m.here = true;
            m.awake = m.started = false;
            if (!m.dead) m.fate.clear();
            m.failure = nullptr;
        }
        running_ = true;
        turn_ = no_rank;
    }

    /// Gives the baton to the first one.
    void kick_off() { pass_on(no_rank); }

    /// Waits for the baton for the first time. False if the run was called off.
    bool await_turn(rank_type rank) {
        std::unique_lock lock(mutex_);
        of(rank).turn_came.wait(lock, [&] { return turn_ == rank || called_off_; });
        return !called_off_;
    }

    void call_off() {
        const std::lock_guard lock(mutex_);
        called_off_ = true;
        running_ = false;
        for (rank_type r = 0; r < size_; ++r) of(r).turn_came.notify_one();
    }

    /// `rank` has left its body. Its memory is gone, so whatever it had under way is withdrawn. Returns
    /// whether its failure is only a consequence.
    bool leave(rank_type rank, std::exception_ptr failure, const std::string& what) {
        member& me = of(rank);
        me.here = false;
        me.failure = failure;
        if (failure && !me.dead) {
            me.fate = "rank " + std::to_string(rank) + " left with an exception: " + what;
            if (!me.struck) network_.incident(me.fate);
        } else if (!failure && me.fate.empty()) {
            me.fate = "rank " + std::to_string(rank) + " has returned";
            network_.note(me.fate);
        }
        const bool consequence = me.struck && !me.dead;
        for (operation& op : me.operations) {
            if (!failure && op.state == operation::status::waiting && leftover_.empty())
                leftover_ = "rank " + std::to_string(rank) + " returned while it still waited " + op.wish();
            network_.withdraw(op, me.fate);
        }
        me.operations.clear();
        return consequence;
    }
    void hand_on_for_good(rank_type rank) { pass_on(rank); }

    void end() {
        running_ = false;
        for (rank_type r = 0; r < size_; ++r)
            if (of(r).failure) return;
        // Everybody was content; then nothing may be left over.
        if (!leftover_.empty()) throw transport_error(leftover_);
        for (rank_type r = 0; r < size_; ++r)
            if (const auto stray = network_.stray(r); !stray.what.empty())
                throw transport_error(stray.what, stray.from);
    }

private:
    struct member {
        std::list<operation> operations{};
        detail::begun_calls calls{};
        std::condition_variable turn_came{};
        std::exception_ptr failure{};
        std::string fate{}; // why nothing more comes from this rank
        std::string doom{}; // what its idle() is to throw
        std::int64_t steps = 0;
        std::uint32_t looks = 0; // fruitless ones since the last idle()
        bool here = false;       // its body runs
        bool started = false;    // it has had the baton
        bool awake = false;      // something of its own has completed while it waited
        bool willing = false;    // it gave the baton away without having to wait
        bool dead = false;
        bool struck = false; // its failure is a consequence of another's
        bool late = false;

        bool can_move() const noexcept { return here && (awake || willing || !started); }
    };
    static constexpr std::uint32_t looks_without_idle = 1U << 20;

    member& of(rank_type rank) noexcept { return members_[static_cast<std::size_t>(rank)]; }
    const member& of(rank_type rank) const noexcept { return members_[static_cast<std::size_t>(rank)]; }

    void wake_all() noexcept {
        for (rank_type r = 0; r < size_; ++r) of(r).awake = of(r).here;
    }

    void forget(rank_type rank, operation*& op) {
        of(rank).operations.remove_if([&](const operation& x) { return &x == op; });
        op = nullptr;
    }

    void meet_doom(rank_type rank) {
        member& me = of(rank);
        if (me.doom.empty()) return;
        me.struck = true;
        throw transport_error(std::exchange(me.doom, {}), awaited_peer(rank));
    }

    void meet_death(rank_type rank, std::int64_t step) {
        for (const fault& f : options_.faults) {
            if (f.kind != fault_kind::kill || f.rank != rank || f.number != step) continue;
            member& me = of(rank);
            me.dead = true;
            me.fate = "rank " + std::to_string(rank) + " was killed at step " + std::to_string(step);
            network_.count_struck();
            network_.incident(me.fate);
        }
    }

    // Lets things happen until a rank is to run; returns when that is `self`, or when `self` has left.
    void pass_on(rank_type self) {
        for (;;) {
            if (!options_.switch_at_start) {
                const rank_type next = indifferent_rank();
                if (next == self && next != no_rank) return;
                if (next != no_rank) return give_baton(self, next);
            }
            std::vector<rank_type> movable = movable_ranks(false);
            if (movable.empty() && network_.deliverable() == 0) movable = movable_ranks(true);
            const std::size_t choices = movable.size() + network_.deliverable();
            if (choices == 0) {
                if (!doom_all()) return; // all have left
                continue;
            }
            const std::size_t choice = decisions_.choose(choices);
            if (choice >= movable.size()) {
                deliver(choice - movable.size());
                continue;
            }
            const rank_type next = movable[choice];
            if (next != self) give_baton(self, next);
            return;
        }
    }

    // A rank for which it makes no difference what else happens before it moves: it has not begun yet, or
    // nothing it waits for is outstanding, so no delivery can change what it will see. Moving it at once
    // loses no outcome and spares exploration most of its runs.
    rank_type indifferent_rank() const {
        for (rank_type r = 0; r < size_; ++r) {
            const member& m = of(r);
            if (m.can_move() && !m.late && (!m.started || !m.doom.empty() || awaited(r) == nullptr)) return r;
        }
        return no_rank;
    }

    std::vector<rank_type> movable_ranks(bool late) const {
        std::vector<rank_type> result;
        for (rank_type r = 0; r < size_; ++r)
            if (of(r).can_move() && of(r).late == late) result.push_back(r);
        return result;
    }

    void give_baton(rank_type self, rank_type next) {
        std::unique_lock lock(mutex_);
        turn_ = next;
        of(next).started = true;
        of(next).turn_came.notify_one();
        if (self == no_rank || !of(self).here) return;
        of(self).turn_came.wait(lock, [&] { return turn_ == self; });
    }

    // Calls the first call off that a rank waits in while another makes a different one on its channel.
    bool call_off_different() {
        for (rank_type r = 0; r < size_; ++r)
            for (const operation& op : of(r).operations)
                for (rank_type other = 0; other < size_ && op.state == operation::status::waiting; ++other)
                    if (const auto theirs = of(other).calls.find(op.channel);
                        theirs.has_value() && *theirs != op.label
                        && network_.call_off(op.channel, r,
                                             detail::different_calls(other, *theirs, r, op.label))) {
                        wake_all();
                        return true;
                    }
        return false;
    }

    // Nothing can move any more. Tells all who wait; false if nobody does.
    bool doom_all() {
        if (call_off_different()) return true;
        bool anybody = false;
        for (rank_type r = 0; r < size_; ++r) {
            if (!of(r).here) continue;
            of(r).doom = why_stuck(r);
            anybody = true;
        }
        wake_all();
        return anybody;
    }

    const operation* awaited(rank_type rank) const {
        for (const operation& op : of(rank).operations)
            if (op.state == operation::status::waiting) return &op;
        return nullptr;
    }
    rank_type awaited_peer(rank_type rank) const {
        const operation* op = awaited(rank);
        return op == nullptr ? no_rank : op->peer;
    }

    static std::string wish_of(rank_type rank, const operation* op) {
        return detail::sentence(
            {"rank ", rank, " waits ", op == nullptr ? "for nothing it has started" : op->wish()});
    }
    std::string wish_of(rank_type rank) const { return wish_of(rank, awaited(rank)); }

    std::string why_stuck(rank_type rank) const {
        // Best an obstacle of its own, then what has become of its peers, then all that went wrong anywhere.
        for (const operation& op : of(rank).operations) {
            if (op.state != operation::status::waiting) continue;
            std::string why = network_.obstacle(op);
            const std::string& fate = of(op.peer).fate;
            if (!fate.empty() && why.find(fate) == std::string::npos) why += (why.empty() ? "" : "; ") + fate;
            if (!why.empty()) return detail::sentence({wish_of(rank, &op), " in vain: ", why});
        }
        if (network_.incidents().empty()) {
            std::string all = "deadlock: ";
            for (rank_type r = 0; r < size_; ++r)
                if (of(r).here || !running_) all += (r == 0 ? "" : "; ") + wish_of(r);
            return all;
        }
        std::string all = wish_of(rank) + " in vain: ";
        for (const std::string& what : network_.incidents()) all += (all.back() == ' ' ? "" : "; ") + what;
        return all;
    }

    rank_type size_;
    options options_;
    network network_;
    decision_maker decisions_;
    std::unique_ptr<member[]> members_;
    bool running_ = false;
    std::string leftover_;

    std::mutex mutex_; // guards turn_ and called_off_; all else belongs to who holds the baton
    rank_type turn_ = no_rank;
    bool called_off_ = false;
};

} // namespace tutti::mock
