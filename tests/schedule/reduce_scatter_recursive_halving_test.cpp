// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/recursive_halving.hpp>

#include "support/exchanges.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<recursive_halving, collective::reduce_scatter>();
}

TEST_CASE("reduce_scatter recursive_halving is proved for any size",
          "[schedule][reduce_scatter][recursive_halving]") {
    prove_reduce_scatter<doubling_exchanges>(make, [](rank_type size) { return size <= 2; });
}

TEST_CASE("reduce_scatter recursive_halving is the allgather of recursive_doubling backwards",
          "[schedule][reduce_scatter][recursive_halving]") {
    check_backwards(make, factory_of<recursive_doubling, collective::allgather>());
}
