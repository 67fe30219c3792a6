// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/block_bytes.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/simulate/activity_log.hpp>
#include <tutti/simulate/check_options.hpp>
#include <tutti/simulate/links.hpp>
#include <tutti/simulate/options.hpp>
#include <tutti/simulate/result.hpp>
#include <tutti/simulate/simulation.hpp>

/// Simulates a collective message by message, on as many ranks as memory holds. Rounds are pulled from the
/// generators when a rank comes to them; no schedule is stored.
///
/// The rules are those of LogGOPSim (Hoefler, Schneider and Lumsdaine 2010, "LogGOPSim: simulating
/// large-scale applications in the LogGOPS model"), with one CPU and one network interface for every rank. A
/// rank has three clocks: when its CPU is free, when its interface can send, when it can receive.
/// - Events are taken by time. Of equal times the one goes first that was inserted first; one that is put
/// back
///   keeps its place in this order.
/// - A send of s bytes at t needs CPU and interface, else it is put back to when both are free. It takes the
///   CPU for o + (s-1) O, the interface for g + (s-1) G, and reaches the receiver at t + o + L. Up to S bytes
///   the send is done then, above when the receiver has it (rendezvous).
/// - A message needs CPU and interface of the receiver, else it is put back. It takes the CPU for
///   o + (s-1) max(O, G), the interface for g + (s-1) G, whether or not it is waited for.
/// - A receive takes no time. It is done when it and its message have both come, in the order of sending for
///   each sender; then a sender in rendezvous goes on, at that time at the earliest.
/// - Folds and copies take the CPU, one after the other; a fold needs its message, a local step all messages
///   listed before it. Noise adds to o of a message, and to folds and copies.
/// - A round begins when all of the one before is done: sends first, then receives, then the rest.
/// `receiving` and the noise's `counts` in the options choose other rules for what a receive keeps, and for
/// what noise holds up.
/// An empty message counts as one byte; one whose blocks change their index has the bytes that its sender
/// counts. Being late (skew) comes before the first round and takes the CPU.
///
/// Time: O(log p) per message at most, near O(1). Memory: a few hundred bytes per rank, and per message if
/// path or timeline are kept.
namespace tutti {

namespace detail {

template <class G, class Links>
simulation_result simulate_over(const ensemble<G>& all, const block_bytes& bytes,
                                const simulation_options& options, Links& links) {
    if (bytes.blocks() != all.blocks())
        throw_argument("blocks of the bytes", bytes.blocks(),
                       std::to_string(all.blocks()) + ", the blocks of the schedule");
    if (all.rounds() >= std::numeric_limits<std::uint32_t>::max())
        throw_argument("rounds of the schedule", all.rounds(), "below 2^32 - 1");
    check(options, all.size());
    if (options.keep_path || options.keep_timeline) {
        activity_log log(all.size(), to_ticks(options.machine.o), to_ticks(options.machine.L));
        return simulation(all, bytes, options, log, links).run();
    }
    no_log log;
    return simulation(all, bytes, options, log, links).run();
}

} // namespace detail

/// Simulates a collective on a network without limits. Throws argument_error for blocks that do not fit, or
/// impossible options; error if the schedule comes to a stop.
template <class G>
simulation_result simulate(const ensemble<G>& all, const block_bytes& bytes,
                           const simulation_options& options = {}) {
    detail::no_links links;
    return detail::simulate_over(all, bytes, options, links);
}

#if !TUTTI_BODIES
extern template simulation_result simulate(const ensemble<any_generator>&, const block_bytes&,
                                           const simulation_options&);
#endif

/// The same on a network whose links carry one message at a time; see simulate/links.hpp. One rank per place.
template <class G, network N>
simulation_result simulate(const ensemble<G>& all, const block_bytes& bytes, const N& on,
                           const placement& where, const simulation_options& options = {},
                           const link_options& speed = {}) {
    if (where.ranks() != all.size())
        detail::throw_argument("ranks of the placement", where.ranks(),
                               std::to_string(all.size()) + ", the ranks of the schedule");
    detail::check(options.machine);
    detail::link_clocks<N> links(on, where, speed, options.machine);
    return detail::simulate_over(all, bytes, options, links);
}

} // namespace tutti
