// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/call.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <tutti/mock.hpp>
#include <tutti/tutti.hpp>
#include <tutti/verify/prover.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

// What a call finds of the one before it must serve it: everything but what both have in common is told anew.
namespace {

using tutti::rank_type;
using numbers = std::vector<std::int64_t>;

/// weight * (a + b) is no sum of anything else; with two vectors the order does not matter.
struct weighted {
    std::int64_t weight;
    std::int64_t operator()(std::int64_t a, std::int64_t b) const { return weight * (a + b); }
};

/// The same, too long to lie in a fold function.
struct weighted_far_away {
    std::shared_ptr<const std::int64_t> weight;
    std::int64_t operator()(std::int64_t a, std::int64_t b) const { return *weight * (a + b); }
};

numbers mine(rank_type rank, std::size_t count, std::int64_t salt) {
    numbers v(count);
    for (std::size_t i = 0; i < count; ++i) v[i] = salt + 10 * rank + static_cast<std::int64_t>(i);
    return v;
}
numbers folded(std::size_t count, std::int64_t salt, std::int64_t weight) {
    numbers v = mine(0, count, salt);
    const numbers other = mine(1, count, salt);
    for (std::size_t i = 0; i < count; ++i) v[i] = weight * (v[i] + other[i]);
    return v;
}

/// Two ranks exchange a block each, of what they have copied before anything is overwritten.
struct exchange_of_copies {
    tutti::place at;

    tutti::round_index rounds() const { return 2; }
    tutti::block_index blocks() const { return 2; }
    tutti::capabilities claims() const {
        return tutti::moving_only({.moves_blocks = true,
                                   .scratch_blocks = 2,
                                   .max_outstanding = 2,
                                   .rounds = rounds(),
                                   .sent_blocks = 1});
    }
    void emit(tutti::round_index i, auto&& sink) const {
        using tutti::step, tutti::buffer_name;
        const rank_type peer = 1 - at.rank;
        const auto block = [](rank_type b) { return tutti::block_set{.first = b, .count = 1}; };
        if (i == 0)
            return sink(step::copy({.first = 0, .count = 2}, buffer_name::input, buffer_name::scratch));
        sink(step::copy(block(at.rank), buffer_name::scratch, buffer_name::work));
        sink(step::send(peer, block(peer), buffer_name::scratch));
        sink(step::recv(peer, block(peer)));
    }
};
struct by_copies {};
exchange_of_copies generate(tutti::collective_constant<tutti::collective::alltoall>, const by_copies&,
                            tutti::place at) {
    return {at};
}

} // namespace

TEST_CASE("an alltoall in place finds its input even where no claim says that it is read late",
          "[execute][call]") {
    const auto make = [](tutti::place at) { return exchange_of_copies{at}; };
    const tutti::proof p = tutti::prove(tutti::collective::alltoall, 2, 0, make);
    CHECK((p.proved ? "" : p.findings.front().what) == "");
    CHECK_FALSE(p.reads_input);
    support::complaints heard(2);
    tutti::threads::run(2, [&](auto& comm) {
        numbers v = comm.rank() == 0 ? numbers{1, 2} : numbers{3, 4};
        tutti::alltoall(comm, v, by_copies{});
        heard.add(comm.rank(),
                  v == (comm.rank() == 0 ? numbers{1, 3} : numbers{2, 4}) ? "" : "another result");
    });
    CHECK(heard.all() == "");
}

