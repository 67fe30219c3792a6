// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/core/error.hpp>
#include <tutti/execute/activation.hpp>
#include <tutti/execute/flight.hpp>
#include <tutti/execute/take_no_part.hpp>

namespace tutti {

/// Whose coming makes a round of a partial_allreduce begin.
enum class partial_kind : std::uint8_t {
    solo,     ///< whoever comes first: nobody waits for late ones
    majority, ///< a rank that is drawn anew for every round: before it, on average half of the others have
              ///< come
};

/// An allreduce, again and again, that does not wait for late ranks: it begins when one rank has come, and
/// those that have not contribute `neutral`. Who did contribute is part of the result.
///
///     tutti::partial_allreduce all(comm, gradient.size(), tutti::sum{}, 0.0F);
///     for (;;) {
///         ... compute gradient
///         if (!all.contribute(gradient)) keep(gradient); // too late for this round: add it to the next
///         use(all.wait(), all.contributors());
///     }
///
/// Made by all ranks with the same arguments, at the same place among their calls on `comm`. Every rank ends
/// every round by wait(), in the same order among its other calls, and has the result of the same ranks'
/// contributions, with the same bits if the algorithm claims so. In the end all destroy it after equally many
/// rounds, and before they contribute to another one.
///
/// A late rank takes part nevertheless: it passes on the contributions of others. That is done by whoever
/// brings them, if ranks are threads (progress_mode::on_arrival; by a thread of its own with by_thread), and
/// elsewhere by the rank's own calls of tutti: a rank that makes none is waited for. It can be one round
/// late, not more: a round begins when all have ended the one before by wait().
///
/// Cost: activation, ceil(log2 p) empty messages of every rank and at most as many hops; an allreduce of the
/// vector, and one of a bit per rank. Throws argument_error as allreduce. wait() throws what went wrong, from
/// then on. Source: Li, Ben-Nun, Di Girolamo, Alistarh and Hoefler 2020 (solo and majority allreduce).
template <class Transport, element T>
    requires(!std::same_as<T, bool>) // whose vector has no elements to receive into
class partial_allreduce final : detail::in_flight {
public:
    /// `seed`, the same on all ranks: of the drawing.
    template <operation<T> Op, algorithm_for<collective::allreduce> Algorithm = automatic>
    partial_allreduce(communicator<Transport>& comm, std::size_t count, Op op, T neutral,
                      partial_kind kind = partial_kind::solo, std::uint64_t seed = 0,
                      const Algorithm& how = {})
        : comm_(comm), neutral_(neutral), kind_(kind), seed_(seed), values_(count, neutral),
          bits_((static_cast<std::size_t>(comm.size()) + 63) / 64), result_(values_), result_bits_(bits_),
          fold_values_(task_of(values_, std::move(op), how)),
          fold_bits_(task_of(bits_, bit_or{}, automatic{})) {
        begin_round();
        throw_if_failed();
        join();
        if constexpr (helping_transport<Transport>) comm_.transport().add(*this);
        detail::leave_all();
    }
    partial_allreduce(const partial_allreduce&) = delete;
    partial_allreduce& operator=(const partial_allreduce&) = delete;
    ~partial_allreduce() {
        come_back();
        if constexpr (helping_transport<Transport>) comm_.transport().remove(*this);
        quit();
        if (!over() && (contributed_ || start_->active())) give_up();
    }

    /// Gives this rank's vector to the round. False: the round has begun without it, and will not have it.
    /// At most once in a round. Returns at once; `in` may be written again.
    bool contribute(std::span<const T> in) {
        detail::naming_call("partial_allreduce", comm_.rank(), [&] {
            detail::check_count("in", in.size(), values_.size(), "as many as it was made for");
            if (contributed_)
                throw argument_error("in", "a second contribution to a round",
                                     "one, and wait() before the next");
        });
        come_back();
        contributed_ = true;
        const bool in_time = !over() && !start_->active();
        if (in_time) {
            std::copy(in.begin(), in.end(), values_.begin());
            const auto me = static_cast<std::size_t>(comm_.rank());
            bits_[me / 64] |= std::uint64_t{1} << (me % 64);
            progress();
        }
        detail::leave_all();
        return in_time;
    }

