// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <map>
#include <string>

#include <tutti/model/cost.hpp>
#include <tutti/model/piecewise.hpp>

namespace tutti::moody_2003 {

/// Moody, Fernandez, Petrini and Panda 2003, section 5.1, Table 1: LogP with the cost of receiving in place
/// of the overhead and receiving plus reducing in place of the gap.
struct model {
    static constexpr bool synchronous = false;

    double L = 0;                         ///< message latency, us
    piecewise r;                          ///< reception of a message of so many bytes
    double C = 0;                         ///< initial overhead, us, once
    std::map<std::string, piecewise> c{}; ///< reduction of so many bytes, by operation: "float64-add"
    std::string operation{};              ///< which of them is applied

    cost start() const noexcept { return {.startup = C}; }
    cost sender(const message_facts&) const noexcept { return {.startup = L}; }
    cost flight(const message_facts&) const noexcept { return {.startup = L}; }
    cost receiver(const message_facts& m) const noexcept { return {.startup = r(m.bytes)}; }
    cost fold(std::int64_t bytes) const {
        const auto found = c.find(operation);
        return {.fold = found == c.end() || bytes == 0 ? 0 : found->second(bytes)};
    }
    cost copy(std::int64_t) const noexcept { return {}; }

    friend bool operator==(const model&, const model&) = default;
};

} // namespace tutti::moody_2003
