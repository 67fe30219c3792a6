// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <tutti/choose/default_rules.hpp>
#include <tutti/choose/remembered.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/linked_list.hpp>
#include <tutti/execute/action.hpp>
#include <tutti/execute/in_flight.hpp>
#include <tutti/execute/patience.hpp>
#include <tutti/execute/request.hpp>
#include <tutti/execute/task.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti {

template <class Transport>
struct launched;

namespace detail {
/// What is known of a `launched` to who never begins anything.
struct any_launched {
    any_launched() = default;
    any_launched(const any_launched&) = delete;
    any_launched& operator=(const any_launched&) = delete;
    virtual ~any_launched() = default;
    any_launched* next = nullptr;
};
} // namespace detail

/// The ranks of a transport as one group that calls collectives in the same order. It numbers the calls, so
/// that messages of one never meet another's, and keeps their working memory.
///
/// The transport must outlive it. One thread at a time may use it.
template <transport Transport>
class communicator {
public:
    using transport_type = Transport; ///< the wires

    /// Communicators over the same transport that are in use at the same time need different contexts,
    /// 0 <= context < 4096 (or as many as the transport tells apart), the same on all ranks. Those that come
    /// one after the other may have the same: over a counting_transport, as all of tutti's are, their calls
    /// are numbered on. Over others they count from 0 anew: after a call that has failed go on with the
    /// communicator, or with one of another context.
    explicit communicator(Transport& wires, std::uint32_t context = 0);
    /// Not while anything is in flight.
    communicator(communicator&&) noexcept;
    /// As the constructor.
    communicator& operator=(communicator&&) noexcept;
    /// Waits for what was left before it was over.
    ~communicator();

    rank_type rank() const noexcept { return wires_->rank(); }
    rank_type size() const noexcept { return wires_->size(); }

    /// Rank and size, put together long ago: what was just written in parts cannot be read as a whole without
    /// waiting.
    const place& here() const noexcept { return here_; }
    /// The wires that it goes over.
    Transport& transport() const noexcept { return *wires_; }

    /// The channel of the next collective; wraps after 2^20 calls, long after the first of them has ended.
    channel_type next_channel() noexcept {
        channel_type call;
        if constexpr (counting_transport<Transport>)
            call = (*calls_)++;
        else
            call = calls_++;
        return context_ | (call & ((1U << channel_counter_bits) - 1));
    }

    /// Working memory for one collective in flight, until it is given back: there is as much of it as was
    /// ever in flight at once.
    workspace<Transport>& lease_memory() { return memory_.push_front(); }
    /// Gives back what lease_memory() has lent.
    void return_memory(workspace<Transport>& one) noexcept { memory_.remove(one); }

    /// A place for a collective in flight that outlives the call that starts it, until it is taken back.
    launched<Transport>& lease_place();
    /// Gives back what lease_place() has lent.
    void take_back(launched<Transport>& one) noexcept;

    /// Reductions that this rank has left before they were over (see bypass_reduce), in the order of
    /// starting.
    detail::linked_list<detail::left_request>& bypassed() noexcept { return bypassed_; }

    /// Where the task of the last plain call of a collective is kept.
    recent_task& recent(collective what) noexcept { return recent_[static_cast<std::size_t>(what)]; }

    /// Who moves collectives that this rank begins from now on, beside its own calls. Each rank may decide
    /// for itself. Only over transports where others can (helping_transport): threads. Operations are then
    /// called by threads of other ranks, too, never by two at a time for one rank; where ranks share cores
    /// they always are.
    void set_progress(progress_mode mode)
        requires helping_transport<Transport>
    {
        progress_ = mode;
    }
    /// As set_progress() was told.
    progress_mode progresses() const noexcept { return progress_; }

    /// From now on, a call in which nothing moves for so many seconds fails with a collective_error, on this
    /// rank and on those that wait for it in that call: some rank hangs, or is stopped. 0, as at first:
    /// never. Ranks that have died are noticed without it.
    void set_deadline(double seconds) { patience_.set(seconds); }
    /// How long a call waits in which nothing moves: see set_deadline().
    detail::patience& patience() noexcept { return patience_; }

    /// From now on, `by` chooses the algorithm of every call that names none: see tune/choosers.hpp. The same
    /// on all ranks, between the same calls: ranks that choose differently do not understand each other.
    /// Ranks that are threads best share one. Null: as at first, by the tables that ship.
    void choose_by(std::shared_ptr<const chooser> by) {
        by_ = std::move(by);
        remembered_.forget();
        recent_ = {};
    }
    /// Null: the tables that ship.
    const chooser* chosen_by() const noexcept { return by_.get(); }

    /// Whether ranks have cores of their own: which of these tables are asked.
    cores has_cores() const noexcept { return cores_; }

    /// The schedule of collective C for a request that names no algorithm.
    template <collective C>
    any_generator chosen_schedule(const request_facts& facts) {
        if (const choice* const known = remembered_.find(C, facts)) [[likely]]
            return known->schedule(facts.at);
        const choice& chosen = by_ != nullptr ? by_->choose(C, facts) : default_choice<C>(facts, cores_).to;
        if (by_ == nullptr || by_->chooses_by_kind()) remembered_.remember(C, facts, chosen);
        return chosen.schedule(facts.at);
    }

private:
    Transport* wires_;
    channel_type context_;
    std::conditional_t<counting_transport<Transport>, channel_type*, channel_type> calls_{};
    detail::linked_list<workspace<Transport>> memory_; // the leased ones are in it
    detail::linked_list<detail::any_launched> places_; // of what is in flight
    place here_;
    std::shared_ptr<const chooser> by_; // null: the tables
    detail::remembered_choices remembered_;
    std::array<recent_task, all_collectives.size() + 1> recent_{};
    cores cores_ = cores::own;
    progress_mode progress_ = progress_mode::own_calls;
    detail::patience patience_;
    detail::linked_list<detail::left_request> bypassed_; // last: their places are above
};

// Not in the class, so that who uses an instantiation from the archive compiles none of it.
template <transport Transport>
communicator<Transport>::communicator(Transport& wires, std::uint32_t context)
    : wires_(&wires), context_(context << channel_counter_bits),
      here_{.rank = wires.rank(), .size = wires.size()} {
    if constexpr (core_sharing_transport<Transport>)
        if (wires.shares_cores()) cores_ = cores::shared;
    constexpr std::uint32_t contexts = 1U << (32 - channel_counter_bits);
    if (context >= contexts) detail::throw_argument_below("context", context, contexts);
    if constexpr (counting_transport<Transport>) calls_ = &wires.calls_made(context);
}

template <transport Transport>
communicator<Transport>::communicator(communicator&&) noexcept = default;
template <transport Transport>
communicator<Transport>& communicator<Transport>::operator=(communicator&&) noexcept = default;
template <transport Transport>
communicator<Transport>::~communicator() {
    try {
        detail::wait_for_left(bypassed_, 0); // others count on this rank's part
    } catch (...) {                          // they know by now
    }
}

template <transport Transport>
launched<Transport>& communicator<Transport>::lease_place() {
    if (places_.push_front_spare() == nullptr) places_.put_front(*new launched<Transport>);
    return static_cast<launched<Transport>&>(*places_.first());
}
template <transport Transport>
void communicator<Transport>::take_back(launched<Transport>& one) noexcept {
    one.now.reset();
    places_.remove(one);
}

} // namespace tutti