    /// Whether wait() would return at once; moves what can move.
    bool test() {
        if (!detail::progress_all() && !over()) yield();
        detail::leave_all();
        return over();
    }

    /// Blocks until the round is over, whether this rank has contributed or not: somebody has to, or of a
    /// majority the one that is drawn. Its result; valid until the next wait().
    std::span<const T> wait() {
        detail::complete(*this);
        come_back();
        if (failure_ == nullptr)
            guarded([&] {
                (who_->has_failed() ? *who_ : *sum_).wait();
                who_->wait();
                result_ = values_;
                result_bits_ = bits_;
                ++round_;
            });
        if (failure_ == nullptr) begin_round();
        throw_if_failed();
        detail::leave_all();
        return result_;
    }

    /// Whether rank r's contribution is in the last result.
    bool contributed(rank_type r) const noexcept {
        const auto at = static_cast<std::size_t>(r);
        return (result_bits_[at / 64] >> (at % 64) & 1U) != 0;
    }
    /// How many are.
    rank_type contributors() const noexcept {
        rank_type n = 0;
        for (const std::uint64_t word : result_bits_) n += static_cast<rank_type>(std::popcount(word));
        return n;
    }

    /// The rank that has to come for the round under way to begin; no_rank if that may be any.
    rank_type awaited_rank() const noexcept {
        if (kind_ == partial_kind::solo) return no_rank;
        std::uint64_t x = seed_ + round_ * 0x9E3779B97F4A7C15U; // splitmix64, Steele, Lea and Flood 2014
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
        return static_cast<rank_type>((x ^ (x >> 31)) % static_cast<std::uint64_t>(comm_.size()));
    }

private:
    /// An allreduce in place; its memory has to hold what this rank contributes when the first step is made,
    /// not before.
    template <class Element, class Op, class Algorithm>
    task task_of(std::vector<Element>& inout, Op op, const Algorithm& how) {
        const auto make = [&](const request_facts& facts) {
            return make_schedule<collective::allreduce>(comm_, how, facts);
        };
        return detail::naming_call("partial_allreduce", comm_.rank(), [&] {
            task made = detail::make_task(
                collective::allreduce, comm_.here(),
                detail::checked<collective::allreduce>(
                    {{}, detail::output_of(inout), detail::fold_by<std::vector<Element>>(op)}, comm_.here()),
                schedule_source(make, detail::name_of_algorithm(how)));
            if (made.keep_input)
                detail::refuse_algorithm(detail::name_of_algorithm(how), "copies its input when it is begun",
                                         "an allreduce that works in place");
            return made;
        });
    }

    using channels = std::array<channel_type, 3>;

    void take_channels() noexcept {
        channels_before_ = channels_;
        for (channel_type& one : channels_) one = comm_.next_channel();
    }

    /// The next one: this rank takes part from now on, but contributes nothing yet.
    void begin_round() noexcept {
        who_.reset();
        sum_.reset();
        start_.reset();
        come_back();
        std::fill(values_.begin(), values_.end(), neutral_);
        std::fill(bits_.begin(), bits_.end(), 0);
        contributed_ = false;
        take_channels();
        guarded([&] {
            start_.emplace(comm_.transport(), channels_[0]);
            sum_.emplace(comm_, fold_values_, channels_[1]);
            who_.emplace(comm_, fold_bits_, channels_[2]);
            over_.store(false, std::memory_order_release);
        });
    }

    /// Nobody can end the round after a failed one, but some ranks may have begun it: all take its channels,
    /// and so they are at the same place among their calls again.
    void throw_if_failed() {
        if (failure_ == nullptr) return;
        if (!std::exchange(ended_, true) && !is_called_off(channels_before_)) { // else it is the one after
            take_channels();
            call_off_round();
        }
        std::rethrow_exception(failure_);
    }
    bool is_called_off(const channels& of) noexcept {
        if constexpr (labelling_transport<Transport>) {
            if (round_ > 0) try {
                    for (const channel_type one : of) comm_.transport().check_call(one, call_label{}, 0);
                } catch (...) {
                    return true;
                }
        }
        return false;
    }
    /// None of the others waits for this rank.
    void call_off_round() noexcept {
        for (const channel_type one : channels_)
            detail::take_no_part(comm_, one, "partial_allreduce", failure_);
    }
    /// Of what is being handled.
    void keep_failure() noexcept {
        failure_ = std::current_exception();
        over_.store(true, std::memory_order_release);
        call_off_round();
        if (sum_.has_value()) sum_->end_if_called_off();
        if (who_.has_value()) who_->end_if_called_off();
    }

