// SPDX-License-Identifier: BSL-1.0
// labels: alone
#include <tutti/execute/plan.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/alltoall.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/gather.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/reduce_scatter.hpp>
#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/collectives/scan.hpp>
#include <tutti/collectives/scatter.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"
#include "support/own_new.hpp"

// Every allocation of this program is counted.
namespace {
std::atomic<std::int64_t> allocations{0};
std::atomic<std::int64_t> leased{0}; // for cache lines, by whomever: a rank may run another one's steps
} // namespace

void support::allocates(std::size_t bytes, std::size_t alignment) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (alignment == 64) leased += static_cast<std::int64_t>(bytes);
}

namespace {

using tutti::collective;
using tutti::rank_type;
using tutti::sum;
using vec = std::vector<std::int64_t>;

/// Runs body(comm) on all ranks at once again and again; returns the allocations of all ranks in the last
/// `counted` of `warm + counted` runs.
template <class MakePlan>
std::int64_t allocations_of(rank_type size, int warm, int counted_runs, const MakePlan& make_plan) {
    std::atomic<std::int64_t> before{0}, after{0};
    std::atomic<int> ran{0};
    tutti::threads::run(size, [&](auto& comm) {
        auto plan = make_plan(comm);
        auto all_here = tutti::plan_barrier(comm);
        for (int i = 0; i < warm; ++i) plan.run();
        for (int i = 0; i < 3; ++i) all_here.run();
        if (comm.rank() == 0) before = allocations.load();
        all_here.run();
        for (int i = 0; i < counted_runs; ++i) plan.run();
        all_here.run();
        if (comm.rank() == 0) after = allocations.load();
        all_here.run();
        ++ran;
    });
    CHECK(ran == size);
    return after - before;
}

/// An algorithm of a user who does not know that what nobody folds keeps its order.
struct claims_little {};

template <tutti::generator G>
auto claiming_little(const G& of_tutti) {
    tutti::capabilities claims = of_tutti.claims();
    claims.order_preserving = claims.same_bits_on_all_ranks = false;
    return tutti::claiming(of_tutti, claims);
}
auto generate(tutti::collective_constant<collective::bcast> what, const claims_little&, tutti::place at) {
    return claiming_little(tutti::generate(what, tutti::serial{}, at));
}
auto generate(tutti::collective_constant<collective::allgather> what, const claims_little&, tutti::place at) {
    return claiming_little(tutti::generate(what, tutti::direct{}, at));
}
auto generate(tutti::collective_constant<collective::alltoall> what, const claims_little&, tutti::place at) {
    return claiming_little(tutti::generate(what, tutti::pairwise{}, at));
}

} // namespace

