// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/multicast.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/named.hpp>
#include <tutti/transport/mock_explore.hpp>

#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/extent.hpp"
#include "support/outcomes.hpp"
#include "support/refusals.hpp"
#include "support/relations.hpp"
#include "support/running.hpp"

namespace {

using counts_type = std::vector<std::int64_t>;
using support::check_refused;
using support::ranks;
using tutti::automatic;
using tutti::rank_type;
using tutti::relation;
using vec = std::vector<int>;

/// Half of the messages short, some empty, some long.
counts_type random_counts(rank_type size, std::uint32_t seed) {
    std::mt19937 random(seed);
    counts_type counts;
    for (rank_type r = 0; r < size; ++r) {
        const auto kind = random() % 8;
        const auto most = kind < 3 ? 1U : kind < 7 ? 20U : 3000U;
        counts.push_back(static_cast<std::int64_t>(random() % most));
    }
    return counts;
}

/// By every strategy, in place and not.
template <class Communicator>
void all_strategies(Communicator& comm, const counts_type& counts, const relation& who,
                    support::complaints& heard) {
    const auto run = [&](const std::string& name, const auto& how) {
        for (const bool in_place : {false, true}) {
            const std::string wrong = support::run_multicast<int>(comm, counts, who, how, in_place);
            heard.add(comm.rank(), wrong.empty() ? "" : name + ": " + wrong);
        }
    };
    for (const tutti::catalogue_entry& entry : tutti::catalogue())
        if (entry.what == tutti::collective::allgather)
            run(std::string(entry.name), tutti::named{entry.name});
    run("serial", tutti::serial{});
    run("direct, by its type", tutti::direct{});
    run("prefix_send, 3 at once", tutti::flow_controlled<tutti::prefix_send>{{}, 3, 4});
    run("automatic", automatic{});
    heard.add(comm.rank(), support::run_multicast<support::moments>(comm, counts, who, automatic{}, false));
}

void check_everywhere(const counts_type& counts, const relation& who) {
    INFO("size " << who.size() << ", " << who.pairs() << " pairs");
    support::complaints heard(who.size());
    tutti::threads::run(who.size(), [&](auto& comm) { all_strategies(comm, counts, who, heard); });
    CHECK(heard.all() == "");
    for (const bool rendezvous : {true, false}) {
        support::complaints over_mock(who.size());
        tutti::mock::run(who.size(), {.rendezvous = rendezvous, .log = false},
                         [&](auto& comm) { all_strategies(comm, counts, who, over_mock); });
        CHECK(over_mock.all() == "");
    }
}

} // namespace

TEST_CASE("every strategy delivers the messages of random relations", "[execute][multicast]") {
    for (const rank_type size : support::chosen({1, 2, 3, 5, 8, 11}, {2, 5, 8})) {
        std::uint32_t seed = 17;
        for (const relation& who : support::some_relations(size, 99))
            check_everywhere(random_counts(size, ++seed), who);
    }
}

TEST_CASE("messages may all be empty", "[execute][multicast]") {
    for (const relation& who : support::some_relations(6, 5)) check_everywhere(counts_type(6, 0), who);
}

TEST_CASE("a multicast is right in every interleaving of few ranks", "[execute][multicast][explore]") {
    const std::string strategy = GENERATE("ring", "circulant", "kshift");
    const bool rendezvous = GENERATE(true, false);
    const relation who(3, {{2}, {0, 2}, {}});
    const auto seen = tutti::mock::explore(3,
                                           [&](tutti::mock::transport& wires) {
                                               tutti::communicator<tutti::mock::transport> comm(wires);
                                               const std::string wrong = support::run_multicast<int>(
                                                   comm, {1, 2, 0}, who, tutti::named{strategy}, false);
                                               if (!wrong.empty()) throw tutti::error(wrong);
                                           },
                                           2000, {.rendezvous = rendezvous});
    INFO(strategy);
    CHECK(seen.runs > 1);
}

TEST_CASE("a planned multicast reads its input anew in every run and keeps neither counts nor relation",
          "[execute][multicast]") {
    support::complaints heard(3);
    tutti::threads::run(3, [&](auto& comm) {
        const auto me = static_cast<std::size_t>(comm.rank());
        counts_type counts{2, 1, 1};
        relation who(3, {{2}, {2}, {0}});
        vec in(static_cast<std::size_t>(counts[me]));
        vec out(4);
        auto plan = tutti::plan_multicast(comm, in, counts, out, who, tutti::circulant{});
        counts.assign(3, 77);
        who = relation::all_to_all(3);
        for (int turn = 1; turn < 4; ++turn) {
            for (int& x : in) x = 10 * turn + comm.rank();
            plan.run();
            const int t = 10 * turn;
            const bool is_right = comm.rank() == 0   ? out[0] == t && out[1] == t && out[3] == t + 2
                                  : comm.rank() == 1 ? out[2] == t + 1
                                                     : out == vec{t, t, t + 1, t + 2};
            heard.add(comm.rank(), is_right ? "" : "turn " + std::to_string(turn));
        }
    });
    CHECK(heard.all() == "");
}

