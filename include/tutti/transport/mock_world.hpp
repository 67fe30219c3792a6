// SPDX-License-Identifier: BSL-1.0
#pragma once

// longer than 400 lines: one class, of which every part is touched by whoever holds the baton

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/begun_calls.hpp>
#include <tutti/transport/mock_baton.hpp>
#include <tutti/transport/mock_decisions.hpp>
#include <tutti/transport/mock_ledger.hpp>
#include <tutti/transport/mock_member.hpp>
#include <tutti/transport/mock_network.hpp>
#include <tutti/transport/mock_sleep.hpp>
#include <tutti/transport/mock_states.hpp>
#include <tutti/transport/mock_verdict.hpp>
#include <tutti/transport/mock_watch.hpp>

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
          network_(options_), decisions_(options_), sleepers_(!options_.rendezvous), baton_(size),
          members_(std::make_unique<member[]>(static_cast<std::size_t>(size))) {
        for (rank_type r : options_.late) of(checked({.rank = r, .size = size, .root = 0}).rank).late = true;
        for (const fault& f : options_.faults) {
            checked({.rank = f.rank, .size = size, .root = 0});
            if (f.to != no_rank) checked({.rank = f.to, .size = size, .root = 0});
        }
        if (options_.decides == freedom::one_rank)
            checked({.rank = options_.watched, .size = size, .root = 0});
    }
    world(const world&) = delete;
    world& operator=(const world&) = delete;

    rank_type size() const noexcept { return size_; }
    /// An endpoint of that rank, which must not outlive this. Throws argument_error if there is no such rank.
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
    /// How many messages can be delivered now.
    std::size_t deliverable() const noexcept { return network_.deliverable(); }
    /// Delivers one of them, 0 <= which < deliverable(), in the order of sender, receiver and channel.
    void deliver(std::size_t which) {
        const std::uint32_t called_off = network_.called_off().count();
        const network::route along = network_.deliver(which);
        fruitless_ = 0;
        if (network_.called_off().count() != called_off) wake_all();
        if (options_.rendezvous) of(along.from).awake = true;
        of(along.to).awake = true;
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
    std::size_t faults_struck() const noexcept {
        std::size_t count = 0;
        for (std::size_t i = 0; i < options_.faults.size(); ++i) count += network_.struck(i) ? 1U : 0U;
        return count;
    }
    /// Whether all that was left to decide had been decided for in another run, under freedom::distinct.
    bool repeats() const noexcept { return sleepers_.repeats(); }
    /// Has what the ranks start written down, and whether it depends on an order.
    void keep_books(ledger& books) { books_ = &books; }
    /// Has the states in which the watched rank waits looked up. Needs books.
    void match(states& known) { states_ = &known; }
    /// What `rank` left with in the last run; null if it returned.
    std::exception_ptr failure_of(rank_type rank) const { return of(rank).failure; }

    // --- for endpoints ---

    /// Begins a send or receive; it stays where it is until it tests true, is abandoned, or the rank leaves.
    /// Throws killed if a fault has killed the rank.
    operation& start(rank_type rank, operation op) {
        member& me = of(rank);
        const std::int64_t step = me.steps++;
        if (!me.dead) meet_death(rank, step);
        if (me.dead) throw killed(reported(me.fate));
        me.distance = 0; // whatever it has heard of, it goes on
        me.operations.push_back(op);
        operation& kept = me.operations.back();
        if (books_ != nullptr) me.books.start(kept);
        if (watches(rank) && step < 64) kept.bit = std::uint64_t{1} << step;
        ++me.changes;
        fruitless_ = 0;
        if (!kept.sends)
            network_.receive(kept);
        else if (network_.send(kept, step)) {
            kept.state = operation::status::done;
            kept.known = true;
        }
        // One time in four: often enough to meet trouble, seldom enough to get somewhere.
        if (running_ && options_.decides == freedom::all && options_.switch_at_start
            && decisions_.choose(4) == 0) {
            me.willing = true;
            pass_on(rank);
            me.willing = false;
        }
        return kept;
    }

    bool test(rank_type rank, operation*& op) {
        member& me = of(rank);
        if (op == nullptr) return true;
        if (watches(rank) ? !sees(rank, *op) : op->state == operation::status::waiting) {
            if (++me.looks <= looks_without_idle) return false;
            throw transport_error(told(detail::sentence(
                {"rank ", rank,
                 " tests again and again without calling idle(): nothing can move meanwhile"})));
        }
        me.looks = 0;
        ++me.changes;
        if (watches(rank))
            for (operation& other : me.operations) other.known |= (other.bit & op->past) != 0;
        if (books_ != nullptr) me.books.complete(*op);
        const bool failed = op->state == operation::status::failed;
        const rank_type peer = op->peer;
        const std::string why = op->why;
        me.forget(op);
        if (failed) {
            me.distance = 1;
            throw transport_error(told(why), peer);
        }
        return true;
    }

    void abandon(rank_type rank, operation*& op) {
        if (op == nullptr) return;
        const member& me = of(rank);
        if (books_ != nullptr) books_->object(detail::sentence({"rank ", rank, " abandons something"}));
        network_.withdraw(*op, me.fate.empty() ? detail::sentence({"rank ", rank, " gave up"}) : me.fate);
        of(rank).forget(op);
    }

    void idle(rank_type rank) {
        member& me = of(rank);
        me.looks = 0;
        if (running_) {
            if (books_ != nullptr) books_->enter(rank, me.books);
            pass_on(rank);
            if (watches(rank)) {
                match_state();
                choose_what_to_see(rank, 0);
            }
        } else if (!deliver_one() && !me.awake) {
            me.doom = why_stuck(rank).text;
        }
        me.awake = false;
        meet_doom(rank);
    }

    /// Lets something else happen, if anything can. A rank may also go on at once, but not twice before
    /// anything has happened to it.
    void yield(rank_type rank) {
        if (!running_) return void(deliver_one());
        member& me = of(rank);
        sleepers_.wake_all();
        const std::size_t stay = me.yielded_at == me.changes ? 0 : 1;
        me.willing = true;
        if (watches(rank)) {
            settle(rank);
            if (choose_what_to_see(rank, stay)) return void(me.willing = false);
        }
        if (options_.decides != freedom::one_rank) {
            std::vector<event> possible = possible_events(rank);
            if (!possible.empty()) {
                const std::size_t choice = decisions_.choose(possible.size() + stay);
                if (choice == possible.size())
                    me.yielded_at = me.changes;
                else if (possible[choice].is_delivery())
                    deliver(possible[choice].number);
                else
                    hand_over(rank, possible[choice].runs);
            }
        } else {
            pass_on(rank);
        }
        me.willing = me.awake = false; // it looks at all it has now
        if (++fruitless_ > yields_in_vain) doom(rank);
        meet_doom(rank);
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
    channel_type& calls_made(rank_type rank, std::uint32_t context) { return of(rank).counts.of(context); }
    void begin_call(rank_type rank, channel_type channel, const call_label& label) {
        of(rank).calls.add(channel, label);
    }
    void check_call(rank_type rank, channel_type channel) {
        meet_doom(rank); // what it waits for in vain comes before what others have heard of that
        if (network_.called_off().count() == 0) return;
        const auto found = network_.called_off().find(channel);
        if (!found.exists()) return;
        if (found.by != rank) of(rank).distance = 2;
        throw transport_error(told(found.why), found.by == rank ? no_rank : found.by);
    }

    void close(rank_type rank, channel_type channel) {
        const auto stray = network_.stray(rank, &channel);
        if (stray.what.empty()) return;
        if (call_label mine; of(rank).calls.find(channel, mine) && mine != stray.label) {
            call_off(rank, channel, detail::different_calls(stray.from, stray.label, rank, mine));
            check_call(rank, channel);
        }
        network_.incident(stray.what);
        throw transport_error(told(stray.what), stray.from);
    }

    // --- for for_each_rank ---

    void begin() {
        for (rank_type r = 0; r < size_; ++r) {
            member& m = of(r);
            m.here = true;
            m.awake = m.started = false;
            m.distance = 0;
            m.calls.forget_all();
            m.counts = {};
            if (!m.dead) m.fate.clear();
            m.failure = nullptr;
        }
        network_.called_off().forget_all();
        running_ = true;
        baton_.lay_down();
    }

    /// Gives the baton to the first one.
    void kick_off() { pass_on(no_rank); }

    /// Waits for the baton for the first time. False if the run was called off.
    bool await_turn(rank_type rank) { return baton_.await(rank); }

    void call_off() {
        running_ = false;
        baton_.call_off();
    }

    /// `rank` has left its body. Its memory is gone, so whatever it had under way is withdrawn. Returns how
    /// far its failure is from the cause.
    std::size_t leave(rank_type rank, std::exception_ptr failure, const std::string& what) {
        member& me = of(rank);
        me.here = false;
        me.failure = failure;
        if (failure && !me.dead) {
            me.fate = detail::sentence({"rank ", rank, " left with an exception: ", untold(what)});
            if (me.distance == 0) network_.incident(me.fate);
        } else if (!failure && me.fate.empty()) {
            me.fate = detail::sentence({"rank ", rank, " has returned"});
            network_.note(me.fate);
        }
        if (books_ != nullptr) books_->enter(rank, me.books);
        for (operation& op : me.operations) {
            if (!failure && op.state == operation::status::waiting && leftover_.empty())
                leftover_ = detail::sentence({"rank ", rank, " returned while it still waited ", op.wish()});
            network_.withdraw(op, me.fate);
        }
        me.operations.clear();
        return me.dead ? 0 : me.distance;
    }
    /// Gives the baton to whoever is next, once `rank` has left.
    void hand_on_for_good(rank_type rank) { pass_on(rank); }

    /// All have left. Throws if all were content, but should not have been.
    void end() {
        running_ = false;
        for (rank_type r = 0; r < size_; ++r)
            if (of(r).failure) return;
        if (!leftover_.empty()) throw transport_error(reported(leftover_));
        for (rank_type r = 0; r < size_; ++r)
            if (const auto stray = network_.stray(r); !stray.what.empty())
                throw transport_error(reported(stray.what), stray.from);
        for (std::size_t i = 0; i < options_.faults.size() && !options_.faults_may_miss; ++i)
            if (!network_.struck(i))
                throw error(reported(
                    detail::sentence({"fault ", i, " never happened: ", mock::told(options_.faults[i])})));
    }
    /// Writes the decisions of the run to options::record, if there is one.
    void put_on_record() const {
        if (options_.record != nullptr) *options_.record = decisions();
    }

private:
    static constexpr std::uint32_t looks_without_idle = 1U << 20;
    static constexpr std::uint32_t yields_in_vain = 1U << 16;

    member& of(rank_type rank) noexcept { return members_[static_cast<std::size_t>(rank)]; }
    const member& of(rank_type rank) const noexcept { return members_[static_cast<std::size_t>(rank)]; }

    void wake_all() noexcept {
        for (rank_type r = 0; r < size_; ++r) of(r).awake = of(r).here;
        sleepers_.wake_all();
    }

    // Every text says by which seed it can be seen again, once.
    std::string seed_told() const { return " (seed " + std::to_string(options_.seed) + ")"; }
    std::string told(const std::string& what) const { return untold(what) + seed_told(); }
    /// Of the mock's own errors, which no call puts its words in front of.
    std::string reported(const std::string& what) const { return "tutti: " + told(what); }
    std::string untold(const std::string& what) const {
        const std::string seed = seed_told();
        return what.ends_with(seed) ? what.substr(0, what.size() - seed.size()) : what;
    }

    void meet_doom(rank_type rank) {
        member& me = of(rank);
        if (me.doom.empty()) return;
        me.distance = me.doomed_directly ? 1 : 2;
        const operation* const op = awaited_of(me, network_);
        throw transport_error(told(std::exchange(me.doom, {})), op == nullptr ? no_rank : op->peer);
    }

    void meet_death(rank_type rank, std::int64_t step) {
        for (std::size_t i = 0; i < options_.faults.size(); ++i) {
            const fault& f = options_.faults[i];
            if (f.kind != fault_kind::kill || f.rank != rank || f.number != step) continue;
            member& me = of(rank);
            me.dead = true;
            me.fate = detail::sentence({"rank ", rank, " was killed at step ", step});
            network_.strike(i);
            network_.incident(me.fate);
        }
    }

    // --- who is next ---

    // Lets things happen until a rank is to run; returns when that is `self`, or when `self` has left.
    void pass_on(rank_type self) {
        for (;;) {
            const event next = next_event();
            if (next.is_delivery())
                deliver(next.number);
            else if (next.is_run())
                return next.runs == self ? void() : hand_over(self, next.runs);
            else if (!doom_all())
                return; // all have left
        }
    }

    void hand_over(rank_type self, rank_type next) {
        of(next).started = true;
        baton_.give(self, next, self != no_rank && of(self).here);
    }

    event next_event() {
        if (options_.decides == freedom::one_rank) return next_around_one();
        if (options_.decides == freedom::distinct || !options_.switch_at_start)
            if (const rank_type r = indifferent_rank(); r != no_rank) return happens({.runs = r});
        const std::vector<event> possible = possible_events();
        if (possible.empty()) return {};
        if (options_.decides == freedom::distinct) return happens(sleepers_.choose(possible, decisions_));
        return possible[decisions_.choose(possible.size())];
    }
    event happens(const event& e) {
        // What can happen before a late rank moves is a matter of all others.
        if (e.is_run() && of(e.runs).late)
            sleepers_.wake_all();
        else
            sleepers_.happens(e);
        return e;
    }

    // All that can happen next, but for `but` going on.
    std::vector<event> possible_events(rank_type but = no_rank) const {
        std::vector<event> some;
        bool something = network_.deliverable() > 0; // more than asking again
        const auto movable = [&](bool late) {
            for (rank_type r = 0; r < size_; ++r)
                if (const member& m = of(r); r != but && m.can_move() && m.late == late) {
                    something = something || m.awake || !m.started;
                    some.push_back({.runs = r});
                }
        };
        movable(false);
        std::size_t number = 0;
        network_.for_each_ready(
            [&](const network::route& along) { some.push_back({.arrives = along, .number = number++}); });
        if (!something) movable(true);
        return some;
    }

    // A rank for which it makes no difference what else happens before it moves: it has not begun yet, or
    // nothing it waits for is outstanding, so no delivery can change what it will see. Moving it at once
    // loses no outcome and spares exploration most of its runs.
    rank_type indifferent_rank() const {
        for (rank_type r = 0; r < size_; ++r) {
            const member& m = of(r);
            if (m.can_move() && !m.late && (!m.started || !m.doom.empty() || m.awaited() == nullptr))
                return r;
        }
        return no_rank;
    }

    // Calls the first call off that a rank waits in while another makes a different one on its channel.
    bool call_off_different() {
        for (rank_type r = 0; r < size_; ++r)
            for (const operation& op : of(r).operations)
                for (rank_type other = 0; other < size_ && op.state == operation::status::waiting; ++other)
                    if (call_label theirs;
                        of(other).calls.find(op.channel, theirs) && theirs != op.label
                        && network_.call_off(op.channel, r,
                                             detail::different_calls(other, theirs, r, op.label))) {
                        wake_all();
                        return true;
                    }
        return false;
    }

    // Nothing can move any more. Tells those whom that happened to, who may tell the others; or else all who
    // wait. False if nobody does.
    bool doom_all() {
        if (call_off_different()) return true;
        const bool told = doom_those(true) || doom_those(false);
        wake_all();
        return told;
    }
    bool doom_those(bool directly) {
        bool any = false;
        for (rank_type r = 0; r < size_; ++r) {
            if (!of(r).here || (directly && !why_stuck(r).direct)) continue;
            doom(r);
            any = true;
        }
        return any;
    }
    verdict why_stuck(rank_type rank) {
        return mock::why_stuck(rank, {members_.get(), static_cast<std::size_t>(size_)}, network_);
    }
    void doom(rank_type rank) {
        verdict why = why_stuck(rank);
        of(rank).doom = std::move(why.text);
        of(rank).doomed_directly = why.direct;
        if (books_ != nullptr) books_->object(detail::sentence({"rank ", rank, " waits in vain"}));
    }

    // --- one rank is watched: what it sees is decided, all others go on as far as they can ---

    bool watches(rank_type rank) const noexcept {
        return running_ && options_.decides == freedom::one_rank && rank == options_.watched;
    }

    event next_around_one() {
        const rank_type one = options_.watched;
        for (rank_type r = 0; r < size_; ++r)
            if (const member& m = of(r); r != one && m.here && (m.awake || !m.started)) return {.runs = r};
        if (network_.deliverable() > 0) return {.arrives = network_.first_ready(), .number = 0};
        member& m = of(one);
        if (m.here && (!m.started || m.settling || !m.doom.empty() || !m.unseen().empty()))
            return {.runs = one};
        for (rank_type i = 1; i <= size_; ++i) // those who ask again and again, in turns
            if (const rank_type r = (last_asker_ + i) % size_; of(r).here && of(r).willing) {
                last_asker_ = r;
                return {.runs = r};
            }
        return {};
    }

    // The watched rank has nothing to do but to wait, and all others have gone as far as they can.
    void match_state() {
        if (states_ == nullptr) return;
        const std::uint64_t now = state();
        if (states_->enter(now, decisions_.made().size())) decisions_.wander(now);
    }
    // A sum over the operations of a rank: the order in which they were started is no part of the state.
    std::uint64_t state() const {
        std::uint64_t hash = 0;
        for (rank_type r = 0; r < size_; ++r) {
            const member& m = of(r);
            const bool fine = r == options_.watched && options_.matches == matching::begun;
            const std::uint64_t goes_on =
                (m.here ? 1U : 0U) + (m.willing ? 2U : 0U) + (m.yielded_at == m.changes ? 4U : 0U);
            for (const std::uint64_t part : {m.books.started(), m.books.completed(), goes_on})
                hash = scrambled(hash) + part;
            for (const operation& op : m.operations)
                hash += scrambled(tally::standing(op) + (fine ? op.before : 0));
        }
        return hash;
    }

    void settle(rank_type rank) {
        of(rank).settling = true;
        pass_on(rank);
        of(rank).settling = false;
    }

    // At a look of the watched rank: what has completed may be seen now or later. What it was not to see it
    // will not before something has changed for the rank, or it has nothing else to wait for. Once it sees
    // something, it sees what came before by the same way.
    bool sees(rank_type rank, operation& op) {
        if (op.known && op.state != operation::status::waiting) return true;
        if (!options_.every_look) return false;
        if (op.state == operation::status::waiting) settle(rank);
        if (op.state == operation::status::waiting || op.passed_over == of(rank).changes) return false;
        if (decisions_.choose(2) == 0) return true;
        op.passed_over = of(rank).changes;
        return false;
    }

    // The watched rank has nothing to do but to wait for what it has not seen yet, or to stay as it is if
    // `stay` is
    // 1. False if there is nothing to see and no reason to stay.
    bool choose_what_to_see(rank_type rank, std::size_t stay) {
        member& me = of(rank);
        const std::vector<operation*> unseen = me.unseen();
        if (!me.doom.empty() || unseen.size() + stay == 0) return false;
        if (!choose_seen(unseen, stay, !options_.every_look, me.changes, decisions_))
            me.yielded_at = me.changes;
        return true;
    }

    rank_type size_;
    options options_;
    network network_;
    decision_maker decisions_;
    sleepers sleepers_;
    baton baton_;
    std::unique_ptr<member[]> members_;
    ledger* books_ = nullptr;
    states* states_ = nullptr;
    rank_type last_asker_ = 0;
    std::uint32_t fruitless_ = 0; // yields since anything was started or delivered
    bool running_ = false;
    std::string leftover_;
};

} // namespace tutti::mock
