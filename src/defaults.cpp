// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: the choices that ship.
#define TUTTI_COMPILING
#include <tutti/choose/default_allgather.hpp>
#include <tutti/choose/default_allreduce.hpp>
#include <tutti/choose/default_alltoall.hpp>
#include <tutti/choose/default_barrier.hpp>
#include <tutti/choose/default_bcast.hpp>
#include <tutti/choose/default_exscan.hpp>
#include <tutti/choose/default_reduce.hpp>
#include <tutti/choose/default_reduce_scatter.hpp>

namespace tutti {

std::span<const default_rule> default_rules_of(collective what) noexcept {
    using detail::default_rules;
    switch (what) {
    case collective::barrier: return default_rules<collective::barrier>::list;
    case collective::bcast: return default_rules<collective::bcast>::list;
    case collective::reduce: return default_rules<collective::reduce>::list;
    case collective::allreduce: return default_rules<collective::allreduce>::list;
    case collective::reduce_scatter: return default_rules<collective::reduce_scatter>::list;
    case collective::alltoall: return default_rules<collective::alltoall>::list;
    case collective::exscan: return default_rules<collective::exscan>::list;
    case collective::allgather:
    case collective::multicast: break;
    }
    return default_rules<collective::allgather>::list;
}

} // namespace tutti
