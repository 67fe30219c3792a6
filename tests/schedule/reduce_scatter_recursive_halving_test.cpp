// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/recursive_halving.hpp>

#include <vector>

#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<recursive_halving, collective::reduce_scatter>();
}

TEST_CASE("reduce_scatter recursive_halving is proved for any size",
          "[schedule][reduce_scatter][recursive_halving]") {
    for (rank_type size = 1; size <= 200; ++size) {
        const proof p = check_proved(collective::reduce_scatter, size, 0, make);
        const bool even = floor_pow2(size) == size;
        CHECK(p.rounds == floor_log2(size) + (even ? 0 : 2));
        CHECK(p.sent_blocks == size - 1);
        CHECK(p.reduced_blocks == doubling_exchanges::sent(survivors(size)) + (even ? 0 : size - 1));
        CHECK(p.order_preserved == (size <= 2));
    }
}

TEST_CASE("reduce_scatter recursive_halving is the allgather of recursive_doubling backwards",
          "[schedule][reduce_scatter][recursive_halving]") {
    for (const rank_type size : {5, 8})
        for (rank_type r = 0; r < size; ++r) {
            const any_generator forward =
                factory_of<recursive_doubling, collective::allgather>()({r, size, 0});
            const any_generator back = make({r, size, 0});
            for (round_index i = 0; i < back.rounds(); ++i) {
                std::vector<step> sent;
                std::vector<step> received;
                back.emit(i,
                          [&](const step& s) { (s.kind == step_kind::send ? sent : received).push_back(s); });
                std::size_t k = 0;
                std::size_t l = 0;
                forward.emit(back.rounds() - 1 - i, [&](const step& s) {
                    const step& other = s.kind == step_kind::send ? received.at(k++) : sent.at(l++);
                    CHECK(s.peer == other.peer);
                    CHECK(s.blocks == other.blocks);
                    CHECK(s.continues() == other.continues());
                });
                CHECK(k == received.size());
                CHECK(l == sent.size());
            }
        }
}
