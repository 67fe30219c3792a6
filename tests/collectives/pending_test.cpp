// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/pending.hpp>

#include <string>
#include <utility>
#include <vector>

#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/allreduce/census.hpp>
#include <tutti/schedule/allreduce/tree.hpp>

#include "support/catch2.hpp"
#include "support/everywhere.hpp"
#include "support/outcomes.hpp"

namespace {

using support::everywhere;
using tutti::rank_type;

std::vector<rank_type> ranks_up_to(rank_type size) {
    std::vector<rank_type> all;
    for (rank_type r = 0; r < size; ++r) all.push_back(r);
    return all;
}

} // namespace

TEST_CASE("values are begun, come in any order, and are what the calls that wait return",
          "[execute][pending]") {
    everywhere([](auto& comm) {
        const rank_type p = comm.size();
        std::string wrong;
        for (rank_type root = 0; root < p; ++root) {
            auto total = tutti::iallreduce(comm, 1.5 * comm.rank(), tutti::sum{});
            auto told = tutti::ibcast(comm, 7 + comm.rank(), root);
            auto all = tutti::iallgather(comm, comm.rank());
            if (all.get() != ranks_up_to(p)) wrong += " allgather";
            if (told.get() != 7 + root) wrong += " bcast from " + std::to_string(root);
            if (total.get() != 1.5 * (p * (p - 1) / 2)) wrong += " allreduce";
        }
        return wrong;
    });
}

TEST_CASE("a value that is on its way may be moved, by named algorithms, too", "[execute][pending]") {
    everywhere([](auto& comm) {
        std::vector<tutti::pending<rank_type>> several;
        for (rank_type i = 0; i < 9; ++i) // the vector moves them as it grows
            several.push_back(tutti::iallreduce(comm, i + comm.rank(), tutti::max{}, tutti::census{}));
        auto first = tutti::iallgather(comm, comm.rank(), tutti::ring{});
        auto other = tutti::iallgather(comm, -comm.rank(), tutti::bruck{});
        std::string wrong = first.get().size() == static_cast<std::size_t>(comm.size()) ? "" : " first";
        first = std::move(other);
        for (rank_type i = 0; i < 9; ++i)
            if (several[static_cast<std::size_t>(i)].get() != i + comm.size() - 1)
                wrong += " " + std::to_string(i);
        while (!first.test()) {
        }
        const std::vector<rank_type> all = first.get();
        for (rank_type r = 0; r < comm.size(); ++r)
            if (all[static_cast<std::size_t>(r)] != -r) wrong += " of " + std::to_string(r);
        return wrong;
    });
}

TEST_CASE("a value that is no more waited for is given up, and all who wait for it are told",
          "[execute][pending]") {
    // Folds go from rank 2 by rank 1 to rank 0, the result comes back that way: rank 2 waits in any case,
    // rank 0 only if rank 1 had not come so far.
    constexpr tutti::kary line{.arity = 1};
    support::complaints heard(3);
    tutti::threads::run(3, [&](auto& comm) {
        if (comm.rank() == 1) {
            {
                const auto lost = tutti::iallreduce(comm, 1, tutti::sum{}, line);
            }
            return heard.add(1, "");
        }
        auto total = tutti::iallreduce(comm, 1, tutti::sum{}, line);
        const std::string error = support::error_of([&] { (void)total.get(); });
        const bool right = support::contains(error, "rank 1 has given up allreduce");
        heard.add(comm.rank(), right || (comm.rank() == 0 && error.empty()) ? "" : "hears: " + error);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a value is handed over once, and none after a failure was told", "[execute][pending]") {
    constexpr const char* none = "pending is without a value; allowed: one that nobody has got";
    everywhere([](auto& comm) {
        auto total = tutti::iallreduce(comm, 1, tutti::sum{});
        auto& itself = total;
        total = std::move(itself);
        std::string wrong = total.get() == comm.size() ? "" : " moved to itself";
        wrong += support::contains(support::error_of([&] { (void)total.get(); }), none) ? "" : " twice";
        auto moved = tutti::iallreduce(comm, 1, tutti::sum{});
        auto now = std::move(moved);
        wrong += support::contains(support::error_of([&] { (void)moved.get(); }), none) ? "" : " moved away";
        if (now.get() != comm.size()) wrong += " moved";
        return wrong;
    });
    for (const bool tests : {false, true}) {
        support::complaints heard(2);
        tutti::threads::run(2, [&](auto& comm) {
            if (comm.rank() == 1) {
                {
                    const auto lost = tutti::iallreduce(comm, 1, tutti::sum{}, tutti::serial{});
                }
                return heard.add(1, "");
            }
            auto total = tutti::iallreduce(comm, 1, tutti::sum{}, tutti::serial{});
            const auto until_told = [&] {
                while (tests && !total.test()) {
                }
                (void)total.get();
            };
            const std::string first = support::error_of(until_told);
            const std::string then = support::error_of([&] { (void)total.get(); });
            const bool failed = support::contains(first, "rank 1 has given up allreduce");
            heard.add(0,
                      (failed || first.empty()) && support::contains(then, none) ? "" : first + "; " + then);
        });
        CHECK(heard.all() == "");
    }
}
