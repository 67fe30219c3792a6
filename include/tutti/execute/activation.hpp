// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

#include <tutti/core/rank.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti::detail {

/// Whoever has cause to begin tells all others, and nobody knows beforehand who that will be. A rank becomes
/// active by its own cause or by the first message that it hears, and then sends one empty message along
/// every edge of the circulant graph with skips 1, 2, 4, .. below p: at most ceil(lg p) hops from anybody to
/// everybody. Every rank sends and receives exactly once on each of its edges, whoever began, so that nothing
/// is left over: messages that come later than the first one are received, too, and change nothing.
///
/// Several ranks may begin at once. Messages: p ceil(lg p).
/// Source: Li, Ben-Nun, Di Girolamo, Alistarh and Hoefler 2020 (the activation by whoever comes first);
/// Hensgen, Finkel and Manber 1988 (the graph, that of the dissemination barrier).
template <class Transport>
class activation {
public:
    /// From now on it hears of others.
    activation(Transport& wires, channel_type channel) : wires_(wires), channel_(channel) {
        const rank_type p = wires.size();
        // Example with 5 ranks: rank 3 sends to 4, 0 and 2, and receives from 2, 1 and 4.
        for (std::int64_t skip = 1; skip < p; skip *= 2)
            edges_.push_back({.to = static_cast<rank_type>((wires.rank() + skip) % p),
                              .from = static_cast<rank_type>((wires.rank() - skip + p) % p)});
        for (edge& e : edges_) e.in = wires_.start_recv(e.from, channel_, scatter_list{});
    }
    activation(const activation&) = delete;
    activation& operator=(const activation&) = delete;
    ~activation() {
        for (edge& e : edges_) {
            wires_.abandon(e.in);
            wires_.abandon(e.out);
        }
    }

    /// Moves what can move; false if nothing could. `begins`: this rank has cause. Throws transport_error.
    bool advance(bool begins) {
        bool moved = false;
        const auto end = [&](bool& is_over, typename Transport::handle& what) {
            if (!is_over && wires_.test(what)) is_over = moved = true;
        };
        for (edge& e : edges_) {
            end(e.heard, e.in);
            begins = begins || e.heard;
        }
        if (begins && !active_) {
            active_ = moved = true;
            for (edge& e : edges_) e.out = wires_.start_send(e.to, channel_, gather_list{});
        }
        if (!active_ || over_) return moved;
        over_ = true;
        for (edge& e : edges_) {
            end(e.sent, e.out);
            over_ = over_ && e.heard && e.sent;
        }
        if constexpr (closing_transport<Transport>)
            if (over_) wires_.close(channel_);
        return moved || over_;
    }

    bool active() const noexcept { return active_; }
    /// Whether this rank's part is over.
    bool over() const noexcept { return over_; }

private:
    struct edge {
        rank_type to;
        rank_type from;
        typename Transport::handle in{};
        typename Transport::handle out{};
        bool heard = false;
        bool sent = false;
    };

    Transport& wires_;
    const channel_type channel_;
    std::vector<edge> edges_;
    bool active_ = false;
    bool over_ = false;
};

} // namespace tutti::detail
