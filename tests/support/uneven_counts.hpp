// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <vector>

namespace support {

/// Elements per rank: blocks of any lengths, also none.
inline const std::vector<std::vector<std::int64_t>> uneven_counts{{1},
                                                                  {0},
                                                                  {3, 0},
                                                                  {0, 4},
                                                                  {2, 5, 1},
                                                                  {0, 0, 0},
                                                                  {0, 9, 0},
                                                                  {4, 4, 4},
                                                                  {0, 0, 0, 0, 7},
                                                                  {1000, 0, 3, 1, 5120},
                                                                  {0, 1, 2, 3, 4, 5, 6}};

} // namespace support
