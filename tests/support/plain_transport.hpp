// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/failure.hpp>
#include <tutti/transport/pieces.hpp>

/// The least that tutti asks of a transport, as a user would write it for a network of their own: a place
/// where messages lie, numbered by sender, receiver and channel.
namespace support::plain {

using tutti::channel_type;
using tutti::rank_type;

struct network {
    using lane = std::tuple<rank_type, rank_type, channel_type>; // from, to

    rank_type size;
    std::atomic<bool> failed{false};
    std::mutex mutex{};
    std::map<std::pair<lane, std::uint64_t>, std::vector<std::byte>> messages{};
};

class transport {
public:
    struct handle {
        bool open = false; // a receive that waits; sends are complete at once
        rank_type peer = 0;
        channel_type channel = 0;
        std::uint64_t number = 0;
        tutti::scatter_list into{};
    };

    transport(network& net, rank_type rank) : net_(&net), rank_(rank) {}

    rank_type rank() const { return rank_; }
    rank_type size() const { return net_->size; }

    handle start_send(rank_type peer, channel_type channel, tutti::gather_list data) {
        check(peer);
        const network::lane lane{rank_, peer, channel};
        const std::lock_guard lock(net_->mutex);
        net_->messages[{lane, next_[lane]++}] = tutti::detail::joined(data);
        return {};
    }
    handle start_recv(rank_type peer, channel_type channel, tutti::scatter_list into) {
        check(peer);
        return {true, peer, channel, next_[{peer, rank_, channel}]++, into};
    }
    bool test(handle& h) {
        if (!h.open) return true;
        std::vector<std::byte> message;
        if (!find(h.peer, h.channel, h.number, message)) return false;
        h.open = false;
        const std::size_t expected = tutti::detail::total_bytes(h.into);
        if (message.size() != expected)
            throw tutti::transport_error(
                tutti::detail::length_mismatch(h.peer, rank_, message.size(), expected), h.peer);
        const std::span<const std::byte> piece(message);
        tutti::detail::copy_pieces({&piece, 1}, h.into);
        return true;
    }
    void idle(std::uint32_t) {
        if (net_->failed) throw tutti::transport_error("another rank has failed");
        std::this_thread::yield();
    }
    void abandon(handle& h) { h.open = false; }

protected:
    bool find(rank_type peer, channel_type channel, std::uint64_t number, std::vector<std::byte>& message) {
        const std::lock_guard lock(net_->mutex);
        auto found = net_->messages.extract({network::lane{peer, rank_, channel}, number});
        if (found.empty()) return false;
        message = std::move(found.mapped());
        return true;
    }
    std::uint64_t& next(rank_type peer, channel_type channel) { return next_[{peer, rank_, channel}]; }

private:
    void check(rank_type peer) const {
        if (peer < 0 || peer >= size()) throw tutti::transport_error("there is no such rank", peer);
    }

    network* net_;
    rank_type rank_;
    std::map<network::lane, std::uint64_t> next_{}; // number of the next message out, or receive in
};

/// The same with one refinement: messages are folded where they lie.
class folding : public transport {
public:
    class incoming {
    public:
        tutti::gather_list pieces() const { return {&whole_, 1}; }

    private:
        friend class folding;
        std::vector<std::byte> bytes_;
        std::span<const std::byte> whole_;
    };

    using transport::transport;

    bool take(rank_type peer, channel_type channel, incoming& message) {
        if (!find(peer, channel, next(peer, channel), message.bytes_)) return false;
        ++next(peer, channel);
        message.whole_ = message.bytes_;
        return true;
    }
    void release(incoming&) {}
};

/// Calls body(Transport&) once per rank, each in a thread.
template <class Transport, class Body>
void run(rank_type size, Body&& body) {
    network net{.size = size};
    tutti::detail::first_failure failure;
    std::vector<std::thread> threads;
    for (rank_type r = 0; r < size; ++r)
        threads.emplace_back([&, r] {
            try {
                Transport wires(net, r);
                body(wires);
            } catch (...) {
                failure.note(std::current_exception(), net.failed.exchange(true));
            }
        });
    for (std::thread& t : threads) t.join();
    failure.rethrow();
}

} // namespace support::plain
