// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/schedule_text.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"

using namespace support;
using tutti::block_run;
using tutti::buffer_name;
using tutti::collective;
using tutti::matched_message;
using tutti::step;

namespace {

std::int64_t blocks_in(const std::vector<step>& message) {
    std::int64_t sum = 0;
    for (const step& part : message) sum += part.blocks.count;
    return sum;
}

/// What rank 0 of two does, in one round; rank 1 does nothing.
struct alone {
    tutti::place at;
    step what;

    tutti::round_index rounds() const { return 1; }
    tutti::block_index blocks() const { return 1; }
    tutti::capabilities claims() const { return {}; }
    template <class Sink>
    void emit(tutti::round_index, Sink&& sink) const {
        if (at.rank == 0) sink(what);
    }
};

} // namespace

TEST_CASE("blocks of a message are runs, in its order, buffer by buffer") {
    const std::array wrapped{step::send(1, {.first = 3, .count = 4})};
    CHECK(tutti::block_runs(wrapped, 5)
          == std::vector<block_run>{{buffer_name::work, 3, 2}, {buffer_name::work, 0, 2}});
    CHECK(tutti::block_text(wrapped, 5) == "blocks 3 4 0 1");
    // What one step leaves off and the next one begins with is one run.
    const std::array joined{step::send(1, {.first = 1, .count = 2}).and_next(),
                            step::send(1, {.first = 3, .count = 2})};
    CHECK(tutti::block_text(joined, 8) == "blocks 1..4");
    const std::array strided{step::send(1, {.first = 1, .count = 3, .run = 1, .stride = 2})};
    CHECK(tutti::block_text(strided, 8) == "blocks 1 3 5");
    CHECK(tutti::block_text(strided, 8, "of", 2) == "3 blocks");
    const std::array mixed{step::send(1, {.first = 2, .count = 1}, buffer_name::input).and_next(),
                           step::send(1, {.first = 3, .count = 1})};
    CHECK(tutti::block_text(mixed, 8) == "blocks 2 of input, 3 of work");
    CHECK(tutti::block_text(mixed, 8, "into") == "blocks 2 into input, 3 into work");
    const std::array strewn{
        step::send(1, {.first = 2, .count = 2, .run = 1, .stride = 2}, buffer_name::input).and_next(),
        step::send(1, {.first = 1, .count = 1}).and_next(),
        step::send(1, {.first = 5, .count = 3}, buffer_name::scratch)};
    CHECK(tutti::block_text(strewn, 8) == "blocks 2 4 of input, 1 of work, 5..7 of scratch");
    CHECK(tutti::block_text(strewn, 8, "of", 4) == "blocks 2 4 of input, 1 of work, 5..7 of scratch");
    CHECK(tutti::block_text(strewn, 8, "of", 3) == "6 blocks");
    const std::array empty{step::send(1, {})};
    CHECK(tutti::block_text(empty, 8) == "nothing");
    const std::array one{step::send(1, {.first = 2, .count = 1}, buffer_name::scratch_1)};
    CHECK(tutti::block_text(one, 8) == "block 2 of scratch_1");
}

TEST_CASE("messages are matched with what their receivers do, in order, as many blocks at both ends") {
    for_each_schedule(std::vector<tutti::rank_type>{1, 2, 5, 8, 9},
                      [&](const any_ensemble& all, const std::string& what) {
                          INFO(what);
                          const std::vector<matched_message> messages = tutti::matched_messages(all);
                          const auto bytes = tutti::block_bytes::even(all.blocks(), all.blocks());
                          auto next = messages.begin();
                          for (tutti::round_index i = 0; i < all.rounds(); ++i)
                              for_each_message(all, i, bytes, [&](const tutti::message& m) {
                                  REQUIRE(next != messages.end());
                                  CHECK(next->from == m.from);
                                  CHECK(next->to == m.to);
                                  CHECK(next->sent_in == i);
                                  CHECK(next->received_in == i);
                                  CHECK(blocks_in(next->sent) == m.blocks);
                                  CHECK(blocks_in(next->received) == m.blocks);
                                  CHECK(next->sent.front().kind == tutti::step_kind::send);
                                  CHECK(next->received.front().peer == m.from);
                                  CHECK(next->folded() == next->received.back().folds());
                                  ++next;
                              });
                          CHECK(next == messages.end());
                      });
}

