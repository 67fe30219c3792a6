// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/alike_ranks.hpp>

#include <string>
#include <utility>
#include <vector>

#include <tutti/render/schedule_svg.hpp>

#include "support/catch2.hpp"
#include "support/schedules.hpp"
#include "support/xml.hpp"

namespace {

using namespace tutti;
using support::make_schedule;

/// "0 1..4": the rows that are left.
std::string rows(const support::schedule& all, const schedule_window& shown = {}) {
    const schedule_window folded = fold_alike(all, shown);
    std::string text;
    for (rank_type r = folded.first_rank; r <= folded.last_rank; r = folded.row_ends_with(r) + 1)
        text.append(text.empty() ? "" : " ").append(schedule_window::text_of(r, folded.row_ends_with(r)));
    return text;
}

std::string rows(collective what, const char* name, rank_type size, rank_type root = 0) {
    return rows(make_schedule(what, name, size, root));
}

/// One round, in which every rank sends a block to somebody: who and which, by the rank that sends.
struct sends_by_hand {
    rank_type rank;
    block_index in_blocks;
    std::vector<std::pair<rank_type, block_index>> (*to)(rank_type);

    round_index rounds() const { return 1; }
    block_index blocks() const { return in_blocks; }
    capabilities claims() const { return {}; }
    void emit(round_index, auto&& sink) const {
        for (const auto& [peer, block] : to(rank)) sink(step::send(peer, {block, 1}));
    }
};
std::string rows_by_hand(rank_type size, block_index blocks,
                         std::vector<std::pair<rank_type, block_index>> (*to)(rank_type)) {
    return rows(support::schedule(
        [&](place at) {
            return any_generator(sends_by_hand{at.rank, blocks, to});
        },
        size));
}

} // namespace

TEST_CASE("ranks are alike in one way in all of their steps, or not", "[render]") {
    using sent = std::vector<std::pair<rank_type, block_index>>;
    CHECK(rows_by_hand(5, 5, [](rank_type) { return sent{{4, 2}}; }) == "0..4");
    CHECK(rows_by_hand(5, 5, [](rank_type r) { return sent{{r, r}}; }) == "0..4");
    CHECK(rows_by_hand(5, 5, [](rank_type r) { return sent{{4, 2}, {r, r}}; }) == "0 1 2 3 4");
    // Where blocks are not shared out evenly nobody has one of its own.
    CHECK(rows_by_hand(5, 6, [](rank_type) { return sent{{4, 2}}; }) == "0..4");
    CHECK(rows_by_hand(5, 6, [](rank_type r) { return sent{{4, r}}; }) == "0 1 2 3 4");
}

TEST_CASE("ranks that do the same, counted from themselves or from nobody, are one row", "[render]") {
    CHECK(rows(collective::bcast, "serial", 5) == "0 1..4");
    CHECK(rows(collective::bcast, "serial", 9, 4) == "0..3 4 5..8");
    CHECK(rows(collective::gather, "serial", 9) == "0 1..8"); // each its own block, all to rank 0
    CHECK(rows(collective::allgather, "ring", 5) == "0..4");
    CHECK(rows(collective::allgather, "bruck", 13) == "0..12"); // blocks wrap round the end
    CHECK(rows(collective::barrier, "dissemination", 100) == "0..99");
}

TEST_CASE("ranks that differ keep their rows, and so do two that do not", "[render]") {
    CHECK(rows(collective::allreduce, "recursive_doubling", 4) == "0 1 2 3");
    CHECK(rows(collective::bcast, "serial", 3) == "0 1 2");
    CHECK(rows(collective::bcast, "serial", 4) == "0 1..3");
    CHECK(rows(collective::allreduce, "ring", 1) == "0");
    // In a fold the side matters: what comes round the end of the ring is another operand.
    CHECK(rows(collective::reduce_scatter, "ring", 6) == "0 1..5");
}

TEST_CASE("of a part of the ranks those in it are folded", "[render]") {
    const support::schedule serial = make_schedule(collective::bcast, "serial", 12);
    CHECK(rows(serial, {.first_rank = 3, .last_rank = 6}) == "3..6");
    CHECK(rows(serial, {.first_rank = 0, .last_rank = 2}) == "0 1 2");
    CHECK_THROWS_AS(fold_alike(serial, {.first_rank = 12}), argument_error);
}

TEST_CASE("a folded picture has a row for several ranks, and arrows to those that have none", "[render]") {
    const support::schedule ring = make_schedule(collective::allgather, "ring", 64);
    const support::xml root = support::read_xml(schedule_svg(collective::allgather, ring, {.title = "ring"},
                                                             schedule_picture::rounds, fold_alike(ring)));
    std::vector<std::string> numbers;
    for (const support::xml& e : root.of_class("ranks").at(0)->children)
        if (e.name == "text" && e.text.find("round") == std::string::npos) numbers.push_back(e.text);
    CHECK(numbers == std::vector<std::string>{"0..63", "rank"});
    CHECK(root.of_class("holdings").front()->of_class("vector").size() == 1);
    std::vector<std::string> others; // of the first round: to rank 1, from rank 63
    for (const support::xml& e : root.of_class("messages").at(0)->children)
        if (e.name == "text") others.push_back(e.text);
    CHECK(others == std::vector<std::string>{"63", "1"});
    CHECK(words_of_window(ring, fold_alike(ring)) == "One row stands for ranks 0..63, which do the same.");
}

TEST_CASE("in a folded picture a message goes as far as its rows are apart", "[render]") {
    // From rank 99 to all: to rank 0, whose row stands for 99 ranks, and to 98, the row above.
    const support::schedule all = make_schedule(collective::bcast, "serial", 100, 99);
    const auto drawn = [&](const schedule_window& shown) {
        return support::read_xml(
            schedule_svg(collective::bcast, all, {.title = "b"}, schedule_picture::rounds, shown));
    };
    const auto room_of_round_0 = [](const support::xml& root) {
        const auto columns = root.of_class("holdings");
        const support::xml& before = *columns.at(0)->of_class("vector").front();
        const support::xml& after = *columns.at(1)->of_class("vector").front();
        return after.number("x") - before.number("x") - before.number("width");
    };
    REQUIRE(rows(all) == "0..98 99");
    const support::xml folded = drawn(fold_alike(all));
    CHECK(room_of_round_0(folded) == Approx(room_of_round_0(drawn({.first_rank = 98}))));
    CHECK_FALSE(folded.of_class("messages").at(0)->has("stroke-opacity"));
}

TEST_CASE("folded, schedules of more ranks can be drawn than rows have room", "[render]") {
    const support::schedule all = make_schedule(collective::barrier, "dissemination", 1000);
    CHECK_THROWS_AS(schedule_svg(collective::barrier, all, {.title = "b"}), argument_error);
    CHECK_NOTHROW(
        schedule_svg(collective::barrier, all, {.title = "b"}, schedule_picture::fitting, fold_alike(all)));
}
