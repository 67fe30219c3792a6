// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <tutti/core/block_bytes.hpp>
#include <tutti/core/ensemble.hpp>

namespace support {

/// A LogGOPS machine in picoseconds.
struct naive_machine {
    std::int64_t L = 0, o = 0, g = 0, G = 0, O = 0, S = 0, fold_per_byte = 0, copy_per_byte = 0;
};

/// The rules of tutti/simulate/simulate.hpp word for word: all operations with what they require, one ordered
/// set of events, everything put back one by one. Slow, and nothing in it from the library's simulator.
class naive_simulation {
public:
    using rank = tutti::rank_type;
    using time = std::int64_t;

    /// stolen(rank, begin, length): noise; delay(from, to, bytes, leaves): of a message, besides L.
    std::function<time(rank, time, time)> stolen = [](rank, time, time) { return time{0}; };
    std::function<time(rank, rank, std::int64_t, time)> delay = [](rank, rank, std::int64_t, time) {
        return time{0};
    };

    bool overlapped = false; ///< the interface receives while the CPU does other things
    bool stops = false;      ///< noise stops the CPU, also before a message leaves

    template <class G>
    naive_simulation(const tutti::ensemble<G>& all, const tutti::block_bytes& bytes, naive_machine m,
                     const std::vector<time>& late = {})
        : m_(m), hosts_(static_cast<std::size_t>(all.size())) {
        for (rank r = 0; r < all.size(); ++r) {
            std::vector<std::size_t> before;
            if (!late.empty() && late[static_cast<std::size_t>(r)] > 0)
                before = {add({.kind = calc, .host = r, .amount = late[static_cast<std::size_t>(r)]}, {})};
            for (tutti::round_index i = 0; i < all.rounds(); ++i)
                if (auto now = add_round(all, bytes, r, i, before); !now.empty()) before = std::move(now);
        }
    }

    /// When each rank is done; empty if not all ever are.
    std::vector<time> finish() {
        for (std::size_t i = 0; i < ops_.size(); ++i)
            if (ops_[i].missing == 0) at(ops_[i].host).free.push_back(i);
        for (rank r = 0; r < static_cast<rank>(hosts_.size()); ++r) insert_free(r);
        while (!queue_.empty()) {
            const event e = *queue_.begin();
            queue_.erase(queue_.begin());
            touched_.clear();
            take(e);
            for (const rank r : touched_) insert_free(r);
        }
        std::vector<time> result;
        for (const host& h : hosts_) result.push_back(h.cpu);
        for (const op& each : ops_)
            if (!each.done) return {};
        return result;
    }
    std::int64_t messages() const { return messages_; }

private:
    enum kind_of : std::uint8_t {
        send,
        recv,
        calc,
        head,
        message
    }; // in the order in which they are inserted
    struct op {
        kind_of kind;
        rank host;
        rank peer = tutti::no_rank;
        std::int64_t amount = 0;
        std::int64_t missing = 0;
        bool done = false;
        std::vector<std::size_t> dependents{};
    };
    struct event {
        time when;
        std::int64_t stamp;
        kind_of kind;
        rank host;
        std::size_t what;
        friend bool operator<(const event& a, const event& b) {
            return std::pair(a.when, a.stamp) < std::pair(b.when, b.stamp);
        }
    };
    struct host {
        time cpu = 0, nic_send = 0, nic_recv = 0;
        std::vector<std::size_t> free{};
        std::map<rank, std::deque<std::size_t>> posted{}, unexpected{};
    };

    host& at(rank r) { return hosts_[static_cast<std::size_t>(r)]; }
    void require(std::size_t later, std::size_t earlier) {
        ops_[earlier].dependents.push_back(later);
        ++ops_[later].missing;
    }
    std::size_t add(op what, const std::vector<std::size_t>& required) {
        ops_.push_back(std::move(what));
        for (const std::size_t earlier : required) require(ops_.size() - 1, earlier);
        return ops_.size() - 1;
    }

