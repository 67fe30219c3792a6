// SPDX-License-Identifier: BSL-1.0
#include <tutti/tune/experience.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <tutti/choose/default_choices.hpp>
#include <tutti/choose/remembered.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/tune/any_call.hpp>
#include <tutti/tune/fold_order.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

using namespace tutti;

namespace {

using numbers = std::vector<double>;

request_facts facts_of(rank_type size, std::size_t count) {
    return {.at = {0, size, 0}, .bytes = static_cast<std::int64_t>(count * sizeof(double))};
}

} // namespace

TEST_CASE("calls by experience are right while it tries and afterwards, and all ranks settle on the same",
          "[tune][experience]") {
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 3, 5);
    support::complaints heard(size);
    std::vector<std::string> settled(static_cast<std::size_t>(size));
    const auto body = [&](auto& comm) {
        const std::vector<std::size_t> lengths{1, 40, 5000};
        comm.choose_by(by_experience(comm, {.candidates = 3, .trials = 2}));
        std::string text;
        for (int call = 0; call < 12; ++call)
            for (const std::size_t count : lengths) { // three kinds, in turns
                numbers in(count, comm.rank() + 1.0), out(count);
                allreduce(comm, in, out, sum{});
                if (out != numbers(count, size * (size + 1) / 2.0))
                    text += "allreduce " + std::to_string(call);
                const rank_type root = call % 2 == 0 ? 0 : size - 1;
                out.assign(count, 0);
                reduce(comm, in, out, sum{}, root);
                if (comm.rank() == root && out != numbers(count, size * (size + 1) / 2.0))
                    text += "reduce " + std::to_string(call);
            }
        for (const std::size_t count : lengths)
            settled[static_cast<std::size_t>(comm.rank())] +=
                name_of(comm.chosen_by()->choose(collective::allreduce, facts_of(size, count))) + "; ";
        heard.add(comm.rank(), text);
    };
    SECTION("over threads") { threads::run(size, body); }
    SECTION("over the mock") { mock::run(size, {.seed = 3}, body); }
    CHECK(heard.all() == "");
    for (const std::string& one : settled) CHECK(one == settled.front());
}

TEST_CASE("every candidate gets its trials, then nothing is tried any more", "[tune][experience]") {
    threads::run(1, [](auto& comm) {
        const auto by = by_experience(comm, {.candidates = 3, .trials = 2});
        const request_facts facts = facts_of(8, 100); // as if there were others
        std::vector<std::string> tried;
        while (const choice* const one = by->try_out(collective::allreduce, facts)) {
            tried.push_back(name_of(*one));
            CHECK(by->choose(collective::allreduce, facts)
                  == default_choice(collective::allreduce, facts, comm.has_cores()).to);
            by->tried();
        }
        REQUIRE(tried.size() == 6);
        CHECK(tried[0] == name_of(default_choice(collective::allreduce, facts, comm.has_cores()).to));
        for (std::size_t i = 0; i < 3; ++i) CHECK(tried[i] == tried[i + 3]);
        CHECK(tried[0] != tried[1]);
        CHECK(tried[1] != tried[2]);
        CHECK(by->explain(collective::allreduce, facts).find("the fastest of those that were tried")
              != std::string::npos);
        // Calls of another kind are tried anew; those of the same are not.
        CHECK(by->try_out(collective::allreduce, facts_of(8, 1000)) != nullptr);
        CHECK(by->try_out(collective::allreduce, facts) == nullptr);

        // Every candidate has a line, with what it took if it has been tried.
        const auto count_in = [&](const request_facts& of, const std::string& part) {
            const std::string text = by->explain(collective::allreduce, of);
            int found = 0;
            for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++found;
            return found;
        };
        for (std::size_t i = 0; i < 3; ++i) CHECK(count_in(facts, "\n  " + tried[i] + ": ") == 1);
        CHECK(count_in(facts, " us\n") == 3);
        by->tried();
        CHECK(count_in(facts_of(8, 1000), ": for now, until all have been tried\n") == 1);
        CHECK(count_in(facts_of(8, 1000), "\n  ") == 3);
        CHECK(count_in(facts_of(8, 1000), " us\n") == 1);
    });
}

TEST_CASE("unless something else is said four candidates get three trials each, in whatever order they fold",
          "[tune][experience]") {
    const detail::experience by({}, cores::own, [](std::span<double>) {});
    const request_facts facts = facts_of(8, 100);
    std::map<std::string, int> trials;
    int other_order = 0;
    choice first;
    while (const choice* const one = by.try_out(collective::allreduce, facts)) {
        if (trials.empty()) first = *one;
        ++trials[name_of(*one)];
        if (!same_order_of_folds(collective::allreduce, 8, 100, true, first, *one)) ++other_order;
        by.tried();
    }
    CHECK(trials.size() == 4);
    for (const auto& [name, count] : trials) CHECK(count == 3);
    CHECK(other_order > 0);
}

TEST_CASE("what calls have taken is told with three digits, long ones in whole microseconds",
          "[tune][experience]") {
    CHECK(detail::us_text(0.0000123456) == "12.3");
    CHECK(detail::us_text(0.00000045678) == "0.457");
    CHECK(detail::us_text(0.00012345) == "123");
    CHECK(detail::us_text(1.5) == "1500000");
}

