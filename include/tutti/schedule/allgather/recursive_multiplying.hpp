// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/digits.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/pattern/survivors.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/butterfly.hpp>

namespace tutti {

/// Allgather in groups that multiply: in exchange i the f ranks whose numbers differ in digit i alone, to the
/// base f, send each other all they have, always a range of consecutive blocks. For several ports; f = 2 is
/// recursive doubling. The numbers are p' = b f^a <= p, with b < f as large as can be, and the last exchange
/// is one of b ranks. If r = p - p' > 0, of the first r pairs the odd rank gives its block to the even one
/// first and gets all the others last.
///
/// Rounds: one per digit, a or a + 1, of f - 1 messages each; 2 more if r > 0.
/// Volume: p - 1 of p blocks if r = 0; else rank 0, the busiest, sends p' - 1 + sum over i of min(f^i, r) as
/// often as it meets others in exchange i, and p - 1 at the end.
/// Order: nothing is folded. Restrictions: none; any f >= 2.
/// Source: Wilkins, Guo, Thakur, Dinda and Hardavellas 2023 ("Generalized collective algorithms for the
/// exascale era", recursive multiplying); ranks are removed as in Rabenseifner and Adamidis 2004,
/// section 3.5.
class allgather_recursive_multiplying {
public:
    constexpr allgather_recursive_multiplying(place at, rank_type radix)
        : at_(checked(at)), digits_(at.size, radix), group_(at.size, 0, digits_.count()) {}

    constexpr round_index rounds() const noexcept { return (group_.extra() > 0 ? 2 : 0) + digits_.places(); }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        // All that number 0 sends in the exchanges are the blocks of numbers 0 .. f^i - 1, i = 0, 1, ...; no
        // other range of as many numbers has more pairs in it.
        block_index sent = 0;
        for (int i = 0; i < digits_.places(); ++i) sent += held(0, i).count * (digits_.values(i) - 1);
        return moving_only({.max_outstanding = std::int64_t{2} * (digits_.most_values() - 1),
                            .rounds = rounds(),
                            .sent_blocks = sent + (group_.extra() > 0 ? at_.size - 1 : 0),
                            .uniform_rounds = group_.extra() > 0 ? 0 : rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (group_.extra() > 0) {
            if (i == 0) return detail::give_own_block(group_, at_.rank, sink);
            if (i == rounds() - 1) return detail::give_other_blocks(group_, at_.rank, at_.size, sink);
            if (group_.removed(at_.rank)) return;
            --i;
        }
        exchange(static_cast<int>(i), sink);
    }

private:
    /// Everybody begins with the next number of its group, so that the k-th message of one is the k-th of the
    /// other, too.
    /// Example with 5 ranks: radix 2: 0,2,3,4 are numbered 0,1,2,3. Rank 0 sends 0,1 to rank 2 and gets 2,
    /// then sends 0,1,2 to rank 3 and gets 3,4. Radix 3: 0,2,4 are 0,1,2. Rank 2 sends 2,3 to ranks 4 and 0
    /// and gets 0,1 and 4.
    template <class Sink>
    constexpr void exchange(int i, Sink& sink) const {
        const rank_type number = group_.number(at_.rank);
        const rank_type own = digits_.digit(number, i);
        const rank_type values = digits_.values(i);
        const auto other = [&](rank_type digit) { return number + (digit - own) * digits_.weight(i); };
        for (rank_type d = 1; d < values; ++d)
            sink(step::send(group_.rank_of(other(ahead(own, d, values))), held(number, i)));
        for (rank_type d = 1; d < values; ++d) {
            const rank_type from = other(behind(own, d, values));
            sink(step::recv(group_.rank_of(from), held(from, i)));
        }
    }

    /// The blocks of the f^i numbers around `number`, those of removed ranks among them.
    /// Example with 5 ranks, radix 2, i = 1: number 1 (rank 2) has blocks 0,1,2, number 3 (rank 4) 3,4.
    constexpr block_set held(rank_type number, int i) const noexcept {
        const rank_type many = digits_.weight(i);
        const rank_type first = number / many * many;
        const block_index begin = blocks_before(first);
        return {.first = begin, .count = blocks_before(first + many) - begin};
    }
    constexpr block_index blocks_before(rank_type number) const noexcept {
        return number + (number < group_.extra() ? number : group_.extra());
    }

    place at_;
    digits digits_;
    survivors group_;
};

static_assert(generator<allgather_recursive_multiplying>);

constexpr auto generate(collective_constant<collective::allgather>, const recursive_multiplying& how,
                        place at) {
    return allgather_recursive_multiplying(at, how.radix);
}

} // namespace tutti
