// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include "support/catch2.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/conformance.hpp>
#include <tutti/mock.hpp>
#include <tutti/processes.hpp>
#include <tutti/tools.hpp>

#include "support/document.hpp"

// The calls that the README and docs/ show besides the examples, run. tests/docs/readme_test.cpp misses lines
// that they show and nobody compiles.

TEST_CASE("the calls work as written", "[docs]") {
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
            tutti::allreduce(comm, in, out, tutti::sum{}, tutti::named{"fnomial", {{"radix", 4}}});
            score += out == six;
            out.assign(5, 0.0);
            tutti::request sums = tutti::iallreduce(comm, in, out, tutti::sum{});
            const auto compute_something_else = [] { tutti::progress(); };
            compute_something_else();
            sums.wait();
            score += out == six;
            out.assign(5, 0.0);
            again.start();
            again.wait();
            score += out == six;
            const std::vector<double>& other_in = in;
            std::vector<double> other_out(5);
            again.run(other_in, other_out);
            score += other_out == six;
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
    CHECK(right == std::array{11, 11, 11});
}

TEST_CASE("skips that are listed work as written", "[docs]") {
    std::array<int, 16> right{};
    tutti::threads::run(16, [&right](auto& comm) {
        int& score = right[static_cast<std::size_t>(comm.rank())];
        const std::vector<double> in(40, comm.rank());
        const std::vector<double> sums(40, 120.0);
        std::vector<double> out(40);
        tutti::allreduce(comm, in, out, tutti::sum{}, tutti::circulant{.skips = {16, 8, 4, 3, 2, 1}});
        score += out == sums;
        out.assign(40, 0.0);
        tutti::allreduce(comm, in, out, tutti::sum{}, tutti::circulant{.skips = {16, 12, 8}}); // then 4, 2, 1
        score += out == sums;
        out.assign(40, 0.0);
        tutti::allreduce(comm, in, out, tutti::sum{}, tutti::circulant{.message_blocks = 4}); // the same
        score += out == sums;
        try {
            tutti::allreduce(comm, in, out, tutti::sum{}, tutti::circulant{.skips = {16, 7}});
        } catch (const tutti::argument_error& e) {
            const std::string refused =
                "skips[1] is 7; allowed: 8..15, less than the one before and no less than half of it";
            score += std::string(e.what()).find(refused) != std::string::npos;
        }
    });
    for (const int score : right) CHECK(score == 4);
    for (tutti::rank_type rank = 0; rank < 16; ++rank) { // the same, step by step
        const tutti::place at{rank, 16, 0};
        const auto sum = tutti::of<tutti::collective::allreduce>;
        const tutti::schedule listed(generate(sum, tutti::circulant{.skips = {16, 12, 8}}, at));
        const tutti::schedule bounded(generate(sum, tutti::circulant{.message_blocks = 4}, at));
        CHECK(std::equal(listed.steps().begin(), listed.steps().end(), bounded.steps().begin(),
                         bounded.steps().end()));
    }
}

TEST_CASE("ranks that are processes work as written", "[docs]") {
    tutti::processes::run(4, [](auto& comm) {
        tutti::shared_buffer<double> x(comm.transport(), 1 << 20);
        for (double& one : x) one = comm.rank();
        tutti::allreduce(comm, x, tutti::sum{});
        if (x[0] != 6 || x[(1 << 20) - 1] != 6) throw std::runtime_error("a wrong sum");
    });
}

TEST_CASE("ranks that join by a name work as written", "[docs]") {
    const std::string name = tutti::processes::new_name();
    const tutti::rank_type rank = 0, size = 1;
    const auto group = tutti::processes::attach(name, rank, size);
    tutti::processes::transport wires(*group, rank);
    tutti::communicator comm(wires);
    comm.set_deadline(2.0);
    tutti::barrier(comm);
}

