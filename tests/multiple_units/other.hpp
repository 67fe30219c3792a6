// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

/// What the other translation unit sees of the same library.
struct seen_by_the_other {
    std::string_view (*name_of_bcast)();
    const void* all_collectives;
};

seen_by_the_other look();
