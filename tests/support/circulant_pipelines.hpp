// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/schedule/algorithm.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

/// What collectives through circulant pipelines have to fulfil alike.
namespace tutti::testing {

/// Träff: S segments of a broadcast or a reduction take ceil(lg p) + S - 1 rounds.
template <collective C>
void check_circulant_segments() {
    for_each_segmented<C, circulant_pipeline>([](const proof& p, rank_type size, block_index segments) {
        CHECK(p.rounds == ceil_log2(size) + segments - 1);
        CHECK((C == collective::reduce ? p.sent_blocks : p.received_blocks) == segments);
        CHECK(p.max_outstanding <= 2); // one each way
        for (const block_index many : {1, 2, 5, 16, 33})
            CHECK(generate(of<C>, circulant_pipeline{many}, {0, size, 0}).rounds()
                  == ceil_log2(size) + many - 1);
    });
}

/// An allgather or reduce-scatter is proved for every size and number of segments.
template <collective C>
void prove_circulant_parts() {
    for (const block_index segments : {1, 2, 3, 4, 5, 6, 7, 8, 13}) {
        CAPTURE(segments);
        prove_up_to<C>(segments == 1 || segments == 3 ? 70 : 25, circulant_pipeline{segments});
    }
}

/// Träff: S segments of each part take ceil(lg p) + S - 1 rounds, and nobody sends more than others, or folds
/// more than has to be.
template <collective C>
void check_circulant_parts() {
    for (rank_type size = 2; size <= 200; size += size < 70 ? 1 : 7) {
        const block_index segments = 1 + size % 4;
        CAPTURE(size, segments);
        const proof p = check_proved(C, size, 0, factory_of<circulant_pipeline, C>({segments}));
        CHECK(p.rounds == ceil_log2(size) + segments - 1);
        CHECK(p.critical_messages == p.rounds);
        CHECK(p.critical_sent == (size - 1) * segments);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
        CHECK(p.uniform_rounds == p.rounds);
    }
}

} // namespace tutti::testing
