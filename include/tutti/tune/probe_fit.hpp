// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/model/fit.hpp>
#include <tutti/model/machine.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include <tutti/model/default_machine.hpp>
#endif

namespace tutti {

/// What the probes found, in microseconds; x is a vector's length in bytes unless something else is said.
struct probe_results {
    double call = 0;                          ///< a call without a message
    std::vector<measurement> exchange_fold{}; ///< both ranks send and fold what comes
    std::vector<measurement> exchange_recv{}; ///< both ranks send and take what comes
    std::vector<measurement> ping_pong{};     ///< longer than `inside` only
    std::vector<measurement> local{};         ///< a call with a copy
    std::vector<measurement> short_stream{};  ///< x: messages of stream_step(0) bytes
    std::vector<measurement> long_stream{};   ///< x: messages of stream_step(inside) bytes
    std::vector<measurement> serial{};        ///< x: messages; may be empty
    std::vector<measurement> ring{};          ///< x: ranks; of an empty message round more of them than cores
    std::int64_t inside = 0;                  ///< longest vector in bytes that travels inside of messages
    int cores = 1;                            ///< ranks that run at the same time

    /// The shortest messages, in whole elements, that are longer than so many bytes.
    static constexpr std::int64_t stream_step(std::int64_t longer_than) noexcept {
        return longer_than / 8 * 8 + 8;
    }
};

/// A parameter that calibration has found.
struct fitted_parameter {
    std::string name{}; ///< as the machine file calls it
    piecewise value{};  ///< in us, over bytes
    residual left{};    ///< between the measurements it is made from and what the machine says of them
    std::string note{}; ///< how it was found, or why not
};

/// A machine, and how each of its parameters was found.
struct fitted_machine {
    machine found{};                            ///< the machine
    std::vector<fitted_parameter> parameters{}; ///< in the order of the machine file
};

/// The machine that the probes saw. Throws fit_error, with the parameter and the reason, if what they saw
/// makes no sense: too few points, costs below nothing, longer messages that take less time, a jump, a
/// residual of more than a quarter (its median).
fitted_machine fit_machine(const probe_results& seen, std::string name, std::string source);

#if TUTTI_BODIES
namespace detail {
/// To three digits, which is more than measurements are worth.
inline double rounded(double us) { return std::strtod(short_number(us).c_str(), nullptr); }

/// Takes apart what the probes saw together.
class machine_fit {
public:
    explicit machine_fit(const probe_results& seen) : seen_(seen) {}

    fitted_machine run(std::string name, std::string source) {
        find_call();
        find_latency();
        find_tables();
        find_switching();
        result_.found = {.name = std::move(name), .source = std::move(source), .model = m_};
        return std::move(result_);
    }

private:
    static constexpr double most_residual = 0.25;

    void add(std::string name, piecewise value, const residual& left, std::string note) {
        check_residual(name, left, most_residual);
        result_.parameters.push_back({std::move(name), std::move(value), left, std::move(note)});
    }

    void find_call() {
        if (!(seen_.call >= 0)) throw fit_error("call", "it takes less than no time");
        m_.call = rounded(seen_.call);
        m_.inside = seen_.inside;
        m_.cores = seen_.cores;
        add("call", piecewise::constant(m_.call), {.points = 1}, "a run of a schedule without rounds");
    }

    /// An exchange of the shortest vector is a call, a latency and the folding of a message; what more
    /// messages take, one after the other, tells the latter from the former.
    void find_latency() {
        check_measurements("latency", seen_.exchange_fold, 2);
        const bool by_ranks = seen_.serial.size() > 1;
        const line_fit near = fit_line("recv_fold", by_ranks ? seen_.serial : seen_.short_stream);
        const auto [short_latency, short_message] = apart(near.slope, first_longer_than(0));
        add("recv_fold per message", piecewise::constant(short_message), near.left,
            by_ranks ? "slope of the serial reduction over its ranks"
                     : "slope of a stream of short messages");
        m_.latency = piecewise::constant(short_latency);
        m_.send = piecewise::constant(std::min(short_latency, short_message));
        if (seen_.inside > 0) {
            const line_fit far = fit_line("recv_fold", seen_.long_stream);
            const auto [latency, message] = apart(far.slope, first_longer_than(seen_.inside));
            add("recv_fold per long message", piecewise::constant(message), far.left,
                "slope of a stream of messages that do not travel inside");
            m_.latency = step_up(short_latency, latency);
            m_.send = step_up(std::min(short_latency, short_message), std::min(latency, message));
        }
        add("latency", m_.latency, {}, "exchange less call and message");
        add("send", m_.send, {}, "as long as the receiver of a stream, at most the latency");
    }

