// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

#include <tutti/model/rabenseifner_2004.hpp>

namespace support {

/// A network of nearly half and one of full duplex; latency or transfer alone; folding dearer than all.
inline const std::vector<tutti::rabenseifner_2004::model>& rabenseifner_machines() {
    static const std::vector<tutti::rabenseifner_2004::model> all{{8, 0.0066, 0.003, 5, 0.00336},
                                                                  {10, 0.004, 0.006, 10, 0.004},
                                                                  {1, 0, 0, 0.75, 0},
                                                                  {0, 1, 0, 0, 0.75},
                                                                  {1, 0.001, 0.5, 0.9, 0.0006}};
    return all;
}

} // namespace support
