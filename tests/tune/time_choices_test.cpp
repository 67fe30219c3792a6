// SPDX-License-Identifier: BSL-1.0
#include <tutti/tune/time_choices.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

std::vector<choice> all_of(collective what) {
    std::vector<choice> all;
    for (const catalogue_entry& entry : catalogue_of(what))
        all.push_back({.algorithm = entry.name, .make = entry.make, .with = entry.defaults});
    return all;
}

} // namespace

TEST_CASE("all choices for every collective are timed, alike on all ranks", "[tune][time_choices]") {
    for (const collective what : all_collectives)
        for (const std::int64_t bytes : {std::int64_t{8}, std::int64_t{100000}}) {
            const std::vector<choice> choices = all_of(what);
            std::vector<std::vector<double>> us(3);
            threads::run(3, [&](auto& comm) {
                us[static_cast<std::size_t>(comm.rank())] =
                    time_choices(comm, {.what = what, .bytes = bytes}, choices, 0.001);
            });
            INFO(name_of(what) << " of " << bytes << " bytes");
            CHECK(us[0].size() == choices.size());
            for (const double t : us[0]) CHECK((std::isfinite(t) && t > 0));
            CHECK(us[1] == us[0]);
            CHECK(us[2] == us[0]);
        }
}

TEST_CASE("no choice takes longer than all measurements of all choices together", "[tune][time_choices]") {
    using clock = std::chrono::steady_clock;
    const std::vector<choice> choices = all_of(collective::allreduce);
    for (const std::int64_t bytes : {8, 64 << 10}) { // on one set of buffers, and on several
        std::vector<double> us;
        const auto begin = clock::now();
        threads::run(1, [&](auto& comm) { us = time_choices(comm, {.bytes = bytes}, choices, 0); });
        const double whole = std::chrono::duration<double, std::micro>(clock::now() - begin).count();
        for (const double t : us) CHECK(t <= whole); // however fast the machine is
    }
}

TEST_CASE("a choice that does not keep the order is refused for operations that need it",
          "[tune][time_choices]") {
    const catalogue_entry* const ring = find_algorithm(collective::allreduce, "ring");
    const std::vector<choice> choices{{.algorithm = "ring", .make = ring->make}};
    CHECK_THROWS_AS(threads::run(5,
                                 [&](auto& comm) {
                                     time_choices(comm, {.bytes = 4000, .commutative = false}, choices,
                                                  0.001);
                                 }),
                    argument_error);
}
