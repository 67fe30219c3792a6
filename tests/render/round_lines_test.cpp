// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/round_lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/render/alike_ranks.hpp>
#include <tutti/render/schedule_text.hpp>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"

using namespace support;
using tutti::collective;
using tutti::fold_alike;
using tutti::schedule_text;

namespace {

/// Ranks 1 to 3 send alike, but what rank 3 sends is folded; rank 0 has nothing to do with it.
struct passing {
    tutti::place at;
    tutti::round_index rounds() const { return 1; }
    tutti::block_index blocks() const { return 1; }
    tutti::capabilities claims() const { return {}; }
    void emit(tutti::round_index, const auto& sink) const {
        const tutti::block_set all{.first = 0, .count = 1};
        if (at.rank >= 1 && at.rank <= 3) sink(tutti::step::send(at.rank + 3, all));
        if (at.rank == 4 || at.rank == 5) sink(tutti::step::recv(at.rank - 3, all));
        if (at.rank == 6) sink(tutti::step::recv_reduce(3, all, tutti::operand_side::right));
    }
};

} // namespace

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
          == "round 0: 0 -> 4 block 4 ... 0 -> 1 block 1\n");
    CHECK(folded(ensemble_of(collective::gather, "serial", 5))
          == "round 0: 1 -> 0 block 1 ... 4 -> 0 block 4\n");
    // What each does alone is not what it sends.
    CHECK(folded(ensemble_of(collective::alltoall, "bruck", 3))
          == "round 0: 0 -> 1 block 1 of input as block 0 ... 2 -> 0 block 0 of input as block 2\n"
             "         0 alone: copy block 0 of input to work ... 2 alone: copy block 2 of input to work\n"
             "round 1: 0 -> 2 block 2 of input as block 0 ... 2 -> 1 block 1 of input as block 2\n");
    // Several messages of each are several lines.
    const any_ensemble barrier = ensemble_of(collective::barrier, "dissemination", 5, {{"radix", 3}});
    CHECK(folded(barrier, {.last_round = 0})
          == "round 0: 0 -> 1 nothing ... 4 -> 0 nothing\n"
             "         0 -> 2 nothing ... 4 -> 1 nothing\n");
}

TEST_CASE("a line is of messages that are likewise received, too", "[render]") {
    const tutti::ensemble all([](tutti::place at) { return passing{at}; }, 7);
    const tutti::schedule_window shown = fold_alike(all);
    REQUIRE(shown.left_out == std::vector<tutti::rank_type>{2, 3});
    CHECK(schedule_text(all, shown)
          == "round 0: 1 -> 4 block 0 ... 2 -> 5 block 0\n"
             "         3 -> 6 block 0 (folds)\n");
}

namespace {

/// The numbers of a line: "0 -> 4 block 4" has 0 and 4, "2 alone: ..." 2 and 2.
std::pair<int, int> ends_of(const std::string& line) {
    const int from = std::stoi(line);
    const std::size_t arrow = line.find("-> ");
    return {from, arrow == std::string::npos ? from : std::stoi(line.substr(arrow + 3))};
}

/// Without the labels of rounds, which begin with the number of the round.
std::vector<std::string> lines_of(const std::string& text, std::size_t label) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        lines.push_back(text.substr(begin + label, end - begin - label));
        begin = end + 1;
    }
    return lines;
}

} // namespace

TEST_CASE("folded text tells of every message and local step once", "[render]") {
    for_each_schedule(std::vector<tutti::rank_type>{3, 9}, [](const any_ensemble& all,
                                                              const std::string& what) {
        INFO(what);
        const std::size_t label = tutti::detail::round_label(0, all.rounds(), true).size();
        const std::vector<std::string> every = lines_of(schedule_text(all), label);
        const tutti::schedule_window shown = fold_alike(all);
        std::size_t told = 0;
        for (const std::string& line : lines_of(schedule_text(all, shown), label)) {
            const std::size_t gap = line.find(" ... ");
            const std::string first = line.substr(0, gap);
            CHECK(std::count(every.begin(), every.end(), first) > 0);
            if (gap == std::string::npos) {
                ++told;
                continue;
            }
            const std::string last = line.substr(gap + 5);
            CHECK(std::count(every.begin(), every.end(), last) > 0);
            const auto [from, to] = ends_of(first);
            const auto [last_from, last_to] = ends_of(last);
            // From ranks in a row, or from one rank to ranks in a row.
            told +=
                static_cast<std::size_t>(from == last_from ? std::abs(last_to - to) : last_from - from) + 1;
        }
        CHECK(told == every.size());
        if (shown.left_out.empty()) CHECK(schedule_text(all, shown) == schedule_text(all));
    });
}
