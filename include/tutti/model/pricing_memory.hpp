// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/model/cost.hpp>
#include <tutti/model/round_mail.hpp>

namespace tutti::detail {

/// A point in time, and the path of waiting that leads to it.
struct instant {
    cost at{};
    std::int64_t messages = 0;

    void wait_for(const instant& other) noexcept {
        if (other.at.us() > at.us()) *this = other;
    }
    instant one_more() const noexcept { return {at, messages + 1}; }
    friend instant operator+(const instant& when, const cost& more) noexcept {
        return {when.at + more, when.messages};
    }
};

/// What pricing writes to; who prices one schedule after the other keeps it, for getting memory anew takes as
/// long as a third of a walk over thousands of ranks.
struct pricing_memory {
    struct clocks {
        instant now{};
        instant sending{}; // when the next send may begin, if the model has gaps
        instant taking{};  // when the next message may be taken
        double busy = 0;   // us
    };

    round_mail mail{};
    std::vector<clocks> ranks{};
    std::vector<instant> arrivals{};                 // by message of the round
    std::vector<std::size_t> wave{};                 // synchronous: by message, the how manieth of its sender
    std::vector<const round_mail::task*> receives{}; // synchronous: of the round
};

} // namespace tutti::detail
