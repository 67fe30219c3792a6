// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/schedule_window.hpp>

#include <limits>
#include <string>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"

using namespace support;
using tutti::collective;
using tutti::schedule_window;

TEST_CASE("a window is all of a schedule unless told, and is cut to what there is", "[render]") {
    const schedule_window all;
    CHECK(all.whole(5, 7));
    CHECK(all.whole(1, 0));
    const schedule_window cut = all.within(5, 7);
    CHECK(cut.first_rank == 0);
    CHECK(cut.last_rank == 4);
    CHECK(cut.ranks() == 5);
    CHECK(cut.first_round == 0);
    CHECK(cut.last_round == 6);
    CHECK(all.within(1, 0).last_round == -1); // no round, and all of them

    const schedule_window part{.first_round = 2, .last_round = 3, .first_rank = 1, .last_rank = 2};
    CHECK_FALSE(part.has_round(1));
    CHECK((part.has_round(2) && part.has_round(3)));
    CHECK_FALSE(part.has_round(4));
    CHECK_FALSE(part.has_rank(0));
    CHECK((part.has_rank(1) && part.has_rank(2)));
    CHECK_FALSE(part.has_rank(3));
    CHECK((part.has_end_of(0, 1) && part.has_end_of(2, 4)));
    CHECK_FALSE(part.has_end_of(0, 3));
    CHECK_FALSE(part.whole(5, 7));
    CHECK_FALSE(schedule_window{.first_rank = 1}.whole(5, 7));
    CHECK_FALSE(schedule_window{.last_round = 5}.whole(5, 7));
    CHECK(schedule_window{.last_round = 6, .last_rank = 4}.whole(5, 7));
}

TEST_CASE("ranks that are left out have no row, and the one before them stands for them", "[render]") {
    const schedule_window part{.first_rank = 1, .last_rank = 8, .left_out = {2, 3, 6, 7, 8}};
    CHECK(part.ranks() == 3);
    CHECK(
        (part.has_rank(1) && !part.has_rank(2) && !part.has_rank(3) && part.has_rank(4) && part.has_rank(5)));
    CHECK((part.rows_before(1) == 0 && part.rows_before(4) == 1 && part.rows_before(5) == 2));
    CHECK((part.row_ends_with(1) == 3 && part.row_ends_with(4) == 4 && part.row_ends_with(5) == 8));
    CHECK_FALSE(schedule_window{.left_out = {1}}.whole(3, 2));
    const any_ensemble ring = ensemble_of(collective::allgather, "ring", 9);
    CHECK(words_of_window(ring, part)
          == "Ranks 1..8 of 9: 56 messages among them, 8 to others, 8 from others. One row stands for ranks "
             "1..3, "
             "another for ranks 5..8, which do the same.");
}

TEST_CASE("a window without ranks or rounds is refused", "[render]") {
    const auto refused = [](const schedule_window& w, tutti::round_index rounds = 7) {
        try {
            (void)w.within(5, rounds);
        } catch (const tutti::argument_error& e) {
            return e.argument() + " is " + e.value() + "; " + e.allowed();
        }
        return std::string("taken");
    };
    CHECK(refused({.first_rank = 5, .last_rank = 9})
          == "ranks that are shown is 5..9; ranks 0 to 4, the first before the last");
    CHECK(refused({.first_rank = 3, .last_rank = 2}).find("is 3..2") != std::string::npos);
    CHECK(refused({.first_rank = -1}).find("is -1..") != std::string::npos);
    CHECK(refused({.first_round = 7, .last_round = 7})
          == "rounds that are shown is 7; rounds 0 to 6, the first before the last");
    CHECK(refused({.first_round = -1}).find("is -1..") != std::string::npos);
    CHECK(refused({.first_round = 4, .last_round = 3}).find("is 4..3") != std::string::npos);
    CHECK(refused({}, 0) == "taken");
    CHECK(refused({.first_round = 1}, 0).find("rounds that are shown") == 0);
    CHECK(refused({.first_round = 4, .last_round = 4, .first_rank = 4, .last_rank = 4}) == "taken");
}

TEST_CASE("it is said which part is shown, and how many messages lead out of it", "[render]") {
    const any_ensemble ring = ensemble_of(collective::allgather, "ring", 8); // 7 rounds, r to r + 1
    CHECK(words_of_window(ring, {}).empty());
    CHECK(words_of_window(ring, {.last_round = 6, .last_rank = 7}).empty());
    CHECK(words_of_window(ring, {.first_round = 5}) == "Rounds 5..6 of 7: 16 messages.");
    CHECK(words_of_window(ring, {.first_rank = 2, .last_rank = 4})
          == "Ranks 2..4 of 8: 14 messages among them, 7 to others, 7 from others.");
    CHECK(words_of_window(ring, {.first_round = 3, .last_round = 3, .first_rank = 2, .last_rank = 3})
          == "Round 3 of 7, ranks 2..3 of 8: 1 message among them, 1 to others, 1 from others.");
    CHECK(words_of_window(ring, {.first_round = 6, .first_rank = 7})
          == "Round 6 of 7, rank 7 of 8: 0 messages among them, 1 to others, 1 from others.");
    CHECK_THROWS_AS(words_of_window(ring, {.first_rank = 8}), tutti::argument_error);
    // Messages of several block sets are one.
    CHECK(words_of_window(ensemble_of(collective::allgather, "bruck", 5), {.last_round = 2, .last_rank = 3})
          == "Ranks 0..3 of 5: 9 messages among them, 3 to others, 3 from others.");
}
