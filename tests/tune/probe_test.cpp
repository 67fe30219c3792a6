// SPDX-License-Identifier: BSL-1.0
#include <tutti/tune/calibrate.hpp>
#include <tutti/tune/probe.hpp>
#include <tutti/tune/probe_fit.hpp>
#include <tutti/tune/probe_schedule.hpp>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/model/evaluate.hpp>
#include <tutti/model/machine_file.hpp>

#include "support/catch2.hpp"
#include "support/plain_transport.hpp"

namespace {

namespace probes = tutti::probes;
using tutti::measurement;
using tutti::place;
using tutti::rank_type;

/// Microseconds that a probe takes on a machine, by the evaluator. Throws if its messages do not match.
template <class Make>
double priced(const tutti::measured& on, const Make& make, rank_type size, std::int64_t bytes) {
    const tutti::ensemble all([&](place at) { return tutti::any_generator(make(at.rank)); }, size);
    return tutti::evaluate(on, all, tutti::block_bytes::even(bytes, all.blocks(), 8)).us;
}

tutti::measured some_machine() {
    tutti::measured m;
    m.call = 0.02;
    m.send = tutti::piecewise::constant(0.06);
    m.latency = tutti::piecewise({{240, 0.15}, {241, 0.35}, {242, 0.35}});
    m.recv = tutti::piecewise({{8, 0.08}, {240, 0.2}, {4096, 0.4}, {1 << 20, 60}});
    m.recv_fold = tutti::piecewise({{8, 0.09}, {240, 0.25}, {4096, 0.5}, {1 << 20, 90}});
    m.fetch = tutti::piecewise({{240, 0}, {4096, 0.8}, {1 << 20, 80}});
    m.local = tutti::piecewise({{8, 0.01}, {4096, 0.3}, {1 << 20, 50}});
    m.inside = 240;
    m.cores = 2;
    m.switching = 1.5;
    return m;
}

/// What the probes would see if the model were the whole truth.
tutti::probe_results seen_on(const tutti::measured& m) {
    tutti::probe_results seen{.inside = m.inside, .cores = m.cores};
    const auto take = [&](std::vector<measurement>& to, double x, const auto& make, std::int64_t bytes) {
        to.push_back({x, priced(m, make, 2, bytes)});
    };
    seen.call = priced(
        m, [](rank_type) { return probes::nothing(); }, 2, 8);
    for (const std::int64_t n : tutti::detail::probe_lengths(1 << 20, m.inside)) {
        const auto x = static_cast<double>(n);
        take(
            seen.exchange_fold, x, [](rank_type r) { return probes::exchange(r, true); }, n);
        take(
            seen.exchange_recv, x, [](rank_type r) { return probes::exchange(r, false); }, n);
        take(
            seen.local, x, [](rank_type) { return probes::local_copy(); }, n);
        if (n > m.inside)
            take(
                seen.ping_pong, x, [](rank_type r) { return probes::ping_pong(r); }, n);
    }
    for (const std::int64_t k : {1, 2, 4, 8}) {
        const auto stream = [k](rank_type r) { return probes::stream(r, k); };
        take(seen.short_stream, static_cast<double>(k), stream, 8 * k);
        take(seen.long_stream, static_cast<double>(k), stream,
             tutti::probe_results::stream_step(m.inside) * k);
    }
    return seen;
}

std::string refusal(const tutti::probe_results& seen) {
    try {
        (void)tutti::fit_machine(seen, "x", "y");
    } catch (const tutti::fit_error& e) {
        return e.what();
    }
    return "";
}

bool tells(const std::string& text, const std::string& part) {
    INFO(text);
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
    return text.find(part) != std::string::npos;
}

/// A calibration either finds a machine that survives its file, or says what made no sense.
void check_outcome(const tutti::probe_results& seen) {
    try {
        const auto fitted = tutti::fit_machine(seen, "found", "by a test");
        CHECK(tutti::parse_machine(tutti::text_of(fitted.found)) == fitted.found);
        CHECK(fitted.parameters.size() >= 8);
    } catch (const tutti::fit_error& e) {
        CHECK(!e.parameter().empty());
    }
}

} // namespace

