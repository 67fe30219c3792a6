// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <tutti/core/active_ranks.hpp>
#include <tutti/core/any_generator.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/model/cost.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/model/pricing_memory.hpp>
#include <tutti/model/round_mail.hpp>
#include <tutti/model/sent_again.hpp>

/// What a schedule costs in a model: found by walking it, so that every schedule has a price, also those that
/// no paper has a formula for.
namespace tutti {

/// Times in microseconds.
struct price {
    double us = 0;             ///< until the last rank is done
    cost parts{};              ///< of the path that ends there, message by message; adds up to `us`
    double busy_us = 0;        ///< of the processor that works most
    rank_type slowest = 0;     ///< the rank that is done last; the lowest if there are several
    std::int64_t messages = 0; ///< in a row on that path: each is waited for

    friend constexpr bool operator==(const price&, const price&) = default;
};

namespace detail {

/// Walks the ranks of an ensemble through their rounds.
template <cost_model M, class G>
class pricing {
public:
    pricing(const M& model, const ensemble<G>& all, const block_bytes& bytes, pricing_memory& memory)
        : model_(model), all_(all), bytes_(bytes), mail_(memory.mail), ranks_(memory.ranks),
          arrivals_(memory.arrivals), wave_(memory.wave), receives_(memory.receives) {
        mail_.begin(all.size());
        ranks_.assign(static_cast<std::size_t>(all.size()), {});
        if (bytes.blocks() != all.blocks())
            throw_argument("blocks that have bytes", bytes.blocks(),
                           std::to_string(all.blocks()) + ", the blocks of the schedule");
    }

    /// Rounds that were walked. Fewer than all are walked if some rank is later than `enough_us` after them.
    round_index run(double enough_us) {
        // Where blocks have counts of their own, as many blocks are not as many bytes.
        const bool even = bytes_.layout().cut_evenly();
        const capabilities claims = all_.claims();
        const round_index alike = even ? claims.uniform_rounds : 0;
        const round_index stated = even ? bounded_rounds_of(all_[0], claims) : unstated;
        round_index bounded = stated == unstated ? all_.rounds() : std::max(stated, alike);
        if ((all_.rounds() - bounded) * all_.size() < dear) bounded = all_.rounds();
        if constexpr (asks_again<M>) again_ = sent_again(all_, bounded == alike ? all_.rounds() : alike);
        const cost start = model_.start();
        clocks& zero = ranks_.front();
        zero.now.at = start;
        zero.busy = start.us();
        for (round_index i = 0; i < alike; ++i) {
            walk_alike(i, 0);
            if (is_late(enough_us)) return i + 1;
        }
        std::fill(ranks_.begin() + 1, ranks_.end(), zero);
        mail_.all_as_rank_0();
        if (alike < bounded)
            for (active_ranks active(all_, alike); active.round() < bounded; active.next()) {
                walk(active);
                if (is_late(enough_us)) return active.round() + 1;
            }
        if (bounded < all_.rounds()) all_as_the_latest();
        for (round_index i = bounded; i < all_.rounds(); ++i) {
            walk_alike(i, all_.busiest(i));
            if (is_late(enough_us)) return i + 1;
        }
        return all_.rounds();
    }

    /// After the rounds that were walked.
    price result() const {
        const clocks* last = &ranks_.front();
        double busy = 0;
        for (const clocks& one : ranks_) {
            if (one.now.at.us() > last->now.at.us()) last = &one;
            busy = std::max(busy, one.busy);
        }
        return {.us = last->now.at.us(),
                .parts = last->now.at,
                .busy_us = busy,
                .slowest = static_cast<rank_type>(last - ranks_.data()),
                .messages = last->now.messages};
    }

private:
    using envelope = round_mail::envelope;
    using task = round_mail::task;
    using clocks = pricing_memory::clocks;

    /// So many rounds of one rank are milliseconds: fewer are walked by all ranks. More where a message needs
    /// both ranks: those that have several in a round hold each other up, which one rank cannot show.
    static constexpr std::int64_t dear = std::int64_t{1} << (M::synchronous ? 18 : 15);

