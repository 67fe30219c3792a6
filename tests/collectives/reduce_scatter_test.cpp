// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/reduce_scatter.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/named.hpp>

#include "support/all_options.hpp"
#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/outcomes.hpp"
#include "support/running.hpp"

namespace {

using counts_type = std::vector<std::int64_t>;
using tutti::rank_type;

const std::vector<counts_type> ways{{1},
                                    {0},
                                    {3, 0},
                                    {0, 4},
                                    {2, 5, 1},
                                    {0, 0, 0},
                                    {0, 9, 0},
                                    {1, 0, 2},
                                    {4, 4, 4},
                                    {0, 0, 0, 0, 7},
                                    {1000, 0, 3, 1, 512},
                                    {0, 1, 2, 3, 4, 5, 6},
                                    {0, 0, 0, 1500, 0, 0, 0, 0},
                                    {1500, 0, 0, 0, 0, 0, 0, 0, 1}};

/// The catalogue, with other options than the defaults, too, and what is chosen; where the order is kept,
/// with an operation that is not commutative.
template <class Communicator>
void all_algorithms(Communicator& comm, const counts_type& counts, support::complaints& heard) {
    for (const bool in_place : {false, true}) {
        const auto told = [&](std::string_view how, const char* elements, const std::string& wrong) {
            heard.add(comm.rank(), wrong.empty() ? ""
                                                 : std::string(how) + " of " + elements
                                                       + (in_place ? ", in place: " : ": ") + wrong);
        };
        const auto ints = [&](std::string_view name, const auto& how) {
            told(name, "numbers",
                 support::run_reduce_scatter<int>(comm, counts, tutti::sum{}, how, in_place));
        };
        const auto matrices = [&](std::string_view name, const auto& how) {
            told(name, "matrices",
                 support::run_reduce_scatter<support::matrix>(comm, counts, support::multiply{}, how,
                                                              in_place));
        };
        for (const tutti::named& how : support::all_options_of(tutti::collective::reduce_scatter)) {
            ints(how.name, how);
            if (generate(tutti::of<tutti::collective::reduce_scatter>, how, comm.here())
                    .claims()
                    .order_preserving)
                matrices(how.name, how);
        }
        ints("automatic", tutti::automatic{});
        matrices("automatic", tutti::automatic{});
    }
}

std::string text(const counts_type& counts) {
    std::string t;
    for (const std::int64_t c : counts) t += std::to_string(c) + " ";
    return t;
}

} // namespace

TEST_CASE("blocks may have any lengths, also none", "[execute][reduce_scatter]") {
    for (const counts_type& counts : ways) {
        const auto size = static_cast<rank_type>(counts.size());
        INFO("counts " << text(counts));
        support::complaints heard(size);
        tutti::threads::run(size, [&](auto& comm) { all_algorithms(comm, counts, heard); });
        CHECK(heard.all() == "");
        for (const bool rendezvous : {true, false}) {
            support::complaints over_mock(size);
            tutti::mock::run(size, {.rendezvous = rendezvous, .log = false},
                             [&](auto& comm) { all_algorithms(comm, counts, over_mock); });
            CHECK(over_mock.all() == "");
        }
    }
}

TEST_CASE("in place with counts works begun and planned, and of elements that are counts themselves",
          "[execute][reduce_scatter]") {
    const counts_type counts{2, 0, 3};
    support::complaints heard(3);
    tutti::threads::run(3, [&](auto& comm) {
        const auto begin = std::array{0, 2, 2}[static_cast<std::size_t>(comm.rank())];
        const auto own = counts[static_cast<std::size_t>(comm.rank())];
        const auto told = [&](const char* how, const counts_type& v, std::int64_t scale) {
            for (std::int64_t i = begin; i < begin + own; ++i)
                if (v[static_cast<std::size_t>(i)] != scale * (3 + 3 * i))
                    heard.add(comm.rank(), std::string(how) + ": another number");
        };
        const auto mine = [&] {
            counts_type v(5);
            for (std::size_t i = 0; i < v.size(); ++i) v[i] = comm.rank() + static_cast<std::int64_t>(i);
            return v;
        };
        counts_type v = mine();
        tutti::reduce_scatter(comm, v, counts, tutti::sum{});
        told("called", v, 1);
        v = mine();
        tutti::ireduce_scatter(comm, v, counts, tutti::sum{}).wait();
        told("begun", v, 1);
        v = mine();
        auto again = tutti::plan_reduce_scatter(comm, v, counts, tutti::sum{});
        again.run();
        told("planned", v, 1);
        v = counts_type(3, comm.rank()); // what can be written is an output
        counts_type one(1);
        tutti::reduce_scatter(comm, v, one, tutti::sum{});
        if (one != counts_type{3}) heard.add(comm.rank(), "a vector of counts is no more an output");
        heard.add(comm.rank(), "");
    });
    CHECK(heard.all() == "");
}

TEST_CASE("in place, a vector that is not as long as all counts together is refused",
          "[execute][reduce_scatter]") {
    const counts_type counts{2, 1};
    support::complaints heard(2);
    tutti::threads::run(2, [&](auto& comm) {
        std::vector<int> v(4);
        heard.add(comm.rank(),
                  support::error_of([&] { tutti::reduce_scatter(comm, v, counts, tutti::sum{}); }));
    });
    CHECK_THAT(heard.all(), Catch::Contains("rank 0: tutti: reduce_scatter on rank 0: inout is 4")
                                && Catch::Contains("rank 1: tutti: reduce_scatter on rank 1: inout is 4")
                                && Catch::Contains("3 elements, the sum of counts"));
}
