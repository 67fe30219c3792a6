// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include "support/catch2.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/processes.hpp>
#include <tutti/tools.hpp>

// The calls that the README and docs/ show besides the examples, run.

TEST_CASE("the README's calls work as written", "[docs]") {
    std::array<int, 3> right{}; // by rank: Catch2 may not be asked from several threads
    tutti::threads::run(3, [&right](auto& comm) {
        int& score = right[static_cast<std::size_t>(comm.rank())];
        const auto merge = [](double a, double b) { return a + b; };
        {
            const std::vector<double> in(5, 1.0 + comm.rank());
            const std::vector<double> six(5, 6.0);
            std::vector<double> out(5);
            tutti::allreduce(comm, in, out, tutti::sum{});
            score += out == six;
            out.assign(5, 0.0);
            tutti::allreduce(comm, in, out, tutti::sum{}, tutti::binary_blocks{});
            score += out == six;
            out.assign(5, 0.0);
            tutti::allreduce(comm, in, out, tutti::commutative(merge));
            score += out == six;
            out.assign(5, 0.0);
            auto again = tutti::plan_allreduce(comm, in, out, tutti::sum{});
            again.run();
            score += out == six;
            out.assign(5, 0.0);
            tutti::request sums = tutti::iallreduce(comm, in, out, tutti::sum{});
            tutti::progress();
            sums.wait();
            score += out == six;
            out.assign(5, 0.0);
            again.start();
            again.wait();
            score += out == six;
            out.assign(5, 0.0);
            comm.set_progress(tutti::progress_mode::on_arrival);
            comm.set_progress(tutti::progress_mode::by_thread);
            tutti::bypass_reduce(comm, in, out, tutti::sum{}, 0);
            tutti::finish_bypassed(comm);
            score += comm.rank() != 0 || out == six;
        }
        {
            const std::vector<double> gradient(1000, 1.0);
            tutti::partial_allreduce all(comm, 1000, tutti::sum{}, 0.0);
            const bool in_time = all.contribute(gradient);
            const std::span<const double> total = all.wait();
            score += total.back() == all.contributors() && all.contributed(comm.rank()) == in_time;
        }
        const std::vector<tutti::located<double>> in{{comm.rank() * 1.5, comm.rank()}};
        std::vector<tutti::located<double>> out(1);
        tutti::reduce(comm, in, out, tutti::max_location{}, 2, tutti::fnomial{.radix = 4});
        score += comm.rank() != 2 || out[0] == tutti::located<double>{3.0, 2};
    });
    CHECK(right == std::array{9, 9, 9});
}

TEST_CASE("the README's ranks that are processes work as written", "[docs]") {
    tutti::processes::run(4, [](auto& comm) {
        tutti::shared_buffer<double> x(comm.transport(), 1 << 20);
        for (double& one : x) one = comm.rank();
        tutti::allreduce(comm, x, tutti::sum{});
        if (x[0] != 6 || x[(1 << 20) - 1] != 6) throw std::runtime_error("a wrong sum");
    });
}

TEST_CASE("the README's ranks that join by a name work as written", "[docs]") {
    const std::string name = tutti::processes::new_name();
    const tutti::rank_type rank = 0, size = 1;
    const auto group = tutti::processes::attach(name, rank, size);
    tutti::processes::transport wires(*group, rank);
    tutti::communicator comm(wires);
    comm.set_deadline(2.0);
    tutti::barrier(comm);
}

TEST_CASE("the README's lost message is an error", "[docs]") {
    using tutti::mock::fault, tutti::mock::fault_kind;
    CHECK_THROWS_AS(tutti::mock::run(5, {.seed = 42, .faults = {fault::message(fault_kind::drop, 1, 0, 0)}},
                                     [](auto& comm) {
                                         const std::vector<double> in(5);
                                         std::vector<double> out(5);
                                         tutti::reduce(comm, in, out, tutti::sum{}, 0, tutti::serial{});
                                     }),
                    tutti::collective_error);
}

TEST_CASE("the README's gathering calls work as written", "[docs]") {
    const int p = 3;
    std::array<int, 3> right{};
    tutti::threads::run(p, [&right](auto& comm) {
        int& score = right[static_cast<std::size_t>(comm.rank())];
        const std::vector<std::int64_t> counts{2, 0, 3};
        const std::vector<double> mine(
            static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]), comm.rank() + 1.0);
        std::vector<double> all(5);
        tutti::allgatherv(comm, mine, counts, all, tutti::kshift{.k = 8});
        score += all == std::vector<double>{1, 1, 3, 3, 3};
        all.assign(5, 0.0);
        const std::vector<std::vector<tutti::rank_type>> targets{{2}, {}, {0}}; // ranks 0 and 2 swap
        tutti::multicast(comm, mine, counts, all, tutti::relation{p, targets});
        score += comm.rank() == 1 || all == std::vector<double>{1, 1, 3, 3, 3};
    });
    CHECK(right == std::array{2, 2, 2});
}

TEST_CASE("the document's choice of a strategy works as written", "[docs]") {
    const tutti::routed_fat_tree tree(tutti::fat_tree::kary(4, 3));
    const auto where = tutti::placement::compact(64, {21});
    const tutti::strategy_choice choice = tutti::choose_allgather(tree, where, 256 * 1024);
    CHECK(choice.explain().find(choice.best().name()) == 0);
    std::array<bool, 63> right{};
    tutti::threads::run(63, [&](auto& comm) {
        const std::vector<int> mine(2, comm.rank());
        std::vector<int> all(126);
        tutti::allgather(comm, mine, all, choice.best());
        std::vector<int> expected;
        for (int r = 0; r < 63; ++r) expected.insert(expected.end(), 2, r);
        right[static_cast<std::size_t>(comm.rank())] = all == expected;
    });
    for (const bool fine : right) CHECK(fine);
}

TEST_CASE("the README's mock runs a solver, and kills a rank of it when told to", "[docs]") {
    const auto my_solver = [](auto& comm) {
        std::vector<double> v(100, comm.rank());
        tutti::allreduce(comm, v, tutti::sum{});
        return v[0];
    };
    std::vector<double> result(5);
    tutti::mock::run(5, {.seed = 42},
                     [&](auto& comm) { result[static_cast<std::size_t>(comm.rank())] = my_solver(comm); });
    CHECK(result == std::vector<double>(5, 10.0));

    const auto error_with_a_killed_rank = [&] {
        try {
            tutti::mock::run(5, {.seed = 42, .faults = {tutti::mock::fault::kill(3, 2)}},
                             [&](auto& comm) { my_solver(comm); });
        } catch (const tutti::error& e) {
            return std::string(e.what());
        }
        return std::string("no error");
    };
    const std::string first = error_with_a_killed_rank();
    INFO(first);
    CHECK(first.find("rank 3") != std::string::npos);
    CHECK(first.find("step 2") != std::string::npos);
    CHECK(error_with_a_killed_rank() == first);
}