TEST_CASE("the messages of probes match their receives on all ranks") {
    const auto m = some_machine();
    for (rank_type size = 2; size <= 6; ++size) {
        CHECK(priced(
                  m, [](rank_type) { return probes::nothing(); }, size, 64)
              > 0);
        CHECK(priced(
                  m, [](rank_type r) { return probes::exchange(r, true); }, size, 64)
              > 0);
        CHECK(priced(
                  m, [](rank_type r) { return probes::exchange(r, false); }, size, 64)
              > 0);
        CHECK(priced(
                  m, [](rank_type r) { return probes::ping_pong(r); }, size, 64)
              > 0);
        CHECK(priced(
                  m, [&](rank_type r) { return probes::ring(r, size); }, size, 64)
              > 0);
        for (rank_type p = 2; p <= size; ++p)
            CHECK(priced(
                      m, [&](rank_type r) { return probes::serial(r, p); }, size, 64)
                  > 0);
        for (const std::int64_t k : {1, 3})
            CHECK(priced(
                      m, [&](rank_type r) { return probes::stream(r, k); }, size, 64)
                  > 0);
    }
}

TEST_CASE("the probe of a copy copies the whole vector once") {
    const tutti::any_generator copy(probes::local_copy());
    CHECK(copy.blocks() == 1);
    REQUIRE(copy.rounds() == 1);
    std::vector<tutti::step> steps;
    copy.append(0, steps);
    CHECK(steps
          == std::vector{tutti::step::copy({0, 1}, tutti::buffer_name::input, tutti::buffer_name::work)});
}

TEST_CASE("a stream's messages are the shortest of whole elements that are longer") {
    for (const std::int64_t than : {0, 7, 8, 240, 247}) {
        INFO(than);
        const std::int64_t step = tutti::probe_results::stream_step(than);
        CHECK(step % 8 == 0);
        CHECK(step > than);
        CHECK(step - 8 <= than);
    }
}

TEST_CASE("from what the model predicts of the probes, its parameters are found again") {
    const tutti::measured truth = some_machine();
    const auto fitted = tutti::fit_machine(seen_on(truth), "again", "a test");
    const auto& found = std::get<tutti::measured>(fitted.found.model);
    CHECK(fitted.found.name == "again");
    CHECK(found.call == Approx(truth.call).epsilon(0.01));
    CHECK(found.inside == truth.inside);
    CHECK(found.cores == truth.cores);
    for (const std::int64_t n : {8, 64, 240, 248, 4096, 100000, 1 << 20, 1 << 21}) {
        INFO(n);
        CHECK(found.latency(n) == Approx(truth.latency(n)).epsilon(0.05));
        CHECK(found.recv(n) == Approx(truth.recv(n)).epsilon(0.1));
        CHECK(found.recv_fold(n) == Approx(truth.recv_fold(n)).epsilon(0.1));
        CHECK(found.local(n) == Approx(truth.local(n)).epsilon(0.1));
        if (n >= 4096) CHECK(found.fetch(n) == Approx(truth.fetch(n)).epsilon(0.1));
    }
    for (const auto& p : fitted.parameters) {
        INFO(p.name);
        CHECK(p.left.median <= 0.05);
    }
}

TEST_CASE("the latency is that of the shortest exchange, were it of one byte") {
    const auto truth = some_machine();
    auto seen = seen_on(truth);
    const double shortest = seen.exchange_fold.front().us;
    REQUIRE(seen.exchange_fold.front().x > 1);
    seen.exchange_fold.insert(seen.exchange_fold.begin(), {1, 0.9 * shortest});
    const auto fitted = tutti::fit_machine(seen, "x", "y");
    const auto& found = std::get<tutti::measured>(fitted.found.model);
    const double message = fitted.parameters[1].value(1);
    CHECK(found.latency(1) + message == Approx(0.9 * shortest - truth.call).epsilon(0.01));
}

TEST_CASE("a send takes as long as the receiver of a stream, and at most the latency") {
    for (const double part : {1., 0.1}) { // of a latency that is longer than a message
        INFO(part);
        tutti::measured truth = some_machine();
        truth.send = tutti::piecewise::constant(0.01);
        truth.latency = tutti::piecewise({{240, 0.15 * part}, {241, 0.35 * part}, {242, 0.35 * part}});
        const auto fitted = tutti::fit_machine(seen_on(truth), "x", "y");
        const auto& found = std::get<tutti::measured>(fitted.found.model);
        for (const std::int64_t shortest : {8, 248}) { // inside and not
            INFO(shortest);
            const double expected = std::min(truth.latency(shortest), truth.recv_fold(shortest));
            CHECK(found.send(shortest) == Approx(expected).epsilon(0.1));
        }
    }
}

