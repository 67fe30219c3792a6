// SPDX-License-Identifier: BSL-1.0
#include <tutti/choose/chooser.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <tutti/collectives/allgatherv.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/tune/choosers.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/model/decision_table_file.hpp>
#include <tutti/model/selection.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// Counts how often it is asked to price.
class counting final : public chooser {
public:
    mutable std::atomic<int> asked{0};

private:
    ranking rank(const selection_request& request, std::span<const catalogue_entry> among) const override {
        ++asked;
        return rank_algorithms(default_machine(), request, among);
    }
};

machine dear_messages() {
    return {.name = "dear", .model = loggops{.L = 1000, .o = 500, .g = 500, .G = 1e-6}};
}
machine dear_bytes() { return {.name = "slow", .model = loggops{.L = 0.01, .o = 0.01, .g = 0.01, .G = 10}}; }

} // namespace

TEST_CASE("lengths are rounded down to a power of two or one and a half times one", "[execute][chooser]") {
    CHECK(detail::rounded_length(0) == 0);
    CHECK(detail::rounded_length(1) == 1);
    for (const auto& [bytes, rounded] :
         {std::pair{2, 2}, {3, 3}, {5, 4}, {7, 6}, {8, 8}, {100, 96}, {4096, 4096}})
        CHECK(detail::rounded_length(bytes) == rounded);
    std::int64_t before = -1;
    for (std::int64_t bytes = 0; bytes < 5000; ++bytes) {
        const std::int64_t rounded = detail::rounded_length(bytes);
        CHECK((rounded <= bytes && 3 * rounded >= 2 * bytes - 2));
        CHECK(detail::rounded_length(rounded) == rounded);
        // One slot for every rounded length, no two with the same.
        CHECK(detail::choice_length_of(bytes) == detail::choice_length_of(rounded));
        CHECK((detail::choice_length_of(bytes) != detail::choice_length_of(before < 0 ? 0 : before))
              == (bytes > 0 && rounded == bytes));
        before = rounded;
    }
    CHECK(detail::choice_length_of(INT64_MAX) == detail::choice_lengths - 1);
}

TEST_CASE("the choice is the best of the ranking, and is made once", "[execute][chooser]") {
    const counting by;
    detail::known_choices known{};
    const request_facts facts{.at = {.rank = 3, .size = 9, .root = 2}, .bytes = 100};
    const candidate& first = by.choose<collective::reduce>(facts, known);
    CHECK(name_of(first)
          == name_of(rank_algorithms(default_machine(),
                                     {.what = collective::reduce, .size = 9, .root = 1, .bytes = 96})
                         .best()
                         .what));
    CHECK(&by.choose<collective::reduce>({.at = {.rank = 0, .size = 9, .root = 8}, .bytes = 96}, known)
          == &first);
    detail::known_choices of_another_communicator{};
    CHECK(&by.choose<collective::reduce>(facts, of_another_communicator) == &first);
    CHECK(by.asked == 1);
    by.choose<collective::reduce>({.at = {.rank = 3, .size = 9, .root = 0}, .bytes = 100}, known);
    by.choose<collective::reduce>(
        {.at = {.rank = 3, .size = 9, .root = 2}, .bytes = 100, .commutative = false}, known);
    by.choose<collective::allreduce>(facts, known);
    CHECK(by.asked == 4);
}

TEST_CASE("all ranks share the choices of their process", "[execute][chooser]") {
    const auto by = std::make_shared<const counting>();
    threads::run(6, [&](auto& comm) {
        comm.choose_by(by);
        std::vector<int> v(10, comm.rank());
        allreduce(comm, v, sum{});
        allreduce(comm, v, sum{});
    });
    CHECK(by->asked == 1);
}

TEST_CASE("what is chosen covers the request: any root, any order, any blocks", "[execute][chooser]") {
    detail::known_choices known{};
    const chooser& by = detail::standard_chooser();
    for (rank_type size = 1; size <= 12; ++size) {
        known = {};
        for (const std::int64_t bytes : {0, 8, 5000, 1 << 20})
            for (rank_type root = 0; root < size; ++root) {
                const candidate& c = by.choose<collective::reduce>(
                    {.at = {0, size, root}, .bytes = bytes, .commutative = false}, known);
                CHECK(c.entry->make({0, size, root}, c.with).claims().order_preserving);
            }
    }
}

TEST_CASE("a communicator chooses by the machine it is told of", "[execute][chooser]") {
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
          "[execute][chooser]") {
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

TEST_CASE("a communicator says what it would choose and why", "[execute][chooser]") {
    mock::run(4, {}, [](auto& comm) {
        const std::string by_price = explain<collective::allreduce>(comm, 4096);
        CHECK(by_price.find("the least time\n") != std::string::npos);
        for (const char* name : {"ring", "recursive_doubling", "serial"})
            CHECK(by_price.find(name) != std::string::npos);
        CHECK(explain<collective::allreduce>(comm, 4096, false).find("does not keep the order")
              != std::string::npos);
        comm.choose_by(
            by_table(parse_decision_table("tutti decision table 1\nallreduce all 2.. 0.. serial")));
        CHECK(explain<collective::allreduce>(comm, 4096) == "serial: as listed in the table\n");
        comm.choose_by(nullptr);
        CHECK(explain<collective::allreduce>(comm, 4096) == by_price);
    });
}

TEST_CASE("where nothing covers the request, the call is refused", "[execute][chooser]") {
    detail::known_choices known{};
    CHECK_THROWS_AS(detail::standard_chooser().choose<collective::alltoall>(
                        {.at = {0, 4, 0}, .bytes = 64, .equal_blocks = false}, known),
                    argument_error);
}
