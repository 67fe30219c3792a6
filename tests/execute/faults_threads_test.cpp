// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/run_threads.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"
#include "support/outcomes.hpp"

namespace {

using support::contains;
using tutti::collective;
using tutti::rank_type;

/// Runs body(comm) on all ranks; the text of what comes out. Those that throw must throw what comes from
/// `cause` itself, or a collective_error that says where.
template <class Body>
std::string run_with_cause(rank_type size, rank_type cause, support::complaints& heard, const Body& body) {
    return support::error_of([&] {
        tutti::threads::run(size, [&](auto& comm) {
            try {
                body(comm);
                heard.add(comm.rank(), "");
            } catch (const tutti::collective_error& e) {
                const bool located =
                    e.where().rank == comm.rank() && e.where().round >= 0
                    && contains(e.what(), " failed on rank " + std::to_string(comm.rank()) + ", round ");
                heard.add(comm.rank(), located ? "" : e.what());
                throw;
            } catch (const std::exception& e) {
                heard.add(comm.rank(), comm.rank() == cause ? "" : e.what());
                throw;
            }
        });
    });
}

/// An addition that fails after a while, on one rank.
struct failing_sum {
    std::int64_t* left; // how often it works; null: always

    int operator()(const int& a, const int& b) const {
        if (left != nullptr && --*left < 0) throw std::runtime_error("the operation has had enough");
        return a + b;
    }
};

} // namespace

TEST_CASE("a rank that fails before its collective fails all that wait for it, and is the one reported",
          "[execute][threads][faults]") {
    const rank_type size = GENERATE(as<rank_type>{}, 2, 5);
    const std::int64_t count = GENERATE(as<std::int64_t>{}, 3, 20000);
    for (const tutti::catalogue_entry& entry : tutti::catalogue())
        for (const rank_type culprit : {rank_type{0}, size - 1}) {
            support::complaints heard(size);
            const std::string first = run_with_cause(size, culprit, heard, [&](auto& comm) {
                if (comm.rank() == culprit) throw std::runtime_error("out of luck");
                heard.add(comm.rank(), support::run_and_check<int>(comm, entry.what, count, 0, tutti::sum{},
                                                                   tutti::named{entry.name}, false));
            });
            INFO(tutti::name_of(entry.what)
                 << " by " << entry.name << ", size " << size << ", rank " << culprit);
            CHECK(first == "out of luck");
            CHECK(heard.all() == ""); // who returns has the right result
        }
}

TEST_CASE("a rank that fails in the middle of a collective fails all others too",
          "[execute][threads][faults]") {
    constexpr rank_type size = 4;
    const std::string algorithm =
        GENERATE("recursive_doubling", "halving_doubling", "circulant", "serial", "ring");
    const std::int64_t count = GENERATE(as<std::int64_t>{}, 4, 5000);
    const std::int64_t after = GENERATE(as<std::int64_t>{}, 0, 1);
    const rank_type culprit = algorithm == "serial" ? 0 : 2; // only the root of a serial one folds
    support::complaints heard(size);
    std::atomic<int> returned{0};
    const std::string first = run_with_cause(size, culprit, heard, [&](auto& comm) {
        std::vector<int> v(static_cast<std::size_t>(count), 1);
        std::int64_t left = after;
        tutti::allreduce(comm, v, tutti::commutative(failing_sum{comm.rank() == culprit ? &left : nullptr}),
                         tutti::named{algorithm});
        ++returned;
    });
    INFO(algorithm << ", " << count << " elements, after " << after);
    CHECK(first == "the operation has had enough");
    CHECK(heard.all() == "");
    // Its neighbours may have all they need of it, but never all of them.
    CHECK(returned < size - 1);
}

TEST_CASE("unequal counts are an error on every rank, and not a hang", "[execute][threads][faults]") {
    struct pair {
        std::size_t most, one;
    };
    // Small ones travel in the mailbox, large ones are read where they lie.
    constexpr std::array counts{pair{10, 11},         pair{11, 10},   pair{0, 1},     pair{1, 0},
                                pair{100000, 100001}, pair{5000, 10}, pair{10, 5000}, pair{0, 5000}};
    const std::string algorithm = GENERATE("recursive_doubling", "serial", "binary_tree", "halving_doubling");
    constexpr rank_type size = 4;
    for (const pair& count : counts)
        for (const rank_type odd : {0, 2}) {
            support::complaints heard(size);
            std::atomic<int> returned{0};
            const std::string first = run_with_cause(size, tutti::no_rank, heard, [&](auto& comm) {
                std::vector<int> v(comm.rank() == odd ? count.one : count.most, 1);
                tutti::allreduce(comm, v, tutti::sum{}, tutti::named{algorithm});
                ++returned;
            });
            INFO(algorithm << ": " << count.one << " elements on rank " << odd << ", else " << count.most);
            CHECK(heard.all() == "");
            CHECK(returned == 0);
            CHECK(contains(first, "allreduce failed on rank "));
            for (const std::size_t told : {count.one, count.most})
                CHECK(contains(first, "allreduce of " + std::to_string(told) + " element"));
        }
}

TEST_CASE("ranks that call different collectives get an error, not each other's messages",
          "[execute][threads][faults]") {
    support::complaints heard(2);
    const std::string first = run_with_cause(2, tutti::no_rank, heard, [&](auto& comm) {
        std::vector<int> v(4, comm.rank());
        if (comm.rank() == 0)
            tutti::allreduce(comm, v, tutti::sum{});
        else
            tutti::barrier(comm);
    });
    CHECK(heard.all() == "");
    CHECK(contains(first, "failed on rank "));
    CHECK(contains(first, "allreduce of 4 elements of 4 bytes"));
}

TEST_CASE("a rank that returns without the collective is an error on those who wait for it",
          "[execute][threads][faults]") {
    support::complaints heard(3);
    const std::string first = run_with_cause(3, tutti::no_rank, heard, [&](auto& comm) {
        std::vector<int> v(4000, comm.rank());
        if (comm.rank() != 1) tutti::allreduce(comm, v, tutti::sum{});
    });
    CHECK(heard.all() == "");
    CHECK(contains(first, "allreduce failed on rank "));
}
