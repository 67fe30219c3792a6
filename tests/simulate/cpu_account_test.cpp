// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <numeric>
#include <vector>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/simulate/simulate.hpp>

#include "support/catch2.hpp"
#include "support/told_schedule.hpp"

namespace {

using namespace tutti;
using support::told_schedule;

using times = std::vector<double>;
times in_us(const std::vector<ticks>& all) {
    times us;
    for (const ticks t : all) us.push_back(to_us(t));
    return us;
}

const loggops machine{.L = 2, .o = 1, .g = 0, .G = 0, .fold_per_byte = 1};
const block_set one{.first = 0, .count = 1};

/// Figure 2 of Wagner et al.: 1 sends to 0, 3 to 2, then 2 to 0. Rank 3 is late.
told_schedule figure_2() {
    const auto fold = [](rank_type from) { return step::recv_reduce(from, one, operand_side::right); };
    return told_schedule({{{fold(1)}, {fold(2)}},
                          {{step::send(0, one)}},
                          {{fold(3)}, {step::send(0, one)}},
                          {{step::send(2, one)}}});
}
simulation_result run(const simulation_options& o) {
    return simulate(figure_2().all(), block_bytes::even(told_schedule::blocks, told_schedule::blocks), o);
}

simulation_options late(progress_by by) {
    simulation_options o{.machine = machine, .by = by};
    o.skew = {.how = start_skew::shape::one_late, .us = 100, .late_rank = 3};
    return o;
}

TEST_CASE("a rank that makes progress itself is kept from entering the call to leaving it") {
    const simulation_result r = run(late(progress_by::host));
    // 3 sends 100..101, 2 takes it 103..104, folds to 105, sends to 106; 0 takes it 108..109, folds to 110.
    CHECK(in_us(r.finish) == times{110, 1, 106, 101});
    CHECK(in_us(r.cpu) == times{110, 1, 106, 1});
}

TEST_CASE("with bypass an inner rank is kept only for what it does, the root as long as before") {
    simulation_options o = late(progress_by::bypass);
    CHECK(in_us(run(o).finish) == times{110, 1, 106, 101});
    CHECK(in_us(run(o).cpu) == times{110, 1, 1 + 1 + 1, 1});
    SECTION("a late message interrupts: the signal delays and counts, but not at the root, which polls") {
        o.signal_us = 7;
        CHECK(in_us(run(o).finish) == times{117, 1, 113, 101});
        CHECK(in_us(run(o).cpu) == times{117, 1, 10, 1});
    }
    SECTION("a root that does not wait is interrupted twice") {
        o.signal_us = 7;
        o.root_waits = false;
        // Its first message comes at 3; the second 7 later than in the section above, and it costs 7 more.
        CHECK(in_us(run(o).finish) == times{124, 1, 113, 101});
        CHECK(in_us(run(o).cpu) == times{2 * (7 + 1 + 1), 1, 10, 1});
    }
}

TEST_CASE("a message that finds the rank at work, or was there before it, costs no signal") {
    // All of 1, 2 and 3 send to 0, which is no waiting root, at once: one signal for the three.
    const auto recv = [](rank_type from) { return step::recv(from, one); };
    const told_schedule star({{{recv(1), recv(2), recv(3)}},
                              {{step::send(0, one)}},
                              {{step::send(0, one)}},
                              {{step::send(0, one)}}});
    simulation_options o{.machine = machine, .by = progress_by::bypass, .signal_us = 7, .root_waits = false};
    const auto cpu = [&] {
        return to_us(
            simulate(star.all(), block_bytes::even(told_schedule::blocks, told_schedule::blocks), o).cpu[0]);
    };
    CHECK(cpu() == 7 + 3);
    o.skew = {.how = start_skew::shape::one_late, .us = 100, .late_rank = 0};
    CHECK(cpu() == 3);
}

TEST_CASE("the network interface takes only the start from the CPU") {
    simulation_options o = late(progress_by::nic);
    o.start_us = 5;
    CHECK(in_us(run(o).finish) == times{115, 6, 111, 106});
    CHECK(in_us(run(o).cpu) == times{5, 5, 5, 5});
    o.start_us = 0.25;
    CHECK(in_us(run(o).finish) == times{110.25, 1.25, 106.25, 101.25});
}

TEST_CASE("a rank that has not entered contributes nothing, whoever makes the progress") {
    for (const progress_by by : {progress_by::host, progress_by::bypass, progress_by::nic}) {
        simulation_options o{.machine = machine, .by = by};
        o.skew = {.how = start_skew::shape::one_late, .us = 100, .late_rank = 2};
        // Rank 3's message waits for rank 2 from 3 to 100.
        CHECK(in_us(run(o).finish) == times{107, 1, 103, 1});
    }
}

TEST_CASE("noise holds up hosts and handlers, but not the network interface") {
    simulation_options o{.machine = machine};
    // From every 10th us on for 4 us: an operation that meets a begin is 4 us longer.
    o.noise = {
        .how = os_noise::shape::trace, .events = {{0, to_ticks(4)}, {to_ticks(10), 0}}, .together = true};
    const auto finish = [&](progress_by by) {
        o.by = by;
        return run(o).finish;
    };
    const std::vector<ticks> host = finish(progress_by::host);
    CHECK(finish(progress_by::bypass) == host);
    CHECK(host != finish(progress_by::nic));
    const std::vector<ticks> nic = finish(progress_by::nic);
    o.noise = {};
    CHECK(nic == finish(progress_by::host));
    SECTION("and it is no work of the collective: bypass does not count it, waiting does") {
        o.noise = {.how = os_noise::shape::periodic, .period_us = 3, .duration_us = 1};
        o.by = progress_by::bypass;
        CHECK(to_us(run(o).cpu[2]) == 3);
        CHECK(run(o).finish[2] > to_ticks(6));
    }
}

TEST_CASE("bypass never keeps a CPU longer than waiting does, if signals cost nothing") {
    for (const catalogue_entry& entry : catalogue()) {
        const ensemble all([&](place at) { return entry.make(at, {}); }, 13, 3);
        const block_bytes bytes = block_bytes::even(800, all.blocks(), 8);
        simulation_options o;
        o.skew = {.how = start_skew::shape::uniform, .us = 300, .seed = 5};
        const simulation_result host = simulate(all, bytes, o);
        o.by = progress_by::bypass;
        const simulation_result bypass = simulate(all, bytes, o);
        CHECK(bypass.finish == host.finish);
        for (std::size_t r = 0; r < 13; ++r) CHECK(bypass.cpu[r] <= host.cpu[r]);
    }
}

} // namespace
