// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/round_lines.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <tutti/render/alike_ranks.hpp>
#include <tutti/render/schedule_text.hpp>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"

using namespace support;
using tutti::collective;
using tutti::fold_alike;
using tutti::schedule_text;

TEST_CASE("what ranks of one row do is a line, the first and the last of them", "[render]") {
    const auto folded = [](const any_ensemble& all, const tutti::schedule_window& shown = {}) {
        return schedule_text(all, fold_alike(all, shown));
    };
    const any_ensemble ring = ensemble_of(collective::allgather, "ring", 5);
    CHECK(folded(ring)
          == "round 0: 0 -> 1 block 0 ... 4 -> 0 block 4\n"
             "round 1: 0 -> 1 block 4 ... 4 -> 0 block 3\n"
             "round 2: 0 -> 1 block 3 ... 4 -> 0 block 2\n"
             "round 3: 0 -> 1 block 2 ... 4 -> 0 block 1\n");
    CHECK(folded(ring, {.last_round = 0, .first_rank = 1, .last_rank = 3}) // rank 0 is outside
          == "round 0: 0 -> 1 block 0\n"
             "         1 -> 2 block 1 ... 3 -> 4 block 3\n");
    // One to many, of which each has a block of its own, and many to one.
    CHECK(folded(ensemble_of(collective::scatter, "serial", 5))
          == "round 0: 0 -> 1 block 1 ... 0 -> 4 block 4\n");
    CHECK(folded(ensemble_of(collective::gather, "serial", 5))
          == "round 0: 1 -> 0 block 1 ... 4 -> 0 block 4\n");
    // What each does alone is not what it sends.
    CHECK(folded(ensemble_of(collective::alltoall, "bruck", 3))
          == "round 0: 0 -> 1 block 1 of input as block 0 ... 2 -> 0 block 0 of input as block 2\n"
             "         0 alone: copy block 0 of input to work ... 2 alone: copy block 2 of input to work\n"
             "round 1: 0 -> 2 block 2 of input as block 0 ... 2 -> 1 block 1 of input as block 2\n");
    // Several messages of each are several lines.
    CHECK(folded(ensemble_of(collective::allgather, "direct", 5), {.last_round = 0})
          == schedule_text(ensemble_of(collective::allgather, "direct", 5)));
}

TEST_CASE("folded text has nothing that is not in the text of all, and all of it where nothing is alike") {
    for_each_schedule(
        std::vector<tutti::rank_type>{3, 9}, [](const any_ensemble& all, const std::string& what) {
            INFO(what);
            const auto lines_of = [](const std::string& text) {
                std::multiset<std::string> lines;
                constexpr std::size_t label = 9; // "round 0: ", or longer
                const std::size_t from = text.find(": ") == std::string::npos ? label : text.find(": ") + 2;
                for (std::size_t begin = 0; begin < text.size();) {
                    const std::size_t end = text.find('\n', begin);
                    lines.insert(text.substr(begin + from, end - begin - from));
                    begin = end + 1;
                }
                return lines;
            };
            const tutti::schedule_window shown = fold_alike(all);
            const std::multiset<std::string> every = lines_of(schedule_text(all));
            const std::multiset<std::string> folded = lines_of(schedule_text(all, shown));
            if (shown.left_out.empty()) CHECK(folded == every);
            CHECK(folded.size() <= every.size());
            for (const std::string& line : folded) {
                const std::size_t gap = line.find(" ... ");
                CHECK(every.count(line.substr(0, gap)) > 0);
                if (gap != std::string::npos) CHECK(every.count(line.substr(gap + 5)) > 0);
            }
        });
}
