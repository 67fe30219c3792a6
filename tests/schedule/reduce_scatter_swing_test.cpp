// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/swing.hpp>

#include "support/exchanges.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<swing, collective::reduce_scatter>();
}

TEST_CASE("reduce_scatter swing is proved for any size", "[schedule][reduce_scatter][swing]") {
    prove_reduce_scatter<swing_exchanges>(make, [](rank_type size) { return size <= 2 || size == 4; });
}

TEST_CASE("reduce_scatter swing is the allgather of swing backwards", "[schedule][reduce_scatter][swing]") {
    check_backwards(make, factory_of<swing, collective::allgather>());
}