    /// One value up to `inside`, another one beyond.
    piecewise step_up(double up_to, double beyond) const {
        return piecewise({{seen_.inside, up_to}, {seen_.inside + 1, beyond}, {seen_.inside + 2, beyond}});
    }

    double first_longer_than(std::int64_t bytes) const {
        const measurement* found = nullptr;
        for (const measurement& m : seen_.exchange_fold)
            if (m.x > static_cast<double>(bytes) && (found == nullptr || m.x < found->x)) found = &m;
        if (found == nullptr)
            throw fit_error("latency", "no exchange of more than " + std::to_string(bytes) + " bytes");
        return found->us;
    }

    /// Latency and message of an exchange; the message is at least a tenth of it, at most nine.
    std::pair<double, double> apart(double slope, double exchange) const {
        const double rest = exchange - m_.call;
        if (rest <= 0)
            throw fit_error("latency",
                            "an exchange takes no longer than a call, " + short_number(exchange) + " us");
        const double message = std::clamp(slope, 0.1 * rest, 0.9 * rest);
        return {rounded(rest - message), rounded(message)};
    }

    void find_tables() {
        m_.recv_fold =
            less("recv_fold", seen_.exchange_fold, [this](double x) { return m_.call + latency(x); });
        m_.recv = less("recv", seen_.exchange_recv, [this](double x) { return m_.call + latency(x); });
        m_.fetch = less("fetch", seen_.ping_pong, [this](double x) {
            return m_.call + 2 * (latency(x) + m_.recv(static_cast<std::int64_t>(x)));
        });
        if (seen_.inside > 0 && m_.fetch.points().front().bytes > seen_.inside) {
            std::vector<piecewise::point> points{{seen_.inside, 0}};
            points.insert(points.end(), m_.fetch.points().begin(), m_.fetch.points().end());
            m_.fetch = piecewise(std::move(points));
        }
        m_.local = less("local", seen_.local, [this](double) { return m_.call; });
    }

    double latency(double bytes) const { return m_.latency(static_cast<std::int64_t>(bytes)); }

    /// The table of what is left of the measurements when the rest is taken away; its residual is that of
    /// the measurements.
    template <class Rest>
    piecewise less(const char* name, const std::vector<measurement>& all, Rest&& rest) {
        check_jumps(name, all);
        std::vector<measurement> left = all;
        for (measurement& m : left) m.us = std::max(0.0, m.us - rest(m.x));
        std::vector<piecewise::point> points =
            fit_table(name, left, 0.03, 12, std::numeric_limits<double>::infinity()).table.points();
        for (piecewise::point& p : points) p.us = rounded(p.us);
        const piecewise table(std::move(points));
        add(name, table,
            residual_of(all, [&](double x) { return rest(x) + table(static_cast<std::int64_t>(x)); }),
            "what is left of " + std::to_string(all.size()) + " lengths");
        return table;
    }

    /// Twice the length may well take four times as long, where a cache ends, but not sixteen times.
    static void check_jumps(const char* name, const std::vector<measurement>& all) {
        for (std::size_t k = 1; k < all.size(); ++k)
            if (all[k].x <= 2 * all[k - 1].x && all[k].us > 16 * all[k - 1].us && std::isfinite(all[k].us))
                throw fit_error(name, short_number(all[k].us) + " us for " + short_number(all[k].x)
                                          + " bytes, but " + short_number(all[k - 1].us) + " us for "
                                          + short_number(all[k - 1].x)
                                          + ": something else had the processor");
    }

    void find_switching() {
        const auto* known = std::get_if<measured>(&default_machine().model);
        const bool around = !seen_.ring.empty();
        if (around)
            m_.switching = rounded(
                std::max(0.0, (seen_.ring[0].us - m_.call) / seen_.ring[0].x - m_.latency(0) - m_.recv(0)));
        else if (known != nullptr)
            m_.switching = known->switching;
        add("switching", piecewise::constant(m_.switching), {.points = seen_.ring.size()},
            around ? "a message round all ranks"
                   : "not measured, that of the default machine: needs more ranks than cores");
    }

    const probe_results& seen_;
    measured m_{};
    fitted_machine result_{};
};
} // namespace detail

TUTTI_BODY fitted_machine fit_machine(const probe_results& seen, std::string name, std::string source) {
    return detail::machine_fit(seen).run(std::move(name), std::move(source));
}
#endif

} // namespace tutti
