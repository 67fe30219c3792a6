// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tutti/choose/chooser.hpp>
#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/alltoall.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/gather.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/reduce_scatter.hpp>
#include <tutti/collectives/scan.hpp>
#include <tutti/collectives/scatter.hpp>

namespace tutti::detail {

/// A choice, as an algorithm that calls take.
struct as_chosen {
    const choice* what;
};
template <collective C>
any_generator generate(collective_constant<C>, const as_chosen& how, place at) {
    return how.what->schedule(at);
}

/// Buffers for a collective that only the running program knows, and plans that use them.
template <class T>
class any_call {
public:
    /// About `count` elements in the whole vector: as many for every rank where each has a part, and one at
    /// least.
    any_call(collective what, std::size_t count, rank_type size, const T& value, rank_type root = 0)
        : what_(what), root_(root), value_(value),
          part_(std::max<std::size_t>(1, count / static_cast<std::size_t>(size))),
          in_(has_parts(what) ? part_ * static_cast<std::size_t>(size) : count, value), out_(in_.size()) {}

    /// This rank writes what it gives to others, as a program does that has new values for every call.
    void write_input(rank_type rank) {
        switch (what_) {
        case collective::barrier: return;
        case collective::bcast:
            if (rank == root_) std::fill(out_.begin(), out_.end(), value_);
            return;
        case collective::scatter:
            if (rank != root_) return;
            break;
        case collective::gather:
        case collective::allgather:
        case collective::multicast: std::fill_n(in_.begin(), part_, value_); return;
        default: break;
        }
        std::fill(in_.begin(), in_.end(), value_);
    }

    template <class Transport, class Op>
    plan<Transport> planned(communicator<Transport>& comm, Op op, const choice& c) {
        const as_chosen how{&c};
        switch (what_) {
        case collective::barrier: return plan_barrier(comm, how);
        case collective::bcast: return plan_bcast(comm, out_, root_, how);
        case collective::reduce: return plan_reduce(comm, in_, out_, std::move(op), root_, how);
        case collective::allreduce: return plan_allreduce(comm, in_, out_, std::move(op), how);
        case collective::exscan: return plan_exscan(comm, in_, out_, std::move(op), how);
        case collective::scan: return plan_scan(comm, in_, out_, std::move(op), how);
        case collective::alltoall: return plan_alltoall(comm, in_, out_, how);
        case collective::reduce_scatter:
            return plan_reduce_scatter(comm, in_, std::span(out_).first(part_), std::move(op), how);
        case collective::gather: return plan_gather(comm, std::span(in_).first(part_), out_, root_, how);
        case collective::scatter: return plan_scatter(comm, in_, std::span(out_).first(part_), root_, how);
        case collective::allgather:
        case collective::multicast: break;
        }
        return plan_allgather(comm, std::span(in_).first(part_), out_, how);
    }

    /// Of alltoall, allgather and exscan, too; the rest of the vector is no result.
    const std::vector<T>& out() const noexcept { return out_; }

private:
    collective what_;
    rank_type root_;
    T value_;
    std::size_t part_;
    std::vector<T> in_;
    std::vector<T> out_;
};

} // namespace tutti::detail