namespace {
constexpr auto my_solver = [](auto& comm) {
    std::vector<double> v(100, comm.rank());
    tutti::allreduce(comm, v, tutti::sum{}, tutti::recursive_doubling{});
    return v[0];
};

template <class Run>
std::string error_of(Run&& run) {
    try {
        run();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "no error";
}
} // namespace

TEST_CASE("the mock runs a solver, kills a rank of it, and loses a message when told to", "[docs]") {
    using tutti::mock::fault, tutti::mock::fault_kind;
    tutti::mock::run(5, {.seed = 42}, [](auto& comm) { my_solver(comm); });
    const auto killed = [] {
        tutti::mock::run(5, {.seed = 42, .faults = {tutti::mock::fault::kill(3, 2)}},
                         [](auto& comm) { my_solver(comm); });
    };
    const std::string first = error_of(killed);
    INFO(first);
    CHECK(first.find("rank 3") != std::string::npos);
    CHECK(first.find("step 2") != std::string::npos);
    CHECK(error_of(killed) == first);
    const auto lost = [] {
        tutti::mock::run(5, {.seed = 42, .faults = {fault::message(fault_kind::drop, 1, 0, 0)}},
                         [](auto& comm) { my_solver(comm); });
    };
    CHECK(error_of(lost) != "no error");
}

TEST_CASE("gathering calls work as written", "[docs]") {
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
    std::puts(choice.explain().c_str());
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

TEST_CASE("values in and out work as written", "[docs]") {
    std::array<bool, 3> right{};
    tutti::threads::run(3, [&right](auto& comm) {
        const double mine = comm.rank();
        const int one = comm.rank();
        const std::vector<char> my_words(static_cast<std::size_t>(comm.rank()), 'w');
        auto sum_of_all = tutti::iallreduce(comm, mine, tutti::sum{});
        const auto compute_something_else = [] { tutti::progress(); };
        compute_something_else();
        const double all_of_it = sum_of_all.get();
        const double total = tutti::allreduce(comm, mine, tutti::sum{});
        const std::vector<int> all = tutti::allgather(comm, one);
        const auto words = tutti::allgatherv(comm, my_words);
        const std::vector<int> three(3, one);
        const auto joined = tutti::allgather_values(comm, three);
        const int root = 1;
        tutti::gathered<char> joined_words;
        tutti::gatherv(comm, my_words, joined_words, root);
        const auto part = tutti::scatterv(comm, joined_words, root);
        tutti::gathered<int> parts{{10, 11, 12}, {1, 0, 2}};
        const auto got = tutti::alltoallv(comm, parts);
        right[static_cast<std::size_t>(comm.rank())] =
            total == 3 && all_of_it == total && all == std::vector{0, 1, 2} && words.values.size() == 3
            && words.of(2).size() == 2 && joined == std::vector{0, 0, 0, 1, 1, 1, 2, 2, 2}
            && joined_words.values.size() == (comm.rank() == root ? 3U : 0U) && part == my_words
            && got.counts == std::vector<std::int64_t>(3, parts.counts[static_cast<std::size_t>(one)])
            && (one != 2 || std::ranges::equal(got.of(1), std::array{11, 12}));
    });
    CHECK(right == std::array{true, true, true});
}

TEST_CASE("a communicator is told how to choose as written", "[docs]") {
    std::ofstream("here.machine") << support::text_of("machines/threads.machine");
    std::ofstream("here.table") << "tutti decision table 1\nmachine threads\nbcast all 1.. 0.. fnomial\n";
    std::array<bool, 2> right{};
    tutti::threads::run(2, [&right](auto& comm) {
        std::vector<double> v(10, 1.0);
        if (comm.rank() == 0) {
            std::puts(tutti::explain<tutti::collective::allreduce>(comm, 4096).c_str());
        }
        comm.choose_by(tutti::by_machine(tutti::load_machine("here.machine")));
        tutti::allreduce(comm, v, std::plus{});
        comm.choose_by(tutti::by_table(tutti::load_decision_table("here.table")));
        tutti::allreduce(comm, v, std::plus{});
        comm.choose_by(tutti::by_experience(comm));
        tutti::allreduce(comm, v, std::plus{}, tutti::fnomial{.radix = 4});
        tutti::communicator second{comm.transport(), 1};
        tutti::allreduce(second, v, std::plus{});
        right[static_cast<std::size_t>(comm.rank())] = v == std::vector<double>(10, 16.0);
    });
    CHECK(right == std::array{true, true});
    std::remove("here.machine");
    std::remove("here.table");
}

TEST_CASE("calls that are told which ranks share a node work as written", "[docs]") {
    struct { // as tutti::mpi::node_transport
        tutti::node_map nodes() const { return tutti::node_map({0, 0, 1}); }
    } const wires;
    std::array<bool, 3> right{};
    tutti::threads::run(3, [&](auto& comm) {
        const std::vector<int> in(5, 1);
        std::vector<int> out(5);
        tutti::allreduce(comm, in, out, tutti::sum{},
                         tutti::by_nodes{wires.nodes(), tutti::fnomial{}, tutti::ring{}});
        right[static_cast<std::size_t>(comm.rank())] = out == std::vector<int>(5, 3);
        comm.choose_by(tutti::by_default_on(wires.nodes()));
        tutti::allreduce(comm, in, out, tutti::sum{});
    });
    CHECK(right == std::array{true, true, true});
}

TEST_CASE("an algorithm is proved, priced, simulated and drawn as written", "[docs]") {
    const auto make = [](tutti::place at) {
        return tutti::generate(tutti::of<tutti::collective::allreduce>, tutti::ring{}, at);
    };
    const tutti::proof proof = tutti::prove(tutti::collective::allreduce, 13, 0, make);
    const tutti::ensemble all(make, 13);
    const auto bytes = tutti::block_bytes::even(1 << 20, all.blocks(), 8);
    const tutti::price cost = tutti::evaluate(tutti::default_machine(), all, bytes);
    const tutti::simulation_result run = tutti::simulate(all, bytes);
    const std::string svg = tutti::schedule_svg(tutti::collective::allreduce, all, {.title = "a ring of 13"});
    CHECK(proof.proved);
    CHECK(cost.us > 0);
    CHECK(run.completion_us() > 0);
    CHECK(svg.find("a ring of 13") != std::string::npos);
}

TEST_CASE("a simulation with late ranks works as written", "[docs]") {
    tutti::ensemble all(
        [](tutti::place at) {
            return tutti::generate(tutti::of<tutti::collective::allreduce>, tutti::ring{}, at);
        },
        64);
    auto bytes = tutti::block_bytes::even(1 << 20, all.blocks(), 8);
    tutti::simulation_result r =
        tutti::simulate(all, bytes, {.skew = {.how = tutti::start_skew::shape::uniform, .us = 100}});
    CHECK(r.completion_us() > tutti::simulate(all, bytes).completion_us());
}

namespace {
/// Of a group of one, which sends nothing.
struct my_message {};
class my_wires {
public:
    my_wires(tutti::rank_type rank, tutti::rank_type size);
    using handle = my_message;
    tutti::rank_type rank() const;
    tutti::rank_type size() const;
    handle start_send(tutti::rank_type peer, tutti::channel_type channel, tutti::gather_list data);
    handle start_recv(tutti::rank_type peer, tutti::channel_type channel, tutti::scatter_list into);
    bool test(handle&);
    void idle(std::uint32_t turns);
    void abandon(handle&);

private:
    tutti::rank_type rank_;
    tutti::rank_type size_;
};
static_assert(tutti::check_transport<my_wires>());

my_wires::my_wires(tutti::rank_type rank, tutti::rank_type size) : rank_(rank), size_(size) {}
tutti::rank_type my_wires::rank() const { return rank_; }
tutti::rank_type my_wires::size() const { return size_; }
my_message my_wires::start_send(tutti::rank_type, tutti::channel_type, tutti::gather_list) { return {}; }
my_message my_wires::start_recv(tutti::rank_type, tutti::channel_type, tutti::scatter_list) { return {}; }
bool my_wires::test(handle&) { return true; }
void my_wires::idle(std::uint32_t) {}
void my_wires::abandon(handle&) {}
} // namespace

TEST_CASE("wires of one's own are a transport as written", "[docs]") {
    const tutti::rank_type rank = 0, size = 1;
    my_wires wires(rank, size);
    tutti::communicator comm(wires);
    std::vector<int> v(3, 7);
    tutti::allreduce(comm, v, tutti::sum{});
    CHECK(v == std::vector<int>(3, 7));
}

TEST_CASE("algorithms made of others, as docs/own_algorithm.md makes them, are right", "[docs]") {
    const auto in_pairs = [](tutti::place at) {
        const tutti::place inside{at.rank % 2, 2, 0}, among{at.rank / 2, at.size / 2, 0};
        const auto of_pair = [first = at.rank - at.rank % 2](tutti::rank_type r) { return first + r; };
        const auto even = [](tutti::rank_type r) { return 2 * r; };
        const auto fold = generate(tutti::of<tutti::collective::reduce>, tutti::fnomial{}, inside);
        const auto all = generate(tutti::of<tutti::collective::allreduce>, tutti::ring{}, among);
        const auto back = generate(tutti::of<tutti::collective::bcast>, tutti::fnomial{}, inside);
        return tutti::sequence{
            tutti::sequence{tutti::on_group(of_pair, fold), tutti::on_group(even, all, at.rank % 2 == 0)},
            tutti::on_group(of_pair, back)};
    };
    const auto in_halves = [](tutti::place at) {
        const auto one = generate(tutti::of<tutti::collective::bcast>, tutti::fnomial{}, at);
        const auto other = generate(tutti::of<tutti::collective::bcast>, tutti::kary{}, at);
        return tutti::sequence{tutti::on_blocks(one, 0, 2), tutti::on_blocks(other, 1, 2)};
    };
    const auto on_nodes = [](tutti::place at) {
        const tutti::node_map nodes{{0, 0, 0, 1, 1, 2, 2, 2, 2}};
        return generate(tutti::of<tutti::collective::allreduce>,
                        tutti::by_nodes{nodes, tutti::fnomial{}, tutti::ring{}}, at);
    };
    for (tutti::rank_type size = 2; size <= 20; size += 2)
        CHECK(tutti::prove(tutti::collective::allreduce, size, 0, in_pairs).proved);
    CHECK(tutti::prove_up_to(tutti::collective::bcast, 20, in_halves).proved);
    CHECK(tutti::prove(tutti::collective::allreduce, 9, 0, on_nodes).proved);
}