TEST_CASE("collectives that fold nothing take algorithms that claim no order", "[execute][plan]") {
    constexpr rank_type size = 3;
    support::complaints heard(size);
    tutti::mock::run(size, {.log = false}, [&](auto& comm) {
        const std::int64_t me = comm.rank();
        vec shared(2, me), all(size), filled{7, 7, 7}, turned(size);
        filled[static_cast<std::size_t>(me)] = me;
        vec in_place{10 * me, 10 * me + 1, 10 * me + 2};
        tutti::bcast(comm, shared, 1, claims_little{});
        heard.add(comm.rank(), shared == vec{1, 1} ? "" : "bcast is wrong");
        tutti::allgather(comm, vec{me}, all, claims_little{});
        heard.add(comm.rank(), all == vec{0, 1, 2} ? "" : "allgather is wrong");
        tutti::allgather(comm, filled, claims_little{});
        heard.add(comm.rank(), filled == vec{0, 1, 2} ? "" : "allgather in place is wrong");
        tutti::alltoall(comm, vec(in_place), turned, claims_little{});
        heard.add(comm.rank(), turned == vec{me, 10 + me, 20 + me} ? "" : "alltoall is wrong");
        tutti::alltoall(comm, in_place, claims_little{});
        heard.add(comm.rank(), in_place == turned ? "" : "alltoall in place is wrong");
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a plan that has run once allocates nothing for short vectors", "[execute][plan]") {
    const rank_type size = GENERATE(as<rank_type>{}, 2, 5);
    std::vector<vec> data(static_cast<std::size_t>(size), vec(20)), out = data;
    for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
        if (entry.what != collective::allreduce) continue;
        INFO(entry.name << ", size " << size);
        CHECK(allocations_of(size, 2, 20,
                             [&](auto& comm) {
                                 const auto r = static_cast<std::size_t>(comm.rank());
                                 return tutti::plan_allreduce(comm, data[r], out[r], sum{},
                                                              tutti::named{entry.name});
                             })
              == 0);
    }
    CHECK(allocations_of(size, 2, 20,
                         [&](auto& comm) {
                             return tutti::plan_bcast(comm, data[static_cast<std::size_t>(comm.rank())]);
                         })
          == 0);
}

TEST_CASE("for long vectors a plan allocates a bounded number of times, however often it runs",
          "[execute][plan]") {
    // A message that comes while its target is being sent is put aside into memory that is kept. Which ones
    // do is chance, but there is room for one per action of the window, and it is made once.
    constexpr rank_type size = 4;
    std::vector<vec> data(size, vec(1000)), out = data;
    const bool in_place = GENERATE(true, false);
    for (const char* name : {"recursive_doubling", "halving_doubling", "circulant", "ring"}) {
        const std::int64_t room = 2 * 2 * size * tutti::detail::rounds_in_flight; // two messages a round
        INFO(name << ", in place " << in_place);
        CHECK(allocations_of(size, 5, 100,
                             [&](auto& comm) {
                                 const auto r = static_cast<std::size_t>(comm.rank());
                                 return in_place
                                            ? tutti::plan_allreduce(comm, out[r], sum{}, tutti::named{name})
                                            : tutti::plan_allreduce(comm, data[r], out[r], sum{},
                                                                    tutti::named{name});
                             })
              < room);
    }
}

TEST_CASE("a plan that nothing can be in the way of allocates nothing for long vectors either",
          "[execute][plan]") {
    constexpr rank_type size = 4;
    std::vector<vec> data(size, vec(1000)), out = data;
    for (const char* name : {"fnomial", "binary_tree", "serial"})
        CHECK(allocations_of(size, 3, 20,
                             [&](auto& comm) {
                                 const auto r = static_cast<std::size_t>(comm.rank());
                                 return tutti::plan_reduce(comm, data[r], out[r], sum{}, 0,
                                                           tutti::named{name});
                             })
              == 0);
    CHECK(allocations_of(size, 3, 20,
                         [&](auto& comm) {
                             return tutti::plan_bcast(comm, data[static_cast<std::size_t>(comm.rank())], 1,
                                                      tutti::fnomial{});
                         })
          == 0);
}

TEST_CASE("a plan reads its input anew in every run", "[execute][plan]") {
    const std::size_t count = GENERATE(std::size_t{0}, std::size_t{5}, std::size_t{3000});
    constexpr rank_type size = 3;
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) {
        vec in(count), out(count);
        auto plan = tutti::plan_allreduce(comm, in, out, sum{});
        for (std::int64_t i = 0; i < 50; ++i) {
            in.assign(count, i + comm.rank());
            plan();
            heard.add(comm.rank(),
                      out == vec(count, 3 * i + 3) ? "" : "run " + std::to_string(i) + " is wrong");
        }
    });
    CHECK(heard.all() == "");
}

TEST_CASE("plans of all collectives run again and again, in turns", "[execute][plan]") {
    constexpr rank_type size = 5;
    const auto body = [](auto& comm, support::complaints& heard) {
        constexpr std::size_t n = 40;
        const std::int64_t me = comm.rank();
        vec in(n), all(n * size), part(n), scanned(n), reduced(n), shared(n), all_in(n * size),
            turned(n * size);
        auto gather = tutti::plan_allgather(comm, in, all);
        auto scatter = tutti::plan_reduce_scatter(comm, all, part, sum{});
        auto scan = tutti::plan_exscan(comm, in, scanned, sum{});
        auto reduce = tutti::plan_reduce(comm, in, reduced, sum{}, 3);
        auto bcast = tutti::plan_bcast(comm, shared, 2);
        auto turn = tutti::plan_alltoall(comm, all_in, turned);
        for (std::int64_t i = 0; i < 10; ++i) {
            in.assign(n, 10 * i + me);
            shared.assign(n, me == 2 ? i : -1);
            for (std::size_t k = 0; k < all_in.size(); ++k)
                all_in[k] = i + 100 * me + static_cast<std::int64_t>(k / n);
            gather.run();
            scatter.run();
            scan.run();
            reduce.run();
            bcast.run();
            turn.run();
            bool right = part == vec(n, 5 * (10 * i + me)) && shared == vec(n, i);
            if (me > 0) right = right && scanned == vec(n, me * 10 * i + me * (me - 1) / 2);
            if (me == 3) right = right && reduced == vec(n, 50 * i + 10);
            for (std::size_t k = 0; k < turned.size(); ++k)
                right = right && turned[k] == i + 100 * static_cast<std::int64_t>(k / n) + me;
            heard.add(comm.rank(), right ? "" : "run " + std::to_string(i) + " is wrong");
        }
    };
    support::complaints over_threads(size), over_mock(size);
    tutti::threads::run(size, [&](auto& comm) { body(comm, over_threads); });
    CHECK(over_threads.all() == "");
    tutti::mock::run(size, {.log = false}, [&](auto& comm) { body(comm, over_mock); });
    CHECK(over_mock.all() == "");
}

