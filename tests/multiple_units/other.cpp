// SPDX-License-Identifier: BSL-1.0

// The prover before what draws: no name of its own may mean another thing there.
#include <tutti/verify/prover.hpp>

#include <tutti/mock.hpp>
#include <tutti/processes.hpp>
#include <tutti/tutti.hpp>
// In this order, too.
#include <tutti/tools.hpp>

#include "other.hpp"

namespace {
struct own {};
auto generate(tutti::collective_constant<tutti::collective::barrier> what, own, tutti::place at) {
    return generate(what, tutti::dissemination{}, at);
}
const tutti::in_catalogue<tutti::collective::barrier, own> joined{"own"};
} // namespace

seen_by_the_other look() {
    return {[] { return tutti::name_of(tutti::collective::bcast); }, &tutti::all_collectives};
}
