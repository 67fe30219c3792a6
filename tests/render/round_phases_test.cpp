// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/round_phases.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <tutti/render/round_words.hpp>

#include "support/catch2.hpp"
#include "support/rounds_as_text.hpp"

namespace {

using list = std::vector<std::string>;

/// The phases of rounds as round_as_text() has them, "0..2 halving", "3 one exchange".
list phases(tutti::rank_type size, const list& rounds, bool in_bytes = false) {
    std::vector<tutti::detail::told_round> told(rounds.size());
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        for (const support::short_message& m : support::round_as_text(rounds[i], size))
            told[i].add({m.from, m.to, m.blocks, in_bytes ? 1024 * m.blocks : m.blocks}, m.folded);
        told[i].close();
    }
    list found;
    for (const tutti::detail::round_phase& p : tutti::detail::phases_of(told, size, in_bytes))
        found.push_back(std::to_string(p.first) + (p.last > p.first ? ".." + std::to_string(p.last) : "")
                        + " " + p.words);
    return found;
}

list twice(list rounds) {
    const list once = rounds;
    rounds.insert(rounds.end(), once.begin(), once.end());
    return rounds;
}

/// Rounds of 8 ranks, the i-th a shift by i + 1 of so many blocks.
list volumes(const std::vector<int>& blocks, const std::string& op) {
    list rounds;
    for (const int n : blocks)
        rounds.push_back("shift" + std::to_string(rounds.size() + 1) + op + "*" + std::to_string(n));
    return phases(8, rounds);
}

} // namespace

TEST_CASE("ranks that hand in at first and are given the result at last are extra", "[render]") {
    const std::string farther = " ever farther, by twice the distance";
    CHECK(phases(5, {"4+0", "xor1/4+", "xor2/4+", "0>4"})
          == list{"0 fold the 1 extra rank in", "1..2" + farther + ", folding", "3 give back to the 1"});
    CHECK(phases(6, {"4>0 5>1", "xor1/4>", "xor2/4>", "0>4 1>5"})
          == list{"0 take in the 2 extra ranks", "1..2" + farther, "3 give back to the 2"});
    // One to another first, and back.
    CHECK(
        phases(6, {"5+4", "4+0", "xor1/4+", "xor2/4+", "0>4", "4>5"})
        == list{"0..1 fold the 2 extra ranks in", "2..3" + farther + ", folding", "4..5 give back to the 2"});
    // As many as the others.
    CHECK(
        phases(4, {"2+0 3+1", "0+1 1+0", "0>1 1>0", "0>2 1>3"})
        == list{"0 fold the 2 extra ranks in", "1 in pairs, folding", "2 in pairs", "3 give back to the 2"});
    // What some of the others do among themselves, or a pause, is before they give back.
    CHECK(phases(5, {"4+0", "xor1/4+", "xor2/4+", "0>1", "0>4"})
          == list{"0 fold the 1 extra rank in", "1..2" + farther + ", folding", "3 one message",
                  "4 give back to the 1"});
    CHECK(phases(5, {"4+0", "xor1/4+", "xor2/4+", "", "0>4"})
          == list{"0 fold the 1 extra rank in", "1..2" + farther + ", folding", "3 nobody sends",
                  "4 give back to the 1"});
}

TEST_CASE("the others are the most ranks that are busy for longest, and not from the beginning", "[render]") {
    CHECK(phases(3, {"1+0", "0+2 2+0", "0>1"})
          == list{"0 fold the 1 extra rank in", "1 in pairs, folding", "2 give back to the 1"});
    CHECK(phases(5, {"4+0", "xor1/4+", "0>4"})
          == list{"0 fold the 1 extra rank in", "1 in pairs, folding", "2 give back to the 1"});
    CHECK(phases(6, {"4+0", "5+1", "xor1/4+", "0>4 1>5"})
          == list{"0..1 fold the 2 extra ranks in", "2 in pairs, folding", "3 give back to the 2"});
}

