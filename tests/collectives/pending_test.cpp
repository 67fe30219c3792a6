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

TEST_CASE("every call of values has one that begins it, with nothing where nothing comes",
          "[execute][pending]") {
    everywhere([](auto& comm) {
        const rank_type p = comm.size(), me = comm.rank();
        const auto up_to = [](rank_type r) { return r * (r + 1) / 2; };
        const std::vector<rank_type> two{me, 10 * me};
        std::vector<rank_type> of_each, twice; // to rank r: 100 times this rank, and r
        for (rank_type r = 0; r < p; ++r) {
            of_each.push_back(100 * me + r);
            for (const rank_type value : {r, 10 * r}) twice.push_back(value);
        }
        std::string wrong;
        for (rank_type root = 0; root < p; ++root) {
            auto total = tutti::ireduce(comm, me, tutti::sum{}, root);
            auto below = tutti::iexscan(comm, me, tutti::sum{});
            auto so_far = tutti::iscan(comm, me, tutti::sum{});
            auto all = tutti::igather(comm, me, root);
            auto all_twos = tutti::igather_values(comm, two, root);
            auto twos = tutti::iallgather_values(comm, two);
            auto crossed = tutti::ialltoall_values(comm, of_each);
            auto folded = tutti::ireduce_scatter_values(comm, of_each, tutti::sum{});
            const bool here = me == root;
            const auto reduced = total.get();
            if (reduced.has_value() != here || (here && *reduced != up_to(p - 1))) wrong += " reduce";
            const auto before = below.get();
            if (before.has_value() != (me > 0) || (me > 0 && *before != up_to(me - 1))) wrong += " exscan";
            if (so_far.get() != up_to(me)) wrong += " scan";
            if (all.get() != (here ? ranks_up_to(p) : std::vector<rank_type>{})) wrong += " gather";
            if (all_twos.get() != (here ? twice : std::vector<rank_type>{})) wrong += " gather_values";
            if (twos.get() != twice) wrong += " allgather_values";
            std::vector<rank_type> from_each;
            for (rank_type r = 0; r < p; ++r) from_each.push_back(100 * r + me);
            if (crossed.get() != from_each) wrong += " alltoall_values";
            if (folded.get() != std::vector<rank_type>{100 * up_to(p - 1) + p * me})
                wrong += " reduce_scatter_values";
        }
        return wrong;
    });
}

TEST_CASE("a value that comes elsewhere is empty here, also when it has been moved", "[execute][pending]") {
    everywhere([](auto& comm) {
        auto first = tutti::ireduce(comm, 1, tutti::sum{}, 0);
        auto total = tutti::ireduce(comm, 2, tutti::sum{}, comm.size() - 1);
        const bool first_here = first.get().has_value();
        first = std::move(total);
        const auto got = first.get();
        std::string wrong = first_here == (comm.rank() == 0) ? "" : " the first";
        if (got.has_value() != (comm.rank() == comm.size() - 1) || (got && *got != 2 * comm.size()))
            wrong += " the one that was moved";
        return wrong;
    });
}
