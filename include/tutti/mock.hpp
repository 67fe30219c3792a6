// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The mock, for unit tests: ranks that are run in any order, with faults and losses, or in every order;
/// beside <tutti/tutti.hpp>. Includes only.
#include <tutti/collectives/run_mock.hpp>
#include <tutti/transport/mock.hpp>
#include <tutti/transport/mock_explore.hpp>
