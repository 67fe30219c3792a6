// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/model/loggops.hpp>
#include <tutti/simulate/options.hpp>
#include <tutti/simulate/ticks.hpp>

namespace tutti::detail {

/// A LogGOPS machine in ticks; the names are those of the model.
struct machine_ticks {
    explicit machine_ticks(const loggops& m, receiving_rule receiving = receiving_rule::cpu)
        : overlaps(receiving == receiving_rule::overlapped), L(to_ticks(m.L)), o(to_ticks(m.o)),
          g(to_ticks(m.g)), G(m.G), O(m.O), S(m.S), fold(m.fold_per_byte), copy(m.copy_per_byte) {}

    ticks send_cpu(std::int64_t bytes) const noexcept { return o + O(bytes - 1); }
    ticks recv_cpu(std::int64_t bytes) const noexcept {
        return overlaps ? send_cpu(bytes) : o + std::max(O(bytes - 1), G(bytes - 1));
    }
    /// receiving_rule::overlapped: from the first byte until the CPU is needed.
    ticks without_cpu(std::int64_t bytes) const noexcept {
        return std::max<ticks>(G(bytes - 1) - O(bytes - 1), 0);
    }
    ticks nic(std::int64_t bytes) const noexcept { return g + G(bytes - 1); }
    bool eager(std::int64_t bytes) const noexcept { return bytes <= S; }

    bool overlaps; ///< receiving_rule::overlapped
    ticks L;
    ticks o;
    ticks g;
    ticks_per_byte G;
    ticks_per_byte O;
    std::int64_t S;
    ticks_per_byte fold;
    ticks_per_byte copy;
};

} // namespace tutti::detail
