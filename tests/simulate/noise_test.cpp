// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/simulate/histogram.hpp>
#include <tutti/simulate/noise_trace.hpp>
#include <tutti/simulate/simulate.hpp>

#include "support/catch2.hpp"
#include "support/naive_simulation.hpp"
#include "support/told_schedule.hpp"

namespace {

using namespace tutti;

TEST_CASE("us become ticks to the nearest, costs per byte are not rounded per byte") {
    CHECK(to_ticks(0) == 0);
    CHECK(to_ticks(2.5) == 2'500'000);
    CHECK(to_us(to_ticks(0.006)) == 0.006);
    CHECK(ticks_per_byte(0.006)(1'000'000) == 6'000'000'000);
    CHECK(ticks_per_byte(0.0000123)(10) == 123);
    CHECK(ticks_per_byte(0.0000123)(1'000'000) == 12'300'000);
    CHECK(ticks_per_byte(0.00000025)(4'000'000) == 1'000'000);
    CHECK(ticks_per_byte(0).none());
    CHECK_FALSE(ticks_per_byte(0.0000001).none());
    for (std::int64_t ns = 1; ns < 3000; ++ns) // decimal fractions of a us that are whole ticks
        REQUIRE(ticks_per_byte(static_cast<double>(ns) / 1000)(1'000'000'007) == ns * 1'000 * 1'000'000'007);
}

TEST_CASE("random numbers are the same everywhere") {
    random_numbers one(1, 0);
    const std::uint64_t first = one.bits();
    CHECK(random_numbers(1, 0).bits() == first);
    CHECK(random_numbers(1, 1).bits() != first);
    CHECK(random_numbers(2, 0).bits() != first);
    CHECK(first == 0xcb61006161d2d9ebU); // this and the next worked out by a program in another language
    random_numbers many(1, 0);
    std::vector<ticks> drawn;
    for (int i = 0; i < 3; ++i) drawn.push_back(many.exponential(1'000'000));
    for (int i = 0; i < 3; ++i) drawn.push_back(many.below(1000));
    CHECK(drawn == std::vector<ticks>{1517877, 1762622, 329096, 632, 986, 293});
}

TEST_CASE("random numbers have the distribution that they are said to have") {
    random_numbers random(42, 0);
    constexpr int n = 100000;
    double sum = 0;
    int above[4] = {};
    for (int i = 0; i < n; ++i) {
        const double x = static_cast<double>(random.exponential(1'000'000'000)) / 1e9;
        sum += x;
        for (int k = 0; k < 4; ++k) above[k] += x > k + 0.5;
    }
    CHECK(sum / n == Approx(1).epsilon(0.02));
    const double expected[4] = {0.60653, 0.22313, 0.082085, 0.030197}; // e^-0.5, e^-1.5, ...
    for (int k = 0; k < 4; ++k) CHECK(static_cast<double>(above[k]) / n == Approx(expected[k]).epsilon(0.05));
    int count[5] = {};
    for (int i = 0; i < n; ++i) ++count[random.below(5)];
    for (const int c : count) CHECK(c == Approx(n / 5).epsilon(0.03));
    CHECK(random.below(0) == 0);
    CHECK(random.below(1) == 0);
    CHECK(random.exponential(0) == 0);
}

TEST_CASE("random noise is the same everywhere") {
    // Worked out by a program in another language. Rank 3 is hit at these times, for so long.
    const os_noise noise{.how = os_noise::shape::random, .period_us = 100, .duration_us = 10};
    const std::vector<noise_event> events{
        {327'747'929, 8'441'608}, {668'857'238, 1'448'962}, {712'544'819, 2'465'704}};
    for (const noise_event& e : events) {
        CHECK(detail::noise_of_rank(noise, 3).stolen(noise, e.begin - 1, 1) == 0);
        CHECK(detail::noise_of_rank(noise, 3).stolen(noise, e.begin - 1, 2) == e.duration);
        CHECK(detail::noise_of_rank(noise, 3).stolen(noise, e.begin, 1) == e.duration);
        CHECK(detail::noise_of_rank(noise, 3).stolen(noise, e.begin + 1, 1) == e.duration - 1);
    }
    // What hits rank 1 before time 0 goes on until then.
    CHECK(detail::noise_of_rank(noise, 1).stolen(noise, 0, 1) == 32'935'583);
}

TEST_CASE("random noise steals as much at time 0 as later: it has always been there") {
    const os_noise often{.how = os_noise::shape::random, .period_us = 1000, .duration_us = 300};
    const ticks us = ticks_per_us;
    double early = 0;
    double late = 0;
    for (rank_type r = 0; r < 20000; ++r) {
        early += static_cast<double>(detail::noise_of_rank(often, r).stolen(often, 0, us));
        late += static_cast<double>(detail::noise_of_rank(often, r).stolen(often, 20'000 * us, us));
    }
    CHECK(early == Approx(late).epsilon(0.06));
}

TEST_CASE("skew is what was asked for, of every rank for itself") {
    using shape = start_skew::shape;
    CHECK(start_skew{}.of(3) == 0);
    const start_skew late{.how = shape::one_late, .us = 9, .late_rank = 3};
    CHECK(late.of(3) == to_ticks(9));
    CHECK(late.of(2) == 0);
    const start_skew uniform{.how = shape::uniform, .us = 10};
    const start_skew exponential{.how = shape::exponential, .us = 10};
    double sum = 0;
    ticks most = 0;
    double sum_of_exponential = 0;
    for (rank_type r = 0; r < 20000; ++r) {
        CHECK(uniform.of(r) >= 0);
        sum += to_us(uniform.of(r));
        most = std::max(most, uniform.of(r));
        sum_of_exponential += to_us(exponential.of(r));
    }
    CHECK(sum / 20000 == Approx(5).epsilon(0.03));
    CHECK(most <= to_ticks(10));
    CHECK(most > to_ticks(9.9));
    CHECK(sum_of_exponential / 20000 == Approx(10).epsilon(0.03));
    CHECK(start_skew{.how = shape::uniform, .us = 10, .seed = 2}.of(1) != uniform.of(1));
}

/// What an operation in [begin, begin + length) loses to events, all of them looked at.
ticks stolen_by(const std::vector<noise_event>& all, ticks begin, ticks length) {
    ticks sum = 0;
    noise_event last{.begin = -1, .duration = 0};
    for (const noise_event& e : all) {
        if (e.begin <= begin) last = e;
        if (e.begin > begin && e.begin < begin + length) sum += e.duration;
    }
    return sum + std::max<ticks>(last.begin + last.duration - begin, 0);
}

TEST_CASE("an operation loses all of what begins in it and the rest of what is going on") {
    const std::vector<noise_event> events{{10, 5}, {20, 2}, {23, 2}, {100, 0}};
    const os_noise noise{.how = os_noise::shape::trace, .events = events};
    // Where the trace of a rank begins: its first event is found by asking for every tick.
    for (rank_type r = 0; r < 20; ++r) {
        ticks offset = -1;
        for (ticks t = 0; offset < 0; ++t) {
            detail::noise_of_rank fresh(noise, r);
            // No other tick has 5 ahead of it, nothing at it, and 5 in it.
            if (fresh.stolen(noise, t, 1) == 5) offset = t - 10;
        }
        std::vector<noise_event> expected;
        for (ticks run = offset - 200; run < 1000; run += 100)
            for (std::size_t i = 0; i < 3; ++i)
                expected.push_back({events[i].begin + run, events[i].duration});
        detail::noise_of_rank own(noise, r);
        random_numbers random(9, static_cast<std::uint64_t>(r));
        for (ticks t = 0; t < 800;) {
            const ticks length = random.below(30);
            const ticks lost = own.stolen(noise, t, length);
            REQUIRE(lost == stolen_by(expected, t, length));
            t += length + lost + random.below(12); // one operation after the other
        }
    }
}

TEST_CASE("periodic noise comes every period, random noise that often on average") {
    const os_noise periodic{.how = os_noise::shape::periodic, .period_us = 100, .duration_us = 1};
    const os_noise random{.how = os_noise::shape::random, .period_us = 100, .duration_us = 1};
    // One operation of a second meets 10,000 events.
    CHECK(to_us(detail::noise_of_rank(periodic, 3).stolen(periodic, 0, to_ticks(1e6)))
          == Approx(10000).margin(1));
    CHECK(to_us(detail::noise_of_rank(random, 3).stolen(random, 0, to_ticks(1e6)))
          == Approx(10000).epsilon(0.05));
    SECTION("at different times for each rank, unless together") {
        for (os_noise noise : {periodic, random}) {
            const auto hits = [&](rank_type r) {
                detail::noise_of_rank own(noise, r);
                std::vector<ticks> all;
                for (ticks t = 0; t < to_ticks(1000); t += to_ticks(1))
                    all.push_back(own.stolen(noise, t, to_ticks(1)));
                return all;
            };
            CHECK(hits(0) != hits(1));
            noise.together = true;
            CHECK(hits(0) == hits(1));
            const std::vector<ticks> before = hits(0);
            noise.seed = 2;
            CHECK(hits(0) != before);
        }
    }
}

TEST_CASE("the simulator under skew and noise gives what the rules give word for word") {
    const loggops m{.L = 1, .o = 1, .g = 2, .G = 0.25, .S = 40, .fold_per_byte = 0.125};
    const support::naive_machine same{
        .L = 1'000'000, .o = 1'000'000, .g = 2'000'000, .G = 250'000, .S = 40, .fold_per_byte = 125'000};
    for (const auto shape : {start_skew::shape::uniform, start_skew::shape::one_late})
        for (const catalogue_entry& entry : catalogue())
            for (const auto& [size, receiving, counts] :
                 {std::tuple(rank_type{2}, receiving_rule::cpu, os_noise::rule::loggopsim),
                  std::tuple(rank_type{7}, receiving_rule::cpu, os_noise::rule::loggopsim),
                  std::tuple(rank_type{16}, receiving_rule::cpu, os_noise::rule::loggopsim),
                  std::tuple(rank_type{7}, receiving_rule::overlapped, os_noise::rule::loggopsim),
                  std::tuple(rank_type{7}, receiving_rule::cpu, os_noise::rule::stops),
                  std::tuple(rank_type{16}, receiving_rule::overlapped, os_noise::rule::stops)}) {
                const ensemble all([&](place at) { return entry.make(at, {}); }, size);
                const block_bytes bytes = block_bytes::even(400, all.blocks());
                simulation_options o{.machine = m, .receiving = receiving};
                o.skew = {.how = shape, .us = 30, .late_rank = 1};
                o.noise = {
                    .how = os_noise::shape::random, .period_us = 20, .duration_us = 2, .counts = counts};
                std::vector<ticks> late;
                std::vector<detail::noise_of_rank> noise;
                for (rank_type r = 0; r < size; ++r) {
                    late.push_back(o.skew.of(r));
                    noise.emplace_back(o.noise, r);
                }
                support::naive_simulation naive(all, bytes, same, late);
                naive.overlapped = receiving == receiving_rule::overlapped;
                naive.stops = counts == os_noise::rule::stops;
                naive.stolen = [&](rank_type r, ticks begin, ticks length) {
                    return noise[static_cast<std::size_t>(r)].stolen(o.noise, begin, length);
                };
                INFO(name_of(entry.what) << ' ' << entry.name << ", " << size << " ranks");
                CHECK(simulate(all, bytes, o).finish == naive.finish());
            }
}

/// What a CPU that stops for noise needs more than `length` from `begin` on, tick by tick: whatever has come
/// and is not over goes first, all of it.
ticks stopped_by(const std::vector<noise_event>& all, ticks begin, ticks length) {
    ticks waiting = 0; // of noise
    ticks left = length;
    for (ticks t = std::min(begin, all.front().begin);; ++t) {
        for (const noise_event& e : all)
            if (e.begin == t) waiting += e.duration;
        if (t >= begin && left == 0 && (waiting == 0 || length > 0)) return t - begin - length;
        if (waiting > 0)
            --waiting;
        else if (t >= begin)
            --left;
    }
}

TEST_CASE("a CPU that stops goes on when all noise is over that has come meanwhile") {
    // The third comes while the second is going on, the fourth while work is held up by the third.
    const std::vector<noise_event> events{{10, 5}, {20, 4}, {23, 2}, {25, 3}, {40, 1}, {100, 0}};
    const os_noise noise{.how = os_noise::shape::trace, .events = events, .counts = os_noise::rule::stops};
    for (rank_type r = 0; r < 20; ++r) {
        // Where the trace of this rank begins is its first random number.
        const ticks offset = -random_numbers(noise.seed, static_cast<std::uint64_t>(r) + 1).below(100);
        std::vector<noise_event> expected;
        for (ticks run = offset; run < 1500; run += 100)
            for (std::size_t i = 0; i + 1 < events.size(); ++i)
                expected.push_back({events[i].begin + run, events[i].duration});
        detail::noise_of_rank own(noise, r);
        random_numbers random(9, static_cast<std::uint64_t>(r));
        for (ticks t = 0; t < 1000;) {
            const ticks length = random.below(30);
            const ticks lost = own.stolen(noise, t, length);
            INFO("rank " << r << ", " << length << " from " << t);
            REQUIRE(lost == stopped_by(expected, t, length));
            t += length + lost + random.below(12);
        }
    }
}

TEST_CASE("where a CPU stops, a message leaves later, and its bytes are held up, too") {
    // Noise in [1, 3), [6, 7) and [9, 11) us on both ranks: a long trace, from the random point on where it
    // begins.
    const ticks us = ticks_per_us;
    os_noise noise{.how = os_noise::shape::trace, .together = true};
    const ticks from = random_numbers(noise.seed, 0).below(10'000 * us);
    REQUIRE(from < 9'980 * us);
    noise.events = {{from + us, 2 * us}, {from + 6 * us, us}, {from + 9 * us, 2 * us}, {10'000 * us, 0}};
    const support::told_schedule one(
        {{{step::send(1, {.first = 0, .count = 5})}}, {{step::recv(0, {.first = 0, .count = 5})}}});
    using times = std::vector<ticks>;
    const auto finish = [&](os_noise::rule counts, receiving_rule receiving, double O) {
        noise.counts = counts;
        const loggops machine{.L = 2, .o = 2, .g = 0, .G = 1, .O = O};
        times all = simulate(one.all(), block_bytes::even(64, 64),
                             {.machine = machine, .receiving = receiving, .noise = noise})
                        .finish;
        for (ticks& t : all) t /= us;
        return all;
    };
    const auto loggopsim = os_noise::rule::loggopsim;
    const auto stops = os_noise::rule::stops;
    // Sent in [0, 2), longer by 2; there at 4. The o from 4 on meets no noise, that from 8 on the last one.
    CHECK(finish(loggopsim, receiving_rule::cpu, 0) == times{4, 4 + 6});
    CHECK(finish(loggopsim, receiving_rule::overlapped, 0) == times{4, 8 + 2 + 2});
    // Sent in [0, 1) and [3, 4); there at 6, taken in [7, 9) and [11, 15).
    CHECK(finish(stops, receiving_rule::cpu, 0) == times{4, 15});
    // All bytes are in at 10; the CPU takes them in [11, 13).
    CHECK(finish(stops, receiving_rule::overlapped, 0) == times{4, 13});
    // The bytes keep the sender's CPU in [4, 6) and [7, 9); they leave at 4 all the same.
    CHECK(finish(stops, receiving_rule::cpu, 1) == times{9, 15});
    CHECK(finish(loggopsim, receiving_rule::cpu, 1) == times{8, 10});
}

TEST_CASE("a trace is read, and what is wrong in it is said with file and line") {
    const std::vector<noise_event> events =
        parse_noise_trace("# ns\n0\t1500\n\n2.5\t10\r\n1000\t0", "t.noise");
    CHECK(events == std::vector<noise_event>{{0, 1'500'000}, {2'500, 10'000}, {1'000'000, 0}});
    const auto complaint = [](const std::string& text) -> std::string {
        try {
            parse_noise_trace(text, "t.noise");
        } catch (const noise_trace_error& e) {
            return e.what();
        }
        return "accepted";
    };
    CHECK(complaint("0\t1\nx\t2\n") == "t.noise:2: not two numbers, begin and duration in ns");
    CHECK(complaint("0\t1\n5\n") == "t.noise:2: not two numbers, begin and duration in ns");
    CHECK(complaint("0\t1\n5\t1\t1\n") == "t.noise:2: not two numbers, begin and duration in ns");
    CHECK(complaint("0\t1\n5x\t1\n") == "t.noise:2: not two numbers, begin and duration in ns");
    CHECK(complaint("# a\n0\t1\n5\t-1\n") == "t.noise:3: begin and duration are to be 0..1e12 ns");
    CHECK(complaint("0\t1\n5\tnan\n") == "t.noise:2: begin and duration are to be 0..1e12 ns");
    CHECK(complaint("5\t1\n5\t1\n") == "t.noise:2: begins no later than the event before");
    CHECK(complaint("5\t1\n")
          == "t.noise: needs at least 2 events; the last one says where the trace begins anew");
    CHECK_THROWS_AS(read_noise_trace("/nowhere/at/all.noise"), noise_trace_error);
}

TEST_CASE("a histogram counts every time once, in equally wide bins") {
    const std::vector<ticks> times{to_ticks(1), to_ticks(2), to_ticks(2),
                                   to_ticks(5), to_ticks(9), to_ticks(5)};
    const histogram h(times, 4);
    std::vector<std::int64_t> counts;
    for (const histogram::bin& b : h.bins()) counts.push_back(b.count);
    CHECK(counts == std::vector<std::int64_t>{3, 0, 2, 1});
    CHECK(h.bins().front().from == to_ticks(1));
    CHECK(h.bins().back().to == to_ticks(9));
    CHECK(h.text(6)
          == "         1.000 us          3  ######\n"
             "         3.000 us          0\n"
             "         5.000 us          2  ####\n"
             "         7.000 us          1  ##\n");
    CHECK(histogram(std::vector<ticks>(7, to_ticks(3)), 10).bins().size() == 1);
    CHECK(histogram(std::vector<ticks>{1, 2, 3}, 10).bins().size() == 2); // no narrower than a tick
    CHECK_THROWS_AS(histogram(std::vector<ticks>{}, 10), argument_error);
    CHECK_THROWS_AS(histogram(times, 0), argument_error);
    random_numbers random(1, 1);
    std::vector<ticks> many;
    for (int i = 0; i < 1000; ++i) many.push_back(random.exponential(ticks{1} << 50));
    for (const int bins : {1, 7, 50}) {
        std::int64_t sum = 0;
        const histogram all(many, bins);
        for (std::size_t b = 0; b < all.bins().size(); ++b) {
            sum += all.bins()[b].count;
            if (b > 0) CHECK(all.bins()[b - 1].to == all.bins()[b].from);
        }
        CHECK(sum == 1000);
    }
}

TEST_CASE("equal seeds give equal simulations, others do not; no rank depends on how many there are") {
    const auto run = [](std::uint64_t skew_seed, std::uint64_t noise_seed) {
        const ensemble all(
            [](place at) {
                return find_algorithm(collective::allreduce, "recursive_doubling")->make(at, {});
            },
            64);
        simulation_options o;
        o.skew = {.how = start_skew::shape::exponential, .us = 30, .seed = skew_seed};
        o.noise = {.how = os_noise::shape::random, .period_us = 20, .duration_us = 2, .seed = noise_seed};
        return simulate(all, block_bytes::even(64, 1, 8), o).finish;
    };
    CHECK(run(1, 1) == run(1, 1));
    CHECK(run(1, 1) != run(2, 1));
    CHECK(run(1, 1) != run(1, 2));
}

} // namespace
