// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/round_words.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/block_bytes.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/lower_bounds.hpp>
#include <tutti/core/relation.hpp>
#include <tutti/schedule/multicast/catalogue.hpp>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"

using namespace support;
using tutti::block_bytes;
using tutti::collective;
using tutti::round_words;
using tutti::schedule_phase;

namespace {

round_words words_of(collective what, const char* name, tutti::rank_type size,
                     const tutti::parameters& options = {}) {
    return tutti::words_of_rounds(what, ensemble_of(what, name, size, options));
}

/// A message per round, as (from, to), the first so many of several blocks, the others of one: for what no
/// algorithm of the catalogue does.
struct one_by_one {
    tutti::place at;
    std::vector<std::pair<tutti::rank_type, tutti::rank_type>> messages;
    tutti::round_index long_ones = 0;

    tutti::round_index rounds() const { return static_cast<tutti::round_index>(messages.size()); }
    tutti::block_index blocks() const { return 2; }
    tutti::capabilities claims() const { return {}; }
    template <class Sink>
    void emit(tutti::round_index i, Sink&& sink) const {
        const auto [from, to] = messages[static_cast<std::size_t>(i)];
        const tutti::block_set blocks{.first = 0, .count = i < long_ones ? 2 : 1};
        if (at.rank == from) sink(tutti::step::send(to, blocks));
        if (at.rank == to) sink(tutti::step::recv(from, blocks));
    }
};

/// In round i everybody sends so many ranks ahead.
struct shifting {
    tutti::place at;
    std::vector<tutti::rank_type> distances;

    tutti::round_index rounds() const { return static_cast<tutti::round_index>(distances.size()); }
    tutti::block_index blocks() const { return 1; }
    tutti::capabilities claims() const { return {}; }
    template <class Sink>
    void emit(tutti::round_index i, Sink&& sink) const {
        const tutti::rank_type d = distances[static_cast<std::size_t>(i)];
        sink(tutti::step::send((at.rank + d) % at.size, {.first = 0, .count = 1}));
        sink(tutti::step::recv((at.rank + at.size - d) % at.size, {.first = 0, .count = 1}));
    }
};

} // namespace

TEST_CASE("halving and doubling of 13 ranks in words") { // Rabenseifner and Adamidis 2004, 3.5 and Figure 2
    const round_words words = words_of(collective::allreduce, "halving_doubling", 13);
    CHECK(words.phases
          == std::vector<schedule_phase>{{0, 1, "fold the 5 extra ranks in"},
                                         {2, 4, "halving"},
                                         {5, 7, "doubling"},
                                         {8, 8, "give back to the 5"}});
    CHECK(words.rounds
          == std::vector<std::string>{
              "10 ranks send 4 blocks each, xor:1, folded; 4 so far, lower bound 15",
              "5 ranks send 4 blocks each, shift:12; 8 so far, lower bound 15",
              "8 ranks send 4 blocks each, xor:1 among the 8, folded; 8 so far, lower bound 15",
              "8 ranks send 2 blocks each, xor:2 among the 8, folded; 10 so far, lower bound 15",
              "8 ranks send 1 block each, shift:4 among the 8, folded; 11 so far, lower bound 15",
              "8 ranks send 1 block each, shift:4 among the 8; 12 so far, lower bound 15",
              "8 ranks send 2 blocks each, xor:2 among the 8; 14 so far, lower bound 15",
              "8 ranks send 4 blocks each, xor:1 among the 8; 18 so far, lower bound 15",
              "5 ranks send 8 blocks each, shift:1; 26 so far, lower bound 15"});
}