TEST_CASE("nobody is extra where that would not tell all", "[render]") {
    // More than the others.
    CHECK(phases(6, {"1+0", "0+2 2+0", "0>1"})
          == list{"0..1 to one rank after another, folding", "2 one message"});
    // Nobody is left out.
    CHECK(phases(4, {"0+1", "xor1+", "xor2+"}) == list{"0..2 up to 4 messages a round, 1..2 apart, folding"});
    // Others talk among themselves while the extra rank hands in, or is given the result.
    CHECK(phases(5, {"4+0 1+2", "xor1/4+", "xor2/4+", "0>4"})
          == list{"0..2 up to 4 messages a round, 1..2 apart, folding", "3 one message"});
    CHECK(
        phases(5, {"4+0", "xor1/4+", "xor2/4+", "0>4", "0>1 0>4"})
        == list{"0..2 up to 4 messages a round, 1..2 apart, folding", "3..4 rank 0 to all, piece by piece"});
    // Nobody hands anything in.
    CHECK(phases(5, {"xor1/4+", "xor2/4+", "0>4"})
          == list{"0..1 ever farther, by twice the distance, folding", "2 one message"});
    CHECK(phases(3, {"", "0+2 2+0", "0+2 2+0"})
          == list{"0 nobody sends", "1..2 each to one rank, again and again, folding"});
    CHECK(phases(3, {}).empty());
}

TEST_CASE("messages that take the same ways twice or more", "[render]") {
    CHECK(phases(3, {"shift1>", "shift1>"})
          == list{"0..1 to the rank 1 further on, again and again"}); // everybody is everybody's neighbour
    CHECK(phases(4, {"shift1>", "shift1>"}) == list{"0..1 round the ring"});
    CHECK(phases(5, {"shift1+", "shift1+"}) == list{"0..1 round the ring, folding"});
    CHECK(phases(5, {"shift1> shift4>", "shift1> shift4>"}) == list{"0..1 round the ring, both ways"});
    CHECK(phases(5, {"shift1> shift1>", "shift1>"}) == list{"0..1 round the ring"});
    CHECK(phases(5, twice({"shift1>", "shift4>"})) == list{"0..3 between neighbours"});
    CHECK(phases(5, {"shift2>", "shift2>"}) == list{"0..1 to the rank 2 further on, again and again"});
    CHECK(phases(5, {"shift2>", "0>2 1>3 2>4 3>0"})
          == list{"0..1 up to 5 messages a round, 2 apart"}); // all but one
    CHECK(phases(5, twice({"shift1>", "shift2>"}))
          == list{"0..3 to the ranks 1, 2 further on, again and again"});
}

TEST_CASE("two trees are told from other ways by who gets and who sends how much", "[render]") {
    CHECK(phases(5, twice({"0>1", "0>2", "1>3 2>4", "1>4 2>3"}))
          == list{"0..7 down two trees, piece by piece"});
    CHECK(phases(5, twice({"1+0 3+1", "2+0 4+1", "1+2 2+3 3+4"}))
          == list{"0..5 up two trees, piece by piece, folding"});
    CHECK(phases(4, twice({"0>1", "0>2", "1>3", "2>3"}))
          == list{"0..7 each to up to 2 ranks, again and again"});
    CHECK(phases(4, twice({"1+0", "2+0", "3+1", "3+2"}))
          == list{"0..7 each to up to 2 ranks, again and again, folding"});
    CHECK(phases(5, twice({"0>1", "0>2", "0>3 1>4", "0>4 2>4"}))
          == list{"0..7 each to up to 4 ranks, again and again"});
}

TEST_CASE("what goes to and fro four times is one phase, less often several", "[render]") {
    CHECK(phases(5, twice({"2+0", "0>2"})) == list{"0..3 each to one rank, again and again, some folding"});
    CHECK(phases(5, {"2+0", "0>2", "2+0"})
          == list{"0 one message, folding", "1 one message", "2 one message, folding"});
}

