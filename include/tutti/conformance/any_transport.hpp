// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <tutti/transport/concept.hpp>

/// Transports with their type taken off: the checks are compiled once, not for each.
namespace tutti::conformance {

namespace detail {

/// What one rank does just now. Written by the rank, read by its watchdog.
class pulse {
public:
    /// The rank is about to call this member of its transport.
    void beat(const char* call) noexcept {
        call_.store(call, std::memory_order_relaxed);
        beats_.store(beats_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    std::uint64_t beats() const noexcept { return beats_.load(std::memory_order_relaxed); }
    const char* call() const noexcept { return call_.load(std::memory_order_relaxed); }

private:
    std::atomic<const char*> call_{"its first call"};
    std::atomic<std::uint64_t> beats_{0};
};

} // namespace detail

/// A handle or an incoming message of a transport, whose own type only that knows. One that is null is a
/// `handle{}` or an `incoming{}`.
using boxed = std::shared_ptr<void>;

/// Which of the concepts beyond `transport` a transport satisfies.
struct refinements {
    bool folding = false;        ///< folding_transport
    bool labelling = false;      ///< labelling_transport
    bool closing = false;        ///< closing_transport
    bool helping = false;        ///< helping_transport
    bool eager = false;          ///< eager_transport
    std::size_t eager_bytes = 0; ///< of that
    std::size_t eager_depth = 0; ///< of that
};

/// A transport of any type: its members are those of the concepts. Those of a refinement that is not offered
/// do nothing. The pulse beats before whatever may wait.
class any_transport {
public:
    const refinements offers; ///< ask before you use one

    virtual rank_type rank() const = 0;
    virtual rank_type size() const = 0;
    /// A label is for who offers labelling.
    virtual boxed start_send(rank_type peer, channel_type channel, gather_list data,
                             const call_label* label = nullptr) = 0;
    /// A label is for who offers labelling.
    virtual boxed start_recv(rank_type peer, channel_type channel, scatter_list data,
                             const call_label* label = nullptr) = 0;
    virtual bool test(boxed& handle) = 0;
    virtual void idle(std::uint32_t turns) = 0;
    virtual void abandon(boxed& handle) = 0;

    virtual bool take(rank_type peer, channel_type channel, boxed& message) = 0;
    /// Of a message that is held.
    virtual gather_list pieces(boxed& message) const = 0;
    virtual void release(boxed& message) = 0;
    /// False of all messages where they are not fetched.
    virtual bool is_away(boxed& message) const = 0;
    /// Of a message that is away.
    virtual std::size_t bytes(boxed& message) const = 0;
    virtual void fetch(boxed& message, std::size_t offset, std::span<std::byte> to) = 0;

    virtual bool try_post(rank_type peer, channel_type channel, std::span<const std::byte> data) = 0;

    virtual void check_call(channel_type channel, const call_label& label, std::uint32_t looks) = 0;
    virtual void call_off(channel_type channel, const std::string& why) = 0;
    /// Null where calls are not counted.
    virtual channel_type* calls_made(std::uint32_t context) = 0;
    virtual void close(channel_type channel) = 0;

    /// Others may run this errand while the rank is away.
    virtual void add(errand& what) = 0;
    /// Nobody runs it any more.
    virtual void remove(errand& what) = 0;
    /// The rank is away from now on.
    virtual void leave(left_to whom) = 0;
    /// The rank is there again.
    virtual void come_back() = 0;
    /// Runs what can run of ranks that are away.
    virtual void run_due() = 0;

    /// For a watchdog.
    const detail::pulse& life() const noexcept { return pulse_; }

protected:
    explicit any_transport(const refinements& what) : offers(what) {}
    any_transport(const any_transport&) = delete;
    any_transport& operator=(const any_transport&) = delete;
    ~any_transport() = default;

    detail::pulse pulse_{}; ///< for whoever calls the transport
};

} // namespace tutti::conformance