TEST_CASE("communicators with different contexts share a transport", "[execute][plan][communicator]") {
    constexpr rank_type size = 4;
    const std::size_t count = GENERATE(std::size_t{3}, std::size_t{3000});
    const auto body = [&](auto& wires, support::complaints& heard) {
        using wires_type = std::remove_reference_t<decltype(wires)>;
        tutti::communicator<wires_type> one(wires, 1), two(wires, 4095);
        vec a(count), b(count);
        auto first = tutti::plan_allreduce(one, a, sum{});
        auto second = tutti::plan_allreduce(two, b, tutti::max{}, tutti::ring{});
        for (std::int64_t i = 0; i < 20; ++i) {
            a.assign(count, i);
            b.assign(count, i + wires.rank());
            first.run();
            if (i % 3 == 0) second.run(); // the two get out of step with each other
            heard.add(wires.rank(), a == vec(count, 4 * i) ? "" : "the sum is wrong");
            heard.add(wires.rank(), i % 3 != 0 || b == vec(count, i + 3) ? "" : "the maximum is wrong");
        }
    };
    support::complaints over_threads(size), over_mock(size);
    tutti::threads::run_transports(size, [&](auto& wires) { body(wires, over_threads); });
    CHECK(over_threads.all() == "");
    tutti::mock::run_transports(size, {.log = false}, [&](auto& wires) { body(wires, over_mock); });
    CHECK(over_mock.all() == "");
}

TEST_CASE("channels of a communicator stay its own when they wrap", "[execute][plan][communicator]") {
    tutti::threads::world group(1);
    auto wires = group.transport(0);
    tutti::communicator<tutti::threads::transport> comm(wires, 7);
    const tutti::channel_type first = comm.next_channel();
    const tutti::channel_type second = comm.next_channel();
    CHECK(second != first);
    for (std::uint32_t i = 2; i < 1U << 20; ++i)
        if (comm.next_channel() >> 20 != 7) FAIL("channel of another context");
    CHECK(comm.next_channel() == first);
}