TEST_CASE("calls that are like the one before have their own buffers, roots and states", "[execute][call]") {
    support::complaints heard(2);
    tutti::threads::run(2, [&](auto& comm) {
        std::mt19937 random(7); // the same on both ranks
        const auto draw = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
        std::string text;
        for (int i = 0; i < 2000; ++i) {
            const std::size_t count = std::vector<std::size_t>{1, 1, 2, 40, 3000}[draw(5)];
            const std::int64_t salt = static_cast<std::int64_t>(draw(1000));
            const std::int64_t weight = static_cast<std::int64_t>(draw(3)) + 1;
            const auto root = static_cast<rank_type>(draw(2));
            const numbers in = mine(comm.rank(), count, salt);
            const numbers expected = folded(count, salt, weight);
            numbers out(count, -1);
            const std::size_t kind = draw(8);
            bool right = true;
            switch (kind) {
            case 0:
                tutti::allreduce(comm, in, out, tutti::commutative(weighted{weight}));
                right = out == expected;
                break;
            case 1:
                out = in;
                tutti::allreduce(comm, out, weighted{weight});
                right = out == expected;
                break;
            case 2:
                tutti::allreduce(comm, in, out, weighted_far_away{std::make_shared<std::int64_t>(weight)});
                right = out == expected;
                break;
            case 3:
                tutti::reduce(comm, in, out, weighted{weight}, root);
                right = out == (comm.rank() == root ? expected : numbers(count, -1));
                break;
            case 4:
                out = in;
                tutti::bcast(comm, out, root);
                right = out == mine(root, count, salt);
                break;
            case 5: {
                numbers all(2 * count);
                tutti::allgather(comm, in, all);
                right = numbers(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count))
                            == mine(0, count, salt)
                        && numbers(all.begin() + static_cast<std::ptrdiff_t>(count), all.end())
                               == mine(1, count, salt);
                break;
            }
            case 6: {
                const numbers both = mine(comm.rank(), 2 * count, salt);
                tutti::reduce_scatter(comm, both, out, weighted{weight});
                const numbers whole = folded(2 * count, salt, weight);
                for (std::size_t k = 0; k < count; ++k)
                    right = right && out[k] == whole[k + (comm.rank() == 0 ? 0 : count)];
                break;
            }
            case 7:
                tutti::allreduce(comm, in, out, weighted{weight}, tutti::fnomial{.radix = 2 + root});
                right = out == expected;
                break;
            }
            if (!right) text += "call " + std::to_string(i) + " of kind " + std::to_string(kind) + "; ";
        }
        heard.add(comm.rank(), text);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("the root of a call that names none is rank 0, in whatever way it is called", "[execute][call]") {
    support::complaints heard(3);
    tutti::mock::world group(3);
    tutti::mock::run(group, [&](auto& comm) {
        const rank_type me = comm.rank();
        const numbers mine{10 * (me + 1)}, counts{1, 1, 1};
        const numbers root_has = me == 0 ? numbers{10, 20, 30} : numbers{};
        for (const std::string way : {"called", "begun", "planned"}) {
            const auto by_way = [&](auto&& call, auto&& begin, auto&& plan) {
                if (way == "called") call();
                if (way == "begun") begin().wait();
                if (way == "planned") plan().run();
            };
            const auto expect = [&](const char* what, const numbers& is, const numbers& expected) {
                heard.add(me, is == expected ? "" : what + (" " + way));
            };
            numbers data{me == 0 ? 7 : 0};
            by_way([&] { tutti::bcast(comm, data); }, [&] { return tutti::ibcast(comm, data); },
                   [&] { return tutti::plan_bcast(comm, data); });
            expect("bcast", data, {7});
            numbers sum(1);
            by_way([&] { tutti::reduce(comm, mine, sum, tutti::sum{}); },
                   [&] { return tutti::ireduce(comm, mine, sum, tutti::sum{}); },
                   [&] { return tutti::plan_reduce(comm, mine, sum, tutti::sum{}); });
            if (me == 0) expect("reduce", sum, {60});
            numbers own = mine;
            by_way([&] { tutti::reduce(comm, own, tutti::sum{}); },
                   [&] { return tutti::ireduce(comm, own, tutti::sum{}); },
                   [&] { return tutti::plan_reduce(comm, own, tutti::sum{}); });
            if (me == 0) expect("reduce in place", own, {60});
            numbers at_root(root_has.size());
            by_way([&] { tutti::gather(comm, mine, at_root); },
                   [&] { return tutti::igather(comm, mine, at_root); },
                   [&] { return tutti::plan_gather(comm, mine, at_root); });
            expect("gather", at_root, root_has);
            numbers gathered = me == 0 ? numbers{10, 0, 0} : mine;
            by_way([&] { tutti::gather(comm, gathered); }, [&] { return tutti::igather(comm, gathered); },
                   [&] { return tutti::plan_gather(comm, gathered); });
            if (me == 0) expect("gather in place", gathered, root_has);
            numbers part(1);
            by_way([&] { tutti::scatter(comm, root_has, part); },
                   [&] { return tutti::iscatter(comm, root_has, part); },
                   [&] { return tutti::plan_scatter(comm, root_has, part); });
            expect("scatter", part, mine);
            numbers scattered = me == 0 ? root_has : numbers(1);
            by_way([&] { tutti::scatter(comm, scattered); }, [&] { return tutti::iscatter(comm, scattered); },
                   [&] { return tutti::plan_scatter(comm, scattered); });
            if (me > 0) expect("scatter in place", scattered, mine);
            at_root.assign(at_root.size(), 0);
            by_way([&] { tutti::gatherv(comm, mine, counts, at_root); },
                   [&] { return tutti::igatherv(comm, mine, counts, at_root); },
                   [&] { return tutti::plan_gatherv(comm, mine, counts, at_root); });
            expect("gatherv", at_root, root_has);
            gathered = me == 0 ? numbers{10, 0, 0} : mine;
            by_way([&] { tutti::gatherv(comm, gathered, counts); },
                   [&] { return tutti::igatherv(comm, gathered, counts); },
                   [&] { return tutti::plan_gatherv(comm, gathered, counts); });
            if (me == 0) expect("gatherv in place", gathered, root_has);
            part = {0};
            by_way([&] { tutti::scatterv(comm, root_has, counts, part); },
                   [&] { return tutti::iscatterv(comm, root_has, counts, part); },
                   [&] { return tutti::plan_scatterv(comm, root_has, counts, part); });
            expect("scatterv", part, mine);
            scattered = me == 0 ? root_has : numbers(1);
            by_way([&] { tutti::scatterv(comm, scattered, counts); },
                   [&] { return tutti::iscatterv(comm, scattered, counts); },
                   [&] { return tutti::plan_scatterv(comm, scattered, counts); });
            if (me > 0) expect("scatterv in place", scattered, mine);
        }
        heard.add(me, tutti::reduce(comm, me, tutti::sum{}) == (me == 0 ? std::optional(3) : std::nullopt)
                          ? ""
                          : "reduce of a value");
        heard.add(me, tutti::bcast(comm, me) == 0 ? "" : "bcast of a value");
        heard.add(me, tutti::gather(comm, mine[0]) == root_has ? "" : "gather of values");
        const auto parts = tutti::gatherv(comm, mine);
        heard.add(me, parts.values == root_has ? "" : "gatherv of parts");
        heard.add(me, tutti::scatterv(comm, parts) == mine ? "" : "scatterv of parts");
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a call that was refused leaves nothing for the next one", "[execute][call]") {
    tutti::threads::run(1, [](auto& comm) {
        const numbers in{1, 2, 3};
        numbers out(3);
        tutti::allreduce(comm, in, out, tutti::sum{});
        numbers shorter(2);
        CHECK_THROWS_AS(tutti::allreduce(comm, in, shorter, tutti::sum{}), tutti::argument_error);
        out.assign(3, 0);
        tutti::allreduce(comm, in, out, tutti::sum{});
        CHECK(out == in);
        const auto first = [](std::int64_t a, std::int64_t) { return a; };
        CHECK_THROWS_AS(tutti::allreduce(comm, in, out, first, tutti::ring{}), tutti::argument_error);
        CHECK_THROWS_AS(tutti::allreduce(comm, in, out, first, tutti::ring{}), tutti::argument_error);
    });
}

TEST_CASE("what is chosen by is asked again as soon as it is another", "[execute][call]") {
    class only final : public tutti::chooser {
    public:
        explicit only(tutti::choice one) : one_(one) {}
        const tutti::choice& choose(tutti::collective, const tutti::request_facts&) const override {
            ++asked;
            return one_;
        }
        std::string explain(tutti::collective, const tutti::request_facts&) const override { return {}; }
        mutable int asked = 0;

    private:
        tutti::choice one_;
    };
    const auto& entry = *tutti::find_algorithm(tutti::collective::allreduce, "ring");
    const auto by =
        std::make_shared<const only>(tutti::choice{.algorithm = entry.name, .make = entry.make, .with = {}});
    tutti::threads::run(1, [&](auto& comm) {
        numbers v{1, 2};
        tutti::allreduce(comm, v, tutti::sum{});
        comm.choose_by(by);
        tutti::allreduce(comm, v, tutti::sum{});
        tutti::allreduce(comm, v, tutti::sum{});
        CHECK(by->asked == 1);
        comm.choose_by(nullptr);
        tutti::allreduce(comm, v, tutti::sum{});
        comm.choose_by(by);
        tutti::allreduce(comm, v, tutti::sum{});
        CHECK(by->asked == 2);
    });
}

TEST_CASE("lists of as many elements are told apart by how they are shared out", "[collectives][call]") {
    const auto told = [](const numbers& counts) {
        return tutti::detail::per_rank_counts(counts, static_cast<rank_type>(counts.size())).unevenness();
    };
    CHECK(told({2, 2}) == 0);
    CHECK(told({3, 1}) != told({1, 3}));
    CHECK(told({3, 1}) != 0);
    CHECK(told({4, 1, 1}) != told({1, 4, 1}));
    CHECK(told({4, 1, 1}) != told({1, 1, 4}));
    CHECK(told({1, 4, 1}) != told({1, 1, 4}));
}
