// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/model/cost.hpp>

namespace tutti::rabenseifner_2004 {

/// Rabenseifner and Adamidis 2004, section 3.1: a message of n bytes takes alpha + n beta if its two ends
/// send and receive at the same time, alpha_uni + n beta_uni if traffic goes one way only; gamma per folded
/// byte.
struct model {
    static constexpr bool synchronous = true;

    double alpha = 0;     ///< latency of a message both ways, us
    double beta = 0;      ///< per byte both ways, us
    double gamma = 0;     ///< per byte folded, us
    double alpha_uni = 0; ///< latency one way, us; alpha/2 (simplex) to alpha (full duplex)
    double beta_uni = 0;  ///< per byte one way, us; beta/2 to beta

    cost start() const noexcept { return {}; }
    cost sender(const message_facts& m) const noexcept { return flight(m); }
    cost flight(const message_facts& m) const noexcept {
        const auto n = static_cast<double>(m.bytes);
        return m.both_ways ? cost{.startup = alpha, .transfer = n * beta}
                           : cost{.startup = alpha_uni, .transfer = n * beta_uni};
    }
    cost receiver(const message_facts&) const noexcept { return {}; }
    cost fold(std::int64_t bytes) const noexcept { return {.fold = gamma * static_cast<double>(bytes)}; }
    cost copy(std::int64_t) const noexcept { return {}; }

    friend bool operator==(const model&, const model&) = default;
};

} // namespace tutti::rabenseifner_2004