    clocks& of(rank_type r) noexcept { return ranks_[static_cast<std::size_t>(r)]; }

    void walk(const active_ranks& active) {
        mail_.start();
        for (const rank_type r : active.ranks()) mail_.collect(all_, r, active.round(), bytes_);
        mail_.match(active.round());
        price_round();
    }

    /// From here on rank 0 stands for all: nobody is later.
    void all_as_the_latest() {
        clocks& latest = ranks_.front();
        for (const clocks& one : ranks_) {
            latest.now.wait_for(one.now);
            latest.sending.wait_for(one.sending);
            latest.taking.wait_for(one.taking);
            latest.busy = std::max(latest.busy, one.busy);
        }
        mail_.rank_0_as_any();
    }

    /// Rank 0 for all, doing what `whose` does, messages as long as the longest of as many blocks.
    void walk_alike(round_index i, rank_type whose) {
        mail_.start();
        mail_.collect_as(0, all_, whose, i, [&](const block_set& set) {
            return bytes_(block_set{.first = 0, .count = set.count});
        });
        mail_.match_alike(i);
        all_at_once_ = mail_.messages().size() > 1 && !in_order(i, whose);
        price_round();
        all_at_once_ = false;
    }

    /// Whether what a rank receives as its k-th message its sender sends as its k-th: tried with the first
    /// and the last. If not, all messages of the round are taken to come with the last: a bound that is met,
    /// for one, by the direct reduce-scatter.
    bool in_order(round_index i, rank_type whose) {
        const auto receives = [](const task& t) { return t.peer != no_rank; };
        const rank_type first = std::find_if(mail_.tasks().begin(), mail_.tasks().end(), receives)->peer;
        const rank_type last = std::find_if(mail_.tasks().rbegin(), mail_.tasks().rend(), receives)->peer;
        const std::size_t end = mail_.messages().size() - 1;
        if (first == last) return sends_to(whose, first, i, 0, end);
        return sends_to(whose, first, i, 0, 0) && sends_to(whose, last, i, end, end);
    }

    /// Whether `from` sends its messages number k and l of round i, counted from 0, to `to`.
    bool sends_to(rank_type to, rank_type from, round_index i, std::size_t k, std::size_t l) {
        std::size_t sent = 0;
        bool yes = true;
        all_.emit(from, i, [&](const step& s) {
            if (s.kind != step_kind::send || s.continues()) return;
            if (sent == k || sent == l) yes = yes && s.peer == to;
            ++sent;
        });
        return yes;
    }

    void price_round() {
        if constexpr (asks_again<M>)
            for (envelope& m : mail_.messages()) again_.next(m.from, m.facts);
        if constexpr (M::synchronous)
            exchange();
        else
            send_then_receive();
    }

    void send_then_receive() {
        arrivals_.clear();
        for (const envelope& m : mail_.messages()) arrivals_.push_back(send(m));
        if (all_at_once_) std::fill(arrivals_.begin(), arrivals_.end(), arrivals_.back());
        for (const task& t : mail_.tasks()) {
            if (t.message == round_mail::none)
                spend(of(t.rank), local(t));
            else
                arrivals_[t.message] = take(t.rank, mail_.messages()[t.message].facts, arrivals_[t.message]);
        }
        if constexpr (has_waits<M>)
            for (std::size_t k = 0; k < arrivals_.size(); ++k)
                if (const envelope& m = mail_.messages()[k]; model_.waits(m.facts))
                    of(m.from).now.wait_for(arrivals_[k]);
    }

    /// What the model says of a message.
    struct quotation {
        message_facts of{.bytes = -1};
        cost sender{};
        cost flight{};
        cost receiver{};
        cost fold{};
    };

    /// What it says of a local step.
    struct local_step {
        std::int64_t bytes = -1;
        cost takes{};
    };

