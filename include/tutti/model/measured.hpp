// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/model/cost.hpp>
#include <tutti/model/piecewise.hpp>

namespace tutti {

/// A machine as calibration finds it: tables instead of constants, as in PLogP (Kielmann, Bal and Verstoep
/// 2000), for a transport whose receiver does the work, as where memory is shared.
struct measured {
    static constexpr bool synchronous = false;

    double call = 0;      ///< a collective call, before its first step, us
    piecewise send;       ///< the sender is busy with a message
    piecewise latency;    ///< from the start of a send until the receiver sees it
    piecewise recv;       ///< the receiver puts a message where it belongs
    piecewise recv_fold;  ///< the same, folding it
    piecewise local;      ///< a local copy or fold
    int cores = 1;        ///< ranks that run at the same time
    double switching = 0; ///< from one rank to another on the same core, us

    cost start() const noexcept { return {.startup = call}; }
    cost sender(const message_facts& m) const noexcept { return {.startup = send(m.bytes)}; }
    cost flight(const message_facts& m) const noexcept { return {.startup = latency(m.bytes)}; }
    cost receiver(const message_facts& m) const noexcept { return {.startup = m.folded ? 0 : recv(m.bytes)}; }
    cost fold(std::int64_t bytes) const noexcept { return {.fold = recv_fold(bytes)}; }
    cost copy(std::int64_t bytes) const noexcept { return {.fold = local(bytes)}; }

    friend bool operator==(const measured&, const measured&) = default;
};

} // namespace tutti
