// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/core/nodes.hpp>
#include <tutti/mpi/node_memory.hpp>
#include <tutti/mpi/nodes.hpp>
#include <tutti/mpi/transport.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti::mpi {

/// The ranks of an MPI communicator: those of one node through memory that they share, others by MPI.
///
///     tutti::mpi::node_transport wires{MPI_COMM_WORLD};
///     tutti::communicator comm{wires};
///     tutti::allreduce(comm, in, out, tutti::sum{}, tutti::by_nodes{wires.nodes(), fnomial{}, ring{}});
///
/// Failures and the end of one are those of `transport`, which carries the news of them: a failure anywhere
/// is told to all ranks, by MPI and in the memory of the node. MPI moves only while it is called, and a rank
/// that waits for its node may owe others something: it goes on looking at MPI, and never sleeps.
class node_transport {
public:
    class handle {
    public:
        handle() = default;

    private:
        friend class node_transport;
        explicit handle(transport::handle far) noexcept : far_(std::move(far)) {}
        explicit handle(processes::transport::handle near) noexcept
            : near_(std::move(near)), is_near_(true) {}

        transport::handle far_; // of a near receive: that this rank waits, for when it asks its peer why
        processes::transport::handle near_;
        bool is_near_ = false;
    };

    /// Nodes are as nodes_of() says. Throws as `transport` does, and argument_error for a TUTTI_NODES that is
    /// none.
    explicit node_transport(MPI_Comm group) : node_transport(group, std::nullopt) {}

    /// On nodes that the program knows, the same on all ranks: those of a node have to be on one machine.
    node_transport(MPI_Comm group, const node_map& nodes)
        : node_transport(group, std::optional<node_map>(nodes)) {}

    node_transport(const node_transport&) = delete;
    node_transport& operator=(const node_transport&) = delete;
    /// Collective. The node's memory goes first: who waits there for one that is gone hears of it at once,
    /// while those that are gone wait for all others by MPI.
    ~node_transport() {
        if (std::uncaught_exceptions() > exceptions_)
            announce_failure("rank " + std::to_string(rank()) + " has left with an exception");
    }

    rank_type rank() const noexcept { return far_.rank(); }
    rank_type size() const noexcept { return far_.size(); }
    bool shares_cores() const noexcept { return far_.shares_cores(); }
    /// For communicators, see counting_transport.
    channel_type& calls_made(std::uint32_t context) { return far_.calls_made(context); }

    /// What algorithms by nodes are told.
    const node_map& nodes() const noexcept { return nodes_; }
    /// Whether messages to that rank go through memory. Not if the node's ranks cannot share any: then MPI
    /// carries those, too.
    bool is_near(rank_type peer) const noexcept { return near_ && nodes_.node_of(peer) == node_; }

    handle start_send(rank_type peer, channel_type channel, gather_list data) {
        if (!goes_near(peer)) return handle(far_.start_send(peer, channel, data));
        return in_node([&] { return handle(near_->start_send(nodes_.number_of(peer), channel, data)); });
    }
    handle start_recv(rank_type peer, channel_type channel, scatter_list into) {
        if (!goes_near(peer)) return handle(far_.start_recv(peer, channel, into));
        handle h = in_node([&] { return handle(near_->start_recv(nodes_.number_of(peer), channel, into)); });
        h.far_ = far_.start_recv(peer, channel, into);
        return h;
    }
    bool test(handle& h) {
        if (!h.is_near_) return far_.test(h.far_);
        const bool done = in_node([&] { return near_->test(h.near_); });
        if (done) far_.abandon(h.far_);
        return done;
    }

    void idle(std::uint32_t turns) {
        far_.idle(turns);
        if (near_) in_node([&] { near_->idle_awake(turns); });
    }

    void close(channel_type channel) { far_.close(channel); }

    void abandon(handle& h) noexcept {
        if (h.is_near_) near_->abandon(h.near_);
        far_.abandon(h.far_);
    }

    /// Tells all other ranks that a collective has failed here.
    void announce_failure(const std::string& why) noexcept {
        if (far_.is_spent()) return;
        far_.announce_failure(why);
        if (near_) near_->fail(why);
    }
    /// Whether a collective has failed, here or elsewhere; nothing can be started any more.
    bool is_spent() const noexcept { return far_.is_spent(); }
    /// What has failed; "" if nothing has.
    std::string failure() const { return far_.failure(); }
    /// Whether this rank fails because another one has.
    bool is_struck() const noexcept { return far_.is_struck(); }

    /// As of `transport`; part of destroying.
    bool settle() noexcept {
        leave_node();
        return far_.settle();
    }
    /// Goes on settling without waiting; true when that is done.
    bool settles() noexcept {
        leave_node();
        return far_.settles();
    }

private:
    node_transport(MPI_Comm group, const std::optional<node_map>& nodes)
        : far_(group), nodes_(nodes ? *nodes : nodes_of(far_.comm())),
          exceptions_(std::uncaught_exceptions()) {
        if (nodes_.ranks() != size())
            throw argument_error("nodes", "for " + std::to_string(nodes_.ranks()) + " ranks",
                                 "for as many as the communicator has, " + std::to_string(size()));
        node_ = nodes_.node_of(rank());
        share_memory();
    }

    void leave_node() noexcept {
        near_.reset();
        group_.reset();
    }

    /// Collective. Either all ranks of a node share its memory, or none.
    void share_memory() {
        MPI_Comm made = MPI_COMM_NULL;
        check(MPI_Comm_split(far_.comm(), node_, 0, &made), "MPI_Comm_split");
        const owned_comm node(made);
        if (nodes_.size_of(node_) == 1) return;
        std::string why; // MPI carries everything, then
        group_ = mpi::share_memory(node.get(), why);
        if (group_ != nullptr) near_.emplace(*group_, nodes_.number_of(rank()));
    }

    /// Which way a message goes that is to be started.
    bool goes_near(rank_type peer) const {
        if (peer < 0 || peer >= size()) tutti::detail::throw_argument_below("peer", peer, size());
        if (!is_near(peer)) return false;
        if (is_spent()) [[unlikely]]
            throw transport_error("this transport is spent, a collective has failed on it before: "
                                  + failure());
        return true;
    }

    /// What f does in the node's memory, where ranks are numbered by themselves.
    template <class F>
    std::invoke_result_t<F> in_node(const F& f) {
        try {
            return f();
        } catch (const transport_error& e) {
            far_.check_news(); // the cause, where this is a consequence
            throw_for_all(e);
        }
    }
    [[noreturn, gnu::cold]] void throw_for_all(const transport_error& e) const {
        std::string members;
        for (const rank_type r : nodes_.ranks_on(node_))
            members += (members.empty() ? "" : ", ") + std::to_string(r);
        throw transport_error(std::string(e.what()) + " (ranks 0, 1, ... of this node are ranks " + members
                                  + " of all)",
                              e.peer() < 0 ? no_rank : nodes_.rank_at(node_, e.peer()), e.lost());
    }

    transport far_; // destroyed last: it waits for all
    node_map nodes_;
    rank_type node_ = 0;
    int exceptions_;
    std::unique_ptr<processes::world> group_; // null if this rank is alone on its node
    std::optional<processes::transport> near_;
};

static_assert(closing_transport<node_transport> && announcing_transport<node_transport>
              && core_sharing_transport<node_transport> && counting_transport<node_transport>);

} // namespace tutti::mpi
