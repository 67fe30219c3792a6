// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

#include <tutti/transport/concept.hpp>

namespace tutti::mpi {

/// Which collectives are over on a rank. The calls of a communicator end in the order of their numbers, which
/// wrap round.
class closed_channels {
public:
    /// That call is over, and with it all earlier ones of its communicator.
    void add(channel_type channel) {
        for (channel_type& last : last_)
            if (context_of(last) == context_of(channel)) {
                last = channel;
                return;
            }
        last_.push_back(channel);
    }

    /// Whether that call is over: void of one that is half a turn of numbers or more from the last one.
    bool has(channel_type channel) const noexcept {
        for (const channel_type last : last_)
            if (context_of(last) == context_of(channel))
                return ((last - channel) & counter_mask) < counter_mask / 2;
        return false;
    }

private:
    static constexpr channel_type counter_mask = (1U << channel_counter_bits) - 1;

    static channel_type context_of(channel_type channel) noexcept { return channel >> channel_counter_bits; }

    std::vector<channel_type> last_; // of each communicator; there are few
};

} // namespace tutti::mpi
