// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/transport/failure.hpp>
#include <tutti/transport/mock.hpp>

namespace tutti::mock {

/// What explore() has seen.
struct exploration {
    std::uint64_t runs = 0; ///< interleavings run, all different
    bool complete = false;  ///< whether these were all there are
};

/// One interleaving failed. decisions() given to options::replay show it again; log() tells what happened.
class exploration_error : public error {
public:
    exploration_error(std::uint64_t run, std::exception_ptr cause, std::vector<std::uint32_t> decisions,
                      std::string log)
        : error("tutti: interleaving " + std::to_string(run) + " failed: " + detail::text_of(cause)
                + "\nreplay = {" + listed(decisions) + "}\n" + log),
          cause_(std::move(cause)), decisions_(std::move(decisions)), log_(std::move(log)) {}

    std::exception_ptr cause() const noexcept { return cause_; }
    const std::vector<std::uint32_t>& decisions() const noexcept { return decisions_; }
    const std::string& log() const noexcept { return log_; }

private:
    static std::string listed(const std::vector<std::uint32_t>& numbers) {
        std::string text;
        for (std::uint32_t n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
        return text;
    }

    std::exception_ptr cause_;
    std::vector<std::uint32_t> decisions_;
    std::string log_;
};

/// Runs `body(transport&)` on `size` ranks again and again, each time with another interleaving of ranks and
/// deliveries that could make a difference to a rank, until all have been seen or `limit` runs are done. The
/// body must not keep anything from one run to the next. Throws exploration_error for the first interleaving
/// in which a rank throws; a body that is to see errors catches them. Faults and buffering are taken from
/// `how`, seed and replay are not.
///
/// The number of interleavings grows like a factorial: 10 for one exchange between two ranks, 1000 for three.
/// fit.
template <class F>
exploration explore(rank_type size, F&& body, std::uint64_t limit = 100000, options how = {}) {
    how.switch_at_start = false;
    how.first_choice = true;
    how.log = false;
    how.replay.clear();
    for (exploration seen;;) {
        if (seen.runs == limit) return seen;
        std::vector<std::uint32_t> counts;
        {
            world group(size, how);
            try {
                ++seen.runs;
                for_each_rank(group, body);
            } catch (...) {
                how.log = true;
                how.replay = group.decisions();
                world again(size, how);
                try {
                    for_each_rank(again, body);
                } catch (...) { // as expected
                }
                throw exploration_error(seen.runs, std::current_exception(), group.decisions(), again.log());
            }
            how.replay = group.decisions();
            counts = group.alternatives();
        }
        // Depth first: the last decision that has an alternative left takes the next one.
        while (!how.replay.empty() && how.replay.back() + 1 == counts.back()) {
            how.replay.pop_back();
            counts.pop_back();
        }
        if (how.replay.empty()) {
            seen.complete = true;
            return seen;
        }
        ++how.replay.back();
    }
}

} // namespace tutti::mock
