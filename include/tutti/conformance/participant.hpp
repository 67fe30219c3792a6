// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/conformance/any_run.hpp>
#include <tutti/conformance/any_transport.hpp>
#include <tutti/conformance/settings.hpp>
#include <tutti/conformance/watchdog.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti::conformance {

using bytes = std::vector<std::byte>;
using cuts = std::vector<std::size_t>; ///< lengths of all pieces of a message but the last

/// What lies where nothing has been received.
inline constexpr std::byte untouched{0xEE};

/// Bytes that differ from message to message and from place to place.
inline bytes pattern(std::size_t length, std::uint32_t seed) {
    bytes result(length);
    std::uint32_t x = seed * 2654435761U + 12345U;
    for (std::byte& b : result) {
        x = x * 1664525U + 1013904223U;
        b = static_cast<std::byte>(x >> 24);
    }
    return result;
}

/// One rank in a check: its transport, its messages, and how long it waits. It uses the transport as the
/// engine does: tests all open handles again and again, and abandons those that are left.
class participant {
public:
    any_transport& wires; ///< the transport that is checked, under the eyes of the watchdog

    /// A message with everything that must outlive it.
    struct message {
        bool sends = false;                             ///< else it is received
        rank_type peer = no_rank;                       ///< the other end
        channel_type channel = 0;                       ///< that it travels on
        bytes data{};                                   ///< what is sent, or comes; `untouched` before
        std::vector<std::span<const std::byte>> from{}; ///< pieces of data, of a send
        std::vector<std::span<std::byte>> into{};       ///< pieces of data, of a receive
        boxed handle{};                                 ///< of the transport
    };

    participant(any_transport& own, const settings& with, std::string_view check)
        : wires(own), with_(with),
          dog_(own.life(), 2 * with.deadline, std::string(check) + ": rank " + std::to_string(own.rank())) {}
    participant(const participant&) = delete;
    participant& operator=(const participant&) = delete;
    ~participant() {
        for (message* m : open_) {
            try {
                wires.abandon(m->handle);
            } catch (...) { // the check has failed already, and says why
            }
        }
    }

    rank_type rank() const { return wires.rank(); }
    rank_type size() const { return wires.size(); }

    /// An empty message without cuts has no piece at all.
    message& send(rank_type to, channel_type channel, bytes what, const cuts& at = {}) {
        message& m = add({.sends = true, .peer = to, .channel = channel, .data = std::move(what)});
        m.from = cut(std::span<const std::byte>(m.data), at);
        m.handle = wires.start_send(to, channel, m.from);
        open_.push_back(&m);
        return m;
    }
    /// Of `length` bytes in all; `at`: as of send().
    message& receive(rank_type from, channel_type channel, std::size_t length, const cuts& at = {}) {
        message& m = add({.peer = from, .channel = channel, .data = bytes(length, untouched)});
        m.into = cut(std::span<std::byte>(m.data), at);
        m.handle = wires.start_recv(from, channel, m.into);
        open_.push_back(&m);
        return m;
    }

    /// Whether it was started, and is neither over nor abandoned.
    bool is_open(const message& m) const { return std::find(open_.begin(), open_.end(), &m) != open_.end(); }
    /// Whether it is over; it is not asked again once it is.
    bool test(message& m) {
        if (is_open(m) && wires.test(m.handle)) std::erase(open_, &m);
        return !is_open(m);
    }
    /// Gives a message up, over or not. Throws failure unless its handle tests true then.
    void abandon(message& m) {
        std::erase(open_, &m);
        wires.abandon(m.handle);
        expect(wires.test(m.handle), "an abandoned handle must test true");
    }

    /// Until all are over. Throws failure if nothing moves for settings::deadline.
    void wait() {
        while (!open_.empty()) wait(*open_.front());
    }
    /// Until that one is over; all open ones are tested.
    void wait(const message& m) {
        until_none(
            [&] {
                // From the last to the first: completion must not depend on the order of testing.
                for (std::size_t i = open_.size(); i-- > 0;)
                    if (wires.test(open_[i]->handle))
                        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
                return is_open(m) ? open_.size() : 0;
            },
            describe(m), true);
    }
    /// Drops the messages, which must all be over.
    void clear() {
        expect(open_.empty(), "the check drops open messages");
        messages_.clear();
    }

    /// Until over() holds. Throws failure, with what is awaited, if that takes longer than
    /// settings::deadline.
    void until(const std::function<bool()>& over, const std::string& awaited) {
        until_none([&] { return std::size_t{over() ? 0U : 1U}; }, awaited, true);
    }
    /// Waits as long, but calls nothing of the transport.
    void stay_away_until(const std::function<bool()>& over, const std::string& awaited) {
        until_none([&] { return std::size_t{over() ? 0U : 1U}; }, awaited, false);
    }

private:
    using clock = std::chrono::steady_clock;

    // Calls `remaining`, which tells how many things are still to come, until it is 0. Throws failure when it
    // has not become less for the time of the deadline.
    void until_none(const std::function<std::size_t()>& remaining, const std::string& awaited, bool idles) {
        auto least = std::numeric_limits<std::size_t>::max();
        auto since = clock::now();
        std::uint32_t turns = 0;
        while (const std::size_t now = remaining()) {
            if (now < least) {
                least = now;
                since = clock::now();
                turns = 0;
                continue;
            }
            if (clock::now() - since >= with_.deadline)
                throw failure("rank " + std::to_string(rank()) + " has waited "
                              + detail::in_seconds(with_.deadline) + " for " + awaited);
            if (idles)
                wires.idle(turns++);
            else
                std::this_thread::yield();
        }
    }

    message& add(message&& m) {
        messages_.push_back(std::move(m));
        return messages_.back();
    }

    template <class Span>
    static std::vector<Span> cut(Span rest, const cuts& at) {
        std::vector<Span> pieces;
        if (rest.empty() && at.empty()) return pieces;
        for (std::size_t length : at) {
            pieces.push_back(rest.first(length));
            rest = rest.subspan(length);
        }
        pieces.push_back(rest);
        return pieces;
    }

    static std::string describe(const message& m) {
        return "a message of " + std::to_string(m.data.size()) + " bytes " + (m.sends ? "to" : "from")
               + " rank " + std::to_string(m.peer) + " on channel " + std::to_string(m.channel);
    }

    const settings& with_;
    std::list<message> messages_{}; // a list: handles know where their pieces lie
    std::vector<message*> open_{};  // in the order of starting
    detail::watchdog dog_;
};

/// What a check is given: `on(size, body)` runs body(participant&) on so many ranks, or on as many as the
/// settings allow. The ranks may be other processes: bodies tell each other things by messages only.
struct ranks {
    const any_run& run;     ///< starts ranks
    const settings& with;   ///< how far the check is to go
    std::string_view check; ///< its name, for messages to people

    /// On `size` ranks, or on settings::most_ranks if these are fewer. Throws what run throws.
    void operator()(rank_type size, const std::function<void(participant&)>& body) const {
        run(std::min(size, with.most_ranks), [&](any_transport& wires) {
            participant me(wires, with, check);
            body(me);
        });
    }
};

} // namespace tutti::conformance
