// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <vector>

#include <tutti/core/math.hpp>
#include <tutti/pattern/survivors.hpp>

#include "support/proving.hpp"

/// What allgathers by pairwise exchanges, with one rank of a pair removed if their number is no power of two,
/// have to fulfil alike; and reduce-scatters, which are such allgathers backwards.
namespace tutti::testing {

/// An allgather takes one round more than the least unless the size is a power of two; nothing comes twice.
template <class Exchanges>
void check_one_round_more(const generator_factory& make) {
    for (rank_type size = 3; size <= 129; ++size) {
        if (floor_pow2(size) == size) continue;
        CAPTURE(size);
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == p.bounds.rounds + 1);
        CHECK(p.sent_blocks == Exchanges::sent(survivors(size)) + size - 1);
        CHECK(p.received_blocks == size - 1);
    }
}

/// In the last exchange of an allgather half the vector goes to the nearest rank.
inline void check_half_to_the_nearest(const generator_factory& make) {
    for (const rank_type size : {8, 64})
        for (rank_type r = 0; r < size; ++r) {
            CAPTURE(size, r);
            block_index sent = 0;
            make({r, size, 0}).emit(ceil_log2(size) - 1, [&](const step& s) {
                CHECK(s.peer == (r ^ 1));
                if (s.kind == step_kind::send) sent += s.blocks.count;
            });
            CHECK(sent == size / 2);
        }
}

/// A reduce-scatter is proved for any size, and keeps the order of the ranks where `in_order(size)` says so.
template <class Exchanges>
void prove_reduce_scatter(const generator_factory& make, bool (*in_order)(rank_type size)) {
    for (rank_type size = 1; size <= 200; ++size) {
        CAPTURE(size);
        const proof p = check_proved(collective::reduce_scatter, size, 0, make);
        const bool even = floor_pow2(size) == size;
        CHECK(p.rounds == floor_log2(size) + (even ? 0 : 2));
        CHECK(p.sent_blocks == size - 1);
        CHECK(p.reduced_blocks == Exchanges::sent(survivors(size)) + (even ? 0 : size - 1));
        CHECK(p.order_preserved == in_order(size));
    }
}

/// What is sent in a round of one is received in the same round of the other, counted from the end.
inline void check_backwards(const generator_factory& one, const generator_factory& other) {
    for (const rank_type size : {5, 8})
        for (rank_type r = 0; r < size; ++r) {
            CAPTURE(size, r);
            const any_generator back = one({r, size, 0});
            const any_generator forward = other({r, size, 0});
            for (round_index i = 0; i < back.rounds(); ++i) {
                std::vector<step> sent;
                std::vector<step> received;
                back.emit(i,
                          [&](const step& s) { (s.kind == step_kind::send ? sent : received).push_back(s); });
                std::size_t k = 0;
                std::size_t l = 0;
                forward.emit(back.rounds() - 1 - i, [&](const step& s) {
                    const step& turned = s.kind == step_kind::send ? received.at(k++) : sent.at(l++);
                    CHECK(s.peer == turned.peer);
                    CHECK(s.blocks == turned.blocks);
                    CHECK(s.continues() == turned.continues());
                });
                CHECK(k == received.size());
                CHECK(l == sent.size());
            }
        }
}

} // namespace tutti::testing
