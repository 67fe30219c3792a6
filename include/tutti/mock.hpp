// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The mock, for unit tests: ranks that are run in any order, with faults and losses, or in every order;
/// beside <tutti/tutti.hpp>. Includes only.
#if __cplusplus < 202002L
#error "tutti needs C++20: -std=c++20"
#else
#include <tutti/collectives/run_mock.hpp>
#include <tutti/transport/mock.hpp>
#include <tutti/transport/mock_explore.hpp>
#endif
