// SPDX-License-Identifier: BSL-1.0
#include <tutti/choose/default_choices.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/model/default_machine.hpp>
#include <tutti/model/rank_algorithms.hpp>
#include <tutti/model/selection.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("models think the tables that ship not far from the best", "[choose][model]") {
    // The tables were measured where a rank has a core of its own for 2 ranks, and priced beyond: a change of
    // either that the other does not follow shows here. `most` is a little above what it was when this was
    // written.
    struct bound {
        collective what;
        double most;
    };
    const bound bounds[]{{collective::barrier, 1.35},
                         {collective::bcast, 1.35},
                         {collective::reduce, 1.55},
                         {collective::allreduce, 1.7},
                         {collective::reduce_scatter, 1.25},
                         {collective::allgather, 1.35},
                         {collective::gather, 1.2},
                         {collective::scatter, 1.2},
                         {collective::alltoall, 1.25},
                         {collective::exscan, 1.2},
                         {collective::scan, 1.2}};
    for (const auto& [what, most] : bounds) {
        double worst = 1;
        std::string where;
        for (const rank_type size : {2, 3, 4, 6, 8, 12, 16, 32})
            for (std::int64_t bytes = 8; bytes <= 4 << 20; bytes *= 8) {
                const choice& ours =
                    default_choice(what, {.at = {0, size, 0}, .bytes = bytes}, cores::own).to;
                const candidate mine{find_algorithm(what, ours.algorithm), ours.with};
                const selection_request request{.what = what, .size = size, .bytes = bytes};
                const double best = rank_algorithms(default_machine(), request).best().cost.us;
                const std::vector<candidate> alone{mine};
                const double us = rank_candidates(default_machine(), request, alone).best().cost.us;
                if (us / best <= worst) continue;
                worst = us / best;
                where = name_of(mine) + " on " + std::to_string(size) + " ranks, " + std::to_string(bytes)
                        + " bytes";
            }
        INFO(name_of(what) << ": " << where << " costs " << worst << " times the best by the models");
        CHECK(worst <= most);
    }
}