TEST_CASE("binary blocks of 13 ranks in words") { // 3.6: nobody is extra
    const round_words words = words_of(collective::allreduce, "binary_blocks", 13);
    CHECK(words.phases == std::vector<schedule_phase>{{0, 3, "halving"}, {4, 7, "doubling"}});
    CHECK(
        words.rounds
        == std::vector<std::string>{
            "12 ranks send 4 blocks each, xor:1, folded; 4 so far, lower bound 15",
            "12 ranks send 2 blocks each, xor:2, folded; 6 so far, lower bound 15",
            // Rank 12, a block of its own, hands its vector to the block of 4, while that of 8 goes on.
            "9 ranks send up to 8 blocks each in up to 4 messages, 1..4 apart, folded; 8 so far, lower bound "
            "15",
            "4 ranks send 2 blocks each in up to 2 messages, 4..5 apart, folded; 8 so far, lower bound 15",
            "8 ranks send 1 block each, 4..5 apart; 8 so far, lower bound 15",
            "12 ranks send up to 2 blocks each, 1..4 apart; 10 so far, lower bound 15",
            "12 ranks send 2 blocks each, xor:2; 12 so far, lower bound 15",
            "12 ranks send 4 blocks each, xor:1; 16 so far, lower bound 15"});
}

TEST_CASE("the same in bytes, where those of the blocks are known") {
    const auto words = [](collective what, const char* name, tutti::rank_type size, std::int64_t bytes,
                          std::int64_t of_element = 8) {
        const any_ensemble all = ensemble_of(what, name, size);
        return tutti::words_of_rounds(what, all, block_bytes::even(bytes, all.blocks(), of_element)).rounds;
    };
    const std::vector<std::string> halving =
        words(collective::allreduce, "halving_doubling", 4, 64 << 10); // 16K in each block
    CHECK(halving.front() == "all 4 ranks send 32K bytes each, xor:1, folded; 32K so far, lower bound 96K");
    CHECK(halving.back() == "all 4 ranks send 32K bytes each, xor:1; 96K so far, lower bound 96K");
    // 7 elements of 5 ranks, 2 2 1 1 1: 8/5 of them are 12 elements.
    CHECK(words(collective::allreduce, "ring", 5, 56).front()
          == "all 5 ranks send up to 16 bytes each, shift:1, folded; 16 so far, lower bound 96");
    CHECK(words(collective::bcast, "serial", 2, 1, 1).front()
          == "rank 0 sends 1 byte, to rank 1; 1 so far, lower bound 1");
    // A message of no bytes is sent nevertheless, and nothing has to be.
    CHECK(words(collective::bcast, "serial", 2, 0).front() == "rank 0 sends 0 bytes, to rank 1; 0 so far");
    // Of parts of different lengths the root may keep the longest: here it sends 2 and 1 of 2 2 1.
    CHECK(words(collective::scatter, "serial", 3, 5, 1).back()
          == "rank 0 sends 3 bytes in 2 messages, 1 apart; 3 so far, lower bound 3");
    CHECK(words(collective::gather, "serial", 3, 4, 1).back()
          == "2 ranks send 1 byte each, to rank 0; 1 so far, lower bound 1");
    CHECK(words(collective::barrier, "dissemination", 5, 8)
          == words_of(collective::barrier, "dissemination", 5).rounds);
    const any_ensemble ring = ensemble_of(collective::allreduce, "ring", 5);
    CHECK_THROWS_AS(tutti::words_of_rounds(collective::allreduce, ring, block_bytes::even(64, 4)),
                    tutti::argument_error);
}

TEST_CASE("nobody sends fewer bytes than the lower bound, however short the blocks are") {
    for (const tutti::catalogue_entry& entry : tutti::catalogue())
        for (const tutti::rank_type size : {2, 5, 8})
            for (const std::int64_t bytes : {1, 7, 30}) { // few enough that none is said in K
                if (entry.what == collective::barrier) continue;
                const any_ensemble all = ensemble_of(entry, size, entry.defaults);
                const std::vector<std::string> rounds =
                    tutti::words_of_rounds(entry.what, all, block_bytes::even(bytes, all.blocks())).rounds;
                if (rounds.empty()) continue;
                const std::string& last = rounds.back();
                INFO(entry.name << " of " << size << " ranks: " << last);
                constexpr std::string_view bound = "lower bound ";
                const std::size_t at = last.find(bound);
                if (at == std::string::npos) continue;
                CHECK(std::stoll(last.substr(last.rfind("; ") + 2))
                      >= std::stoll(last.substr(at + bound.size())));
            }
}