TEST_CASE("the fastest on the slowest rank is kept", "[tune][experience]") {
    // Another rank has seen the second candidate only to be fast.
    const detail::experience by({.candidates = 2, .trials = 1}, cores::own, [](std::span<double> seconds) {
        seconds[0] = 5;
        seconds[1] = 4;
    });
    const request_facts facts = facts_of(8, 100);
    std::vector<choice> tried;
    while (const choice* const one = by.try_out(collective::allreduce, facts)) {
        tried.push_back(*one);
        by.tried();
    }
    REQUIRE(tried.size() == 2);
    CHECK(by.choose(collective::allreduce, facts) == tried[1]);
}

TEST_CASE("with the same results only what folds in the same order is tried", "[tune][experience]") {
    const rank_type size = 7;
    const std::size_t count = 301;
    std::vector<std::vector<numbers>> results(static_cast<std::size_t>(size));
    threads::run(size, [&](auto& comm) {
        comm.choose_by(by_experience(comm, {.candidates = 6, .trials = 1, .same_results = true}));
        numbers in(count);
        for (std::size_t i = 0; i < count; ++i)
            in[i] = 1.0 / (1 + static_cast<double>(comm.rank()) * 3 + static_cast<double>(i)) * 1e-3
                    * (i % 3 ? 1 : 1e9);
        for (int call = 0; call < 8; ++call) {
            numbers out(count);
            allreduce(comm, in, out, sum{});
            results[static_cast<std::size_t>(comm.rank())].push_back(out);
        }
    });
    for (const auto& of_rank : results)
        for (const numbers& one : of_rank) CHECK(one == results[0][0]);
}

TEST_CASE("with the same results the order is the same at every length of the kind, of elements of any size",
          "[tune][experience]") {
    // Lengths of a kind share their candidates, whichever came first; what is cut into blocks are elements.
    const rank_type size = GENERATE(as<rank_type>{}, 2, 3, 4, 5, 8, 13, 16);
    const collective what = GENERATE(collective::allreduce, collective::scan, collective::reduce_scatter);
    struct {
        std::int64_t from, behind; // bytes
    } const kinds[]{{8, 12}, {64, 96}};
    for (const auto& [from, behind] : kinds) {
        const detail::experience by({.candidates = 100, .trials = 1, .same_results = true}, cores::own,
                                    [](std::span<double>) {});
        const request_facts facts{.at = {0, size, 0}, .bytes = from};
        CHECK(detail::rounded_length(behind - 1) == from);
        std::vector<choice> tried;
        while (const choice* const one = by.try_out(what, facts)) {
            tried.push_back(*one);
            by.tried();
        }
        if (size == 2) CHECK(tried.size() > 1); // there is one order only, so anything will do
        for (std::size_t i = 1; i < tried.size(); ++i)
            for (const std::int64_t element : {4, 8}) // float, double
                for (std::int64_t bytes = from; bytes < behind; bytes += element) {
                    CAPTURE(name_of(what), size, bytes, element, name_of(tried[0]), name_of(tried[i]));
                    CHECK(same_order_of_folds(what, size, bytes / element, true, tried[0], tried[i]));
                }
    }
}

TEST_CASE("with the same results a reduce gives the same bits by all candidates, to each root of the kind",
          "[tune][experience]") {
    const rank_type size = GENERATE(as<rank_type>{}, 3, 4, 5, 7, 8);
    const detail::experience by({.candidates = 100, .trials = 1, .same_results = true}, cores::shared,
                                [](std::span<double>) {});
    const request_facts facts{.at = {0, size, 1}, .bytes = 4096 * sizeof(double)};
    std::vector<choice> tried{by.choose(collective::reduce, facts)};
    while (const choice* const one = by.try_out(collective::reduce, facts)) {
        tried.push_back(*one);
        by.tried();
    }
    if (size == 3 || size == 5) CHECK(tried.size() > 2); // trees that are the same there
    const auto result = [size](const choice& by_this, rank_type root) {
        numbers at_root;
        mock::run(size, {}, [&](auto& comm) {
            numbers in(4096), out(4096);
            for (std::size_t i = 0; i < in.size(); ++i)
                in[i] = (i % 3 ? 1 : 1e9) / (1.0 + 3 * comm.rank() + static_cast<double>(i));
            reduce(comm, in, out, sum{}, root, detail::as_chosen{&by_this});
            if (comm.rank() == root) at_root = out;
        });
        return at_root;
    };
    for (rank_type root = 1; root < size; ++root) {
        const numbers first = result(tried[0], root);
        for (const choice& other : tried) {
            CAPTURE(size, root, name_of(tried[0]), name_of(other));
            CHECK(result(other, root) == first);
        }
    }
}

TEST_CASE("options that make no sense are refused", "[tune][experience]") {
    threads::run(1, [](auto& comm) {
        CHECK_THROWS_AS(by_experience(comm, {.candidates = 0}), argument_error);
        CHECK_THROWS_AS(by_experience(comm, {.trials = 0}), argument_error);
    });
}
