// SPDX-License-Identifier: BSL-1.0
// labels: slow sequential
#include <tutti/collectives/run_mock.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <tutti/tutti.hpp>

#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/how_many.hpp"
#include "support/outcomes.hpp"

// Any collectives by any algorithms, of any size, several at once, on ranks of which some come late, with and
// without buffers: right results, nothing lost, nothing twice, no hang. TUTTI_RANDOM_RUNS=100000 for more of
// it.

namespace {

using tutti::collective;
using tutti::rank_type;
namespace mock = tutti::mock;
using numbers = std::vector<int>;

/// What is called; the same on all ranks.
struct call {
    const tutti::catalogue_entry* by;
    std::int64_t count;
    rank_type root;
    bool in_place;

    std::string told() const {
        return std::string(tutti::name_of(by->what)) + " by " + std::string(by->name) + ", "
               + std::to_string(count) + " elements, root " + std::to_string(root);
    }
};

struct under_way {
    numbers in, out, expected;
    tutti::request handle;
};

numbers part(const numbers& whole, std::int64_t first, std::int64_t count) {
    return {whole.begin() + first, whole.begin() + first + count};
}

template <class Comm>
std::unique_ptr<under_way> begun(Comm& comm, const call& c) {
    auto now = std::make_unique<under_way>();
    const std::int64_t p = comm.size(), me = comm.rank(), n = c.count;
    const bool in_place = c.in_place;
    const tutti::named how{c.by->name};
    numbers &in = now->in, &out = now->out, &expected = now->expected;
    const auto untouched = numbers(static_cast<std::size_t>(n), -1);
    in = support::samples<int>(me, n);
    out = in_place ? in : untouched;
    const numbers kept = out;
    switch (c.by->what) {
    case collective::bcast:
        out = me == c.root ? in : untouched;
        expected = support::samples<int>(c.root, n);
        now->handle = tutti::ibcast(comm, out, c.root, how);
        break;
    case collective::reduce:
        expected = me == c.root ? support::serial_fold<int>(0, p, n, tutti::sum{}) : kept;
        now->handle = in_place ? tutti::ireduce(comm, out, tutti::sum{}, c.root, how)
                               : tutti::ireduce(comm, in, out, tutti::sum{}, c.root, how);
        break;
    case collective::allreduce:
        expected = support::serial_fold<int>(0, p, n, tutti::sum{});
        now->handle = in_place ? tutti::iallreduce(comm, out, tutti::sum{}, how)
                               : tutti::iallreduce(comm, in, out, tutti::sum{}, how);
        break;
    case collective::exscan:
        expected = me > 0 ? support::serial_fold<int>(0, me, n, tutti::sum{}) : kept;
        now->handle = in_place ? tutti::iexscan(comm, out, tutti::sum{}, how)
                               : tutti::iexscan(comm, in, out, tutti::sum{}, how);
        break;
    case collective::scan:
        expected = support::serial_fold<int>(0, me + 1, n, tutti::sum{});
        now->handle = in_place ? tutti::iscan(comm, out, tutti::sum{}, how)
                               : tutti::iscan(comm, in, out, tutti::sum{}, how);
        break;
    case collective::reduce_scatter:
        in = support::samples<int>(me, n * p);
        out = untouched;
        expected = part(support::serial_fold<int>(0, p, n * p, tutti::sum{}), me * n, n);
        now->handle = tutti::ireduce_scatter(comm, in, out, tutti::sum{}, how);
        break;
    case collective::allgather:
        for (std::int64_t r = 0; r < p; ++r)
            std::ranges::copy(support::samples<int>(r, n), std::back_inserter(expected));
        out.assign(expected.size(), -1);
        now->handle = tutti::iallgather(comm, in, out, how);
        break;
    case collective::gather: {
        numbers whole;
        for (std::int64_t r = 0; r < p; ++r)
            std::ranges::copy(support::samples<int>(r, n), std::back_inserter(whole));
        out = me == c.root ? numbers(whole.size(), -1) : numbers{};
        if (in_place && me == c.root)
            std::ranges::copy(in, out.begin() + me * n);
        else if (in_place)
            out = in;
        expected = me == c.root ? whole : out;
        now->handle =
            in_place ? tutti::igather(comm, out, c.root, how) : tutti::igather(comm, in, out, c.root, how);
        break;
    }
    case collective::scatter: {
        in = me == c.root ? support::samples<int>(me, n * p) : numbers{};
        out = in_place && me == c.root ? in : untouched;
        expected = in_place && me == c.root ? in : part(support::samples<int>(c.root, n * p), me * n, n);
        now->handle =
            in_place ? tutti::iscatter(comm, out, c.root, how) : tutti::iscatter(comm, in, out, c.root, how);
        break;
    }
    case collective::alltoall:
        in = support::samples<int>(me, n * p);
        for (std::int64_t r = 0; r < p; ++r)
            std::ranges::copy(part(support::samples<int>(r, n * p), me * n, n), std::back_inserter(expected));
        out.assign(expected.size(), -1);
        now->handle = tutti::ialltoall(comm, in, out, how);
        break;
    default:
        expected = out;
        now->handle = tutti::ibarrier(comm, how);
        break;
    }
    return now;
}

/// What is decided by the number of the run.
struct scenario {
    rank_type size;
    mock::options how;
    std::vector<call> calls;

