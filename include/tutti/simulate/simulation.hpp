// SPDX-License-Identifier: BSL-1.0
#pragma once
// longer than 400 lines: one event loop, whose handlers share all of its state

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/block_bytes.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/simulate/activity_log.hpp>
#include <tutti/simulate/cpu_account.hpp>
#include <tutti/simulate/early_messages.hpp>
#include <tutti/simulate/event_queue.hpp>
#include <tutti/simulate/fifo_table.hpp>
#include <tutti/simulate/host_state.hpp>
#include <tutti/simulate/machine_ticks.hpp>
#include <tutti/simulate/options.hpp>
#include <tutti/simulate/result.hpp>
#include <tutti/simulate/round_work.hpp>
#include <tutti/simulate/waiting_messages.hpp>

namespace tutti::detail {

/// One run of the rules in simulate.hpp. Three things happen without an event of their own, with the same
/// results:
/// - the sends of a round, which follow each other: one event, put back from one to the next;
/// - a receive that finds no message: it is open from the start. A message that is taken at the very time of
///   the receive, but was in the queue before it, does not find it yet: then the receive gets its event;
/// - messages that wait for a busy host: see waiting_messages.hpp.
template <class G, class Log, class Links>
class simulation {
public:
    simulation(const ensemble<G>& all, const block_bytes& bytes, const simulation_options& options, Log& log,
               Links& links)
        : all_(all), bytes_(bytes), options_(options), log_(log), links_(links),
          m_(options.machine, options.receiving), account_(options, all.size(), all.root()),
          hosts_(static_cast<std::size_t>(all.size())), early_(all.size()) {}

    simulation_result run() {
        for (rank_type r = 0; r < all_.size(); ++r) enter(r);
        event e;
        const auto fetch = [this](const event& soon) {
            prefetch(&at(soon.host));
            const auto* const generator = reinterpret_cast<const char*>(&all_[soon.host]);
            for (std::size_t line = 0; line < std::min(sizeof(G), most_fetched); line += 64)
                prefetch(generator + line);
        };
        while (queue_.pop(e, fetch)) {
            if (++result_.events % told_every == 0) options_.watch(rounds_done());
            switch (e.kind()) {
            case event_kind::send: take_send(e); break;
            case event_kind::recv: take_recv(e); break;
            case event_kind::calc: take_calc(e); break;
            case event_kind::fresh: take_message(e); break;
            case event_kind::again: take_message(e); break;
            case event_kind::head: take_head(e); break;
            }
        }
        check_ended();
        result_.finish.reserve(hosts_.size());
        for (const host_state& h : hosts_) result_.finish.push_back(h.cpu);
        result_.cpu = account_.result(result_.finish);
        if constexpr (Log::keeps) {
            if (options_.keep_path) result_.path = log_.path_to(result_.last());
            if (options_.keep_timeline) result_.timeline = log_.timeline();
        }
        return std::move(result_);
    }

private:
    static void prefetch([[maybe_unused]] const void* p) noexcept {
#if defined(__GNUC__)
        __builtin_prefetch(p);
#endif
    }
    host_state& at(rank_type r) noexcept { return hosts_[static_cast<std::size_t>(r)]; }

    void insert(ticks when, event_kind kind, rank_type host, rank_type peer, std::int64_t load) {
        queue_.push({.time = when,
                     .order_and_kind = event::ordered(next_order_++, kind),
                     .host = host,
                     .peer = peer,
                     .load = load});
    }
    void put_back(event& e, ticks when) {
        e.time = when;
        queue_.push(e);
    }

    // ---- Rounds ----------------------------------------------------------------------------------------

    /// What comes before the first round: being late, and handing over to the network interface.
    void enter(rank_type r) {
        scratch_.clear();
        if (const ticks late = options_.skew.of(r); late > 0)
            scratch_.calcs.push_back({.duration = late, .what = activity::kind::skew});
        if (options_.by == progress_by::nic && options_.start_us > 0)
            scratch_.calcs.push_back(
                {.duration = to_ticks(options_.start_us), .what = activity::kind::start});
        if (scratch_.empty())
            next_round(r);
        else
            begin(r);
    }

