// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/pattern/digits.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/pattern/survivors.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/butterfly.hpp>

namespace tutti {

/// Allreduce of whole vectors in groups that multiply: in exchange i the f ranks whose numbers differ in
/// digit i alone, to the base f, send each other what they have, and all fold it. For short vectors and
/// several ports; f = 2 is recursive doubling. The numbers are p' = b f^a <= p, with b < f as large as can
/// be, and the last exchange is one of b ranks. If p is not p', the odd ranks of the first pairs give their
/// vector to the even ones first and get the result last.
///
/// Rounds: one per digit, a or a + 1, of f - 1 messages each; 2 more if p is not p'.
/// Volume: the busiest rank sends and folds (f-1) a + b - 1 vectors (of one block), and one more if p is not
/// p'.
/// Order: kept. All fold from the left to the right, so all have the same bits: who is third or further to
/// the right in its group folds what is left of it in scratch first. Restrictions: none; any f >= 2.
/// Source: Wilkins, Guo, Thakur, Dinda and Hardavellas 2023 ("Generalized collective algorithms for the
/// exascale era", recursive multiplying); f = 2 and ranks that are removed as in Rabenseifner and Adamidis
/// 2004, section 3.4. Folding in order is not in either.
class allreduce_recursive_multiplying {
public:
    constexpr allreduce_recursive_multiplying(place at, rank_type radix)
        : at_(checked(at)), digits_(at.size, radix), group_(at.size, 0, digits_.count()) {}

    constexpr round_index rounds() const noexcept { return (group_.extra() > 0 ? 2 : 0) + digits_.places(); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        // The even rank of a pair sends once more, the result, and folds once more, its partner's vector.
        const rank_type moved = digits_.partners() + (group_.extra() > 0 ? 1 : 0);
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .canonical_tree = digits_.most_values() <= 2 && group_.fold_canonically(),
                .scratch_blocks = digits_.most_values() > 2 ? 1 : 0,
                .max_outstanding = std::int64_t{2} * (digits_.most_values() - 1),
                .rounds = rounds(),
                .sent_blocks = moved,
                .reduced_blocks = moved,
                .uniform_rounds = group_.extra() > 0 || digits_.most_values() > 2 ? 0 : rounds()};
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        if (group_.extra() > 0) {
            if (i == 0) return detail::give_vector(group_, at_.rank, sink);
            if (i == rounds() - 1) return detail::give_result(group_, at_.rank, blocks(), sink);
            if (group_.removed(at_.rank)) return;
            --i;
        }
        exchange(static_cast<int>(i), sink);
    }

private:
    static constexpr block_set whole{.first = 0, .count = 1};

    /// Example with 5 ranks: radix 2: 0,2,3,4 are numbered 0,1,2,3; rank 0 meets rank 2, then rank 3. Radix
    /// 5: rank 2 sends its vector to 3,4,0,1, folds 0 and 1 in scratch, that into its own, then 3 and 4.
    template <class Sink>
    TUTTI_INLINE constexpr void exchange(int i, Sink& sink) const {
        const rank_type number = group_.number(at_.rank);
        const rank_type own = digits_.digit(number, i);
        const rank_type values = digits_.values(i);
        const rank_type weight = digits_.weight(i);
        const auto peer = [&](rank_type digit) { return group_.rank_of(number + (digit - own) * weight); };
        for (rank_type d = 1; d < values; ++d) sink(step::send(peer(ahead(own, d, values)), whole));
        if (own == 1) sink(step::recv_reduce(peer(0), whole, operand_side::left));
        if (own > 1) {
            sink(step::recv(peer(0), whole, buffer_name::scratch));
            for (rank_type d = 1; d < own; ++d)
                sink(step::recv_reduce(peer(d), whole, operand_side::right, buffer_name::scratch));
            sink(step::reduce(whole, buffer_name::scratch, buffer_name::work, operand_side::left));
        }
        for (rank_type d = own + 1; d < values; ++d)
            sink(step::recv_reduce(peer(d), whole, operand_side::right));
    }

    place at_;
    digits digits_;
    survivors group_;
};

static_assert(generator<allreduce_recursive_multiplying>);

constexpr auto generate(collective_constant<collective::allreduce>, const recursive_multiplying& how,
                        place at) {
    return allreduce_recursive_multiplying(at, how.radix);
}

} // namespace tutti