    explicit scenario(std::uint64_t number) : size(0) {
        std::mt19937 any(static_cast<unsigned>(number));
        size = static_cast<rank_type>(1 + any() % 9);
        how = {.seed = number, .rendezvous = any() % 2 == 0, .switch_at_start = any() % 2 == 0, .log = false};
        for (rank_type r = 0; r < size; ++r)
            if (any() % 5 == 0) how.late.push_back(r);
        const auto& known = tutti::catalogue();
        for (std::size_t i = 1 + any() % 4; i > 0; --i)
            calls.push_back({.by = &known[any() % known.size()],
                             .count = std::vector<std::int64_t>{0, 1, 2, 7, 33}[any() % 5],
                             .root = static_cast<rank_type>(any() % static_cast<unsigned>(size)),
                             .in_place = any() % 2 == 0});
    }

    /// On one rank: begins all in order, and ends them in an order of its own.
    template <class Comm>
    std::string part_of(Comm& comm) const {
        std::mt19937 own(static_cast<unsigned>(how.seed * 31) + static_cast<unsigned>(comm.rank()));
        std::vector<std::unique_ptr<under_way>> open;
        std::vector<const call*> names;
        std::string trouble;
        const auto end_one = [&] {
            const auto i = static_cast<std::ptrdiff_t>(own() % open.size());
            under_way& one = *open[static_cast<std::size_t>(i)];
            if (own() % 2 == 0)
                one.handle.wait();
            else
                while (!one.handle.test()) {
                }
            if (one.out != one.expected)
                trouble += names[static_cast<std::size_t>(i)]->told() + " is wrong; ";
            open.erase(open.begin() + i);
            names.erase(names.begin() + i);
        };
        for (const call& c : calls) {
            open.push_back(begun(comm, c));
            names.push_back(&c);
            if (own() % 4 == 0) end_one();
        }
        while (!open.empty()) end_one();
        return trouble;
    }
};

} // namespace

TEST_CASE("any collectives at once are right in random runs", "[execute][mock][request]") {
    const std::uint64_t runs = support::how_many("TUTTI_RANDOM_RUNS", 2000);
    for (std::uint64_t number = 1; number <= runs; ++number) {
        const scenario one(number);
        support::complaints heard(one.size);
        const std::string thrown = support::error_of([&] {
            mock::run(one.size, one.how, [&](auto& comm) { heard.add(comm.rank(), one.part_of(comm)); });
        });
        std::string calls;
        for (const call& c : one.calls) calls += "\n" + c.told();
        INFO("run " << number << ", " << one.size << " ranks:" << calls);
        REQUIRE(thrown == "");
        REQUIRE(heard.all() == "");
    }
}
