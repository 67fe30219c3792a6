// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

#include <tutti/core/block.hpp>

/// What models are made of, and what the evaluator (model/evaluate.hpp) asks of them.
namespace tutti {

/// A time in microseconds, by what it goes to.
struct cost {
    double startup = 0;  ///< per message: latency, overhead
    double transfer = 0; ///< per byte moved
    double fold = 0;     ///< per byte folded or copied by a processor

    /// All parts together, in us.
    constexpr double us() const noexcept { return startup + transfer + fold; }

    /// Part by part.
    friend constexpr cost operator+(const cost& a, const cost& b) noexcept {
        return {a.startup + b.startup, a.transfer + b.transfer, a.fold + b.fold};
    }
    /// Part by part.
    constexpr cost& operator+=(const cost& other) noexcept { return *this = *this + other; }
    friend constexpr bool operator==(const cost&, const cost&) = default;
};

/// What a model is told of a message.
struct message_facts {
    std::int64_t bytes = 0; ///< of all its blocks
    block_index blocks = 0; ///< that it carries: more than one means that it was put together
    bool both_ways = false; ///< in this round its sender receives, too, or its receiver sends
    bool again = false;     ///< its sender sends the same blocks, unchanged, more than once; see asks_again
    bool first = true;      ///< if `again`: for the first time
    bool folded = false;    ///< its receiver folds it: fold(bytes) is counted besides receiver(m)
    bool fresh = false;     ///< its sender has received in a round before: it has just computed this

    friend constexpr bool operator==(const message_facts&, const message_facts&) = default;
};

/// A model of what messages and folds cost.
///
/// start()          every rank, once, before its first round
/// sender(m)        how long the sender is busy with a message, before it can turn to its next one
/// flight(m)        from when the sender begins until the receiver can take the message
/// receiver(m)      how long the receiver is busy with it, from when it has arrived and the receiver is free
/// fold(bytes)      what folding a received or local operand costs the rank
/// copy(bytes)      what a local copy costs the rank
/// synchronous      a message begins only when its receiver has come to the round, too, and the sender's
///                  round lasts until it has ended
///
/// What a model may have besides:
///
/// gap(m)           least time from when a rank begins to send m until it begins to send another message, be
///                  its processor free or not; the same for messages that it takes
/// waits(m)         whether the sender's round lasts until its receiver begins to take m
/// asks_again       true if the model reads again and first, which cost another look at all steps
///
/// running(size, bytes)  the same model for so many ranks and a vector of so many bytes: asked for first
///
/// Choosing (rank_algorithms) does not price to the end what cannot win, by bounds for which it takes for
/// granted, and checks nowhere, that no cost is negative, and that
/// - sender, flight, receiver and fold never cost less for more bytes, nor a message for more blocks;
/// - a message is never cheaper for being fresh, nor for its sender because it is folded;
/// - none is cheaper than the cheapest of three with as many bytes: neither both_ways nor again; both_ways
///   alone; again, not for the first time, alone.
/// On a model that breaks this the best may be left out; the prices of the others stay what they are.
template <class M>
concept cost_model = requires(const M& model, const message_facts& m, std::int64_t bytes) {
    { model.start() } -> std::same_as<cost>;
    { model.sender(m) } -> std::same_as<cost>;
    { model.flight(m) } -> std::same_as<cost>;
    { model.receiver(m) } -> std::same_as<cost>;
    { model.fold(bytes) } -> std::same_as<cost>;
    { model.copy(bytes) } -> std::same_as<cost>;
    { M::synchronous } -> std::convertible_to<bool>;
};

/// A model that has gap(m).
template <class M>
concept has_gap = requires(const M& model, const message_facts& m) {
    { model.gap(m) } -> std::same_as<cost>;
};
/// A model that has waits(m).
template <class M>
concept has_waits = requires(const M& model, const message_facts& m) {
    { model.waits(m) } -> std::convertible_to<bool>;
};
/// A model that reads message_facts::again.
template <class M>
concept asks_again = requires { requires M::asks_again; };

} // namespace tutti
