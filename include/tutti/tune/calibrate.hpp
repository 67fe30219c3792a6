// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/transport/waiting.hpp>
#include <tutti/tune/probe.hpp>
#include <tutti/tune/probe_fit.hpp>
#include <tutti/tune/probe_schedule.hpp>

namespace tutti {

/// How calibration measures, and what it calls the machine.
struct calibration_options {
    double seconds = 10;               ///< about how long it may take
    std::int64_t longest = 4 << 20;    ///< bytes of the longest vector, at least 4096
    int cores = 0;                     ///< ranks that run at the same time; 0: as many as this machine has
    std::string name = "this-machine"; ///< of the machine
    std::string source = "tutti calibrate"; ///< as the machine file says it
    /// Called on rank 0 after every probe: how many are done, how many there are, what the last one was.
    std::function<void(std::size_t, std::size_t, const std::string&)> progress{};
};

namespace detail {

/// The times that calibration takes, listed first and then taken, so that it is known how many there are.
template <class Transport>
class probe_list {
public:
    explicit probe_list(probe<Transport>& with) : with_(with) {}

    void add(std::string what, std::function<schedule()> part, std::int64_t bytes,
             std::function<void(double)> keep) {
        all_.push_back({std::move(what), std::move(part), bytes, std::move(keep)});
    }
    std::size_t size() const noexcept { return all_.size(); }

    void run(const calibration_options& how) {
        std::size_t done = 0;
        for (const one& p : all_) {
            double us = with_.us(p.part(), p.bytes);
            // A jump is more often somebody else on the cores than the machine: look again.
            double& before = last_[p.what];
            for (int again = 0; again < 4 && before > 0 && us > 8 * before; ++again)
                us = std::min(us, with_.us(p.part(), p.bytes));
            before = us;
            p.keep(us);
            if (++done; how.progress && with_.comm().rank() == 0) how.progress(done, all_.size(), p.what);
        }
    }

private:
    struct one {
        std::string what;
        std::function<schedule()> part;
        std::int64_t bytes;
        std::function<void(double)> keep;
    };
    probe<Transport>& with_;
    std::vector<one> all_;
    std::map<std::string, double> last_; // what the last probe of a kind took
};

/// 8, 16, 32, ... up to `longest`, and the lengths on both sides of `inside`.
std::vector<std::int64_t> probe_lengths(std::int64_t longest, std::int64_t inside);

} // namespace detail

/// What the probes see on this communicator; all ranks call it and all get the same. At least two ranks.
template <class Transport>
probe_results measure_machine(communicator<Transport>& comm, const calibration_options& how = {}) {
    if (comm.size() < 2) detail::throw_argument("size", comm.size(), "at least 2");
    if (how.longest < 4096) detail::throw_argument("longest", how.longest, "at least 4096");
    if (!(how.seconds > 0)) throw argument_error("seconds", std::to_string(how.seconds), "more than 0");

    probe_results seen;
    seen.cores = how.cores > 0 ? how.cores : static_cast<int>(detail::usable_cores());
    if constexpr (eager_transport<Transport>)
        seen.inside = static_cast<std::int64_t>(Transport::eager_bytes());
    const rank_type me = comm.rank();
    const auto lengths = detail::probe_lengths(how.longest, seen.inside);
    constexpr std::size_t about = 110; // probes; how many there are does not matter much
    probe<Transport> with(comm, how.seconds / about, how.longest);
    detail::probe_list<Transport> list(with);
    const auto into = [](std::vector<measurement>& to, double x) {
        return [&to, x](double us) { to.push_back({x, us}); };
    };

    list.add(
        "call", [] { return probes::nothing(); }, 8, [&](double us) { seen.call = us; });
    for (const std::int64_t n : lengths) {
        const auto x = static_cast<double>(n);
        list.add(
            "exchange", [=] { return probes::exchange(me, true); }, n, into(seen.exchange_fold, x));
        list.add(
            "exchange", [=] { return probes::exchange(me, false); }, n, into(seen.exchange_recv, x));
        list.add(
            "local", [] { return probes::local_copy(); }, n, into(seen.local, x));
        if (n > seen.inside)
            list.add(
                "ping-pong", [=] { return probes::ping_pong(me); }, n, into(seen.ping_pong, x));
    }
    for (const std::int64_t k : {1, 2, 4, 8}) {
        const auto stream = [=] { return probes::stream(me, k); };
        const std::int64_t longer = probe_results::stream_step(seen.inside);
        list.add("stream", stream, k * 8, into(seen.short_stream, static_cast<double>(k)));
        if (seen.inside > 0)
            list.add("stream of long messages", stream, k * longer,
                     into(seen.long_stream, static_cast<double>(k)));
    }
    if (comm.size() > 2 && comm.size() <= seen.cores)
        for (rank_type p = 2; p <= comm.size(); ++p)
            list.add(
                "serial reduction", [=] { return probes::serial(me, p); }, 8,
                into(seen.serial, static_cast<double>(p - 1)));
    if (comm.size() > seen.cores)
        list.add(
            "ring", [me, p = comm.size()] { return probes::ring(me, p); }, 8,
            into(seen.ring, static_cast<double>(comm.size())));
    list.run(how);
    return seen;
}

/// Measures the machine under a communicator and fits a model to it: works on any transport. All ranks call
/// it, and all get the same machine. Takes about `how.seconds`, more where much else runs.
///
/// Throws argument_error for less than two ranks, fit_error if what was measured makes no sense.
template <class Transport>
fitted_machine calibrate(communicator<Transport>& comm, const calibration_options& how = {}) {
    return fit_machine(measure_machine(comm, how), how.name, how.source);
}

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY std::vector<std::int64_t> probe_lengths(std::int64_t longest, std::int64_t inside) {
    std::vector<std::int64_t> lengths;
    for (std::int64_t n = 8; n <= longest; n *= 2) lengths.push_back(n);
    if (inside >= 8) {
        lengths.push_back(inside / 8 * 8);
        lengths.push_back(probe_results::stream_step(inside));
    }
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
}
} // namespace detail
#endif

} // namespace tutti
