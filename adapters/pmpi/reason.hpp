// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tutti::pmpi {

/// Why a call was run by whom it was; first those of calls that were left to MPI.
enum class reason : std::uint8_t {
    told,          ///< by TUTTI_OFF
    no_wires,      ///< its communicator has one rank, joins two groups, or has no memory to share
    first_here,    ///< moves data, and may stay the only one of its communicator
    not_served,    ///< by its arguments
    turn_of_mpi,   ///< on trial
    faster_by_mpi, ///< trial is over
    turn_of_tutti, ///< on trial
    as_fast,       ///< trial is over
    other_bits,    ///< was not timed: MPI's own result might differ from that of other calls
    not_tried,     ///< was not timed: no trials are made; the last one
};
inline constexpr std::size_t number_of_reasons = static_cast<std::size_t>(reason::not_tried) + 1;

constexpr bool is_of_tutti(reason why) noexcept { return why >= reason::turn_of_tutti; }

/// As the report has it, behind a number of calls.
constexpr const char* name_of(reason why) noexcept {
    switch (why) {
    case reason::told: return "by TUTTI_OFF";
    case reason::no_wires: return "of one rank, between groups or without memory to share";
    case reason::first_here: return "the first on a communicator";
    case reason::not_served: return "of nothing, of too much or of what MPI alone knows";
    case reason::turn_of_mpi:
    case reason::turn_of_tutti: return "on trial";
    case reason::faster_by_mpi: return "where MPI's own is faster";
    case reason::as_fast: return "where MPI's own is no faster";
    case reason::other_bits: return "untimed: MPI's own might have other bits";
    case reason::not_tried: return "untimed: no trials";
    }
    return "";
}

} // namespace tutti::pmpi
