// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <queue>
#include <vector>

#include <tutti/core/block_bytes.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/simulate/options.hpp>
#include <tutti/simulate/result.hpp>

namespace tutti {

namespace detail {

/// The rules word for word: all operations with what they require, and one queue of events.
class plain_simulation {
public:
    template <class G>
    plain_simulation(const ensemble<G>& all, const block_bytes& bytes, const loggops& m)
        : hosts_(static_cast<std::size_t>(all.size())) {
        o_ = in_ticks(m.o), l_ = in_ticks(m.L), g_ = in_ticks(m.g);
        big_g_ = in_ticks(m.G), big_o_ = in_ticks(m.O), s_ = m.S;
        const ticks fold = in_ticks(m.fold_per_byte);
        const ticks copy = in_ticks(m.copy_per_byte);
        for (rank_type r = 0; r < all.size(); ++r) {
            std::vector<std::size_t> before;
            for (round_index i = 0; i < all.rounds(); ++i) {
                std::vector<std::size_t> now;
                std::size_t last_calc = none;
                std::int64_t length = 0;
                const auto add = [&](op what) {
                    const std::size_t number = ops_.size();
                    ops_.push_back(what);
                    for (std::size_t b : before) require(number, b);
                    now.push_back(number);
                    return number;
                };
                const auto calc = [&](ticks n, std::size_t after) {
                    const std::size_t c = add({.kind = calc_op, .host = r, .amount = n});
                    if (after != none) require(c, after);
                    if (last_calc != none) require(c, last_calc);
                    last_calc = c;
                };
                all.emit(r, i, [&](const step& s) {
                    length += bytes(s.blocks);
                    if (s.continues()) return;
                    const std::int64_t size = std::max<std::int64_t>(length, 1);
                    if (s.kind == step_kind::send)
                        add({.kind = send_op, .host = r, .peer = s.peer, .amount = size});
                    else if (s.is_message()) {
                        const std::size_t recv =
                            add({.kind = recv_op, .host = r, .peer = s.peer, .amount = size});
                        if (s.folds() && fold != 0) calc(length * fold, recv);
                    } else if (const ticks n = s.folds() ? fold : copy; n != 0)
                        calc(length * n, none);
                    length = 0;
                });
                if (!now.empty()) before = now;
            }
        }
    }

    simulation_result run() {
        for (std::size_t i = 0; i < ops_.size(); ++i)
            if (ops_[i].missing == 0) free_.push_back(i);
        for (rank_type r = 0; r < static_cast<rank_type>(hosts_.size()); ++r) insert_free(r);
        while (!queue_.empty()) {
            const event e = queue_.top();
            queue_.pop();
            ++result_.events;
            touched_.clear();
            take(e);
            std::sort(touched_.begin(), touched_.end());
            for (rank_type r : touched_) insert_free(r);
        }
        for (const op& each : ops_)
            if (!each.done)
                throw error("tutti: the simulated schedule stops on rank " + std::to_string(each.host));
        for (const host& h : hosts_) result_.finish.push_back(h.cpu);
        result_.cpu = result_.finish;
        return std::move(result_);
    }

private:
    enum op_kind : std::uint8_t { send_op, recv_op, calc_op, message };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    struct op {
        op_kind kind;
        rank_type host;
        rank_type peer = no_rank;
        std::int64_t amount = 0;
        std::int64_t missing = 0;
        bool done = false;
        std::vector<std::size_t> dependents{};
    };
    struct event {
        ticks time;
        std::int64_t stamp;
        op_kind kind;
        rank_type host;
        std::size_t what;
        bool operator<(const event& b) const { return time != b.time ? time > b.time : stamp > b.stamp; }
    };
    struct host {
        ticks cpu = 0, nic_send = 0, nic_recv = 0;
        std::map<rank_type, std::deque<std::size_t>> posted{}, unexpected{};
    };

