// SPDX-License-Identifier: BSL-1.0
#include <tutti/choose/default_choices.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <tutti/model/decision_rule.hpp>
#include <tutti/model/default_machine.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/model/measured.hpp>
#include <tutti/model/rank_algorithms.hpp>
#include <tutti/model/selection.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

struct bound {
    collective what;
    double most; ///< times the best price
};

/// Compares prices on `on` of what the tables choose with those of the best, for 8 bytes up to `longest`.
void check_tables(const machine& on, cores here, std::span<const rank_type> sizes,
                  std::span<const bound> bounds, std::int64_t longest = 4 << 20, bool commutative = true) {
    for (const auto& [what, most] : bounds) {
        double worst = 1;
        std::string where;
        for (const rank_type size : sizes)
            for (std::int64_t bytes = 8; bytes <= longest; bytes *= 8) {
                const request_facts facts{.at = {0, size, 0}, .bytes = bytes, .commutative = commutative};
                const choice& ours = default_choice(what, facts, here).to;
                const candidate mine{find_algorithm(what, ours.algorithm), ours.with};
                const selection_request request{.what = what,
                                                .size = size,
                                                .bytes = bytes,
                                                .commutative = commutative,
                                                .equal_blocks = !has_unequal_blocks(what),
                                                .every_root = true}; // as a rule has to
                const double best = rank_algorithms(on, request).best().cost.us;
                const std::vector<candidate> alone{mine};
                const double us = rank_candidates(on, request, alone).best().cost.us;
                if (us / best <= worst) continue;
                worst = us / best;
                where = name_of(mine) + " on " + std::to_string(size) + " ranks, " + std::to_string(bytes)
                        + " bytes";
            }
        INFO(name_of(what) << ": " << where << " costs " << worst << " times the best by the models");
        CHECK(worst <= most);
    }
}

} // namespace

TEST_CASE("models think the tables that ship not far from the best", "[choose][model]") {
    // The tables were measured for up to 16 ranks with cores of their own, on another machine than the one
    // that the models were fitted to: a change of either that the other does not follow shows here. `most` is
    // a little above what it was when this was written. The rows for two ranks were measured where 2 KiB more
    // in a pipeline cost less than the models say.
    constexpr rank_type sizes[]{2, 3, 4, 6, 8, 12, 16};
    constexpr bound bounds[]{{collective::barrier, 1.35},
                             {collective::bcast, 1.95},
                             {collective::reduce, 3.55},
                             {collective::allreduce, 2.5},
                             {collective::reduce_scatter, 1.35},
                             {collective::allgather, 1.35},
                             {collective::gather, 1.5},
                             {collective::scatter, 1.45},
                             {collective::alltoall, 1.8},
                             {collective::exscan, 1.2},
                             {collective::scan, 3.55}};
    check_tables(default_machine(), cores::own, sizes, bounds);
}

TEST_CASE("rules for more ranks than were measured are what models think nearly the best",
          "[choose][model]") {
    // These were priced, by the same models: what a new algorithm, or another model, would do better shows
    // here. Rules are few, and take no more algorithms than calls should have to compile.
    constexpr rank_type sizes[]{24, 64, 100, 512, 1000, 4096};
    constexpr bound bounds[]{{collective::barrier, 1.4},
                             {collective::bcast, 1.6},
                             {collective::reduce, 1.35},
                             {collective::allreduce, 1.2},
                             {collective::reduce_scatter, 1.35},
                             {collective::allgather, 1.5},
                             {collective::gather, 1.25},
                             {collective::scatter, 1.3},
                             {collective::alltoall, 1.25},
                             {collective::exscan, 1.2},
                             {collective::scan, 1.2}};
    constexpr bound in_order[]{
        {collective::reduce, 1.15},
        {collective::allreduce, 2.2}, // binary_blocks: dearer to compile than so many ranks are usual
        {collective::reduce_scatter, 1.25}};
    constexpr std::int64_t longest = 16 << 20;
    check_tables(default_machine(), cores::own, sizes, bounds, longest);
    check_tables(default_machine(), cores::own, sizes, in_order, longest, false);
}

TEST_CASE("models think less of the tables for ranks that share cores, but no worse than when they were made",
          "[choose][model]") {
    // These were measured on two cores. All that models know of it is that every message costs a switch, and
    // that all work takes as much longer as ranks share a core, even while the others wait. So they think
    // little of chains and of what goes to one rank or from one rank, which won when it was measured, and the
    // bounds do not say what is right: as above, that neither changes without the other.
    constexpr rank_type sizes[]{3, 4, 6, 8, 12, 16, 32};
    constexpr bound bounds[]{{collective::barrier, 2.05},
                             {collective::bcast, 20},
                             {collective::reduce, 5.9},
                             {collective::allreduce, 5.6},
                             {collective::reduce_scatter, 4.8},
                             {collective::allgather, 4.35},
                             {collective::gather, 3.5},
                             {collective::scatter, 5.5},
                             {collective::alltoall, 2.05},
                             {collective::exscan, 11},
                             {collective::scan, 7.2}};
    machine crowded = default_machine();
    std::get<measured>(crowded.model).cores = 2;
    check_tables(crowded, cores::shared, sizes, bounds);
}
