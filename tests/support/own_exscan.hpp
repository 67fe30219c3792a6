// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/schedule/catalogue.hpp>

/// An algorithm that is none of tutti's, with an option that none of tutti's has; whoever includes this has
/// it in the catalogue.
namespace support {

/// An exclusive scan along the line of ranks, the vector in `pieces`.
struct line {
    std::int64_t pieces = 2; // >= 1

    void options(auto& is) { is("pieces", pieces, {1, 4, 128}); }
};

/// Rank r gets piece j in round r-1+j, folds its own to it in scratch, and sends that on in the next.
/// Example with 3 ranks and 2 pieces: 0->1 piece 0; 0->1 piece 1 and 1->2 piece 0; 1->2 piece 1.
struct exscan_line {
    tutti::place at;
    std::int64_t pieces;

    bool is_last() const { return at.rank == at.size - 1; }

    tutti::round_index rounds() const { return at.size < 2 ? 0 : at.size - 2 + pieces; }
    tutti::block_index blocks() const { return pieces; }
    tutti::capabilities claims() const {
        const bool passes_on = at.size > 2;
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .reads_input = passes_on,
                .scratch_blocks = passes_on ? pieces : 0,
                .max_outstanding = passes_on && pieces > 1 ? 2
                                   : at.size > 1           ? 1
                                                           : 0,
                .rounds = rounds(),
                .sent_blocks = at.size > 1 ? pieces : 0,
                .reduced_blocks = passes_on ? pieces : 0};
    }
    void emit(tutti::round_index i, auto&& sink) const {
        using tutti::step, tutti::buffer_name;
        const auto piece = [](tutti::block_index j) { return tutti::block_set{.first = j, .count = 1}; };
        const tutti::block_index out = i - at.rank;
        const tutti::block_index in = out + 1;
        if (!is_last() && out >= 0 && out < pieces)
            sink(step::send(at.rank + 1, piece(out),
                            at.rank == 0 ? buffer_name::input : buffer_name::scratch));
        if (at.rank == 0 || in < 0 || in >= pieces) return;
        sink(step::recv(at.rank - 1, piece(in)));
        if (is_last()) return;
        sink(step::copy(piece(in), buffer_name::work, buffer_name::scratch));
        sink(step::reduce(piece(in), buffer_name::input, buffer_name::scratch, tutti::operand_side::right));
    }
};

inline auto generate(tutti::collective_constant<tutti::collective::exscan>, const line& how,
                     tutti::place at) {
    if (how.pieces < 1) tutti::detail::throw_argument("pieces", how.pieces, "at least 1");
    return exscan_line{tutti::checked(at), how.pieces};
}

inline const tutti::in_catalogue<tutti::collective::exscan, line> joined{"line", "p-2+S, S pieces",
                                                                         "sent 1, folded 1", "a test"};

} // namespace support