TEST_CASE("few messages go at once, many short ones on the circulant graph, many long ones one by one",
          "[execute][multicast]") {
    const auto chosen = [](const relation& who, std::int64_t bytes) {
        const auto same = [](const tutti::any_generator& a, const tutti::any_generator& b) {
            return tutti::schedule(a) == tutti::schedule(b);
        };
        const tutti::place at{.rank = 3, .size = who.size()};
        const tutti::any_generator g = tutti::choose_multicast(who, {.at = at, .bytes = bytes});
        constexpr auto multicast = tutti::of<tutti::collective::multicast>;
        return std::string(same(g, generate(multicast, tutti::serial{}, who, at))      ? "serial"
                           : same(g, generate(multicast, tutti::circulant{}, who, at)) ? "circulant"
                           : same(g, generate(multicast, tutti::direct{}, who, at))    ? "direct"
                                                                                       : "?");
    };
    const relation sparse = support::random_relation(100, 3, true, 1);
    const relation dense = support::random_relation(100, 60, true, 1);
    for (const std::int64_t bytes : {0, 800, 200'000, 1 << 30}) CHECK(chosen(sparse, bytes) == "serial");
    CHECK(chosen(dense, 0) == "circulant");
    CHECK(chosen(dense, 100 * 2048) == "circulant");
    CHECK(chosen(dense, 101 * 2048) == "direct");
    CHECK(chosen(relation::all_to_all(600), 600) == "direct");

    // The borders: rank 3 has messages for so many others, and nobody else has any.
    const auto one_sends = [](rank_type size, rank_type many) {
        std::vector<std::vector<rank_type>> targets(static_cast<std::size_t>(size));
        for (rank_type r = 0; r < many; ++r) targets[3].push_back(r + 4);
        return relation(size, targets);
    };
    CHECK(chosen(one_sends(100, 14), 1 << 30) == "serial"); // twice as many as ceil(log2 p)
    CHECK(chosen(one_sends(100, 15), 1 << 30) == "direct");
    CHECK(chosen(one_sends(512, 19), 512) == "circulant");
    CHECK(chosen(one_sends(513, 21), 513) == "direct");
}

TEST_CASE("a relation, counts or buffers that do not fit are refused", "[execute][multicast][arguments]") {
    const relation who(3, {{1}, {2}, {0}});
    const counts_type counts{2, 2, 2};
    const bool in_place = GENERATE(false, true);
    const auto refused = [&](const std::string& argument, const std::string& value,
                             const std::string& allowed, const counts_type& some, const relation& pairs) {
        check_refused(3, argument, value, allowed, [&](ranks& comm) {
            vec in(2), out(6);
            if (in_place)
                tutti::multicast(comm, out, some, pairs);
            else
                tutti::multicast(comm, in, some, out, pairs);
        });
    };
    refused("who", "a relation of 2 ranks", "one of 3 ranks", counts, relation::all_to_all(2));
    refused("who", "a relation of 4 ranks", "one of 3 ranks", counts, relation::all_to_all(4));
    refused("counts.size()", "4", "3, one count per rank", {2, 2, 2, 0}, who);
    refused("counts[2]", "-7", "at least 0", {2, 2, -7}, who);
    check_refused(3, "in", "3 elements", "2 elements, this rank's count", [&](ranks& comm) {
        vec in(3), out(6);
        tutti::multicast(comm, in, counts, out, who);
    });
    check_refused(3, "out", "7 elements", "6 elements, the sum of counts", [&](ranks& comm) {
        vec in(2), out(7);
        tutti::multicast(comm, in, counts, out, who, tutti::ring{});
    });
    check_refused(3, "inout", "5 elements", "6 elements, the sum of counts", [&](ranks& comm) {
        vec inout(5);
        tutti::multicast(comm, inout, counts, who);
    });
    check_refused(3, "out", "memory that overlaps in", "memory apart from in", [&](ranks& comm) {
        vec out(6);
        tutti::multicast(comm, std::span(out).first(2), counts, out, who);
    });
    const auto call = [&](ranks& comm) {
        vec in(2), out(6);
        tutti::multicast(comm, in, counts, out, relation(comm.size(), {{1}, {3}, {0}}));
    };
    check_refused(3, "targets[1][0]", "3", "0..2", call, false);
    check_refused(3, "k", "0", "1", [&](ranks& comm) {
        vec in(2), out(6);
        tutti::multicast(comm, in, counts, out, who, tutti::kshift{.k = 0});
    });
}