TEST_CASE("trees, chains and rings in words") {
    const round_words bcast = words_of(collective::bcast, "fnomial", 5);
    CHECK(bcast.phases == std::vector<schedule_phase>{{0, 2, "down the tree"}});
    CHECK(bcast.rounds
          == std::vector<std::string>{"rank 0 sends 1 block, to rank 4; 1 so far, lower bound 1",
                                      "rank 0 sends 1 block, to rank 2; 2 so far, lower bound 1",
                                      "2 ranks send 1 block each, shift:1; 3 so far, lower bound 1"});
    CHECK(words_of(collective::allreduce, "fnomial", 5).phases
          == std::vector<schedule_phase>{{0, 2, "up the tree"}, {3, 5, "down the tree"}});
    CHECK(words_of(collective::reduce, "kary", 13, {{"segments", 3}}).phases
          == std::vector<schedule_phase>{{0, 4, "up the tree, piece by piece"}});
    CHECK(words_of(collective::bcast, "chain", 5, {{"segments", 2}}).phases
          == std::vector<schedule_phase>{{0, 4, "along the chain, piece by piece"}});
    CHECK(words_of(collective::bcast, "two_tree", 13).phases
          == std::vector<schedule_phase>{{0, 6, "down two trees, piece by piece"}});
    CHECK(words_of(collective::bcast, "scatter_allgather", 13).phases
          == std::vector<schedule_phase>{{0, 3, "down the tree"}, {4, 7, "doubling"}});

    const round_words serial = words_of(collective::allreduce, "serial", 5);
    CHECK(serial.phases == std::vector<schedule_phase>{{0, 0, "all to rank 0"}, {1, 1, "rank 0 to all"}});
    CHECK(serial.rounds
          == std::vector<std::string>{"4 ranks send 1 block each, to rank 0, folded; 1 so far, lower bound 2",
                                      "rank 0 sends 4 blocks in 4 messages, 1..2 apart; 4 so far, lower "
                                      "bound 2"});
    const round_words ring = words_of(collective::allreduce, "ring", 5);
    CHECK(ring.phases
          == std::vector<schedule_phase>{{0, 3, "round the ring, folding"}, {4, 7, "round the ring"}});
    CHECK(ring.rounds.back() == "all 5 ranks send 1 block each, shift:1; 8 so far, lower bound 8");
}

TEST_CASE("an alltoall and a barrier in words") {
    const round_words bruck = words_of(collective::alltoall, "bruck", 13);
    CHECK(bruck.phases == std::vector<schedule_phase>{{0, 3, "ever farther, by twice the distance"}});
    CHECK(bruck.rounds
          == std::vector<std::string>{"all 13 ranks send 6 blocks each, shift:1; 6 so far, lower bound 12",
                                      "all 13 ranks send 6 blocks each, shift:2; 12 so far, lower bound 12",
                                      "all 13 ranks send 5 blocks each, shift:4; 17 so far, lower bound 12",
                                      "all 13 ranks send 5 blocks each, shift:8; 22 so far, lower bound 12"});
    const round_words barrier = words_of(collective::barrier, "dissemination", 5);
    CHECK(barrier.phases == std::vector<schedule_phase>{{0, 2, "ever farther, by twice the distance"}});
    CHECK(
        barrier.rounds
        == std::vector<std::string>{"all 5 ranks send a sign each, shift:1; 1 round so far, lower bound 3",
                                    "all 5 ranks send a sign each, shift:2; 2 rounds so far, lower bound 3",
                                    "all 5 ranks send a sign each, shift:4; 3 rounds so far, lower bound 3"});
}

TEST_CASE("a circle is no tree, though each of its ranks has one parent") {
    const auto phases = [](const std::vector<std::pair<tutti::rank_type, tutti::rank_type>>& messages) {
        const tutti::ensemble all([&](tutti::place at) { return one_by_one{at, messages}; }, 5);
        return tutti::words_of_rounds(collective::bcast, all).phases;
    };
    CHECK(phases({{0, 1}, {1, 2}, {1, 3}, {0, 4}}) == std::vector<schedule_phase>{{0, 3, "down the tree"}});
    // As many edges as ranks below the root, but 2, 3 and 4 send in a circle.
    CHECK(phases({{0, 1}, {2, 3}, {3, 4}, {4, 2}})
          == std::vector<schedule_phase>{{0, 3, "one message a round"}});
}