    /// All of the round is done: on to the next one in which the rank has something to do.
    void next_round(rank_type r) {
        host_state& h = at(r);
        const round_range when = all_.active(r);
        if (h.next_round < when.begin) {
            rounds_past_ += when.begin - h.next_round;
            h.next_round = static_cast<std::uint32_t>(when.begin);
        }
        while (h.next_round < when.end) {
            ++rounds_past_;
            read_round(all_, r, h.next_round++, bytes_, m_, scratch_);
            if (!scratch_.empty()) return begin(r);
        }
        rounds_past_ += all_.rounds() - h.next_round;
        ++ended_;
    }

    /// Begins what is in scratch_: sends, receives, computations, in this order.
    void begin(rank_type r) {
        host_state& h = at(r);
        scratch_.count();
        h.pending = scratch_.pending;
        // The log wants to know more of a fold than its time.
        const bool simple = scratch_.simple() && (!Log::keeps || scratch_.calcs.empty());
        const auto sends = static_cast<std::uint64_t>(scratch_.sends.size());
        const auto recvs = static_cast<std::uint64_t>(scratch_.recvs.size());
        if (sends > 0) {
            const round_work::sending& first = scratch_.sends.front();
            insert(h.can_send(), event_kind::send, r, first.peer, first.bytes);
            next_order_ += sends - 1;
        }
        if (recvs > 0) {
            h.opened = h.cpu;
            h.opened_order = next_order_;
            next_order_ += recvs;
            if constexpr (Log::keeps) log_.opened(r);
        }
        if (simple) {
            h.fold = scratch_.calcs.empty() ? host_state::no_fold : scratch_.calcs.front().duration;
            if (recvs > 0) {
                h.open_peer = scratch_.recvs.front().peer;
                std::int64_t load = 0;
                if (early_.take(r, h.open_peer, load)) {
                    const rank_type peer = std::exchange(h.open_peer, no_rank);
                    insert_recv(h, r, peer, 0, load);
                }
            }
            return;
        }
        h.work = works_.begin(scratch_);
        round_work& work = works_[h.work];
        for (std::size_t i = 0; i < work.recvs.size(); ++i) {
            std::int64_t load = 0;
            if (early_.take(r, work.recvs[i].peer, load)) {
                work.recvs[i].open = false;
                insert_recv(h, r, static_cast<rank_type>(i), i, load);
            } else if (work.recvs.size() > few) {
                open_.push(r, work.recvs[i].peer, static_cast<std::uint32_t>(i));
            }
        }
        insert_calc(h, r);
    }

    /// A receive that finds its message: `which` is its number in a round that is not simple, else the peer.
    void insert_recv(const host_state& h, rank_type r, rank_type which, std::size_t number,
                     std::int64_t load) {
        queue_.push({.time = h.opened,
                     .order_and_kind = event::ordered(h.opened_order + number, event_kind::recv),
                     .host = r,
                     .peer = which,
                     .load = load});
    }
    /// The next computation of a round that is not simple, if it may begin.
    void insert_calc(const host_state& h, rank_type r) {
        const round_work& work = works_[h.work];
        if (work.next_calc == work.calcs.size() || work.calcs[work.next_calc].missing > 0) return;
        insert(h.cpu, event_kind::calc, r, no_rank, work.calcs[work.next_calc].duration);
    }
    void one_done(rank_type r) {
        host_state& h = at(r);
        if (--h.pending > 0) return;
        if (h.work != host_state::no_work) works_.end(std::exchange(h.work, host_state::no_work));
        next_round(r);
    }

    // ---- Events ----------------------------------------------------------------------------------------

    void take_send(event& e) {
        host_state& h = at(e.host);
        const ticks t = e.time;
        if (h.can_send() > t) return put_back(e, h.can_send());
        const rank_type r = e.host;
        const std::int64_t bytes = e.load;
        const ticks noise = account_.noise(r, t, m_.o);
        const ticks lost = account_.cpu_stops() ? noise : 0; // before the message leaves
        const ticks busy = m_.send_cpu(bytes);
        const ticks leaves = t + lost + m_.o;
        const ticks after = account_.cpu_stops() ? account_.noise(r, leaves, busy - m_.o) : noise;
        link_wait waits;
        const ticks arrives = leaves + m_.L + links_.delay(r, e.peer, bytes, leaves, waits);
        std::int64_t load = bytes;
        if constexpr (Log::keeps) {
            load = log_.sent(h, r, e.peer, round_of(h), bytes, t, lost, busy, leaves, arrives, waits);
            log_.disturbed(r, after);
        }
        h.cpu = t + lost + busy + after;
        h.nic_send = t + lost + m_.nic(bytes);
        account_.worked(r, busy);
        ++result_.messages;
        insert(arrives, m_.overlaps ? event_kind::head : event_kind::fresh, e.peer, r, load);
        if (h.work != host_state::no_work) {
            round_work& work = works_[h.work];
            if (++work.next_send < work.sends.size()) {
                queue_.push({.time = h.can_send(),
                             .order_and_kind = event::ordered(e.order() + 1, event_kind::send),
                             .host = r,
                             .peer = work.sends[work.next_send].peer,
                             .load = work.sends[work.next_send].bytes});
            }
        }
        if (m_.eager(bytes)) one_done(r);
    }