namespace {

/// Runs check(comm, make, name) for plans of all kinds, make(comm, in, out).
template <class Comm, class Check>
void with_all_kinds(Comm& comm, std::size_t count, const Check& check) {
    const auto p = static_cast<std::size_t>(comm.size());
    const vec one(count, comm.rank() + 1), all(count * p, comm.rank() + 1);
    vec out(count), wide(count * p);
    const auto try_out = [&](const char* name, vec in, vec& to, const auto& make) {
        check(name, in, to, make);
    };
    const auto by = [&](const auto& how, const char* name) {
        try_out(name, one, out,
                [&](auto& c, auto& in, auto& to) { return plan_allreduce(c, in, to, sum{}, how); });
    };
    by(tutti::recursive_doubling{}, "recursive_doubling");
    by(tutti::halving_doubling{}, "halving_doubling");
    by(tutti::circulant{}, "circulant");
    by(tutti::ring{}, "ring");
    by(tutti::serial{}, "serial");
    by(tutti::automatic{}, "allreduce");
    try_out("reduce", one, out,
            [](auto& c, auto& in, auto& to) { return plan_reduce(c, in, to, sum{}, c.size() - 1); });
    try_out("reduce to nobody else", one, out, [](auto& c, auto& in, auto& to) {
        vec none;
        return c.rank() == 0 ? plan_reduce(c, in, to, sum{}) : plan_reduce(c, in, none, sum{});
    });
    try_out("exscan", one, out, [](auto& c, auto& in, auto& to) { return plan_exscan(c, in, to, sum{}); });
    try_out("scan", one, out, [](auto& c, auto& in, auto& to) { return plan_scan(c, in, to, sum{}); });
    try_out("allgather", one, wide, [](auto& c, auto& in, auto& to) { return plan_allgather(c, in, to); });
    // Every rank gives both, and one of them is ignored but on the root.
    const auto trees = [&](const auto& how, rank_type root) {
        try_out("gather", one, wide,
                [&](auto& c, auto& in, auto& to) { return plan_gather(c, in, to, root, how); });
        try_out("scatter", all, out,
                [&](auto& c, auto& in, auto& to) { return plan_scatter(c, in, to, root, how); });
    };
    trees(tutti::fnomial{}, 0);
    trees(tutti::fnomial{.radix = 3}, comm.size() - 1);
    trees(tutti::serial{}, comm.size() / 2);
    try_out("gather to nobody else", one, wide, [](auto& c, auto& in, auto& to) {
        vec none;
        return c.rank() == 0 ? plan_gather(c, in, to) : plan_gather(c, in, none);
    });
    try_out("alltoall", all, wide, [](auto& c, auto& in, auto& to) { return plan_alltoall(c, in, to); });
    try_out("reduce_scatter", all, out,
            [](auto& c, auto& in, auto& to) { return plan_reduce_scatter(c, in, to, sum{}); });
}

/// The same for plans in place, make(comm, inout).
template <class Comm, class Check>
void with_all_kinds_in_place(Comm& comm, std::size_t count, const Check& check) {
    const auto p = static_cast<std::size_t>(comm.size());
    const vec one(count, comm.rank() + 1), all(count * p, comm.rank() + 1);
    check("allreduce", one, [](auto& c, auto& to) { return plan_allreduce(c, to, sum{}); });
    check("reduce", one, [](auto& c, auto& to) { return plan_reduce(c, to, sum{}); });
    check("bcast", one, [](auto& c, auto& to) { return plan_bcast(c, to, c.size() - 1); });
    check("exscan", one, [](auto& c, auto& to) { return plan_exscan(c, to, sum{}); });
    check("scan", one, [](auto& c, auto& to) { return plan_scan(c, to, sum{}); });
    check("allgather", all, [](auto& c, auto& to) { return plan_allgather(c, to); });
    const rank_type root = comm.size() / 2;
    const bool has_all = comm.rank() == root;
    check("gather", has_all ? all : one,
          [&](auto& c, auto& to) { return plan_gather(c, to, root, tutti::fnomial{}); });
    check("scatter", has_all ? all : one,
          [&](auto& c, auto& to) { return plan_scatter(c, to, root, tutti::fnomial{}); });
    check("alltoall", all, [](auto& c, auto& to) { return plan_alltoall(c, to); });
    check("reduce_scatter", all, [](auto& c, auto& to) { return plan_reduce_scatter(c, to, sum{}); });
}

template <class Test>
void over_both(rank_type size, const Test& test) {
    tutti::threads::run(size, test);
    tutti::mock::run(size, {.rendezvous = true, .log = false}, test);
}

} // namespace

