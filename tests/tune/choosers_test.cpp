// SPDX-License-Identifier: BSL-1.0
#include <tutti/tune/choosers.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <tutti/collectives/allgatherv.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/model/decision_table_file.hpp>
#include <tutti/model/selection.hpp>
#include <tutti/tune/choosers.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// Counts how often it is asked to price.
class counting final : public detail::machine_chooser {
public:
    counting() : machine_chooser(default_machine()) {}
    mutable std::atomic<int> asked{0};

private:
    ranking rank(const selection_request& request) const override {
        ++asked;
        return machine_chooser::rank(request);
    }
};

/// While it prices an allreduce, another thread wants a barrier, and gets it.
class interrupted final : public detail::machine_chooser {
public:
    interrupted() : machine_chooser(default_machine()) {}

private:
    ranking rank(const selection_request& request) const override {
        if (request.what == collective::allreduce)
            std::thread([&] {
                const request_facts other{.at = {.rank = 1, .size = request.size, .root = 0}};
                choose(collective::barrier, other);
            }).join();
        return machine_chooser::rank(request);
    }
};

machine dear_messages() {
    return {.name = "dear", .model = loggops{.L = 1000, .o = 500, .g = 500, .G = 1e-6}};
}
machine dear_bytes() { return {.name = "slow", .model = loggops{.L = 0.01, .o = 0.01, .g = 0.01, .G = 10}}; }

} // namespace

TEST_CASE("the choice is the best of the ranking, and is made once", "[tune][choosers]") {
    const counting by;
    const request_facts facts{.at = {.rank = 3, .size = 9, .root = 2}, .bytes = 100};
    const choice& first = by.choose(collective::reduce, facts);
    CHECK(name_of(first)
          == name_of(rank_algorithms(default_machine(),
                                     {.what = collective::reduce, .size = 9, .root = 1, .bytes = 96})
                         .best()
                         .what));
    CHECK(&by.choose(collective::reduce, {.at = {.rank = 0, .size = 9, .root = 8}, .bytes = 96}) == &first);
    CHECK(&by.choose(collective::reduce, facts) == &first);
    CHECK(by.asked == 1);
    by.choose(collective::reduce, {.at = {.rank = 3, .size = 9, .root = 0}, .bytes = 100});
    by.choose(collective::reduce,
              {.at = {.rank = 3, .size = 9, .root = 2}, .bytes = 100, .commutative = false});
    by.choose(collective::allreduce, facts);
    CHECK(by.asked == 4);
}

TEST_CASE("what is priced has elements that fit its length, and one root for all but 0", "[tune][choosers]") {
    const auto priced = [](std::int64_t bytes, rank_type root) {
        return detail::deciding_request(collective::reduce, {.at = {0, 9, root}, .bytes = bytes});
    };
    CHECK(priced(0, 0).element_bytes == 1);
    CHECK(priced(3, 0).element_bytes == 1);
    CHECK(priced(4, 0).element_bytes == 4);
    CHECK(priced(7, 0).element_bytes == 4);
    CHECK(priced(8, 0).element_bytes == 8);
    CHECK(priced(1000, 0).bytes == 768);
    CHECK((priced(8, 0).root == 0 && !priced(8, 0).every_root));
    CHECK((priced(8, 5).root == 1 && priced(8, 5).every_root));
}

TEST_CASE("all ranks share the choices of their process", "[tune][choosers]") {
    const auto by = std::make_shared<const counting>();
    threads::run(6, [&](auto& comm) {
        comm.choose_by(by);
        std::vector<int> v(10, comm.rank());
        allreduce(comm, v, sum{});
        allreduce(comm, v, sum{});
    });
    CHECK(by->asked == 1);
}

TEST_CASE("whoever wants another kind does not wait for what is being priced", "[tune][choosers]") {
    // Else the thread that is waited for would wait in its turn, and this never end.
    const interrupted by;
    const request_facts facts{.at = {.rank = 0, .size = 5, .root = 0}, .bytes = 100};
    const choice& mine = by.choose(collective::allreduce, facts);
    CHECK(&by.choose(collective::allreduce, facts) == &mine);
    CHECK(!mine.algorithm.empty());
}

TEST_CASE("what prices choose covers the request: any root, any order, any blocks", "[tune][choosers]") {
    const auto by = by_machine(default_machine());
    for (rank_type size = 1; size <= 12; ++size)
        for (const std::int64_t bytes : {0, 8, 5000, 1 << 20})
            for (rank_type root = 0; root < size; ++root) {
                const choice& c = by->choose(collective::reduce,
                                             {.at = {0, size, root}, .bytes = bytes, .commutative = false});
                CHECK(c.schedule({0, size, root}).claims().order_preserving);
            }
}

