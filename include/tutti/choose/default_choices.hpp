// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>

#if TUTTI_BODIES
#include <tutti/choose/default_allgather.hpp>
#include <tutti/choose/default_allreduce.hpp>
#include <tutti/choose/default_alltoall.hpp>
#include <tutti/choose/default_barrier.hpp>
#include <tutti/choose/default_bcast.hpp>
#include <tutti/choose/default_exscan.hpp>
#include <tutti/choose/default_reduce.hpp>
#include <tutti/choose/default_reduce_scatter.hpp>
#endif

/// The choices that ship, where only the running program knows the collective. Without the archive
/// tutti::compiled, a file that includes this compiles the algorithms that win for any of them.
namespace tutti {

std::span<const default_rule> default_rules_of(collective what) noexcept;

/// The rule for a call of a collective that names no algorithm; a multicast is taken for an allgather.
inline const default_rule& default_choice(collective what, const request_facts& facts, cores here) {
    return detail::first_rule(default_rules_of(what), facts, here);
}

#if TUTTI_BODIES
TUTTI_BODY std::span<const default_rule> default_rules_of(collective what) noexcept {
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
#endif

} // namespace tutti
