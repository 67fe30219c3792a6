// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

#include <tutti/collectives/run_threads.hpp>

#include "support/catalogue_runs.hpp"
#include "support/outcomes.hpp"

namespace support {

/// Every algorithm over `size` threads with elements of type T; what is wrong on any rank.
template <class T, class Op>
std::string catalogue_over_threads(tutti::rank_type size, std::int64_t count, const Op& op) {
    complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) { heard.add(comm.rank(), run_catalogue<T>(comm, count, op)); });
    return heard.all();
}

/// The same with numbers, structures, and an operation that is not commutative.
inline std::string all_elements_over_threads(tutti::rank_type size, std::int64_t count) {
    return catalogue_over_threads<int>(size, count, tutti::sum{})
           + catalogue_over_threads<double>(size, count, tutti::max{})
           + catalogue_over_threads<moments>(size, count, tutti::commutative(merge_moments{}))
           + catalogue_over_threads<matrix>(size, count, multiply{});
}

} // namespace support
