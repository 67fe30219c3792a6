// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/relation.hpp>

#include "selection.hpp"

namespace program {

enum class ranks_are { threads, processes, mock };

inline constexpr option transport_option{
    "--transport", "WORD", "what the ranks are: threads, processes or mock; threads by default"};
ranks_are chosen_ranks(const arguments& given);

/// One collective, really run on so many ranks.
struct run_case {
    candidate what; ///< a multicast with what makes its schedules: over_relation
    tutti::rank_type size = 1;
    tutti::rank_type root = 0;
    std::optional<tutti::relation> who{}; ///< of a multicast
    int repeat = 1;                       ///< timed runs
    ranks_are over = ranks_are::threads;
    /// Seconds after which ranks that wait give up, and a process that does not come back from a call is
    /// killed after twice as many; 0: never. The mock knows without it when all wait.
    unsigned deadline = 0;
};

/// That candidate on so many ranks.
run_case case_of(const candidate& what, tutti::rank_type size);

struct run_result {
    std::int64_t elements = 0; ///< of the whole vector: what a rank gives or gets, whichever is more
    std::int64_t bytes = 0;
    double time_us = -1;  ///< median over the runs, the slowest rank of each; -1 if none was timed
    bool refused = false; ///< by the call, before the first message, and rightly so
    std::string wrong;    ///< what is wrong; empty if nothing is
};

/// Runs collectives on one type of elements, with one operation on them.
class element_type {
public:
    virtual ~element_type() = default;

    virtual std::size_t bytes_per_element() const = 0;

    /// Makes the inputs of all ranks and what a serial program computes from them.
    virtual void prepare(tutti::rank_type size, std::int64_t elements) = 0;

    /// Runs cases of one size on what was prepared, in turn and on the same ranks: each once apart, once in
    /// place, both compared with the serial results, then the timed runs. Where the vector is cut into a
    /// block per rank of equal lengths, elements are rounded up to a multiple of the size; with blocks of
    /// very different ones it is compared, too, as what allgatherv and its like do.
    virtual std::vector<run_result> run(std::span<const run_case> cases) = 0;

    /// Times cases of one collective on what was prepared, in turn: for each, the microseconds of the slowest
    /// rank in every repetition. Throws what a call throws.
    virtual std::vector<std::vector<double>> time(std::span<const run_case> cases) = 0;
};

std::unique_ptr<element_type> make_int();    ///< 32 bits, sum
std::unique_ptr<element_type> make_double(); ///< sum
std::unique_ptr<element_type> make_struct(); ///< 24 bytes, an operation of its own, declared commutative
std::unique_ptr<element_type> make_matrix(); ///< 2 x 2, the product: not commutative

/// Barriers: nobody may leave before all have come.
std::vector<run_result> run_barriers(std::span<const run_case> cases);

} // namespace program
