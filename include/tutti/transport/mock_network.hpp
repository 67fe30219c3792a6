// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tutti/transport/called_off.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/mock_options.hpp>
#include <tutti/transport/pieces.hpp>

/// The network of a mock world: what is under way, what it suffers, and what can be delivered next. Knows
/// nothing of threads.
namespace tutti::mock {

/// A send or receive that was started and not yet tested to its end.
struct operation {
    /// Failed: delivered, but not what was sent, or of another length or call than its receive.
    enum class status : std::uint8_t { waiting, done, failed };

    bool sends = false;             ///< else it receives
    rank_type owner = no_rank;      ///< the rank that started it
    rank_type peer = no_rank;       ///< the other end
    channel_type channel = 0;       ///< as the owner named it
    gather_list from{};             ///< of a send: the owner's memory
    scatter_list into{};            ///< of a receive: the owner's memory
    call_label label{};             ///< of the call that the owner makes
    status state = status::waiting; ///< what the network knows; the owner sees it when it tests
    std::string why{};              ///< of failed
    std::int64_t number = 0;        ///< counts the owner's of this kind, peer and channel
    bool known = false;             ///< the watched rank sees the completion at its next look
    std::uint64_t passed_over = 0;  ///< when the watched rank has last looked and not seen it
    std::uint64_t bit = 0;          ///< names it in masks, if the watched rank has started it
    std::uint64_t past = 0;         ///< the bits of those that came by the same way before, and its own
    std::uint64_t before = 0;       ///< what its owner had seen completed when it started it: see tally
    operation* behind = nullptr;    ///< of receives that wait for the same route, the next

    /// "for a message from rank 2 on channel 7"
    std::string wish() const {
        if (sends)
            return detail::sentence({"for rank ", peer, " to receive its message on channel ", channel});
        return detail::sentence({"for a message from rank ", peer, " on channel ", channel});
    }
};

/// One copy of a message on its way.
struct packet {
    std::int64_t number = 0;             ///< counts the messages of the pair
    std::int64_t sequence = 0;           ///< counts those of the pair on this channel
    operation* send = nullptr;           ///< waits for the delivery; null once it has completed
    std::optional<fault_kind> suffers{}; ///< truncate or corrupt, on arrival
    call_label label{};                  ///< of its sender's call
    bool has_bytes = false;              ///< in `bytes`; otherwise they are still in the sender's memory only
    std::vector<std::byte> bytes{};      ///< the whole message, as sent
    std::string lost{};                  ///< why it will never arrive; empty if it will
    bool dropped = false;                ///< by a fault
};

/// Messages under way between the ranks of a mock world, and receives that wait for them. Keeps references to
/// the operations of both ends until they have completed or are withdrawn.
class network {
public:
    /// Messages of one route arrive in the order in which they are sent.
    struct route {
        rank_type from;       ///< the sender
        rank_type to;         ///< the receiver
        channel_type channel; ///< equal at both ends
        friend bool operator==(const route&, const route&) = default;
        /// By sender, receiver and channel: the order of all that can be delivered.
        friend bool operator<(const route& a, const route& b) noexcept {
            if (a.from != b.from) return a.from < b.from;
            return a.to != b.to ? a.to < b.to : a.channel < b.channel;
        }
    };

    explicit network(const options& how)
        : rendezvous_(how.rendezvous), faults_(how.faults), struck_(how.faults.size()), log_on_(how.log) {}
    network(const network&) = delete;
    network& operator=(const network&) = delete;

    /// Puts a message on its way. Returns whether its send is complete already.
    bool send(operation& op, std::int64_t step) {
        const route along{op.owner, op.peer, op.channel};
        if (called_off_.count() != 0 && called_off_.has(op.channel))
            return !rendezvous_; // nobody waits for it
        flow& f = flow_of(along);
        packet p;
        p.number = static_cast<std::int64_t>(messages_[pair_of(op.owner, op.peer)]++);
        p.sequence = f.sent++;
        p.send = rendezvous_ ? &op : nullptr;
        p.label = op.label;
        if (!rendezvous_) copy_bytes(p, op);
        if (log_on_)
            note(detail::sentence({"rank ", op.owner, " sends ", name(along, p.number), ", ",
                                   detail::total_bytes(op.from), " bytes"}));
        if (const fault* const suffered = hit(op, p.number, step)) {
            note(detail::sentence({name(along, p.number), " is ", name_of(suffered->kind)}));
            if (suffered->kind == fault_kind::duplicate) {
                packet extra = p;
                extra.send = nullptr;
                if (rendezvous_) copy_bytes(extra, op);
                f.packets.push_back(std::move(p));
                f.packets.push_back(std::move(extra));
                refresh(f);
                return !rendezvous_;
            }
            if (suffered->kind == fault_kind::drop) {
                p.lost = name(along, p.number) + " was dropped";
                p.dropped = true;
                incidents_.push_back(p.lost);
            } else {
                p.suffers = suffered->kind;
            }
        }
        f.packets.push_back(std::move(p));
        refresh(f);
        return !rendezvous_;
    }

