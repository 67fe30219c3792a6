// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>

#include <tutti/collectives/call.hpp>

#include "data_type.hpp"

namespace tutti::pmpi {

/// Where folding in another order, and a fold with its operands exchanged, gives the same bits: `of_two`
/// where only the latter does, so that two ranks have nothing to tell MPI's result and tutti's apart by.
enum class same_bits : std::uint8_t { never, of_two, always };

/// Elements and what folds them, as tutti has it.
struct reducible {
    element_shape shape{};
    operation_on_bytes by{};
    same_bits same = same_bits::never;
};

/// MPI's operation on elements of a type: by a loop of ours for the numbers of C and Fortran, by
/// MPI_Reduce_local for users' operations and for what has a place with its value. None for the rest, and for
/// what MPI refuses: that is left to MPI.
std::optional<reducible> reducible_of(MPI_Op op, const data_type& type);

} // namespace tutti::pmpi