    template <class G>
    std::vector<std::size_t> add_round(const tutti::ensemble<G>& all, const tutti::block_bytes& bytes, rank r,
                                       tutti::round_index i, const std::vector<std::size_t>& before) {
        std::vector<std::size_t> now;
        std::vector<std::size_t> last_calc;
        std::vector<std::size_t> received; // of this round
        std::int64_t length = 0;
        const auto add_calc = [&](time n) {
            const std::size_t c = add({.kind = calc, .host = r, .amount = n}, before);
            for (const std::size_t earlier : last_calc) require(c, earlier);
            last_calc = {c};
            now.push_back(c);
            return c;
        };
        all.emit(r, i, [&](const tutti::step& s) {
            length += bytes(s.blocks);
            if (s.continues()) return;
            const std::int64_t size = std::max<std::int64_t>(length, 1);
            const bool sends = s.kind == tutti::step_kind::send;
            const std::int64_t per_byte =
                s.kind == tutti::step_kind::copy ? m_.copy_per_byte : m_.fold_per_byte;
            if (s.is_message())
                now.push_back(
                    add({.kind = sends ? send : recv, .host = r, .peer = s.peer, .amount = size}, before));
            if (s.is_message() && !sends) received.push_back(now.back());
            if (s.kind == tutti::step_kind::recv_reduce && per_byte != 0)
                require(add_calc(length * per_byte), received.back());
            if (s.is_local() && per_byte != 0) {
                const std::size_t c = add_calc(length * per_byte);
                for (const std::size_t r_before : received) require(c, r_before);
            }
            length = 0;
        });
        return now;
    }

    void done(std::size_t number) {
        ops_[number].done = true;
        touched_.insert(ops_[number].host);
        for (const std::size_t d : ops_[number].dependents)
            if (--ops_[d].missing == 0) at(ops_[d].host).free.push_back(d);
    }
    void insert_free(rank r) {
        host& h = at(r);
        std::sort(h.free.begin(), h.free.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(ops_[a].kind, a) < std::pair(ops_[b].kind, b);
        });
        for (const std::size_t i : h.free)
            queue_.insert(
                {ops_[i].kind == send ? std::max(h.cpu, h.nic_send) : h.cpu, stamp_++, ops_[i].kind, r, i});
        h.free.clear();
    }
    void put_back(event e, time when) {
        e.when = when;
        queue_.insert(e);
    }
    void meet(std::size_t sent, std::size_t received, time t) {
        done(received);
        if (ops_[sent].amount <= m_.S) return;
        done(sent);
        host& sender = at(ops_[sent].host);
        sender.cpu = std::max(sender.cpu, t);
        sender.nic_send = std::max(sender.nic_send, t);
    }
    static bool take_first(std::deque<std::size_t>& from, std::size_t& first) {
        if (from.empty()) return false;
        first = from.front();
        from.pop_front();
        return true;
    }

    void take(const event& e) {
        host& h = at(e.host);
        const op what = ops_[e.what];
        const std::int64_t more = what.amount - 1;
        const time t = e.when;
        std::size_t other = 0;
        switch (e.kind) {
        case send:
            if (const time ready = std::max(h.cpu, h.nic_send); ready > t) return put_back(e, ready);
            {
                const time lost = stolen(e.host, t, m_.o);
                const time leaves = t + m_.o + (stops ? lost : 0);
                h.cpu = leaves + more * m_.O + (stops ? stolen(e.host, leaves, more * m_.O) : lost);
                h.nic_send = leaves - m_.o + m_.g + more * m_.G;
                ++messages_;
                queue_.insert({leaves + m_.L + delay(e.host, what.peer, what.amount, leaves), stamp_++,
                               overlapped ? head : message, what.peer, e.what});
            }
            if (what.amount <= m_.S) done(e.what);
            return;
        case recv:
            if (take_first(h.unexpected[what.peer], other)) return meet(other, e.what, t);
            h.posted[what.peer].push_back(e.what);
            return;
        case calc:
            if (h.cpu > t) return put_back(e, h.cpu);
            h.cpu = t + what.amount + stolen(e.host, t, what.amount);
            return done(e.what);
        case head: {
            const time begins = std::max(t, h.nic_recv);
            h.nic_recv = begins + m_.g + more * m_.G;
            event in = e;
            in.kind = message;
            return put_back(in, begins + (m_.G > m_.O ? more * (m_.G - m_.O) : 0));
        }
        case message: {
            const time ready = overlapped ? h.cpu : std::max(h.cpu, h.nic_recv);
            if (ready > t) return put_back(e, ready);
            const time busy = m_.o + more * (overlapped ? m_.O : std::max(m_.O, m_.G));
            h.cpu = t + busy + stolen(e.host, t, stops ? busy : m_.o);
            if (!overlapped) h.nic_recv = t + m_.g + more * m_.G;
            if (take_first(h.posted[what.host], other)) return meet(e.what, other, t);
            h.unexpected[what.host].push_back(e.what);
        }
        }
    }

    naive_machine m_;
    std::vector<op> ops_{};
    std::vector<host> hosts_;
    std::set<rank> touched_{};
    std::set<event> queue_{};
    std::int64_t stamp_ = 0;
    std::int64_t messages_ = 0;
};

} // namespace support
