// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

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
#include <tutti/transport/shared_buffer.hpp>

#include "loop.hpp"

namespace contest {

enum class memory : bool { ordinary, shared };

/// tutti's calls, over whatever transport the communicator has.
template <class Communicator, memory Kind>
class tutti_ranks {
public:
    explicit tutti_ranks(Communicator& comm) : comm_(comm) {}

    int rank() const { return static_cast<int>(comm_.rank()); }
    int size() const { return static_cast<int>(comm_.size()); }
    void barrier() { tutti::barrier(comm_); }
    double slowest(double value) {
        tutti::allreduce(comm_, std::span(&value, 1), tutti::max{});
        return value;
    }
    auto allocate(std::size_t length) {
        if constexpr (Kind == memory::shared)
            return tutti::shared_buffer<double>(comm_.transport(), length);
        else
            return std::vector<double>(length);
    }

    void call(tutti::collective what, const vectors& v) {
        const std::span<const double> all = v.in, whole = all.first(v.count), block = all.first(v.share);
        const std::span<double> whole_out = v.out.first(v.count);
        switch (what) {
        case tutti::collective::bcast: tutti::bcast(comm_, whole_out); break;
        case tutti::collective::reduce: tutti::reduce(comm_, whole, whole_out, tutti::sum{}); break;
        case tutti::collective::allreduce: tutti::allreduce(comm_, whole, whole_out, tutti::sum{}); break;
        case tutti::collective::reduce_scatter:
            tutti::reduce_scatter(comm_, all, v.out.first(v.share), tutti::sum{});
            break;
        case tutti::collective::allgather: tutti::allgather(comm_, block, v.out); break;
        case tutti::collective::gather: tutti::gather(comm_, block, v.out); break;
        case tutti::collective::scatter: tutti::scatter(comm_, all, v.out.first(v.share)); break;
        case tutti::collective::alltoall: tutti::alltoall(comm_, all, v.out); break;
        case tutti::collective::exscan: tutti::exscan(comm_, whole, whole_out, tutti::sum{}); break;
        case tutti::collective::scan: tutti::scan(comm_, whole, whole_out, tutti::sum{}); break;
        default: tutti::barrier(comm_); break;
        }
    }

private:
    Communicator& comm_;
};

} // namespace contest
