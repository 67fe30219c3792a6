// SPDX-License-Identifier: BSL-1.0
// labels: optimised
#include <tutti/simulate/simulate.hpp>

#include <numeric>
#include <vector>

#include "support/catch2.hpp"
#include "support/goal_agreement.hpp"

using namespace support;
using tutti::collective;

namespace {

std::vector<tutti::rank_type> sizes(tutti::rank_type first, tutti::rank_type last) {
    std::vector<tutti::rank_type> all(static_cast<std::size_t>(last - first + 1));
    std::iota(all.begin(), all.end(), first);
    return all;
}

} // namespace

TEST_CASE("every algorithm of the catalogue ends on every host when LogGOPSim's rules say") {
    int compared = 0;
    for_each_schedule(std::vector<tutti::rank_type>{2, 3, 5, 8, 13},
                      [&](const any_ensemble& all, const std::string& what) {
                          for (const agreement_case& c : agreement_cases) {
                              INFO(what << ", " << c);
                              CHECK(disagreement(all, c) == "");
                              ++compared;
                          }
                      });
    CHECK(compared >= 20 * 5 * 10);
}

TEST_CASE("at every size from 2 to 100") {
    for (const tutti::rank_type p : sizes(2, 100))
        for (const auto& [what, name] :
             {std::pair(collective::allreduce, "recursive_doubling"),
              std::pair(collective::allgather, "bruck"), std::pair(collective::reduce, "fnomial"),
              std::pair(collective::bcast, "two_tree"), std::pair(collective::exscan, "census")}) {
            INFO(name << ", " << p << " ranks");
            CHECK(disagreement(ensemble_of(what, name, p),
                               agreement_cases[static_cast<std::size_t>(p) % agreement_cases.size()])
                  == "");
        }
}

TEST_CASE("costs below a nanosecond arrive, too") {
    // 3 million bytes at 0.04 ns are 120 us; as whole nanoseconds they were nothing.
    const any_ensemble all = ensemble_of(collective::bcast, "serial", 2);
    tutti::simulation_options options{.machine = {.G = 0.00004, .S = 1 << 30}};
    const auto bytes = tutti::block_bytes::even(3'000'000, 1);
    const goal_machine in_ps{.L = 2'500'000, .o = 1'500'000, .g = 1'000'000, .G = 40, .S = 1 << 30};
    const auto agree = [&](const any_ensemble& schedule, const tutti::block_bytes& length) {
        return goal_simulator(read_goal(tutti::goal_text(schedule, length, options)), in_ps).finish_times()
               == tutti::simulate(schedule, length, options).finish;
    };
    CHECK(tutti::simulate(all, bytes, options).completion_us() == Approx(120 + 5.5).epsilon(1e-6));
    CHECK(agree(all, bytes));
    options.machine.fold_per_byte = 0.00025;
    options.machine.copy_per_byte = 0.000125;
    for (const char* name : {"ring", "recursive_doubling", "circulant", "kary"}) {
        const any_ensemble reducing = ensemble_of(collective::allreduce, name, 13);
        CHECK(agree(reducing, tutti::block_bytes::even(900'000, reducing.blocks())));
    }
}

TEST_CASE("LogGOPSim's own answers, as it printed them") {
    const auto answer = [](collective what, const char* name, tutti::rank_type size, std::int64_t bytes,
                           std::int64_t fold, std::int64_t copy) {
        const any_ensemble all = ensemble_of(what, name, size);
        const agreement_case c{.bytes = bytes, .fold = fold, .copy = copy};
        const auto length = tutti::block_bytes::even(bytes, all.blocks());
        return goal_simulator(read_goal(tutti::goal_text(all, length, options_of(c, size))), c.machine)
            .finish_times();
    };
    using times = std::vector<std::int64_t>;
    CHECK(answer(collective::exscan, "census", 4, 8, 1, 1) == times{3000, 7058, 7092, 11108});
    CHECK(answer(collective::bcast, "fnomial", 5, 1'000'000, 0, 0)
          == times{12'005'988, 18'007'482, 12'010'488, 18'011'982, 6'005'494});
    CHECK(answer(collective::allreduce, "circulant", 7, 700, 2, 0) == times(7, 41'364));
    CHECK(answer(collective::allgather, "direct", 16, 800, 0, 0) == times(16, 86'910));
}