TEST_CASE("where a message stands in its round is where both ends have it") {
    const any_ensemble all = ensemble_of(collective::allreduce, "serial", 4);
    for (const matched_message& m : tutti::matched_messages(all)) {
        std::vector<step> sender, receiver;
        all.emit(m.from, m.sent_in, [&](const step& s) { sender.push_back(s); });
        all.emit(m.to, m.received_in, [&](const step& s) { receiver.push_back(s); });
        CHECK(sender.at(static_cast<std::size_t>(m.sent_at)) == m.sent.front());
        CHECK(receiver.at(static_cast<std::size_t>(m.received_at)) == m.received.front());
    }
}

TEST_CASE("a message without its other end is refused, and named") {
    for (const step& what :
         {step::send(1, {.first = 0, .count = 1}), step::recv(1, {.first = 0, .count = 1})}) {
        const tutti::ensemble all([&](tutti::place at) { return alone{at, what}; }, 2);
        try {
            tutti::matched_messages(all);
            FAIL("was not refused");
        } catch (const tutti::argument_error& e) {
            CHECK(e.argument() == "schedule");
            CHECK(e.value()
                  == (what.kind == tutti::step_kind::send
                          ? "one with a message from rank 0 to 1 that is only sent, in round 0"
                          : "one with a message from rank 1 to 0 that is only received, in round 0"));
        }
    }
}

TEST_CASE("a tree as text") {
    CHECK(schedule_text(ensemble_of(collective::bcast, "fnomial", 5))
          == "round 0: 0 -> 4 block 0\n"
             "round 1: 0 -> 2 block 0\n"
             "round 2: 0 -> 1 block 0\n"
             "         2 -> 3 block 0\n");
    CHECK(schedule_text(ensemble_of(collective::reduce, "fnomial", 4))
          == "round 0: 1 -> 0 block 0 (folds)\n"
             "         3 -> 2 block 0 (folds)\n"
             "round 1: 2 -> 0 block 0 (folds)\n");
}

TEST_CASE("a schedule as text with its words, no sentence wider than 80 letters") {
    CHECK(schedule_text(collective::reduce, ensemble_of(collective::reduce, "fnomial", 4))
          == "-- rounds 0..1: up the tree\n"
             "round 0: 2 ranks send 1 block each, shift:3, folded; 1 so far, lower bound 1\n"
             "         1 -> 0 block 0 (folds)\n"
             "         3 -> 2 block 0 (folds)\n"
             "round 1: rank 2 sends 1 block, to rank 0, folded; 1 so far, lower bound 1\n"
             "         2 -> 0 block 0 (folds)\n");
    const std::string words =
        schedule_text(collective::allreduce, ensemble_of(collective::allreduce, "halving_doubling", 13));
    CHECK(words.find("-- rounds 2..4: halving\n"
                     "round 2: 8 ranks send 4 blocks each, xor:1 among the 8, folded; 8 so far, lower\n"
                     "         bound 15\n"
                     "         0 -> 2 blocks 4..7 (folds)\n")
          != std::string::npos);
    for_each_schedule(std::vector<tutti::rank_type>{7}, [](const any_ensemble& all, const std::string& what) {
        INFO(what);
        const tutti::round_words told = tutti::words_of_rounds(collective::allreduce, all);
        for (tutti::round_index i = 0; i < all.rounds(); ++i) {
            const std::string lines = tutti::detail::words_above(told, i);
            std::string joined; // without what wrapping has put in
            for (std::size_t begin = 0; begin < lines.size();) {
                const std::size_t end = lines.find('\n', begin);
                CHECK(end - begin <= 80);
                const std::size_t first = lines.find_first_not_of(' ', begin);
                joined.append(joined.empty() ? "" : " ").append(lines, first, end - first);
                begin = end + 1;
            }
            CHECK(joined.find(told.rounds[static_cast<std::size_t>(i)]) != std::string::npos);
        }
    });
}

TEST_CASE("of a part the text has the messages that touch it, under the words of all") {
    const any_ensemble all = ensemble_of(collective::reduce, "fnomial", 8);
    CHECK(schedule_text(all, {.first_round = 1, .first_rank = 4, .last_rank = 6})
          == "round 1: 6 -> 4 block 0 (folds)\n"
             "round 2: 4 -> 0 block 0 (folds)\n");
    CHECK(schedule_text(all, {.last_round = 0, .first_rank = 4, .last_rank = 6})
          == "round 0: 5 -> 4 block 0 (folds)\n"
             "         7 -> 6 block 0 (folds)\n");
    CHECK(schedule_text(collective::reduce, all, {.first_round = 2, .last_rank = 0})
          == "-- rounds 0..2: up the tree\n" // the first one shown says where it is
             "round 2: rank 4 sends 1 block, to rank 0, folded; 1 so far, lower bound 1\n"
             "         4 -> 0 block 0 (folds)\n");
    CHECK(schedule_text(all, 4, {.first_round = 1})
          == "round 1: fold block 0 from 6\n"
             "round 2: send block 0 to 0\n");
    CHECK(schedule_text(ensemble_of(collective::alltoall, "bruck", 3),
                        {.last_round = 0, .first_rank = 1, .last_rank = 1})
          == "round 0: 0 -> 1 block 1 of input as block 0\n"
             "         1 -> 2 block 2 of input as block 1\n"
             "         1 alone: copy block 1 of input to work\n");
    CHECK_THROWS_AS(schedule_text(all, {.first_rank = 8}), tutti::argument_error);
}

