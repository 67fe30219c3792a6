// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include <tutti/collectives/per_rank.hpp>
#include <tutti/collectives/relayed_parts.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/in_flight.hpp>
#include <tutti/execute/launch.hpp>
#include <tutti/execute/request.hpp>
#include <tutti/execute/take_no_part.hpp>

namespace tutti::detail {

/// An alltoallv by relayed_parts that was begun: its calls, each begun when the one before it is over, which
/// the rank has to see: others move no more than the one at hand.
template <class Transport>
class relayed_in_flight final : public in_flight {
public:
    /// Begins the first call. `out` is written when all are over, `expected` outlives them.
    relayed_in_flight(communicator<Transport>& comm, channel_type channel, relayed_parts&& parts,
                      std::vector<std::int64_t>&& expected, std::byte* out)
        : comm_(comm), channel_(channel), parts_(std::move(parts)), expected_(std::move(expected)),
          out_(out) {
        begin_next();
        join();
    }

    bool run() noexcept override { return false; } // nobody is left it: each call is left by itself
    bool progress() noexcept override {
        if (over() || !now_.ready()) return false;
        try {
            now_.wait();
            if (parts_.any_left()) {
                begin_next();
                return true;
            }
            parts_.land();
            parts_.check({expected_, comm_.size()});
            parts_.take(out_);
        } catch (...) {
            failure_ = std::current_exception();
        }
        over_.store(true, std::memory_order_release);
        return true;
    }
    void idle(std::uint32_t turns) noexcept override { now_.idle(turns); }
    void yield() noexcept override { now_.yield(); }
    void leave() noexcept override {}

    void land() override {
        const std::exception_ptr failure = std::move(failure_);
        delete this;
        if (failure != nullptr) std::rethrow_exception(failure);
    }
    void give_up() noexcept override {
        if (!over()) tell_given_up(comm_, "alltoallv"); // whether or not the call at hand is over
        delete this;
    }

private:
    void begin_next() {
        task next = made_or_called_off(comm_, channel_, "alltoallv", [&] { return parts_.next_call(); });
        now_ = launch_copy(comm_, next, channel_);
    }

    communicator<Transport>& comm_;
    const channel_type channel_;
    relayed_parts parts_;
    const std::vector<std::int64_t> expected_;
    std::byte* const out_;
    request now_{};
    std::exception_ptr failure_{};
};

} // namespace tutti::detail