TEST_CASE(
    "rounds that make a tree are a phase of their own if what comes behind has messages of another length") {
    const auto first_phase = [](tutti::round_index long_ones) {
        const tutti::ensemble all(
            [&](tutti::place at) {
                return one_by_one{at, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 3}, {4, 1}}, long_ones};
            },
            5);
        return tutti::words_of_rounds(collective::bcast, all).phases.front();
    };
    CHECK(first_phase(4) == schedule_phase{0, 3, "rank 0 to all"});
    CHECK(first_phase(0).last == 5);
    CHECK(first_phase(6).last == 5);
}

TEST_CASE("distances double or halve, whichever way round") {
    const auto phases = [](const std::vector<tutti::rank_type>& distances) {
        const tutti::ensemble all([&](tutti::place at) { return shifting{at, distances}; }, 7);
        return tutti::words_of_rounds(collective::bcast, all).phases;
    };
    using list = std::vector<schedule_phase>;
    CHECK(phases({1, 2, 4}) == list{{0, 2, "ever farther, by twice the distance"}});
    CHECK(phases({6, 5, 3}) == list{{0, 2, "ever farther, by twice the distance"}}); // -1, -2, -4
    CHECK(phases({4, 2, 1}) == list{{0, 2, "ever nearer, by half the distance"}});
    CHECK(phases({3, 5, 6}) == list{{0, 2, "ever nearer, by half the distance"}});
    CHECK(phases({1, 1, 1}) == list{{0, 2, "round the ring"}});
    CHECK(phases({6, 6, 6}) == list{{0, 2, "round the ring"}});
}

TEST_CASE("a multicast in words has the lower bound of its relation") {
    const tutti::relation who = tutti::relation::all_to_all(4);
    const tutti::catalogue_entry& entry = *tutti::find_algorithm(collective::allgather, "ring");
    const any_ensemble all(
        [&](tutti::place at) { return tutti::make_multicast(entry, who, at, entry.defaults); }, 4);
    CHECK(tutti::words_of_rounds(who, all).rounds.back()
          == "all 4 ranks send 1 block each, shift:1; 3 so far, lower bound 3");
    CHECK(tutti::words_of_rounds(collective::multicast, all).rounds.back()
          == "all 4 ranks send 1 block each, shift:1; 3 so far");
}

TEST_CASE("every round has a sentence and one phase, and the busiest rank has sent what is claimed") {
    for (const tutti::catalogue_entry& entry : tutti::catalogue())
        for (const tutti::parameters& options : variants_of(entry))
            for (const tutti::rank_type size : {1, 2, 3, 5, 8, 13, 16, 21}) {
                INFO(name_of(entry, size) << (options.empty() ? "" : ", other options"));
                const any_ensemble all = ensemble_of(entry, size, options);
                const round_words words = tutti::words_of_rounds(entry.what, all);
                REQUIRE(static_cast<tutti::round_index>(words.rounds.size()) == all.rounds());
                tutti::round_index next = 0;
                for (const schedule_phase& p : words.phases) {
                    CHECK(p.first == next);
                    CHECK(p.last >= p.first);
                    CHECK_FALSE(p.words.empty());
                    next = p.last + 1;
                }
                CHECK(next == all.rounds());
                for (const std::string& sentence : words.rounds)
                    CHECK(sentence.find(" so far") != std::string::npos);
                const tutti::block_index sent = all.claims().sent_blocks;
                if (all.rounds() == 0 || entry.what == collective::barrier || sent == tutti::unstated)
                    continue;
                // The claims are proved elsewhere: the words end with what they say, and the bound.
                std::string end = "; " + std::to_string(sent) + " so far";
                if (const auto least = tutti::bounds_of(entry.what, size, all.blocks()).sent_blocks;
                    least > 0)
                    end += ", lower bound " + std::to_string(least);
                CHECK(words.rounds.back().ends_with(end));
            }
}
