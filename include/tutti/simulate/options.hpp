// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/rank.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/model/loggops.hpp>
#include <tutti/simulate/noise.hpp>
#include <tutti/simulate/skew.hpp>
#include <tutti/simulate/ticks.hpp>

namespace tutti {

/// Who makes the collective go on, and what that costs the CPU of a rank. A rank that is late (skew) has not
/// entered the call and contributes nothing in any of them: messages to it wait.
enum class progress_by : std::uint8_t {
    /// The rank itself, which stays in the call until its part is done. CPU time: from entering the call to
    /// leaving it, waiting and noise included ("CPU utilization" of the blocking MPI_Reduce, Wagner et al.,
    /// section VI: measured time less the skew).
    host,

    /// The rank as far as it gets without waiting; then it leaves the call, and every message that comes
    /// later interrupts whatever the CPU does (application bypass, Wagner et al., sections IV and V). CPU
    /// time: what the collective really does: o, bytes, folds, copies, signals; neither waiting nor noise.
    /// A message costs a signal if the CPU had come to rest before it is taken; one that finds the rank still
    /// at work, in the call or in the handler of another message, does not (V.C: "simply ignored"), nor one
    /// that was there when the rank entered. The signal comes before the work and delays it. The root waits
    /// in the call, without signals, as host does (II: MPI_Reduce blocks there), unless `root_waits` is off.
    /// Differs from Wagner et al. in two points: they do not bypass messages above S, we do; their leaves and
    /// our leaves do the same, for they only send.
    bypass,

    /// The network interface, to which the rank hands the collective over in `start_us`, the only CPU time.
    /// `machine` then describes what the interface does, which no noise delays (Moody et al. 2003).
    nic,
};

/// What a message that comes in costs the receiver. In an undisturbed rank both end at the same time.
enum class receiving_rule : std::uint8_t {
    /// LogGOPSim's: the CPU is kept from the first byte to the last, o + (n-1) max(O, G), and sends nothing
    /// in
    /// that time.
    cpu,

    /// LogGP's own (Alexandrov, Ionescu, Schauser and Scheiman 1995): the interface takes the bytes in, one
    /// message after the other as they come, g + (n-1) G each, while the CPU does other things. The CPU pays
    /// o + (n-1) O, so late that it ends no sooner than under `cpu`: it begins (n-1) (G-O) after the first
    /// byte is taken in, at once if O >= G. The receive, and a send in rendezvous, are done when it begins.
    overlapped,
};

/// What is simulated, and what is kept of it.
struct simulation_options {
    loggops machine{};                              ///< what messages and folds cost
    receiving_rule receiving = receiving_rule::cpu; ///< what the CPU of a receiver does
    start_skew skew{};                              ///< when ranks begin
    os_noise noise{};                               ///< what takes their CPUs
    progress_by by = progress_by::host;             ///< who moves the schedule on
    double signal_us = 0;                           ///< bypass: CPU time of an interrupt
    bool root_waits = true;     ///< bypass: the root needs the result; no for split-phase calls, and for
                                ///< collectives without a root
    double start_us = 0;        ///< nic: CPU time until the network interface has the collective
    bool keep_path = false;     ///< find the critical path; takes memory for every message
    bool keep_timeline = false; ///< keep what every rank did when; takes memory for every step
    watcher watch{};            ///< of the rounds of all ranks
};

} // namespace tutti