TEST_CASE("what a hop from rank to rank takes beyond its message is the switching") {
    const tutti::measured truth = some_machine();
    for (const rank_type size : {3, 5}) {
        INFO(size);
        auto seen = seen_on(truth);
        const double us = priced(
            truth, [&](rank_type r) { return probes::ring(r, size); }, size, 8);
        seen.ring.push_back({static_cast<double>(size), us});
        const auto fitted = tutti::fit_machine(seen, "x", "y");
        CHECK(std::get<tutti::measured>(fitted.found.model).switching
              == Approx(truth.switching).epsilon(0.1));
        tells(fitted.parameters.back().note, "a message round all ranks");
    }
}

TEST_CASE("a slope over the ranks is taken before one over a stream") {
    auto seen = seen_on(some_machine());
    for (const double p : {1., 2., 3.}) seen.serial.push_back({p, 0.3 + 0.04 * p});
    const auto fitted = tutti::fit_machine(seen, "x", "y");
    CHECK(fitted.parameters[1].value(8) == Approx(0.04));
    tells(fitted.parameters[1].note, "serial reduction");
}

TEST_CASE("measurements that make no sense are refused with parameter and reason") {
    const auto good = seen_on(some_machine());
    REQUIRE(refusal(good).empty());

    auto seen = good;
    seen.call = -1;
    tells(refusal(seen), "no meaningful fit of call: it takes less than no time");
    seen = good;
    seen.call = 50;
    tells(refusal(seen), "no meaningful fit of latency: an exchange takes no longer than a call");
    seen = good;
    seen.inside = std::int64_t{1} << 40;
    tells(refusal(seen), "no meaningful fit of latency: no exchange of more than 1099511627776 bytes");
    seen = good;
    for (auto& m : seen.short_stream) m.us = 10 - m.x;
    tells(refusal(seen), "no meaningful fit of recv_fold: more takes less time: slope -1 us");
    seen = good;
    for (auto& m : seen.exchange_recv) m.us = 1000 / m.x;
    tells(refusal(seen), "no meaningful fit of recv: longer messages take less time");
    seen = good;
    for (std::size_t k = 0; k < seen.exchange_fold.size(); k += 2) seen.exchange_fold[k].us *= 50;
    tells(refusal(seen), "no meaningful fit of recv_fold");
    seen = good;
    seen.ping_pong.back().us *= 100;
    tells(refusal(seen), "something else had the processor");
    seen = good;
    seen.local.back().us = std::numeric_limits<double>::infinity();
    tells(refusal(seen), "no meaningful fit of local: a measurement is not finite");
    seen = good;
    seen.ping_pong.resize(1);
    tells(refusal(seen), "no meaningful fit of fetch: 1 points, at least 2 are needed");
    seen = good;
    seen.exchange_fold.clear();
    tells(refusal(seen), "no meaningful fit of latency: 0 points");
}

TEST_CASE("at most twice the length may take sixteen times as long, no longer") {
    const auto said_of = [](double longer, double us) {
        auto seen = seen_on(some_machine());
        seen.local = {{8, 1}, {longer, us}};
        return refusal(seen);
    };
    CHECK(said_of(16, 16).empty());
    tells(said_of(16, 16.1), "16.1 us for 16 bytes, but 1 us for 8: something else had the processor");
    CHECK(said_of(17, 100).empty());
}

TEST_CASE("all ranks get the same times") {
    constexpr rank_type size = 3;
    std::vector<double> us(size);
    tutti::threads::run(size, [&](auto& comm) {
        tutti::probe with(comm, 0.002, 4096);
        us[static_cast<std::size_t>(comm.rank())] = with.us(probes::exchange(comm.rank(), true), 1024);
    });
    CHECK(us[0] > 0);
    CHECK(us[1] == us[0]);
    CHECK(us[2] == us[0]);
}

TEST_CASE("calibration runs over threads, with ranks for each core and with more") {
    for (const int cores : {1, 2, 3})
        for (const rank_type size : {2, 3}) {
            std::vector<tutti::probe_results> seen(static_cast<std::size_t>(size));
            std::size_t told = 0;
            std::size_t all = 0;
            tutti::threads::run(size, [&](auto& comm) {
                tutti::calibration_options how{.seconds = 0.05, .longest = 4096, .cores = cores};
                if (comm.rank() == 0)
                    how.progress = [&](std::size_t done, std::size_t of, const std::string&) {
                        told = done;
                        all = of;
                    };
                seen[static_cast<std::size_t>(comm.rank())] = tutti::measure_machine(comm, how);
            });
            CHECK(told == all);
            CHECK(all > 40);
            CHECK(seen[0].call == seen.back().call);
            CHECK(seen[0].exchange_fold.back().us == seen.back().exchange_fold.back().us);
            CHECK(seen[0].serial.empty() == (size == 2 || size > cores));
            CHECK(seen[0].ring.empty() == (size <= cores));
            if (size > cores) CHECK(seen[0].ring[0].x == size);
            CHECK(seen[0].inside > 0);
            check_outcome(seen[0]);
        }
}

