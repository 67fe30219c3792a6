// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

namespace support {

/// Runs body(comm) -> "" or what is wrong, over threads and the mock, on 1 to 5 ranks.
template <class Body>
void everywhere(const Body& body) {
    for (tutti::rank_type size = 1; size <= 5; ++size) {
        INFO(size << " ranks");
        complaints over_threads(size);
        tutti::threads::run(size, [&](auto& comm) { over_threads.add(comm.rank(), body(comm)); });
        CHECK(over_threads.all() == "");
        complaints over_mock(size);
        tutti::mock::run(size, {.log = false}, [&](auto& comm) { over_mock.add(comm.rank(), body(comm)); });
        CHECK(over_mock.all() == "");
    }
}

} // namespace support
