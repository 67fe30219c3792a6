// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include <tutti/core/math.hpp>

#include "support/extent.hpp"
#include "support/proving.hpp"

namespace tutti::testing {

/// Proves `how` for C at all sizes up to `largest` and all roots. All claims must hold, and the order must be
/// claimed wherever it is kept: the prover itself only refuses to have too much claimed. Where a sanitizer
/// watches, sizes beyond 40 are left to the test of the whole catalogue.
template <collective C, class Algorithm>
void prove_up_to(rank_type largest, const Algorithm& how) {
    const auto make = factory_of<Algorithm, C>(how);
    for (rank_type size = 1; size <= support::up_to(largest, 40); ++size)
        for (rank_type root = 0; root < (has_root(C) ? size : 1); ++root) {
            if (!support::searches_root(root, size)) continue;
            const proof p = check_proved(C, size, root, make);
            const capabilities claims = make({0, size, root}).claims();
            INFO(name_of(C) << ", size " << size << ", root " << root);
            REQUIRE(claims.order_preserving == p.order_preserved);
            REQUIRE(claims.same_bits_on_all_ranks == p.same_bits);
            REQUIRE(claims.rounds == p.rounds);
            REQUIRE(claims.sent_blocks == p.sent_blocks);
            REQUIRE(claims.reduced_blocks == p.reduced_blocks);
            REQUIRE(claims.max_outstanding == p.max_outstanding);
        }
}

/// Proves that a reduction or allreduce keeps the order of the ranks, and all that get the result get the
/// same bits: at all sizes up to 70 with all roots, and at some larger ones with some.
inline void prove_in_order(collective what, const generator_factory& make) {
    const auto check = [&](rank_type size, rank_type root) {
        const proof p = check_proved(what, size, root, make);
        INFO("size " << size << ", root " << root);
        CHECK(p.order_preserved);
        CHECK(p.same_bits);
    };
    for (rank_type size = 1; size <= 70; ++size)
        for (rank_type root = 0; root < (has_root(what) ? size : 1); ++root)
            if (support::searches_root(root, size)) check(size, root);
    for (const rank_type size : {96, 127, 128, 129, 257})
        for (const rank_type root : {0, 1, 63, 64, size - 1})
            if (root == 0 || has_root(what)) check(size, root);
}

/// Proves that an allgather takes the fewest rounds there can be, ceil(lg p) alpha, and moves the least,
/// (p - 1) m beta.
inline void reaches_both_bounds(rank_type size, const generator_factory& make) {
    const proof p = check_proved(collective::allgather, size, 0, make);
    INFO("size " << size);
    CHECK(p.rounds == ceil_log2(size));
    CHECK(p.rounds == p.bounds.rounds);
    CHECK(p.critical_messages == p.rounds);
    CHECK(p.sent_blocks == size - 1);
    CHECK(p.sent_blocks == p.bounds.sent_blocks);
    CHECK(p.critical_sent == size - 1);
}

inline void reaches_both_bounds_up_to(rank_type largest, const generator_factory& make) {
    for (rank_type size = 1; size <= largest; ++size) reaches_both_bounds(size, make);
}

/// The same at all powers of two up to 256.
inline void reaches_both_bounds_for_powers_of_two(const generator_factory& make) {
    for (rank_type size = 1; size <= 256; size *= 2) reaches_both_bounds(size, make);
}

/// Calls f(proof, size, segments) for all sizes from 2 to 200, with some numbers of segments in turn: with
/// all of them, what an instrumented prover takes is long. The root, if there is one, is a third of the size.
template <collective C, class Algorithm, class F>
void for_each_segmented(const F& f) {
    constexpr block_index some[]{1, 2, 5, 16, 33};
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        const block_index segments = some[size % 5];
        CAPTURE(size, segments);
        f(check_proved(C, size, has_root(C) ? size / 3 : 0, factory_of<Algorithm, C>({segments})), size,
          segments);
    }
}

/// One line per rank and round that is not idle: "0.1: fold right 2 [0]; send 3 [1..2]".
inline std::string schedule_text(rank_type size, rank_type root, const generator_factory& make) {
    std::string text;
    for (rank_type r = 0; r < size; ++r) {
        const any_generator g = make({r, size, root});
        for (round_index i = 0; i < g.rounds(); ++i) {
            std::string line;
            g.emit(i, [&](const step& s) {
                line += line.empty() ? " " : "; ";
                switch (s.kind) {
                case step_kind::send: line += "send"; break;
                case step_kind::recv: line += "recv"; break;
                case step_kind::copy: line += "copy"; break;
                case step_kind::recv_reduce:
                case step_kind::reduce:
                    line += s.side() == operand_side::left ? "fold left" : "fold right";
                    break;
                }
                if (s.is_message()) line += " " + std::to_string(s.peer);
                const block_index last = s.blocks.first + s.blocks.count - 1;
                line += " [" + (s.blocks.count == 0 ? "" : std::to_string(s.blocks.first));
                line += (s.blocks.count > 1 ? ".." + std::to_string(last) : "") + "]";
            });
            if (!line.empty()) text += std::to_string(r) + "." + std::to_string(i) + ":" + line + "\n";
        }
    }
    return text;
}

} // namespace tutti::testing
