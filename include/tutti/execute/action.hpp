// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/core/capabilities.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/reusable_list.hpp>
#include <tutti/core/step.hpp>
#include <tutti/execute/memory.hpp>
#include <tutti/transport/concept.hpp>

/// What the engine keeps of the steps in flight. An action is a message (one step, or several joined ones) or
/// a local step.
namespace tutti::detail {

enum class action_state : std::uint8_t {
    waiting, ///< not begun
    posted,  ///< the transport has it: a send under way, or a receive started
    taken,   ///< a message is held where it lies (folding transports)
    staged,  ///< a message was received into memory of the engine's and has still to land
    done,
};

template <class Transport>
struct incoming_message {
    struct type {};
};
template <folding_transport Transport>
struct incoming_message<Transport> {
    using type = typename Transport::incoming;
};

/// How far an action has looked for earlier ones it must wait for. What did not hinder it once never will
/// again, so each pair is looked at once.
struct looked_at {
    round_index round = 0;
    std::size_t index = 0;
};

template <class Transport>
struct action {
    std::span<const step> parts; ///< the pieces of one message, or one local step
    round_index round = 0;       ///< round it belongs to
    std::size_t index = 0;       ///< number of the action in its round
    std::size_t first_step = 0;  ///< number of its first step in its round, for messages to people
    action_state state = action_state::waiting;
    bool in_place = false;         ///< a posted receive whose target is the final one
    bool reads_input_only = false; ///< a posted send that nobody can disturb: it reads the caller's input
    std::int64_t bytes = 0;        ///< length of the message
    looked_at conflicts;           ///< with steps that touch the same blocks
    looked_at order;               ///< with messages to or from the same peer
    typename Transport::handle handle{};
    typename incoming_message<Transport>::type incoming{};
    reusable_list<std::span<const std::byte>> gather; ///< what a send sends
    reusable_list<std::span<std::byte>> scatter;      ///< where a receive puts it
    reusable_bytes staging;

    gather_list to_send() const noexcept { return {gather.begin(), gather.size()}; }
    scatter_list to_fill() const noexcept { return {scatter.begin(), scatter.size()}; }
    const step& head() const noexcept { return parts[0]; }
    bool is_send() const noexcept { return head().kind == step_kind::send; }
    bool is_receive() const noexcept {
        return head().kind == step_kind::recv || head().kind == step_kind::recv_reduce;
    }
    bool done() const noexcept { return state == action_state::done; }

    void reset(std::span<const step> what, round_index in_round, std::size_t at, std::size_t step_number) {
        parts = what;
        round = in_round;
        index = at;
        first_step = step_number;
        state = action_state::waiting;
        bytes = 0;
        conflicts = order = {};
        gather.clear();
        scatter.clear();
    }
};

/// Whether `later` writes, or (for sends and local steps) reads, what `earlier` writes or reads: then it must
/// wait until `earlier` is done. `later` comes behind `earlier` in program order.
template <class Transport>
bool conflict(const action<Transport>& later, const action<Transport>& earlier, block_index blocks) noexcept {
    const auto touch = [&](buffer_name a, const block_set& x, buffer_name b, const block_set& y) {
        return a == b && may_overlap(x, y, blocks);
    };
    const bool later_sends = later.is_send();
    // Sends of a round read the values from before the round: what lands in it does not concern them.
    if (later_sends && (earlier.is_send() || earlier.round == later.round)) return false;
    // An empty message has no block to wait for. It tells that its sender has come so far, as in a barrier:
    // so it waits for all that was to be heard before.
    if (later_sends && later.head().blocks.count == 0 && !later.head().continues()) return true;
    if (earlier.is_send() && earlier.reads_input_only && earlier.state == action_state::posted) return false;
    for (const step& l : later.parts)
        for (const step& e : earlier.parts) {
            if (touch(l.buffer, l.blocks, e.buffer, e.blocks)) return true;
            if (l.is_local() && !earlier.is_send() && touch(l.source, l.blocks, e.buffer, e.blocks))
                return true;
            if (e.is_local() && !later_sends && touch(l.buffer, l.blocks, e.source, e.blocks)) return true;
        }
    return false;
}

/// Messages to one peer leave in program order, and messages from one peer are taken in program order.
template <class Transport>
bool same_lane(const action<Transport>& later, const action<Transport>& earlier) noexcept {
    return earlier.state == action_state::waiting && later.head().peer == earlier.head().peer
           && ((later.is_send() && earlier.is_send()) || (later.is_receive() && earlier.is_receive()));
}

/// One round in flight. Actions and their memory are kept from call to call.
template <class Transport>
struct round_in_flight {
    step_list steps;
    std::size_t used = 0; // actions of this round
    std::size_t open = 0; // all before are done

    round_in_flight() = default;
    round_in_flight(const round_in_flight&) = delete;
    round_in_flight& operator=(const round_in_flight&) = delete;
    ~round_in_flight() {
        for (action<Transport>* const one : actions_) delete one;
    }

    action<Transport>& operator[](std::size_t i) const noexcept { return *actions_[i]; }

    void fill(round_index round) {
        used = open = 0;
        for (std::size_t i = 0; i < steps.size();) {
            std::size_t end = i + 1;
            while (steps[end - 1].continues() && end < steps.size()) ++end;
            if (used == actions_.size()) {
                actions_.reserve(used + 1);
                actions_.push_back(new action<Transport>);
            }
            (*this)[used].reset({steps.begin() + i, end - i}, round, used, i);
            ++used;
            i = end;
        }
    }

private:
    reusable_list<action<Transport>*> actions_; // owned; handles refer to lists inside, which must not move
};

/// How many rounds may be in flight at once: enough to keep a pipeline busy while one message is late.
inline constexpr round_index rounds_in_flight = 4;

} // namespace tutti::detail

namespace tutti {

/// What one collective in flight needs, whatever its element type; kept by the communicator between calls.
template <class Transport>
struct workspace {
    /// The window: round i is at i modulo its length.
    std::array<detail::round_in_flight<Transport>, detail::rounds_in_flight> rounds;
    /// What lies under the buffers that the caller does not give.
    kept_memory memory;
    reusable_bytes input;      ///< a copy of the caller's, where that is overwritten early
    workspace* next = nullptr; ///< see linked_list
};

} // namespace tutti