    /// Has a receive wait for its message, behind those that wait on the same route.
    void receive(operation& op) {
        flow& f = flow_of({op.peer, op.owner, op.channel});
        operation** last = &f.receives;
        while (*last != nullptr) last = &(*last)->behind;
        *last = &op;
        if (log_on_) note(detail::sentence({"rank ", op.owner, " waits ", op.wish()}));
        refresh(f);
    }

    /// Takes an operation that has not completed out of the network. A message whose sender gives up is lost.
    void withdraw(operation& op, const std::string& why) {
        if (op.state != operation::status::waiting) return;
        const route along =
            op.sends ? route{op.owner, op.peer, op.channel} : route{op.peer, op.owner, op.channel};
        flow& f = flow_of(along);
        for (operation** at = &f.receives; *at != nullptr; at = &(*at)->behind)
            if (*at == &op) {
                *at = op.behind;
                break;
            }
        for (packet& p : f.packets) {
            if (p.send != &op || !op.sends) continue;
            p.send = nullptr;
            if (!p.lost.empty()) continue;
            p.lost = name(along, p.number) + " was abandoned: " + why;
            note(p.lost);
        }
        refresh(f);
    }

    /// A call fails on all ranks: its messages are dropped, now and from now on. Whether that is news.
    bool call_off(channel_type channel, rank_type by, const std::string& why) {
        if (!called_off_.add(channel, by, why)) return false;
        note("rank " + std::to_string(by) + " calls off channel " + std::to_string(channel) + ": " + why);
        for (auto& [along, f] : flows_)
            if (along.channel == channel) {
                f.packets.clear();
                f.received = f.sent;
                refresh(f);
            }
        return true;
    }
    /// The channels that were called off so far.
    detail::called_off& called_off() noexcept { return called_off_; }

    /// How many messages could be delivered next; delivering one may make others deliverable.
    std::size_t deliverable() const noexcept { return ready_; }

    /// Calls f(route) for the routes they take, in order.
    template <class F>
    void for_each_ready(F&& f) const {
        for (const flow* one = occupied_; one != nullptr; one = one->next)
            if (one->is_ready) f(one->along);
    }

    /// The route of message 0 of those that can be delivered, of which there has to be one.
    const route& first_ready() const noexcept { return ready_at(0)->along; }

    /// Delivers the i-th of them, in the order of their routes. Returns that route.
    route deliver(std::size_t i) {
        flow& f = *ready_at(i);
        packet p = std::move(f.packets.front());
        f.packets.pop_front();
        operation& into = *f.receives;
        f.receives = into.behind;
        if (!p.has_bytes) copy_bytes(p, *p.send);
        hand_over(f, p, into);
        f.past |= into.bit | (p.send == nullptr ? 0 : p.send->bit);
        into.past = f.past;
        if (p.send != nullptr) {
            p.send->past = f.past;
            p.send->state = operation::status::done;
        }
        refresh(f);
        return f.along;
    }

    /// A message that nobody has received, told in `what`, which is empty if there is none.
    struct leftover {
        std::string what;         ///< "message 3 from rank 1 to rank 2 (channel 0) was never received"
        rank_type from = no_rank; ///< its sender
        call_label label{};       ///< that of its sender's call
    };
    /// The first one to `rank`, on one channel or on all.
    leftover stray(rank_type rank, const channel_type* channel = nullptr) const {
        for (const flow* f = occupied_; f != nullptr; f = f->next) {
            if (f->along.to != rank || (channel != nullptr && f->along.channel != *channel)) continue;
            for (const packet& p : f->packets)
                if (p.lost.empty())
                    return {name(f->along, p.number)
                                + (p.sequence < f->received ? " arrived twice" : " was never received"),
                            f->along.from, p.label};
        }
        return {};
    }

    /// The lost message for which an operation cannot complete; null if the network knows of none.
    const packet* obstacle(const operation& op) const {
        const route along =
            op.sends ? route{op.owner, op.peer, op.channel} : route{op.peer, op.owner, op.channel};
        const auto at = flows_.find(along);
        if (at == flows_.end()) return nullptr;
        for (const packet& p : at->second.packets) // order is kept, so a lost message blocks those behind it
            if (!p.lost.empty()) return &p;
        return nullptr;
    }

    /// What has gone wrong so far, in order.
    const std::vector<std::string>& incidents() const noexcept { return incidents_; }
    /// Something has gone wrong: whoever waits in vain is told of it.
    void incident(const std::string& what) {
        note(what);
        incidents_.push_back(what);
    }

    /// Something has happened: for the log alone.
    void note(const std::string& event) {
        if (log_on_) log_.push_back(event);
    }
    /// What has happened, in order; empty unless options::log.
    const std::vector<std::string>& log() const noexcept { return log_; }

