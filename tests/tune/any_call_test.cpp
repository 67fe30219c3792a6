// SPDX-License-Identifier: BSL-1.0
#include <tutti/tune/any_call.hpp>

#include <cstddef>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

using numbers = std::vector<int>;

/// With what a result begins on rank `r` of 3, each of which gives r + 1 everywhere, in parts of `part`
/// elements.
numbers result_of(collective what, rank_type r, std::size_t count, std::size_t part) {
    const numbers sum_up_to{1, 3, 6};
    switch (what) {
    case collective::bcast: return numbers(count, 0);
    case collective::reduce: return r == 0 ? numbers(count, 6) : numbers{};
    case collective::allreduce: return numbers(count, 6);
    case collective::scan: return numbers(count, sum_up_to[static_cast<std::size_t>(r)]);
    case collective::exscan:
        return r == 0 ? numbers{} : numbers(count, sum_up_to[static_cast<std::size_t>(r - 1)]);
    case collective::reduce_scatter: return numbers(part, 6);
    case collective::scatter: return numbers(part, 1);
    case collective::gather:
        if (r != 0) return {};
        [[fallthrough]];
    case collective::allgather:
    case collective::alltoall: {
        numbers all;
        for (const int value : {1, 2, 3}) all.insert(all.end(), part, value);
        return all;
    }
    default: return {};
    }
}

/// Counts how often one is assigned.
struct counted {
    static int assigned;
    counted& operator=(const counted&) {
        ++assigned;
        return *this;
    }
    counted() = default;
    counted(const counted&) = default;
};
int counted::assigned = 0;

/// Elements that rank `r` of 3 writes before a call with root 1, of 7 elements or of three parts of 2.
int given_by(collective what, rank_type r) {
    switch (what) {
    case collective::barrier: return 0;
    case collective::bcast: return r == 1 ? 7 : 0;
    case collective::scatter: return r == 1 ? 6 : 0;
    case collective::gather:
    case collective::allgather:
    case collective::multicast: return 2;
    case collective::alltoall:
    case collective::reduce_scatter: return 6;
    default: return 7;
    }
}

} // namespace

TEST_CASE("before a call each rank writes what it gives, and no more", "[tune][any_call]") {
    for (const collective what : all_collectives)
        for (rank_type r = 0; r < 3; ++r) {
            detail::any_call<counted> call(what, 7, 3, counted{}, 1);
            counted::assigned = 0;
            call.write_input(r);
            INFO(name_of(what) << " on rank " << r);
            CHECK(counted::assigned == given_by(what, r));
        }
}

TEST_CASE("a call of any collective has its whole result, one element at least of every part",
          "[tune][any_call]") {
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{7}})
        for (const collective what : all_collectives) {
            const catalogue_entry& entry = catalogue_of(what)[0];
            const choice how{.algorithm = entry.name, .make = entry.make, .with = entry.defaults};
            std::vector<numbers> out(3);
            mock::run(3, {}, [&](auto& comm) {
                detail::any_call<int> call(what, count, comm.size(), 1 + comm.rank());
                call.planned(comm, sum{}, how).run();
                out[static_cast<std::size_t>(comm.rank())] = call.out();
            });
            const std::size_t part = count == 7 ? 2 : 1;
            for (rank_type r = 0; r < 3; ++r) {
                INFO(name_of(what) << " of " << count << " on rank " << r);
                const numbers& got = out[static_cast<std::size_t>(r)];
                const numbers expected = result_of(what, r, count, part);
                CHECK(got.size() == (has_parts(what) ? 3 * part : count));
                REQUIRE(got.size() >= expected.size());
                CHECK(numbers(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(expected.size()))
                      == expected);
            }
        }
}