TEST_CASE("a run takes no more memory than its plan says, and a short one just that", "[execute][plan]") {
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 5);
    const std::size_t count = GENERATE(as<std::size_t>{}, 0, 1, 3, 5000);
    support::complaints heard(size);
    std::atomic<std::int64_t> said{0}; // by all ranks together
    over_both(size, [&](auto& comm) {
        using transport = typename std::remove_cvref_t<decltype(comm)>::transport_type;
        std::uint32_t context = 0;
        const auto measure = [&](const char* name, const auto& make) {
            make(comm).run(); // opens mailboxes
            tutti::barrier(comm);
            tutti::communicator<transport> fresh(comm.transport(), ++context);
            auto plan = make(fresh);
            tutti::barrier(comm);
            if (comm.rank() == 0) said = leased = 0;
            tutti::barrier(comm);
            said += plan.extra_bytes();
            plan.run();
            tutti::barrier(comm);
            const bool exact = tutti::eager_transport<transport> && count <= 3;
            if (comm.rank() == 0 && (leased > said || (exact && leased != said)))
                heard.add(comm.rank(), std::string(name) + " says " + std::to_string(said) + " and takes "
                                           + std::to_string(leased));
            tutti::barrier(comm);
        };
        with_all_kinds(comm, count, [&](const char* name, vec& in, vec& out, const auto& make) {
            measure(name, [&](auto& c) { return make(c, in, out); });
        });
        with_all_kinds_in_place(comm, count, [&](const char* name, vec inout, const auto& make) {
            measure(name, [&](auto& c) { return make(c, inout); });
        });
        heard.add(comm.rank(), "");
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a plan runs with other buffers as it does with its own", "[execute][plan]") {
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 5);
    const std::size_t count = GENERATE(as<std::size_t>{}, 0, 1, 3, 5000);
    support::complaints heard(size);
    over_both(size, [&](auto& comm) {
        with_all_kinds(comm, count, [&](const char* name, vec& in, vec& out, const auto& make) {
            std::fill(out.begin(), out.end(), -1);
            auto plan = make(comm, in, out);
            plan.run();
            const vec expected = out;
            const vec elsewhere = in;
            vec there(out.size(), -1), in_flight(out.size(), -1);
            std::fill(in.begin(), in.end(), -7); // no longer looked at
            std::fill(out.begin(), out.end(), -7);
            plan.run(elsewhere, there);
            plan.start(elsewhere, in_flight);
            plan.wait();
            const bool right = there == expected && in_flight == expected && out == vec(out.size(), -7);
            heard.add(comm.rank(), right ? "" : std::string(name) + " is wrong elsewhere");
            std::fill(in_flight.begin(), in_flight.end(), -1);
            plan.run(); // where it last was
            heard.add(comm.rank(), in_flight == expected ? "" : std::string(name) + " is elsewhere again");
        });
        with_all_kinds_in_place(comm, count, [&](const char* name, vec inout, const auto& make) {
            vec there = inout, in_flight = inout;
            auto plan = make(comm, inout);
            plan.run();
            const vec expected = inout;
            std::fill(inout.begin(), inout.end(), -7);
            plan.run(there);
            plan.start(in_flight);
            plan.wait();
            const bool right = there == expected && in_flight == expected && inout == vec(inout.size(), -7);
            heard.add(comm.rank(), right ? "" : std::string(name) + " in place is wrong elsewhere");
        });
    });
    CHECK(heard.all() == "");
}

TEST_CASE("buffers that a plan was not made for are refused, and the plan runs on with those it has",
          "[execute][plan]") {
    constexpr rank_type size = 3;
    support::complaints heard(size);
    over_both(size, [&](auto& comm) {
        const vec in(4, 1);
        vec out(4), inout(4, 1), shorter(3);
        std::vector<double> others(4);
        std::vector<std::int64_t> overlapping(6);
        auto plan = plan_allreduce(comm, in, out, sum{});
        auto in_place = plan_allreduce(comm, inout, sum{});
        auto barrier = plan_barrier(comm);
        const auto refused = [&](const char* argument, const auto& run) {
            try {
                run();
                heard.add(comm.rank(), std::string("not refused: ") + argument);
            } catch (const tutti::argument_error& e) {
                heard.add(comm.rank(), e.argument() == argument ? "" : e.what());
            }
        };
        refused("in", [&] { plan.run(shorter, out); });
        refused("out", [&] { plan.run(in, shorter); });
        refused("in", [&] { plan.run(others, others); });
        refused("inout", [&] { plan.run(out); });
        refused("out", [&] { plan.start(std::span(overlapping).first(4), std::span(overlapping).last(4)); });
        refused("in", [&] { in_place.run(in, out); });
        refused("inout", [&] { in_place.start(shorter); });
        refused("inout", [&] { barrier.run(out); });
        plan.run();
        in_place.run();
        heard.add(comm.rank(), out == vec(4, size) && inout == out ? "" : "wrong after refusals");

        // On one rank alone: the others hear of it, and the next run is right.
        try {
            if (comm.rank() == 1)
                plan.run(in, shorter);
            else
                plan.run();
            heard.add(comm.rank(), "no error");
        } catch (const tutti::error& e) {
            heard.add(comm.rank(), support::contains(e.what(), "out is 3 elements") ? "" : e.what());
        }
        out.assign(4, 0);
        plan.run();
        heard.add(comm.rank(), out == vec(4, size) ? "" : "wrong after one refusal");
    });
    CHECK(heard.all() == "");
}
