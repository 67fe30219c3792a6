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
#include <tutti/choose/default_gather.hpp>
#include <tutti/choose/default_reduce.hpp>
#include <tutti/choose/default_reduce_scatter.hpp>
#include <tutti/choose/default_scan.hpp>
#include <tutti/choose/default_scatter.hpp>
#endif

/// The choices that ship, where only the running program knows the collective. Without the archive
/// tutti::compiled, a file that includes this compiles the algorithms that win for any of them.
namespace tutti {

/// All rules of a collective, in the order in which they are looked at.
std::span<const default_rule> default_rules_of(collective what) noexcept;

/// The algorithms that these rules may take, with their defaults.
std::span<const choice> default_winners_of(collective what) noexcept;

/// The rule for a call of a collective that names no algorithm; a multicast is taken for an allgather.
inline const default_rule& default_choice(collective what, const request_facts& facts, cores here) {
    return detail::first_rule(default_rules_of(what), facts, here);
}

#if TUTTI_BODIES
namespace detail {
/// f(the rules of a collective)
template <class F>
constexpr auto with_default_rules(collective what, const F& f) {
    switch (what) {
    case collective::barrier: return f(default_rules<collective::barrier>{});
    case collective::bcast: return f(default_rules<collective::bcast>{});
    case collective::reduce: return f(default_rules<collective::reduce>{});
    case collective::allreduce: return f(default_rules<collective::allreduce>{});
    case collective::reduce_scatter: return f(default_rules<collective::reduce_scatter>{});
    case collective::gather: return f(default_rules<collective::gather>{});
    case collective::scatter: return f(default_rules<collective::scatter>{});
    case collective::alltoall: return f(default_rules<collective::alltoall>{});
    case collective::exscan: return f(default_rules<collective::exscan>{});
    case collective::scan: return f(default_rules<collective::scan>{});
    case collective::allgather:
    case collective::multicast: break;
    }
    return f(default_rules<collective::allgather>{});
}
} // namespace detail

TUTTI_BODY std::span<const default_rule> default_rules_of(collective what) noexcept {
    return detail::with_default_rules(
        what, [](auto rules) { return std::span<const default_rule>(decltype(rules)::list); });
}

TUTTI_BODY std::span<const choice> default_winners_of(collective what) noexcept {
    return detail::with_default_rules(
        what, [](auto rules) { return std::span<const choice>(decltype(rules)::winners); });
}
#endif

} // namespace tutti