TEST_CASE("trees of three ranks and more, and of fewer none", "[render]") {
    CHECK(phases(2, {"0>1"}) == list{"0 one message"});
    CHECK(phases(3, {"0>1", "0>2"}) == list{"0..1 rank 0 to all"});
    CHECK(phases(3, {"0+2 1+2"}) == list{"0 all to rank 2"});
    CHECK(phases(3, {"2+1", "1+0"}) == list{"0..1 along the chain"});
    CHECK(phases(3, {"0>1", "0>1 1>2", "1>2"}) == list{"0..2 along the chain, piece by piece"});
    CHECK(phases(4, {"1+0 3+2", "2+0", "0>2", "0>1 2>3"}) == list{"0..1 up the tree", "2..3 down the tree"});
}

TEST_CASE("messages that get longer or shorter, by how much", "[render]") {
    const auto one = [](const std::string& words) { return list{words}; };
    CHECK(volumes({1, 2, 4}, ">") == one("0..2 doubling"));
    CHECK(volumes({4, 2, 1}, "+") == one("0..2 halving"));
    CHECK(volumes({4, 2, 1}, ">") == one("0..2 to one rank after another"));
    // About as long all the time, but of two rounds one can say no such thing.
    CHECK(volumes({4, 5, 6}, ">") == one("0..2 to one rank after another"));
    CHECK(volumes({4, 5, 8}, ">") == one("0..2 doubling"));
    CHECK(volumes({4, 5}, ">") == one("0..1 doubling"));
    // From half to one and a half times what doubling would give.
    CHECK(volumes({1, 1, 2, 4}, ">") == one("0..3 doubling"));
    CHECK(volumes({4, 2, 2, 1}, "+") == one("0..3 halving"));
    CHECK(volumes({3, 3, 4, 6}, ">") == one("0..3 ever longer messages, from 3 blocks to 6"));
    CHECK(volumes({1, 3}, ">") == one("0..1 doubling"));
    CHECK(volumes({2, 7}, ">") == one("0..1 ever longer messages, from 2 blocks to 7"));
    CHECK(volumes({9, 2, 1}, "+") == one("0..2 ever shorter messages, from 9 blocks to 1"));
    CHECK(phases(8, {"shift1>*2", "shift2>*7"}, true)
          == one("0..1 ever longer messages, from 2K bytes to 7K"));
    // A sign counts as a block.
    CHECK(volumes({0, 1}, ">") == one("0..1 doubling"));
    CHECK(volumes({2, 1, 0}, "+") == one("0..2 halving"));
    // The last message of a doubling brings what is left.
    CHECK(volumes({1, 2, 4, 3}, ">") == one("0..3 doubling"));
    CHECK(volumes({1, 2, 4, 3, 3}, ">") == list{"0..2 doubling", "3..4 to one rank after another"});
    CHECK(volumes({8, 4, 2, 3}, "+") == list{"0..2 halving", "3 in pairs, folding"});
    CHECK(phases(8, {"shift1+*4", "shift2+*2", "shift3+*1", "shift4>*1", "shift5>*2", "shift6>*4"})
          == list{"0..2 halving", "3..5 doubling"});
}

TEST_CASE("messages that stay as long as they are, by where they go", "[render]") {
    // The third round ends the phase: its messages are longer again.
    const auto first = [](const std::string& a, const std::string& b) {
        return phases(8, {a + ">*4", b + ">*3", "shift3>*8"});
    };
    CHECK(first("shift1", "shift1") == list{"0..1 round the ring", "2 8 messages, 3 apart"});
    CHECK(first("shift7", "shift7") == list{"0..1 round the ring", "2 8 messages, 3 apart"});
    CHECK(first("shift2", "shift2")
          == list{"0..1 up to 8 messages a round, 2 apart", "2 8 messages, 3 apart"});
    CHECK(first("shift5", "shift4") == list{"0..1 to one rank after another", "2 8 messages, 3 apart"});
    CHECK(phases(8, {"shift1>", "shift3>", "shift1>"}) == list{"0..2 up to 8 messages a round, 1..3 apart"});
    CHECK(phases(8, {"shift1>", "0>1 0>2"}) == list{"0..1 up to 8 messages a round, 1..2 apart"});
}

