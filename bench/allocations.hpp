// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace bench {

/// How often the calling thread has called operator new.
std::int64_t allocations() noexcept;

} // namespace bench
