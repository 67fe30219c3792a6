// SPDX-License-Identifier: BSL-1.0
#include <tutti/tune/choose_strategy.hpp>

#include <set>
#include <string>
#include <vector>

#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/topology/fat_tree_routing.hpp>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

const routed_fat_tree sixty_four(fat_tree::kary(4, 3));

const rated_strategy& named_in(const strategy_choice& choice, const std::string& name) {
    for (const rated_strategy& s : choice.ranking)
        if (s.name() == name) return s;
    FAIL("no strategy " << name << " among\n" << choice.explain());
    return choice.best();
}

} // namespace

TEST_CASE("on a full tree what is near is best for long blocks: distance_halving, of the paper's kprefix",
          "[execute][choose_strategy]") {
    const strategy_choice choice = choose_allgather(sixty_four, placement::compact(64), 256 * 1024);
    CHECK(std::string(choice.best().entry->name) == "distance_halving"); // the longest messages go nearest
    for (const char* other : {"direct", "mesh2d", "hypercube", "prefix_send", "kshift"})
        CHECK(named_in(choice, "kprefix").predicted_us <= named_in(choice, other).predicted_us);
    for (const rated_strategy& s : choice.ranking) {
        INFO(s.name());
        // Every round of every strategy is free, but where everybody sends several messages over its own
        // link.
        const int messages = s.name() == "recursive_multiplying" ? 3
                             : s.name() == "bidirectional_ring"  ? 2
                                                                 : 1;
        CHECK(s.worst_load == messages);
        if (messages == 1) CHECK(s.free_rounds == s.busy_rounds);
        CHECK(!s.keeps_slots); // nobody is missing
    }
    CHECK(named_in(choice, "prefix_send").predicted_us < named_in(choice, "kshift").predicted_us);
}

TEST_CASE("where nodes are missing, slots and rings stay free, and kshift is the best of the paper's others",
          "[execute][choose_strategy]") {
    for (const std::vector<node_type>& missing :
         {std::vector<node_type>{21}, {21, 42}, {3, 9, 14, 21, 22, 35, 36, 47, 55, 60}}) {
        const strategy_choice choice =
            choose_allgather(sixty_four, placement::compact(64, missing), 256 * 1024);
        INFO(choice.explain());
        CHECK(named_in(choice, "prefix_send on slots").worst_load == 1);
        CHECK(named_in(choice, "direct on slots").worst_load == 1);
        CHECK(named_in(choice, "kprefix on slots").worst_load == 1);
        CHECK(named_in(choice, "ring").worst_load == 1);
        CHECK(choice.best().worst_load == 1);
        CHECK(named_in(choice, "kshift").predicted_us < named_in(choice, "kprefix").predicted_us);
        CHECK(named_in(choice, "kprefix").predicted_us < named_in(choice, "prefix_send").predicted_us);
        CHECK(named_in(choice, "kshift").mean_load < named_in(choice, "kprefix").mean_load);
    }
}

TEST_CASE("strategies are rated with the options that the paper varies", "[execute][choose_strategy]") {
    const strategy_choice choice = choose_allgather(sixty_four, placement::compact(64), 1024);
    std::set<std::string> rated;
    for (const rated_strategy& s : choice.ranking)
        for (const auto& [name, value] : s.with)
            rated.insert(std::string(s.entry->name) + " " + std::string(name) + "=" + std::to_string(value));
    for (const char* wanted :
         {"kshift k=4", "kshift k=16", "kprefix k=4", "kprefix k=16", "hypercube zeta=3"}) {
        INFO(wanted);
        CHECK(rated.count(wanted) == 1);
    }
}

TEST_CASE("short blocks are worth few rounds", "[execute][choose_strategy]") {
    const strategy_choice choice = choose_allgather(sixty_four, placement::compact(64), 8);
    CHECK(choice.best().rounds == 6);
    CHECK(choice.ranking.back().rounds > 6);
}

TEST_CASE("the explanation has a line for every strategy, the best one first", "[execute][choose_strategy]") {
    const strategy_choice choice = choose_allgather(sixty_four, placement::compact(64, {5}), 100000);
    const std::string text = choice.explain();
    CHECK(text.find(choice.best().name()) == 0);
    CHECK(text.find("the least time\n") < text.find('\n') + 1);
    std::size_t lines = 0;
    for (const char c : text) lines += c == '\n' ? 1 : 0;
    CHECK(lines == choice.ranking.size());
    for (const rated_strategy& s : choice.ranking) CHECK(text.find(s.name() + " ") != std::string::npos);
    CHECK(text.find("more congestion") != std::string::npos);
}

TEST_CASE("every rated strategy is proved as it was rated", "[execute][choose_strategy]") {
    const placement where = placement::compact(16, {2, 7, 8});
    const routed_fat_tree tree(fat_tree::kary(4, 2));
    for (const rated_strategy& s : choose_allgather(tree, where, 1000).ranking) {
        INFO(s.name());
        const proof p = check_proved(collective::allgather, where.ranks(), 0,
                                     [&s](place at) { return generate(of<collective::allgather>, s, at); });
        CHECK(p.rounds == s.rounds);
        CHECK(p.sent_blocks == s.sent_blocks);
        CHECK((s.mean_load >= 1 && s.mean_load <= static_cast<double>(s.worst_load)));
        CHECK((s.mean_load == 1) == (s.free_rounds == s.busy_rounds));
    }
}

TEST_CASE("what was chosen can be run", "[execute][choose_strategy]") {
    const routed_fat_tree tree(fat_tree::kary(2, 3));
    const strategy_choice choice = choose_allgather(tree, placement::compact(8, {1, 6, 7}), 24);
    for (const rated_strategy& s : choice.ranking) {
        std::vector<std::vector<double>> got(5);
        threads::run(5, [&](auto& comm) {
            const std::vector<double> mine(3, comm.rank() + 0.5);
            std::vector<double>& all = got[static_cast<std::size_t>(comm.rank())];
            all.assign(15, -1);
            allgather(comm, mine, all, s);
        });
        INFO(s.name());
        for (const std::vector<double>& all : got) {
            CHECK(all.size() == 15);
            for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == static_cast<double>(i / 3) + 0.5);
        }
    }
}

TEST_CASE("one rank, a placement for another network and negative bytes", "[execute][choose_strategy]") {
    const strategy_choice alone = choose_allgather(sixty_four, placement::compact(64, 1, {}), 100);
    CHECK(alone.best().predicted_us == 0);
    CHECK_THROWS_AS(choose_allgather(sixty_four, placement::compact(16), 100), argument_error);
    CHECK_THROWS_AS(choose_allgather(sixty_four, placement::compact(64), -1), argument_error);
}
