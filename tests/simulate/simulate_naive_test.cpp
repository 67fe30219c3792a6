// SPDX-License-Identifier: BSL-1.0
// labels: optimised
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/simulate/simulate.hpp>

#include "support/catch2.hpp"
#include "support/extent.hpp"
#include "support/naive_simulation.hpp"

namespace {

using namespace tutti;

/// Machines in whole nanoseconds per byte at most, so that both sides are exact. Many make things happen at
/// the same time: then the order of insertion decides.
const std::vector<loggops>& machines() {
    static const std::vector<loggops> all{
        {},                                                        // LogGOPSim's
        {.L = 1, .o = 1, .g = 1, .G = 0, .S = 1 << 20},            // ties everywhere
        {.L = 0, .o = 0, .g = 0, .G = 0, .S = 100},                // nothing takes time
        {.L = 0, .o = 0, .g = 0, .G = 0.001, .S = 100},            // only bytes do
        {.L = 2, .o = 1, .g = 4, .G = 0.001, .S = 1 << 20},        // g > o: put-backs
        {.L = 1, .o = 1, .g = 1, .G = 0.001, .O = 0.002, .S = 64}, // O > G, rendezvous
        {.L = 0.5, .o = 0.25, .g = 0.5, .G = 0.125, .S = 0},       // always rendezvous
        {.L = 1, .o = 1, .g = 2, .G = 0.25, .S = 40, .fold_per_byte = 0.25, .copy_per_byte = 0.125},
        {.L = 0, .o = 1, .g = 0, .G = 1, .S = 1 << 20, .fold_per_byte = 1, .copy_per_byte = 1},
        {.L = 3, .o = 0, .g = 1, .G = 0, .O = 1, .S = 16, .fold_per_byte = 0.001},
    };
    return all;
}

support::naive_machine in_ticks(const loggops& m) {
    const auto ps = [](double us) { return static_cast<std::int64_t>(us * 1e6 + 0.5); };
    return {.L = ps(m.L),
            .o = ps(m.o),
            .g = ps(m.g),
            .G = ps(m.G),
            .O = ps(m.O),
            .S = m.S,
            .fold_per_byte = ps(m.fold_per_byte),
            .copy_per_byte = ps(m.copy_per_byte)};
}

/// Every algorithm, with other parameters than its defaults, too.
template <class F>
void for_each_ensemble(rank_type size, rank_type root, F&& f) {
    for (const catalogue_entry& entry : catalogue())
        for (const parameters& p : {parameters{}, parameters{{"radix", 3}, {"arity", 3}, {"segments", 5}}}) {
            const parameters given = effective(entry, p);
            if (p != parameters{} && given == entry.defaults) continue; // has none of them
            try {
                const ensemble all([&](place at) { return entry.make(at, given); }, size, root);
                INFO(name_of(entry.what) << ' ' << entry.name << ", " << size << " ranks, root " << root);
                f(all);
            } catch (const argument_error&) {
                // not for this size
            }
        }
}

TEST_CASE("the simulator gives what the rules give word for word, for every algorithm") {
    std::int64_t compared = 0;
    for (const rank_type size :
         support::chosen({1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17}, {1, 2, 5, 8, 13}))
        for (const loggops& machine : machines())
            for_each_ensemble(size, size / 2, [&](const auto& all) {
                const block_bytes bytes = block_bytes::even(size == 5 ? 3 : 200, all.blocks());
                support::naive_simulation naive(all, bytes, in_ticks(machine));
                const std::vector<ticks> expected = naive.finish();
                INFO("L " << machine.L << " o " << machine.o << " g " << machine.g << " G " << machine.G
                          << " O " << machine.O << " S " << machine.S);
                const simulation_result got = simulate(all, bytes, {.machine = machine});
                REQUIRE(got.finish == expected);
                REQUIRE(got.messages == naive.messages());
                ++compared;
            });
    CHECK(compared > 13 * 10 * 40);
}

TEST_CASE("so it does where the interface receives while the CPU does other things") {
    std::int64_t compared = 0;
    std::int64_t others = 0;
    for (const rank_type size : {2, 3, 5, 8, 13})
        for (const loggops& machine : machines())
            for_each_ensemble(size, size / 2, [&](const auto& all) {
                const block_bytes bytes = block_bytes::even(size == 5 ? 3 : 200, all.blocks());
                support::naive_simulation naive(all, bytes, in_ticks(machine));
                naive.overlapped = true;
                INFO("L " << machine.L << " o " << machine.o << " g " << machine.g << " G " << machine.G
                          << " O " << machine.O << " S " << machine.S);
                const simulation_options overlapped{.machine = machine,
                                                    .receiving = receiving_rule::overlapped};
                const simulation_result got = simulate(all, bytes, overlapped);
                REQUIRE(got.finish == naive.finish());
                others += got.finish != simulate(all, bytes, {.machine = machine}).finish;
                ++compared;
            });
    CHECK(compared > 5 * 10 * 40);
    CHECK(others > compared / 10);
}

} // namespace