    void take_recv(const event& e) {
        host_state& h = at(e.host);
        const bool simple = h.work == host_state::no_work;
        const auto number = simple ? 0 : static_cast<std::size_t>(e.peer);
        const rank_type peer = simple ? e.peer : works_[h.work].recvs[number].peer;
        match(peer, e.host, number, e.load, e.time, false);
    }

    void take_calc(event& e) {
        host_state& h = at(e.host);
        const ticks t = e.time;
        if (h.cpu > t) return put_back(e, h.cpu);
        const rank_type r = e.host;
        if (h.work == host_state::no_work) {
            const ticks noise = account_.noise(r, t, e.load);
            h.cpu = t + e.load + noise;
            account_.worked(r, e.load);
            return one_done(r);
        }
        round_work& work = works_[h.work];
        const round_work::calculating& calc = work.calcs[work.next_calc++];
        const bool before = calc.what == activity::kind::skew || calc.what == activity::kind::start;
        const ticks noise = before ? account_.noise_before(r, t, e.load) : account_.noise(r, t, e.load);
        if constexpr (Log::keeps) {
            log_.calculated(r, calc.what, round_of(h), calc.bytes, t, e.load);
            log_.disturbed(r, noise);
        }
        h.cpu = t + e.load + noise;
        if (calc.what == activity::kind::skew)
            account_.entered(r, h.cpu);
        else
            account_.worked(r, e.load);
        insert_calc(h, r);
        one_done(r);
    }

    /// The interface takes messages in as they come; the CPU is not needed yet.
    void take_head(event& e) {
        host_state& h = at(e.host);
        const std::int64_t bytes = log_.bytes_of(e.load);
        const ticks begins = std::max(e.time, h.nic_recv);
        h.nic_recv = begins + m_.nic(bytes);
        const ticks due = begins + m_.without_cpu(bytes);
        if constexpr (Log::keeps) log_.taken_in(e.load, due);
        e.order_and_kind = event::ordered(e.order(), event_kind::fresh);
        put_back(e, due);
    }
    ticks ready_for_message(const host_state& h) const noexcept {
        return m_.overlaps ? h.cpu : h.can_receive();
    }

    void take_message(event& e) {
        host_state& h = at(e.host);
        const ticks t = e.time;
        if (ready_for_message(h) > t) {
            if (e.kind() == event_kind::fresh) {
                e.order_and_kind = event::ordered(e.order(), event_kind::again);
                if (waiting_.empty()) waiting_.resize(hosts_.size());
                if (!waiting_[static_cast<std::size_t>(e.host)].represents(e)) return;
            }
            return put_back(e, ready_for_message(h));
        }
        const rank_type r = e.host;
        const std::int64_t bytes = log_.bytes_of(e.load);
        const ticks signal = account_.signal(h, r, t);
        const ticks busy = m_.recv_cpu(bytes);
        const ticks noise = account_.noise(r, t, signal + (account_.cpu_stops() ? busy : m_.o));
        if constexpr (Log::keeps) {
            log_.received(h, r, e.load, t, signal, busy);
            log_.disturbed(r, noise);
        }
        h.cpu = t + signal + busy + noise;
        if (!m_.overlaps) h.nic_recv = t + m_.nic(bytes);
        account_.worked(r, signal + busy);
        if (e.kind() == event_kind::again) {
            event next;
            if (waiting_[static_cast<std::size_t>(r)].next(next)) put_back(next, ready_for_message(h));
        }
        find_receive(e, h);
    }