TEST_CASE("rounds with nothing in common say who exchanges with whom, or how much", "[render]") {
    CHECK(phases(4, {"shift1> shift2> shift3>"}) == list{"0 everybody with everybody"});
    CHECK(phases(8, {"0>1 0>2 1>0 1>2 2>0 2>1 3>4 4>3"})
          == list{"0 everybody with everybody in groups of up to 3"});
    // Not where some take no part, or not all in one group in every round.
    CHECK(phases(8, {"0>2 0>4 0>6 2>0 2>4 2>6 4>0 4>2 4>6 6>0 6>2 6>4"})
          == list{"0 everybody with everybody in groups of up to 4"});
    CHECK(phases(9, {"0>1 0>2 1>0 1>2 2>0 2>1", "3>4 3>5 4>3 4>5 5>3 5>4", "6>7 6>8 7>6 7>8 8>6 8>7"})
          == list{"0..2 everybody with everybody in groups of up to 3"});
    CHECK(phases(4, {"shift1> shift2> shift3>", "0>1 1>0 2>3 3>2"})
          == list{"0..1 everybody with everybody in groups of up to 4"});
    CHECK(phases(6, {"0+1 1+0 2+4 4+2 3+5 5+3", "0+2 2+0 1+4 4+1 3+5 5+3"})
          == list{"0..1 in pairs, folding"});
    CHECK(phases(5, {"0>1 2>3 3>2"}) == list{"0 3 messages, 1 apart"}); // rank 1 gives nothing back
    CHECK(phases(5, {"0>1 0>2 1>0 1>2 2>0"}) == list{"0 5 messages, 1..2 apart"}); // nor rank 2 to rank 1
    CHECK(phases(5, {"0>2", "1>3"}) == list{"0..1 one message a round"});
}

TEST_CASE("distances are those among the ranks that take part", "[render]") {
    CHECK(phases(9, {"0>2 2>0 4>6 6>4", "0>4 4>0 2>6 6>2"})
          == list{"0..1 ever farther, by twice the distance"});
}

TEST_CASE("a sentence says who sends how much to whom", "[render]") {
    // "so far" of the rank that has sent most; without a bound where none is known.
    const auto said = [](const list& rounds) {
        std::vector<tutti::matched_message> messages;
        for (std::size_t i = 0; i < rounds.size(); ++i)
            for (const support::short_message& m : support::round_as_text(rounds[i], 5)) {
                const tutti::block_set blocks{.first = 0, .count = m.blocks};
                messages.push_back({.from = m.from,
                                    .to = m.to,
                                    .sent_in = static_cast<tutti::round_index>(i),
                                    .received_in = static_cast<tutti::round_index>(i),
                                    .sent = {tutti::step::send(m.to, blocks)},
                                    .received = {m.folded ? tutti::step::recv_reduce(
                                                     m.from, blocks, tutti::operand_side::right)
                                                          : tutti::step::recv(m.from, blocks)}});
            }
        return tutti::detail::in_words(tutti::collective::bcast, {}, 5,
                                       static_cast<tutti::round_index>(rounds.size()), messages)
            .rounds;
    };
    CHECK(said({"2>4", "1>0 2>0", "shift1>", ""})
          == list{"rank 2 sends 1 block, to rank 4; 1 so far",
                  "2 ranks send 1 block each, to rank 0; 2 so far",
                  "all 5 ranks send 1 block each, shift:1; 3 so far", "nobody sends; 3 so far"});
    CHECK(said({"0>2 0>3", "0>1 0>2", "0>1*2 1>2 1>3", "0>1*3 1>2"})
          == list{"rank 0 sends 2 blocks in 2 messages, 2 apart; 2 so far",
                  "rank 0 sends 2 blocks in 2 messages, 1..2 apart; 4 so far",
                  "2 ranks send 2 blocks each in up to 2 messages, 1..2 apart; 6 so far",
                  "2 ranks send up to 3 blocks each, shift:1; 9 so far"});
    CHECK(said({"1+0 3+2 4+2", "1>0 3+2", "1>3 3>4 4>1", "0>1*0 1>0*0"})
          == list{"3 ranks send 1 block each, 1..2 apart, folded; 1 so far",
                  "2 ranks send 1 block each, shift:4, some folded; 2 so far",
                  "3 ranks send 1 block each, shift:1 among the 3; 3 so far",
                  "2 ranks send a sign each, xor:1; 3 so far"});
}
