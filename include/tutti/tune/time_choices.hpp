// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <tutti/choose/chooser.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/plan.hpp>
#include <tutti/tune/any_call.hpp>

namespace tutti {

/// A collective on a vector of `bytes` bytes, which are doubles; root 0.
struct timed_request {
    collective what = collective::allreduce; ///< the collective
    std::int64_t bytes = 8;                  ///< rounded up to a double for every rank where each has a part
    bool commutative = true;                 ///< of its operation
};

namespace detail {

/// Whether some ranks are through before others have begun: calls of these follow each other like the cars of
/// a train, and a chain of ranks seems to take no longer than one of its links.
constexpr bool goes_one_way(collective what) noexcept { return has_root(what) || scans(what); }

/// Times the ways to run a request against each other.
template <class Transport>
class choice_timing {
public:
    choice_timing(communicator<Transport>& comm, const timed_request& what, std::span<const choice> choices,
                  double seconds)
        : comm_(comm), apart_(goes_one_way(what.what)), seconds_(seconds),
          call_(what.what, static_cast<std::size_t>(what.bytes) / sizeof(double), comm.size(), 1.0),
          best_(choices.size(), std::numeric_limits<double>::infinity()), seen_(choices.size()) {
        plans_.reserve(choices.size());
        const auto in_order = [](double a, double b) { return a + b; }; // not known to commute
        for (const choice& c : choices)
            plans_.push_back(what.commutative ? call_.planned(comm, sum{}, c)
                                              : call_.planned(comm, in_order, c));
    }

    std::vector<double> microseconds() {
        const auto begin = clock::now();
        for (int round = 0;; ++round) {
            std::vector<double> now(best_.size() + 1, 0.0);
            const double between = batch([] {});
            for (std::size_t i = 0; i < best_.size(); ++i) { // each comes first, too
                const std::size_t w = (i + static_cast<std::size_t>(round)) % best_.size();
                if (in_the_running(w, round)) {
                    const double all = batch([&] { plans_[w].run(); });
                    now[w] = std::max(all - between, all / 4); // both are noisy
                }
            }
            now.back() = std::chrono::duration<double>(clock::now() - begin).count();
            allreduce(comm_, now, max{}, recursive_doubling{});
            for (std::size_t w = 0; w < best_.size(); ++w)
                if (now[w] > 0) {
                    seen_[w].push_back(now[w]);
                    best_[w] = std::min(best_[w], now[w]);
                }
            if (round + 1 >= fewest_rounds && now.back() >= seconds_) break;
        }
        std::vector<double> us;
        for (std::vector<double>& times : seen_) {
            const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 3);
            std::nth_element(times.begin(), middle, times.end());
            us.push_back(*middle * 1e6);
        }
        return us;
    }

private:
    using clock = std::chrono::steady_clock;
    static constexpr int fewest_rounds = 5;
    static constexpr double batch_seconds = 200e-6;

    /// Losers by more than a factor of two are not looked at again. At first only those by more than four:
    /// what comes first finds the vectors in the caches of other cores, and far ones take twice as long then.
    bool in_the_running(std::size_t way, int round) const {
        const double most = round < 4 ? 4 : 2;
        return round < 2 || best_[way] <= most * *std::min_element(best_.begin(), best_.end());
    }

    /// Seconds of a call, and of what is between two of them, on this rank. A rank writes its input before
    /// each call. Without that, whoever reads the input of others finds it in the own cache, and looks the
    /// better the farther the cores are apart; and to write again what others have read is part of the price.
    template <class Call>
    double batch(const Call& call) {
        double once = timed(1, call);
        allreduce(comm_, std::span(&once, 1), max{}, recursive_doubling{});
        return timed(static_cast<int>(std::clamp(batch_seconds / std::max(once, 1e-9), 2.0, 500.0)), call);
    }

    template <class Call>
    double timed(int reps, const Call& call) {
        barrier(comm_);
        const auto begin = clock::now();
        for (int r = 0; r < reps; ++r) {
            call_.write_input(comm_.rank());
            call();
            if (apart_) barrier(comm_);
        }
        return std::chrono::duration<double>(clock::now() - begin).count() / reps;
    }

    communicator<Transport>& comm_;
    bool apart_; ///< with a barrier between two calls
    double seconds_;
    any_call<double> call_;
    std::vector<plan<Transport>> plans_;
    std::vector<double> best_;
    std::vector<std::vector<double>> seen_;
};

} // namespace detail

/// Microseconds that each of these choices takes for a request: interleaved, the slowest rank counts, the
/// lower third of at least five rounds; losers are given up early. Each rank writes its input before every
/// call, and calls from or to a root, and scans, have a barrier between them; the time of both is taken off.
/// All ranks call it with the same arguments and get the same answer. Takes about `seconds`, and longer where
/// five rounds do.
template <class Transport>
std::vector<double> time_choices(communicator<Transport>& comm, const timed_request& what,
                                 std::span<const choice> choices, double seconds = 0.05) {
    return detail::choice_timing<Transport>(comm, what, choices, seconds).microseconds();
}

} // namespace tutti
