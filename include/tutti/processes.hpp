// SPDX-License-Identifier: BSL-1.0
#pragma once

/// Ranks that are processes, on Linux: beside <tutti/tutti.hpp>. Includes only.
#include <tutti/collectives/run_processes.hpp>
#include <tutti/transport/attach.hpp>
#include <tutti/transport/processes.hpp>
#include <tutti/transport/shared_buffer.hpp>