TEST_CASE("calibration runs over a transport that knows nothing of threads") {
    tutti::probe_results seen;
    tutti::mock::run(2, {.seed = 3}, [&](auto& comm) {
        const tutti::calibration_options how{.seconds = 0.001, .longest = 4096, .cores = 2};
        auto mine = tutti::measure_machine(comm, how);
        if (comm.rank() == 0) seen = std::move(mine);
    });
    CHECK(seen.inside == 0);
    CHECK(seen.long_stream.empty());
    CHECK(seen.ping_pong.size() == seen.exchange_recv.size());
    check_outcome(seen);
}

namespace {

/// Long messages arrive as signalling NaNs, which the arithmetic of a fold complains of and a copy does not.
class complaining : public support::plain::transport {
public:
    static constexpr std::size_t longest_kept = 128; // beyond it are only probes, no agreements about times

    using transport::transport;

    bool test(handle& h) {
        const bool was_open = h.open;
        if (!transport::test(h)) return false;
        if (!was_open || tutti::detail::total_bytes(h.into) <= longest_kept) return true;
        const double bad = std::numeric_limits<double>::signaling_NaN();
        for (const std::span<std::byte> piece : h.into)
            for (std::size_t i = 0; i + sizeof bad <= piece.size(); i += sizeof bad)
                std::memcpy(piece.data() + i, &bad, sizeof bad);
        return true;
    }
};

} // namespace

TEST_CASE("of the two exchanges of every length the first one folds, the second one only receives") {
    std::vector<bool> folded;
    support::plain::run<complaining>(2, [&](complaining& wires) {
        tutti::communicator<complaining> comm(wires);
        tutti::calibration_options how{.seconds = 0.001, .longest = 4096, .cores = 2};
        std::feclearexcept(FE_INVALID);
        if (comm.rank() == 0)
            how.progress = [&](std::size_t, std::size_t, const std::string& what) {
                if (what == "exchange") folded.push_back(std::fetestexcept(FE_INVALID) != 0);
                std::feclearexcept(FE_INVALID);
            };
        (void)tutti::measure_machine(comm, how);
    });
    REQUIRE(folded.size() == 20);                                           // 8, 16, ..., 4096 bytes
    for (std::size_t i = 10; i < 20; ++i) CHECK(folded[i] == (i % 2 == 0)); // from 256 bytes on
}

namespace {

/// Writes down how long the messages are that it sends.
class recording : public support::plain::transport {
public:
    std::vector<std::size_t> lengths{};

    using transport::transport;

    handle start_send(rank_type peer, tutti::channel_type channel, tutti::gather_list data) {
        lengths.push_back(tutti::detail::total_bytes(data));
        return transport::start_send(peer, channel, data);
    }
};

} // namespace

TEST_CASE("a stream is of 1, 2, 4 and 8 messages of one double each") {
    std::vector<std::vector<std::size_t>> begun; // until the first barrier, which is of empty messages
    support::plain::run<recording>(2, [&](recording& wires) {
        tutti::communicator<recording> comm(wires);
        tutti::calibration_options how{.seconds = 0.001, .longest = 4096, .cores = 2};
        if (comm.rank() == 0)
            how.progress = [&](std::size_t, std::size_t, const std::string& what) {
                auto& sent = wires.lengths;
                sent.erase(std::find(sent.begin(), sent.end(), std::size_t{0}), sent.end());
                if (what == "stream") begun.push_back(sent);
                sent.clear();
            };
        (void)tutti::measure_machine(comm, how);
    });
    REQUIRE(begun.size() == 4);
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(!begun[k].empty());
        CHECK(begun[k].size() % (std::size_t{1} << k) == 0);
        for (const std::size_t bytes : begun[k]) CHECK(bytes == sizeof(double));
    }
}

TEST_CASE("calibration refuses what it cannot measure") {
    const auto refused = [](rank_type size, const tutti::calibration_options& how) {
        std::string argument;
        try {
            tutti::threads::run(size, [&](auto& comm) { (void)tutti::calibrate(comm, how); });
        } catch (const tutti::argument_error& e) {
            argument = e.argument();
        }
        return argument;
    };
    CHECK(refused(1, {}) == "size");
    CHECK(refused(2, {.longest = 4095}) == "longest");
    CHECK(refused(2, {.seconds = 0}) == "seconds");
    CHECK(refused(2, {.seconds = std::nan("")}) == "seconds");
}
