// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include <tutti/collectives/run_processes.hpp>

#include "support/catalogue_runs.hpp"

namespace support {

/// Runs body(communicator&) -> what is wrong, on `size` processes; what is wrong on the first rank that
/// complains.
template <class Body>
std::string over_processes(tutti::rank_type size, const Body& body,
                           const tutti::processes::options& how = {}) {
    try {
        tutti::processes::run(
            size,
            [&](auto& comm) {
                if (const std::string wrong = body(comm); !wrong.empty()) throw std::runtime_error(wrong);
            },
            how);
    } catch (const tutti::processes::rank_failed& e) {
        return e.what();
    }
    return "";
}

/// Every algorithm over processes: with numbers, structures, and an operation that is not commutative.
inline std::string all_elements_over_processes(tutti::rank_type size, std::int64_t count,
                                               const tutti::processes::options& how = {}) {
    return over_processes(
        size,
        [count](auto& comm) {
            return run_catalogue<int>(comm, count, tutti::sum{})
                   + run_catalogue<double>(comm, count, tutti::max{})
                   + run_catalogue<moments>(comm, count, tutti::commutative(merge_moments{}))
                   + run_catalogue<matrix>(comm, count, multiply{});
        },
        how);
}

} // namespace support