TEST_CASE("a communicator chooses by the machine it is told of", "[tune][choosers]") {
    mock::run(8, {}, [](auto& comm) {
        std::vector<double> v(4096, 1);
        comm.choose_by(by_machine(dear_messages()));
        auto few = plan_allreduce(comm, v, sum{});
        CHECK(few.schedule().rounds() == 3); // recursive doubling
        comm.choose_by(by_machine(dear_bytes()));
        auto little = plan_allreduce(comm, v, sum{});
        CHECK(little.schedule().claims().sent_blocks < 2 * little.schedule().blocks());
        few.run();
        little.run();
        CHECK(v[7] == 64);
    });
}

TEST_CASE("a communicator chooses by a table, and by the machine where the table is silent",
          "[tune][choosers]") {
    const auto by = by_table(parse_decision_table("tutti decision table 1\n"
                                                  "allreduce commutative 2..4 0..15 kary arity=1\n"
                                                  "allreduce commutative 2..4 16.. ring\n"),
                             dear_messages());
    const auto rounds_of = [&](rank_type size, std::size_t count) {
        round_index rounds = 0;
        mock::run(size, {}, [&](auto& comm) {
            comm.choose_by(by);
            std::vector<double> v(count, 1);
            auto planned = plan_allreduce(comm, v, sum{});
            rounds = planned.schedule().rounds();
            planned.run();
            CHECK(v[0] == size);
        });
        return rounds;
    };
    CHECK(rounds_of(4, 1) == 6);   // up and down a line
    CHECK(rounds_of(3, 100) == 4); // ring
    CHECK(rounds_of(8, 100) == 3); // not listed
}

TEST_CASE("a communicator says what it would choose and why", "[tune][choosers]") {
    mock::run(4, {}, [](auto& comm) {
        const std::string by_default = explain<collective::allreduce>(comm, 4096);
        CHECK(by_default.find(": by the table for ranks with cores of their own") != std::string::npos);
        CHECK(by_default.find(" us") == std::string::npos); // a table has no times
        comm.choose_by(by_machine(default_machine()));
        const std::string by_price = explain<collective::allreduce>(comm, 4096);
        CHECK(by_price.find(" us  the least time\n") != std::string::npos);
        for (const char* name : {"ring", "recursive_doubling", "serial"})
            CHECK(by_price.find(name) != std::string::npos);
        CHECK(explain<collective::allreduce>(comm, 4096, false).find("does not keep the order")
              != std::string::npos);
        comm.choose_by(
            by_table(parse_decision_table("tutti decision table 1\nallreduce all 2.. 0.. serial")));
        CHECK(explain<collective::allreduce>(comm, 4096) == "serial: as listed in the table, table:2\n");
        comm.choose_by(by_table(parse_decision_table("tutti decision table 1\n"
                                                     "allreduce commutative 2..3 0.. ring\n")));
        CHECK(explain<collective::allreduce>(comm, 4096)
              == "prices decide: the table has no rule for allreduce of 4 ranks (but for 2..3)\n" + by_price);
        comm.choose_by(nullptr);
        CHECK(explain<collective::allreduce>(comm, 4096) == by_default);
    });
}

TEST_CASE("where no algorithm covers the request, prices choose none", "[tune][choosers]") {
    const auto by = by_machine(default_machine());
    for (int again = 0; again < 2; ++again)
        CHECK_THROWS_AS(
            by->choose(collective::alltoall, {.at = {0, 4, 0}, .bytes = 64, .equal_blocks = false}),
            argument_error);
}

TEST_CASE("elements are taken for as long as the rounded length lets them be, up to 8 bytes",
          "[tune][choosers]") {
    struct {
        std::int64_t bytes, rounded, element;
    } const all[]{{0, 0, 1}, {1, 1, 1}, {3, 3, 1}, {4, 4, 4},
                  {5, 4, 4}, {7, 6, 4}, {8, 8, 8}, {1000, 768, 8}};
    for (const auto& [bytes, rounded, element] : all)
        for (const rank_type root : {0, 1, 3}) {
            CAPTURE(bytes, root);
            const selection_request made = detail::deciding_request(
                collective::reduce,
                {.at = {2, 5, root}, .bytes = bytes, .commutative = root != 3, .equal_blocks = root != 1});
            CHECK(made.what == collective::reduce);
            CHECK(made.size == 5);
            CHECK(made.root == (root == 0 ? 0 : 1)); // one choice for all roots but 0
            CHECK(made.every_root == (root != 0));
            CHECK(made.bytes == rounded);
            CHECK(made.element_bytes == element);
            CHECK(made.commutative == (root != 3));
            CHECK(made.equal_blocks == (root != 1));
        }
}
