// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/goal_reader.hpp"

/// LogGOPSim's rules, written down from its semantics and applied to GOAL files the slow and plain way. It
/// shares nothing with tutti's simulator, so that one can be held against the other.
namespace support {

/// In nanoseconds, as LogGOPSim takes them; its defaults.
struct goal_machine {
    std::int64_t L = 2500, o = 1500, g = 1000, G = 6, O = 0, S = 65535;
};

class goal_simulator {
public:
    goal_simulator(goal_file file, const goal_machine& machine)
        : file_(std::move(file)), m_(machine), hosts_(file_.ranks.size()) {}

    /// When the CPU of each host is free at last. Throws if an operation never happens or a message is never
    /// received.
    std::vector<std::int64_t> finish_times() {
        for (std::size_t h = 0; h < hosts_.size(); ++h) {
            std::vector<std::size_t>& free = hosts_[h].free;
            for (std::size_t i = 0; i < file_.ranks[h].operations.size(); ++i)
                if (operation(h, i).waits_for == 0) free.push_back(i);
            sort_by_kind(h, free);
            for (const std::size_t i : free) insert(0, {.what = event::op, .host = h, .index = i});
            free.clear();
        }
        while (!queue_.empty()) {
            const auto [time, stamp] = queue_.top();
            queue_.pop();
            const event what = events_[stamp];
            if (const std::int64_t later = not_before(what); later > time)
                queue_.emplace(later, stamp); // put back: it keeps its stamp
            else
                happen(time, what);
            release();
        }
        std::vector<std::int64_t> times;
        for (const host& h : hosts_) {
            if (!h.posted.empty()) throw std::runtime_error("a receive without a message");
            if (!h.unexpected.empty()) throw std::runtime_error("a message without a receive");
            times.push_back(h.cpu);
        }
        for (const goal_rank& rank : file_.ranks)
            for (const goal_operation& op : rank.operations)
                if (op.waits_for != 0) throw std::runtime_error("an operation that never may begin");
        return times;
    }

private:
    struct event {
        enum kind { op, message } what = op;
        std::size_t host = 0;  ///< where it happens
        std::size_t index = 0; ///< of the operation; of a message's send at `sender`
        std::size_t sender = 0;
    };
    /// What waits in one of the matching queues: an operation of `from`, its index there.
    struct waiting {
        std::int32_t from = 0;
        std::int32_t tag = 0;
        std::size_t index = 0;
    };
    struct host {
        std::int64_t cpu = 0, nic_send = 0, nic_receive = 0;
        std::vector<waiting> posted{};     ///< receives: index is the receive's
        std::vector<waiting> unexpected{}; ///< messages: index is the send's
        std::vector<std::size_t> free{};   ///< operations that have nothing to wait for any more
    };

    goal_operation& operation(std::size_t at, std::size_t index) { return file_.ranks[at].operations[index]; }

    void insert(std::int64_t time, const event& e) {
        queue_.emplace(time, events_.size());
        events_.push_back(e);
    }

    void sort_by_kind(std::size_t h, std::vector<std::size_t>& operations) {
        std::stable_sort(operations.begin(), operations.end(), [&](std::size_t a, std::size_t b) {
            return operation(h, a).what < operation(h, b).what;
        });
    }

    std::int64_t not_before(const event& e) {
        const host& h = hosts_[e.host];
        if (e.what == event::message) return std::max(h.cpu, h.nic_receive);
        switch (operation(e.host, e.index).what) {
        case goal_operation::kind::send: return std::max(h.cpu, h.nic_send);
        case goal_operation::kind::calc: return h.cpu;
        case goal_operation::kind::recv: break;
        }
        return 0; // posting a receive takes no time
    }

