// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/model/cost.hpp>

namespace tutti {

/// LogGOPS (Hoefler, Schneider and Lumsdaine 2010): LogGP (Alexandrov, Ionescu, Schauser and Scheiman 1995)
/// with a CPU cost per byte and a rendezvous for long messages. The defaults are those of LogGOPSim.
/// LogGP is O = 0 and S without end.
struct loggops {
    static constexpr bool synchronous = false;

    double L = 2.5;           ///< latency of the network, us
    double o = 1.5;           ///< CPU time per message, on each side, us
    double g = 1.0;           ///< gap: least time between messages of one NIC, us
    double G = 0.006;         ///< gap per byte, us
    double O = 0;             ///< CPU time per byte, us
    std::int64_t S = 65535;   ///< longest message in bytes that is sent without asking the receiver
    double fold_per_byte = 0; ///< us; folds are no part of LogGOPS
    double copy_per_byte = 0; ///< us

    cost start() const noexcept { return {}; }
    /// The sender's processor; its network interface goes on for gap(m).
    cost sender(const message_facts& m) const noexcept {
        return {.startup = o, .transfer = after_first(m.bytes) * O};
    }
    cost gap(const message_facts& m) const noexcept {
        return {.startup = g, .transfer = after_first(m.bytes) * G};
    }
    /// Of the first byte: the receiver's processor is busy while the others come in.
    cost flight(const message_facts&) const noexcept { return {.startup = o + L}; }
    cost receiver(const message_facts& m) const noexcept {
        return {.startup = o, .transfer = after_first(m.bytes) * std::max(O, G)};
    }
    bool waits(const message_facts& m) const noexcept { return m.bytes > S; }
    cost fold(std::int64_t bytes) const noexcept {
        return {.fold = fold_per_byte * static_cast<double>(bytes)};
    }
    cost copy(std::int64_t bytes) const noexcept {
        return {.fold = copy_per_byte * static_cast<double>(bytes)};
    }

    friend bool operator==(const loggops&, const loggops&) = default;

private:
    static double after_first(std::int64_t bytes) noexcept {
        return static_cast<double>(std::max<std::int64_t>(bytes, 1) - 1);
    }
};

} // namespace tutti