    static ticks in_ticks(double us) { return std::llround(us * ticks_per_us); }
    void require(std::size_t later, std::size_t earlier) {
        ops_[earlier].dependents.push_back(later);
        ++ops_[later].missing;
    }
    host& at(rank_type r) { return hosts_[static_cast<std::size_t>(r)]; }
    void done(std::size_t number) {
        ops_[number].done = true;
        touched_.push_back(ops_[number].host);
        for (std::size_t d : ops_[number].dependents)
            if (--ops_[d].missing == 0) free_.push_back(d);
    }
    void insert_free(rank_type r) {
        std::vector<std::size_t> mine;
        std::erase_if(free_, [&](std::size_t i) {
            if (ops_[i].host == r) mine.push_back(i);
            return ops_[i].host == r;
        });
        std::sort(mine.begin(), mine.end(), [&](std::size_t a, std::size_t b) {
            return ops_[a].kind != ops_[b].kind ? ops_[a].kind < ops_[b].kind : a < b;
        });
        for (std::size_t i : mine)
            queue_.push({ops_[i].kind == send_op ? std::max(at(r).cpu, at(r).nic_send) : at(r).cpu, stamp_++,
                         ops_[i].kind, r, i});
    }
    void put_back(event e, ticks when) {
        e.time = when;
        queue_.push(e);
    }
    void matched(std::size_t send, std::size_t recv, ticks t) {
        done(recv);
        if (ops_[send].amount <= s_) return;
        done(send);
        host& sender = at(ops_[send].host);
        sender.cpu = std::max(sender.cpu, t);
        sender.nic_send = std::max(sender.nic_send, t);
    }
    void take(const event& e) {
        host& h = at(e.host);
        const op& what = ops_[e.what];
        const std::int64_t more = what.amount - 1;
        switch (e.kind) {
        case send_op:
            if (const ticks ready = std::max(h.cpu, h.nic_send); ready > e.time) return put_back(e, ready);
            h.cpu = e.time + o_ + more * big_o_;
            h.nic_send = e.time + g_ + more * big_g_;
            ++result_.messages;
            queue_.push({e.time + o_ + l_, stamp_++, message, what.peer, e.what});
            if (what.amount <= s_) done(e.what);
            return;
        case recv_op:
            if (auto& early = h.unexpected[what.peer]; !early.empty()) {
                const std::size_t send = early.front();
                early.pop_front();
                matched(send, e.what, e.time);
            } else
                h.posted[what.peer].push_back(e.what);
            return;
        case calc_op:
            if (h.cpu > e.time) return put_back(e, h.cpu);
            h.cpu = e.time + what.amount;
            return done(e.what);
        case message:
            if (const ticks ready = std::max(h.cpu, h.nic_recv); ready > e.time) return put_back(e, ready);
            h.cpu = e.time + o_ + more * std::max(big_o_, big_g_);
            h.nic_recv = e.time + g_ + more * big_g_;
            if (auto& posted = h.posted[what.host]; !posted.empty()) {
                const std::size_t recv = posted.front();
                posted.pop_front();
                matched(e.what, recv, e.time);
            } else
                h.unexpected[what.host].push_back(e.what);
        }
    }

    std::vector<op> ops_{};
    std::vector<host> hosts_;
    std::vector<std::size_t> free_{};
    std::vector<rank_type> touched_{};
    std::priority_queue<event> queue_{};
    std::int64_t stamp_ = 0;
    simulation_result result_{};
    ticks o_ = 0, l_ = 0, g_ = 0, big_g_ = 0, big_o_ = 0;
    std::int64_t s_ = 0;
};

} // namespace detail

/// Simulates a collective. For now without skew, noise, path and timeline.
template <class G>
simulation_result simulate(const ensemble<G>& all, const block_bytes& bytes,
                           const simulation_options& options = {}) {
    return detail::plain_simulation(all, bytes, options.machine).run();
}

} // namespace tutti
