// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce/reduce_scatter_gather.hpp>

#include <algorithm>

#include <tutti/schedule/named.hpp>
#include <tutti/schedule/reduce_scatter/direct.hpp>
#include <tutti/schedule/reduce_scatter/pairwise.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("reduce-scatter and gather reduce for every size, root and radix",
          "[schedule][reduce][reduce_scatter_gather]") {
    const rank_type radix = GENERATE(2, 3, 4, 7, 100);
    CAPTURE(radix);
    prove_up_to<collective::reduce>(radix == 2 ? 70 : 30, reduce_scatter_gather<>{radix, {}});
}

TEST_CASE("a reduction of at most 3/2 of the vector in 2 ceil(lg p) rounds, for every size",
          "[schedule][reduce][reduce_scatter_gather]") {
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        const proof p = check_proved(collective::reduce, size, size / 3,
                                     factory_of<reduce_scatter_gather<>, collective::reduce>());
        const rank_type half = static_cast<rank_type>(1 << (ceil_log2(size) - 1)); // below `size`
        CHECK(p.rounds == 2 * ceil_log2(size));
        CHECK(p.critical_messages == p.rounds);
        CHECK(p.sent_blocks == size - 1 + std::max(size - half, half / 2));
        CHECK(p.sent_blocks <= 3 * size / 2 - 1);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
    }
}

TEST_CASE("the order is that of the reduce-scatter", "[schedule][reduce][reduce_scatter_gather]") {
    for (rank_type size = 1; size <= 30; ++size)
        for (rank_type root = 0; root < size; ++root) {
            const auto ordered = factory_of<reduce_scatter_gather<direct>, collective::reduce>();
            const auto unordered = factory_of<reduce_scatter_gather<pairwise>, collective::reduce>();
            CHECK(check_proved(collective::reduce, size, root, ordered).order_preserved);
            CHECK(ordered({0, size, root}).claims().order_preserving);
            CHECK(check_proved(collective::reduce, size, root, unordered).order_preserved == (size <= 2));
        }
}

TEST_CASE("every reduce_scatter of the catalogue serves, and folds as it does alone",
          "[schedule][reduce][reduce_scatter_gather]") {
    for (const catalogue_entry& entry : catalogue_of(collective::reduce_scatter))
        for (rank_type size = 1; size <= 30; ++size) {
            CAPTURE(entry.name, size);
            const auto first = [&](place at) { return entry.make(at, {}); };
            const proof alone = check_proved(collective::reduce_scatter, size, 0, first);
            // Of one rank the order is claimed whatever the reduce_scatter says of it.
            const std::string weak = size == 1 ? "" : weak_claims(first({0, size, 0}).claims(), alone, size);
            for (rank_type root = 0; root < size; ++root) {
                if (!support::searches_root(root, size)) continue;
                const auto make =
                    factory_of<reduce_scatter_gather<named>, collective::reduce>({2, {.name = entry.name}});
                const proof p = check_proved(collective::reduce, size, root, make);
                REQUIRE(p.rounds == alone.rounds + ceil_log2(size));
                REQUIRE(p.reduced_blocks == alone.reduced_blocks);
                REQUIRE(p.order_preserved == alone.order_preserved);
                REQUIRE(p.canonical_tree == alone.canonical_tree);
                REQUIRE(weak_claims(make({0, size, root}).claims(), p, size) == weak);
            }
        }
}

TEST_CASE("the reduction of 5 ranks ends as the example of the header does",
          "[schedule][reduce][reduce_scatter_gather]") {
    const auto make = factory_of<reduce_scatter_gather<>, collective::reduce>();
    const std::string text = schedule_text(5, 0, make);
    for (const char* line :
         {"0.0: send 3 [3..4]; fold right 2 [0..1]\n",
          "0.3: recv 1 [1]\n0.4: recv 2 [2..3]\n0.5: recv 4 [4]\n", "1.3: send 0 [1]\n",
          "2.3: recv 3 [3]\n2.4: send 0 [2..3]\n", "3.3: send 2 [3]\n", "4.5: send 0 [4]\n"})
        CHECK(text.find(line) != std::string::npos);
}

static_assert(generate(of<collective::reduce>, reduce_scatter_gather{}, {3, 1 << 20, 0}).rounds() == 40);