    void find_receive(const event& e, host_state& h) {
        // In the queue before the receives of this very moment: these come to it later.
        const bool before = e.time == h.opened && e.order() < h.opened_order;
        if (h.work == host_state::no_work) {
            if (h.open_peer == e.peer) {
                h.open_peer = no_rank;
                if (before) return insert_recv(h, e.host, e.peer, 0, e.load);
                return match(e.peer, e.host, 0, e.load, e.time, true);
            }
        } else if (const std::size_t i = open_receive(h, e.host, e.peer); i != none) {
            works_[h.work].recvs[i].open = false;
            if (before) return insert_recv(h, e.host, static_cast<rank_type>(i), i, e.load);
            return match(e.peer, e.host, i, e.load, e.time, true);
        }
        early_.add(e.host, e.peer, e.load);
    }
    std::size_t open_receive(const host_state& h, rank_type r, rank_type peer) {
        const round_work& work = works_[h.work];
        if (work.recvs.size() > few) {
            std::uint32_t number = 0;
            return open_.pop(r, peer, number) ? number : none;
        }
        for (std::size_t i = 0; i < work.recvs.size(); ++i)
            if (work.recvs[i].open && work.recvs[i].peer == peer) return i;
        return none;
    }
    /// Message and receive have met at t.
    void match(rank_type sender, rank_type receiver, std::size_t number, std::int64_t load, ticks t,
               [[maybe_unused]] bool by_message) {
        if (m_.eager(log_.bytes_of(load))) return received(receiver, number);
        host_state& s = at(sender);
        if constexpr (Log::keeps) log_.met(sender, receiver, by_message, s, t);
        s.cpu = std::max(s.cpu, t);
        s.nic_send = std::max(s.nic_send, t);
        if (sender < receiver) one_done(sender);
        received(receiver, number);
        if (sender >= receiver) one_done(sender);
    }
    void received(rank_type r, std::size_t number) {
        host_state& h = at(r);
        if (h.work == host_state::no_work) {
            if (h.fold != host_state::no_fold) insert(h.cpu, event_kind::calc, r, no_rank, h.fold);
        } else {
            round_work& work = works_[h.work];
            if (const std::int32_t calc = work.recvs[number].calc; calc != round_work::no_calc) {
                --work.calcs[static_cast<std::size_t>(calc)].missing;
                if (work.next_calc == static_cast<std::size_t>(calc)) insert_calc(h, r);
            }
        }
        one_done(r);
    }

    // ---- Results ---------------------------------------------------------------------------------------

    round_index round_of(const host_state& h) const noexcept {
        return h.next_round == 0 ? 0 : round_index{h.next_round} - 1;
    }

    /// Of all rounds of all ranks: the share that ranks have come to.
    double rounds_done() const noexcept {
        const double all = static_cast<double>(all_.rounds()) * static_cast<double>(all_.size());
        return all > 0 ? static_cast<double>(rounds_past_) / all : 0;
    }

    void check_ended() const {
        if (ended_ < hosts_.size())
            for (rank_type r = 0; r < all_.size(); ++r)
                if (const host_state& h = hosts_[static_cast<std::size_t>(r)]; h.pending > 0)
                    throw error("tutti: the simulated schedule comes to a stop: rank " + std::to_string(r)
                                + " waits for ever in round " + std::to_string(round_of(h)));
        early_.for_each_pair([](rank_type host, rank_type peer) {
            throw error("tutti: the simulated schedule leaves a message from rank " + std::to_string(peer)
                        + " to rank " + std::to_string(host) + " that is never received");
        });
    }

    static constexpr std::size_t none = ~std::size_t{0};
    static constexpr std::size_t most_fetched = 128;    // bytes of a generator
    static constexpr std::size_t few = 8;               // receives that are searched one by one
    static constexpr std::int64_t told_every = 1 << 14; // events, which take some ms

    const ensemble<G>& all_;
    const block_bytes& bytes_;
    const simulation_options& options_;
    Log& log_;
    Links& links_;
    machine_ticks m_;
    cpu_account account_;

    event_queue queue_{};
    std::uint64_t next_order_ = 1;
    std::vector<host_state> hosts_;
    std::vector<waiting_messages> waiting_{}; // of each host, once one waits
    early_messages early_;
    fifo_table<std::uint32_t> open_{}; // receives of rounds with many
    round_work scratch_{};
    round_works works_{};
    std::size_t ended_ = 0;
    std::int64_t rounds_past_ = 0;
    simulation_result result_{};
};

} // namespace tutti::detail
