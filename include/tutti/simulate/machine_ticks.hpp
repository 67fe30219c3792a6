// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/model/loggops.hpp>
#include <tutti/simulate/ticks.hpp>

namespace tutti::detail {

/// A LogGOPS machine in ticks; the names are those of the model.
struct machine_ticks {
    explicit machine_ticks(const loggops& m)
        : L(to_ticks(m.L)), o(to_ticks(m.o)), g(to_ticks(m.g)), G(m.G), O(m.O), S(m.S), fold(m.fold_per_byte),
          copy(m.copy_per_byte) {}

    ticks send_cpu(std::int64_t bytes) const noexcept { return o + O(bytes - 1); }
    ticks recv_cpu(std::int64_t bytes) const noexcept { return o + std::max(O(bytes - 1), G(bytes - 1)); }
    ticks nic(std::int64_t bytes) const noexcept { return g + G(bytes - 1); }
    bool eager(std::int64_t bytes) const noexcept { return bytes <= S; }

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