    void happen(std::int64_t t, const event& e) {
        host& h = hosts_[e.host];
        if (e.what == event::message) return arrive(t, e);
        goal_operation& op = operation(e.host, e.index);
        free(e.host, file_.ranks[e.host].until_started(op));
        switch (op.what) {
        case goal_operation::kind::calc:
            h.cpu = t + op.amount;
            done(e.host, e.index);
            break;
        case goal_operation::kind::send:
            h.cpu = t + m_.o + (op.amount - 1) * m_.O;
            h.nic_send = t + m_.g + (op.amount - 1) * m_.G;
            insert(t + m_.o + m_.L, {.what = event::message,
                                     .host = static_cast<std::size_t>(op.peer),
                                     .index = e.index,
                                     .sender = e.host});
            if (op.amount <= m_.S) done(e.host, e.index);
            break;
        case goal_operation::kind::recv: {
            const auto found = match(h.unexpected, op.peer, op.tag);
            if (found == h.unexpected.end()) {
                h.posted.push_back({.from = op.peer, .tag = op.tag, .index = e.index});
                break;
            }
            if (op.amount > m_.S) end_rendezvous(t, static_cast<std::size_t>(found->from), found->index);
            h.unexpected.erase(found);
            done(e.host, e.index);
            break;
        }
        }
    }

    void arrive(std::int64_t t, const event& e) {
        host& h = hosts_[e.host];
        const goal_operation& send = operation(e.sender, e.index);
        const auto sender = static_cast<std::int32_t>(e.sender);
        h.cpu = t + m_.o + std::max((send.amount - 1) * m_.O, (send.amount - 1) * m_.G);
        h.nic_receive = t + m_.g + (send.amount - 1) * m_.G;
        const auto found = match(h.posted, sender, send.tag);
        if (found == h.posted.end()) {
            h.unexpected.push_back({.from = sender, .tag = send.tag, .index = e.index});
            return;
        }
        if (operation(e.host, found->index).amount != send.amount)
            throw std::runtime_error("a message of another length than its receive");
        if (send.amount > m_.S) end_rendezvous(t, e.sender, e.index);
        done(e.host, found->index);
        h.posted.erase(found);
    }

    static std::vector<waiting>::iterator match(std::vector<waiting>& queue, std::int32_t from,
                                                std::int32_t tag) {
        return std::find_if(queue.begin(), queue.end(),
                            [&](const waiting& w) { return w.from == from && w.tag == tag; });
    }

    void end_rendezvous(std::int64_t t, std::size_t sender, std::size_t index) {
        hosts_[sender].cpu = std::max(hosts_[sender].cpu, t);
        hosts_[sender].nic_send = std::max(hosts_[sender].nic_send, t);
        done(sender, index);
    }

    void done(std::size_t h, std::size_t index) { free(h, file_.ranks[h].until_done(operation(h, index))); }
    void free(std::size_t h, std::span<const std::uint32_t> waiting_ones) {
        for (const std::size_t i : waiting_ones)
            if (--operation(h, i).waits_for == 0) {
                if (hosts_[h].free.empty()) touched_.push_back(h);
                hosts_[h].free.push_back(i);
            }
    }

    /// Operations that became free begin when their host's clocks allow; hosts in ascending order.
    void release() {
        std::sort(touched_.begin(), touched_.end());
        for (const std::size_t r : touched_) {
            host& h = hosts_[r];
            sort_by_kind(r, h.free);
            for (const std::size_t i : h.free) {
                const bool sends = operation(r, i).what == goal_operation::kind::send;
                insert(sends ? std::max(h.cpu, h.nic_send) : h.cpu,
                       {.what = event::op, .host = r, .index = i});
            }
            h.free.clear();
        }
        touched_.clear();
    }

    goal_file file_;
    goal_machine m_;
    std::vector<host> hosts_;
    std::vector<std::size_t> touched_{};              // hosts with free operations
    std::vector<event> events_{};                     // all there ever were, by stamp
    using due = std::pair<std::int64_t, std::size_t>; // time and stamp
    std::priority_queue<due, std::vector<due>, std::greater<>> queue_{};
};

} // namespace support
