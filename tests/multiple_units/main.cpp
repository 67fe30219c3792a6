// SPDX-License-Identifier: BSL-1.0

// That this links is the test: nothing in the headers may be defined twice. That it returns 0 shows that both
// translation units mean the same objects.
#include <tutti/tutti.hpp>

#include "other.hpp"

int main() {
    const seen_by_the_other other = look();
    const bool same_name = other.name_of_bcast() == tutti::name_of(tutti::collective::bcast);
    const bool same_object = other.all_collectives == &tutti::all_collectives;
    return same_name && same_object ? 0 : 1;
}