TEST_CASE("rounds have labels of one width, and sentences of 80 letters are not broken") {
    using tutti::detail::round_label;
    CHECK(round_label(7, 10, true) == "round 7: ");
    CHECK(round_label(7, 11, true) == "round  7: ");
    CHECK(round_label(10, 11, true) == "round 10: ");
    CHECK(round_label(10, 11, false) == std::string(10, ' '));
    CHECK(round_label(0, 1, true) == "round 0: ");

    const auto above = [](std::size_t first, std::size_t second) {
        tutti::round_words words;
        words.rounds = {std::string(first, 'a') + " " + std::string(second, 'b')};
        return tutti::detail::words_above(words, 0);
    };
    const std::string indent(9, ' ');
    CHECK(above(35, 35) == "round 0: " + std::string(35, 'a') + " " + std::string(35, 'b') + "\n");
    CHECK(above(35, 36) == "round 0: " + std::string(35, 'a') + "\n" + indent + std::string(36, 'b') + "\n");
    CHECK(above(90, 1) == "round 0: " + std::string(90, 'a') + "\n" + indent + "b\n");
}

TEST_CASE("a schedule of several buffers as text") {
    CHECK(schedule_text(ensemble_of(collective::alltoall, "bruck", 3))
          == "round 0: 0 -> 1 block 1 of input as block 0\n"
             "         1 -> 2 block 2 of input as block 1\n"
             "         2 -> 0 block 0 of input as block 2\n"
             "         0 alone: copy block 0 of input to work\n"
             "         1 alone: copy block 1 of input to work\n"
             "         2 alone: copy block 2 of input to work\n"
             "round 1: 0 -> 2 block 2 of input as block 0\n"
             "         1 -> 0 block 0 of input as block 1\n"
             "         2 -> 1 block 1 of input as block 2\n");
}

TEST_CASE("one rank's part as text") {
    CHECK(schedule_text(ensemble_of(collective::exscan, "census", 4), 1)
          == "round 0: send block 0 of input to 2\n"
             "         recv block 0 from 0\n"
             "         copy block 0 of work to scratch\n"
             "         fold block 0 of input into scratch\n"
             "round 1: send block 0 of scratch to 3\n");
    CHECK(schedule_text(ensemble_of(collective::allreduce, "recursive_doubling", 4), 2)
          == "round 0: send block 0 to 3\n"
             "         fold block 0 from 3\n"
             "round 1: send block 0 to 0\n"
             "         fold block 0 from 0 on the left\n");
    CHECK_THROWS_AS(schedule_text(ensemble_of(collective::bcast, "serial", 2), 2), tutti::argument_error);
    CHECK_THROWS_AS(schedule_text(ensemble_of(collective::bcast, "serial", 2), -1), tutti::argument_error);
}

TEST_CASE("every message and every local step has a line, every round that is not idle its number") {
    for_each_schedule(
        std::vector<tutti::rank_type>{1, 2, 7, 16}, [&](const any_ensemble& all, const std::string& what) {
            INFO(what);
            std::int64_t lines = 0, labels = 0, of_ranks = 0;
            for (tutti::round_index i = 0; i < all.rounds(); ++i) {
                const std::int64_t before = lines;
                for (tutti::rank_type r = 0; r < all.size(); ++r)
                    all.emit(r, i, [&](const step& s) {
                        lines += (s.kind == tutti::step_kind::send && !s.continues()) || s.is_local();
                        of_ranks += !s.continues();
                    });
                labels += lines > before;
            }
            const std::string text = schedule_text(all);
            CHECK(std::count(text.begin(), text.end(), '\n') == lines);
            CHECK(std::count(text.begin(), text.end(), ':') >= labels);
            std::int64_t found = 0;
            for (tutti::rank_type r = 0; r < all.size(); ++r) {
                const std::string part = schedule_text(all, r);
                found += std::count(part.begin(), part.end(), '\n');
            }
            CHECK(found == of_ranks);
        });
}
