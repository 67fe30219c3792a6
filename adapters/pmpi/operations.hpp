// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>

#include <tutti/collectives/call.hpp>

#include "data_type.hpp"

namespace tutti::pmpi {

/// Elements and what folds them, as tutti has it.
struct reducible {
    element_shape shape{};
    operation_on_bytes by{};
    bool exact = false; ///< in whatever order they are folded, the result has the same bits
};

/// MPI's operation on elements of a type: by a loop of ours for the numbers of C and Fortran, by
/// MPI_Reduce_local for users' operations and for what has a place with its value. None for the rest, and for
/// what MPI refuses: that is left to MPI.
std::optional<reducible> reducible_of(MPI_Op op, const data_type& type);

} // namespace tutti::pmpi
