// SPDX-License-Identifier: BSL-1.0

// That this links is the test: nothing in the headers may be defined twice. That it returns 0 shows that both
// translation units mean the same objects, the catalogue among them.
#include <tutti/mock.hpp>
#include <tutti/processes.hpp>
#include <tutti/tutti.hpp>

#include "other.hpp"

int main() {
    const seen_by_the_other other = look();
    const bool same_name = other.name_of_bcast() == tutti::name_of(tutti::collective::bcast);
    const bool same_object = other.all_collectives == &tutti::all_collectives;
    // The other one has added it, to both lists that headers alone make.
    const bool has_own =
        tutti::find_algorithm(tutti::catalogue_of<tutti::collective::barrier>(), "own") != nullptr
        && tutti::find_algorithm(tutti::collective::barrier, "own") != nullptr;
    return same_name && same_object && has_own ? 0 : 1;
}
