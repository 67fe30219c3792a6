// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/distance_doubling.hpp>

#include "support/exchanges.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<distance_doubling, collective::reduce_scatter>();
}

TEST_CASE("reduce_scatter distance_doubling is proved for any size",
          "[schedule][reduce_scatter][distance_doubling]") {
    prove_reduce_scatter<halving_exchanges>(make, [](rank_type size) { return floor_pow2(size) == size; });
}

TEST_CASE("reduce_scatter distance_doubling is the allgather of distance_halving backwards",
          "[schedule][reduce_scatter][distance_doubling]") {
    check_backwards(make, factory_of<distance_halving, collective::allgather>());
}