    /// Asks the model unless it was asked the same before: most messages of a round are of a few kinds.
    const quotation& quote(const message_facts& m) {
        quotation& known = quoted_[m.both_ways + 2 * m.folded + 4 * m.fresh];
        if (!(m == known.of))
            known = {m, model_.sender(m), model_.flight(m), model_.receiver(m),
                     m.folded ? model_.fold(m.bytes) : cost{}};
        return known;
    }

    /// Returns when the receiver can take the message.
    instant send(const envelope& m) {
        clocks& me = of(m.from);
        if constexpr (has_gap<M>) {
            me.now.wait_for(me.sending);
            me.sending = me.now + model_.gap(m.facts);
        }
        const quotation& it = quote(m.facts);
        const instant arrival = (me.now + it.flight).one_more();
        spend(me, it.sender);
        return arrival;
    }

    /// Returns when the receiver begins to take the message.
    instant take(rank_type r, const message_facts& m, const instant& arrival) {
        clocks& me = of(r);
        me.now.wait_for(arrival);
        if constexpr (has_gap<M>) {
            me.now.wait_for(me.taking);
            me.taking = me.now + model_.gap(m);
        }
        const instant begin = me.now;
        const quotation& it = quote(m);
        spend(me, it.receiver);
        if (m.folded) spend(me, it.fold);
        return begin;
    }

    cost local(const task& t) {
        local_step& known = local_[t.kind == step_kind::copy];
        if (t.bytes != known.bytes)
            known = {t.bytes, t.kind == step_kind::copy ? model_.copy(t.bytes) : model_.fold(t.bytes)};
        return known.takes;
    }

    /// Synchronous models. `sending` and `taking` are until when the two ports of a rank are busy.
    void exchange() {
        for (const envelope& m : mail_.messages()) open_ports(m.from);
        for (const task& t : mail_.tasks()) open_ports(t.rank);
        for (const task* t : in_waves())
            pass(of(mail_.messages()[t->message].from), of(t->rank), mail_.messages()[t->message].facts);
        for (const task& t : mail_.tasks()) {
            if (t.message != round_mail::none) continue;
            of(t.rank).taking.at += local(t);
            of(t.rank).busy += local(t).us();
        }
        for (const envelope& m : mail_.messages()) close_ports(m.from);
        for (const task& t : mail_.tasks()) close_ports(t.rank);
    }

    /// The receives of the round, those of all senders' first messages first.
    const std::vector<const task*>& in_waves() {
        wave_.clear();
        for (const envelope& m : mail_.messages()) {
            const bool goes_on = !wave_.empty() && (&m - 1)->from == m.from;
            wave_.push_back(goes_on ? wave_.back() + 1 : 0);
        }
        receives_.clear();
        for (const task& t : mail_.tasks())
            if (t.message != round_mail::none) receives_.push_back(&t);
        const auto wave = [this](const task* t) { return wave_[t->message]; };
        const auto before = [&](const task* a, const task* b) { return wave(a) < wave(b); };
        if (!std::is_sorted(receives_.begin(), receives_.end(), before))
            std::stable_sort(receives_.begin(), receives_.end(), before);
        return receives_;
    }

    void pass(clocks& sender, clocks& receiver, const message_facts& m) {
        instant begin = receiver.taking;
        begin.wait_for(sender.sending);
        const quotation& it = quote(m);
        const cost taking = it.receiver + it.fold;
        sender.sending = (begin + it.sender).one_more();
        receiver.taking = (begin + it.flight).one_more() + taking;
        sender.busy += it.sender.us();
        receiver.busy += taking.us();
    }

    void open_ports(rank_type r) { of(r).sending = of(r).taking = of(r).now; }
    void close_ports(rank_type r) {
        of(r).now.wait_for(of(r).taking);
        of(r).now.wait_for(of(r).sending);
    }

    static void spend(clocks& me, const cost& more) {
        me.now.at += more;
        me.busy += more.us();
    }

    /// Whether one of those that had something to do in the round is later.
    bool is_late(double enough_us) {
        if (!std::isfinite(enough_us)) return false;
        const auto late = [&](rank_type r) { return of(r).now.at.us() > enough_us; };
        return std::any_of(mail_.messages().begin(), mail_.messages().end(),
                           [&](const envelope& m) { return late(m.from); })
               || std::any_of(mail_.tasks().begin(), mail_.tasks().end(),
                              [&](const task& t) { return late(t.rank); });
    }