    /// Which of the faults have come to pass.
    bool struck(std::size_t which) const noexcept { return struck_[which] != 0; }
    /// The fault of that index in options::faults has come to pass.
    void strike(std::size_t which) noexcept { struck_[which] = 1; }

private:
    struct flow {
        std::int64_t sent = 0;
        std::int64_t received = 0; ///< the sequence expected next
        std::uint64_t past = 0;    ///< of all that was delivered: their bits
        route along{.from = no_rank, .to = no_rank, .channel = 0};
        std::deque<packet> packets{};
        operation* receives = nullptr; ///< the one that has waited longest
        flow* next = nullptr;          ///< of those with packets, in the order of routes
        bool is_occupied = false;      ///< it is among them
        bool is_ready = false;         ///< its first packet can be delivered
    };

    static std::uint64_t pair_of(rank_type from, rank_type to) noexcept {
        return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
    }
    flow& flow_of(const route& along) {
        flow& f = flows_[along];
        f.along = along;
        return f;
    }

    static std::string name(const route& along, std::int64_t number) {
        return detail::sentence({"message ", number, " from rank ", along.from, " to rank ", along.to,
                                 " (channel ", along.channel, ")"});
    }

    static void copy_bytes(packet& p, const operation& from) {
        p.bytes = detail::joined(from.from);
        p.has_bytes = true;
    }

    const fault* hit(const operation& op, std::int64_t number, std::int64_t step) {
        for (std::size_t i = 0; i < faults_.size(); ++i) {
            const fault& x = faults_[i];
            if (x.kind == fault_kind::kill || x.rank != op.owner) continue;
            if (x.to == no_rank ? x.number != step : (x.to != op.peer || x.number != number)) continue;
            if (x.kind == fault_kind::truncate && detail::total_bytes(op.from) == 0) continue;
            strike(i);
            return &x;
        }
        return nullptr;
    }

    // What a real network would find out by sequence number, checksum and length.
    void hand_over(flow& f, packet& p, operation& into) {
        const route& along = f.along;
        const std::uint64_t checksum = hash(p.bytes);
        if (p.suffers == fault_kind::truncate) p.bytes.pop_back();
        bool damaged = false;
        if (p.suffers == fault_kind::corrupt) {
            if (!p.bytes.empty()) p.bytes[p.bytes.size() / 2] ^= std::byte{1};
            damaged = p.bytes.empty() || hash(p.bytes) != checksum;
        }
        const std::size_t expected = detail::total_bytes(into.into);
        if (p.sequence != f.received) {
            fail(into, name(along, p.number) + " arrived twice");
            return;
        }
        ++f.received;
        if (p.label != into.label) {
            fail(into, detail::different_calls(along.from, p.label, along.to, into.label));
            call_off(along.channel, along.to, into.why);
        } else if (damaged) {
            fail(into, name(along, p.number) + " arrived damaged: its checksum is wrong");
        } else if (p.bytes.size() != expected) {
            std::string why = detail::length_mismatch(along.from, along.to, p.bytes.size(), expected);
            if (p.suffers != fault_kind::truncate) // a fault of the network: the counts do agree
                why = detail::wrong_length(along.from, along.to, p.bytes.size(), expected).what();
            fail(into, detail::sentence({why, " (", name(along, p.number), ")"}));
        } else {
            const std::span<const std::byte> piece(p.bytes);
            detail::copy_pieces({&piece, 1}, into.into);
            into.state = operation::status::done;
            if (log_on_) note(name(along, p.number) + " is delivered");
        }
    }

    void fail(operation& op, std::string why) {
        op.state = operation::status::failed;
        op.why = std::move(why);
        incident(op.why);
    }

    static std::uint64_t hash(const std::vector<std::byte>& bytes) noexcept { // FNV-1a
        std::uint64_t h = 14695981039346656037ULL;
        for (std::byte b : bytes) h = (h ^ static_cast<std::uint64_t>(b)) * 1099511628211ULL;
        return h;
    }

    flow* ready_at(std::size_t i) const noexcept {
        flow* at = occupied_;
        while (!at->is_ready || i-- > 0) at = at->next;
        return at;
    }

    void refresh(flow& f) {
        const bool was_ready = f.is_ready;
        f.is_ready = !f.packets.empty() && f.packets.front().lost.empty() && f.receives != nullptr;
        if (f.is_ready != was_ready) f.is_ready ? ++ready_ : --ready_;
        if (f.is_occupied != f.packets.empty()) return;
        f.is_occupied = !f.packets.empty();
        flow** at = &occupied_;
        while (*at != nullptr && (*at)->along < f.along) at = &(*at)->next;
        if (f.is_occupied) f.next = *at;
        *at = f.is_occupied ? &f : f.next;
    }

    bool rendezvous_;
    std::vector<fault> faults_;
    std::vector<unsigned char> struck_;
    bool log_on_;
    std::map<route, flow> flows_;
    std::unordered_map<std::uint64_t, std::uint64_t> messages_; // sent so far, per ordered pair
    // With packets, in a fixed order, for reproducibility: few, while flows_ keeps the routes of every
    // channel there was.
    flow* occupied_ = nullptr;
    std::size_t ready_ = 0; // of them
    detail::called_off called_off_;
    std::vector<std::string> incidents_;
    std::vector<std::string> log_;
};

} // namespace tutti::mock
