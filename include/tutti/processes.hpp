// SPDX-License-Identifier: BSL-1.0
#pragma once

/// Ranks that are processes, on Linux: beside <tutti/tutti.hpp>. Includes only.
#if __cplusplus < 202002L
#error "tutti needs C++20: -std=c++20"
#else
#include <tutti/collectives/run_processes.hpp>
#include <tutti/transport/attach.hpp>
#include <tutti/transport/processes.hpp>
#include <tutti/transport/shared_buffer.hpp>
#endif