    bool progress() noexcept override {
        come_back();
        const bool moved = run() || hear();
        if constexpr (helping_transport<Transport>) Transport::run_due();
        return moved;
    }
    /// Until the round begins, nothing of the allreduces is touched.
    bool run() noexcept override {
        if (over()) return false;
        bool moved = false;
        guarded([&] {
            moved = start_->advance(contributed_
                                    && (kind_ == partial_kind::solo || awaited_rank() == comm_.rank()));
        });
        if (over()) return true;
        if (start_->active()) {
            moved = sum_->run() || moved;
            moved = who_->run() || moved;
        }
        if (!has_failed() && !(start_->over() && sum_->over() && who_->over())) return moved;
        over_.store(true, std::memory_order_release);
        return true;
    }
    bool has_failed() const noexcept { return sum_->has_failed() || who_->has_failed(); }
    void idle(std::uint32_t turns) noexcept override {
        if (start_->active() && !(sum_->over() && who_->over()))
            return (sum_->over() ? *who_ : *sum_).idle(turns); // which notices who has given up
        guarded([&] {
            check_round();
            comm_.transport().idle(turns);
        });
    }
    void yield() noexcept override {
        guarded([&] {
            if constexpr (yielding_transport<Transport>) comm_.transport().yield();
        });
    }
    bool hear() noexcept override {
        come_back();
        if (over()) return false;
        guarded([&] { check_round(); });
        return over();
    }
    /// Nobody waits in a round that has failed elsewhere.
    void check_round() {
        if (start_->active()) {
            sum_->end_if_called_off();
            who_->end_if_called_off();
            if (has_failed()) return over_.store(true, std::memory_order_release);
        }
        if constexpr (labelling_transport<Transport>)
            comm_.transport().check_call(channels_[0], call_label{}, 0);
    }
    /// Runs f; what it throws fails the round, on all ranks.
    template <class F>
    void guarded(F&& f) noexcept {
        try {
            f();
        } catch (...) {
            keep_failure();
        }
    }
    void leave() noexcept override {
        if constexpr (helping_transport<Transport>)
            comm_.transport().leave(comm_.progresses() == progress_mode::by_thread ? left_to::thread
                                                                                   : left_to::bringers);
    }
    void come_back() noexcept {
        if constexpr (helping_transport<Transport>) comm_.transport().come_back();
    }
    void land() override {}
    void give_up() noexcept override {
        const std::string why = detail::sentence(
            {"rank ", comm_.rank(), " has destroyed a partial_allreduce in the midst of a round"});
        if constexpr (announcing_transport<Transport>)
            comm_.transport().announce_failure(why);
        else if constexpr (failing_transport<Transport>)
            comm_.transport().fail(why);
    }

    communicator<Transport>& comm_;
    const T neutral_;
    const partial_kind kind_;
    const std::uint64_t seed_;
    std::uint64_t round_ = 0;
    bool contributed_ = false; // to this round, in time or not
    std::vector<T> values_;    // of this round: neutral, then this rank's, then the result
    std::vector<std::uint64_t> bits_;
    std::vector<T> result_; // of the round before
    std::vector<std::uint64_t> result_bits_;
    task fold_values_;
    task fold_bits_;
    bool ended_ = false;         // by a failure
    channels channels_before_{}; // of the round before
    channels channels_{};        // of the following three
    std::optional<detail::activation<Transport>> start_{};
    std::optional<flight<Transport>> sum_{};
    std::optional<flight<Transport>> who_{};
    std::exception_ptr failure_{};
};

} // namespace tutti
