// SPDX-License-Identifier: BSL-1.0
#include <tutti/tutti.hpp>

#include "other.hpp"

seen_by_the_other look() {
    return {[] { return tutti::name_of(tutti::collective::bcast); }, &tutti::all_collectives};
}
