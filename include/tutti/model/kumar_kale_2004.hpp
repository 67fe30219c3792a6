// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/model/cost.hpp>

namespace tutti::kumar_kale_2004 {

/// Kumar and Kalé 2004, section 2: alpha + m beta + C m + L; a message that is sent more than once is copied
/// to the network interface first (delta per byte, once) and leaves from there at beta_em per byte; putting
/// blocks together into one message costs gamma per byte.
struct model {
    static constexpr bool synchronous = false;

    double alpha = 0;      ///< software overhead of a message, us
    double beta = 0;       ///< per byte sent from main memory, us
    double beta_em = 0;    ///< per byte sent from the memory of the network interface, us
    double delta = 0;      ///< per byte copied to the network interface, us
    double gamma = 0;      ///< per byte copied to combine messages, us
    double contention = 0; ///< C: per byte, on links that messages share, us
    double L = 0;          ///< latency of the network, us

    cost start() const noexcept { return {}; }
    cost sender(const message_facts& m) const noexcept {
        const auto n = static_cast<double>(m.bytes);
        cost all{.startup = alpha, .transfer = n * (contention + (m.again ? beta_em : beta))};
        if (m.again && m.first) all.transfer += n * delta;
        if (m.blocks > 1 && m.first) all.fold += n * gamma;
        return all;
    }
    cost flight(const message_facts& m) const noexcept { return sender(m) + cost{.startup = L}; }
    cost receiver(const message_facts&) const noexcept { return {}; }
    cost fold(std::int64_t) const noexcept { return {}; }
    cost copy(std::int64_t) const noexcept { return {}; }

    friend bool operator==(const model&, const model&) = default;
};

} // namespace tutti::kumar_kale_2004