    const M& model_;
    const ensemble<G>& all_;
    const block_bytes& bytes_;
    round_mail& mail_;
    std::vector<clocks>& ranks_;
    std::vector<instant>& arrivals_;
    std::vector<std::size_t>& wave_;
    std::vector<const task*>& receives_;
    quotation quoted_[8];      // by the kind of message: what the model was asked last
    local_step local_[2];      // likewise: folds, copies
    bool all_at_once_ = false; // all messages of the round come with the last
    [[no_unique_address]] std::conditional_t<asks_again<M>, sent_again, std::monostate> again_{};
};

} // namespace detail

/// The price of a schedule as far as it was walked.
struct partial_price {
    price until{}; ///< what these rounds take
    round_index rounds =
        0; ///< of the schedule, the first ones: all, or enough to be later than was asked for
};

/// As evaluate, below, but leaves off after the first round in which some rank is later than `enough_us`.
/// Clocks only go on, so the whole takes as long as what was walked at least.
template <cost_model M, class G>
partial_price evaluate_until(const M& model, const ensemble<G>& all, const block_bytes& bytes,
                             double enough_us, detail::pricing_memory& memory) {
    const auto walk = [&](const M& here) -> partial_price {
        detail::pricing<M, G> walked(here, all, bytes, memory);
        const round_index rounds = walked.run(enough_us);
        return {walked.result(), rounds};
    };
    if constexpr (requires { model.running(all.size(), bytes.total()); })
        return walk(model.running(all.size(), bytes.total()));
    else
        return walk(model);
}

/// The same with memory of its own.
template <cost_model M, class G>
partial_price evaluate_until(const M& model, const ensemble<G>& all, const block_bytes& bytes,
                             double enough_us) {
    detail::pricing_memory memory;
    return evaluate_until(model, all, bytes, enough_us, memory);
}

/// The price of a schedule in a model.
///
/// Every rank has a clock. In a round it first sends its messages, in order; then it takes messages and does
/// its local steps as they are listed; its next round begins when all of these are done. A message is matched
/// in order with the receives of its pair of ranks in its round.
///
/// In a synchronous model (see cost_model) a rank has one port to send and one to receive, and folds as part
/// of receiving; both ends have to be free. Messages pass in waves: the first of every sender, then the
/// second of every sender, and so on, in a wave as receivers list them.
///
/// One rank stands for all in rounds that the schedule claims to be uniform. If its blocks differ by an
/// element or so, a message there is as long as the longest of as many blocks, and the price a bound from
/// above. Likewise the busiest one in those that are claimed to be bounded, if there are many: a bound, too,
/// where others are idle meanwhile, and so ahead; but in a synchronous model an estimate where ranks have
/// several messages in a round (prefix_send with 16 outstanding on 701 ranks takes 1.4 times as long).
///
/// Takes about 0.1 us for each message and each rank that is active in a round, after the uniform rounds.
/// Throws argument_error if `bytes` has not the blocks of the schedule, or if messages and receives of a
/// round do not match.
/// Example with 5 ranks, reduction up the binomial tree, L = 2, r = 1, c = 1 of Moody's model: 0 is done with
/// 1 and 2 with 3 at 4; 2's message is there at 6 and folded at 8; 4's waits for that and is folded at 10.
template <cost_model M, class G>
price evaluate(const M& model, const ensemble<G>& all, const block_bytes& bytes) {
    return evaluate_until(model, all, bytes, std::numeric_limits<double>::infinity()).until;
}

/// The same in the model of a machine.
template <class G>
price evaluate(const machine& on, const ensemble<G>& all, const block_bytes& bytes) {
    return std::visit([&](const auto& model) { return evaluate(model, all, bytes); }, on.model);
}

#if !TUTTI_BODIES
extern template price evaluate(const machine&, const ensemble<any_generator>&, const block_bytes&);
#endif

} // namespace tutti
