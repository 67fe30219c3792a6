// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/relation.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/multicast/serial.hpp>
#include <tutti/schedule/own_block.hpp>
#include <tutti/schedule/pruned.hpp>

/// Many-to-many multicast: every rank of `who` that sends does so to the ranks it names (Kumar and Kalé 2004,
/// section 1). Every allgather strategy serves, and carries only what is needed:
/// `generate(of<collective::multicast>, kshift{}, who, at)`. And there is `serial`, all messages in one
/// round.
namespace tutti {

namespace detail {

inline place checked(const relation& who, place at) {
    tutti::checked(at);
    if (who.size() != at.size)
        throw argument_error("who", "a relation of " + std::to_string(who.size()) + " ranks",
                             "one of " + std::to_string(at.size) + " ranks");
    return at;
}

} // namespace detail

/// An allgather `g` that sends_only_own_block, without the messages that nobody wants: of each message both
/// sides can tell without asking others whether it is one. The rounds of `g` remain, so that who may talk to
/// whom in a round does; so do empty messages, which hold ranks in step.
///
/// Rounds: those of `g`. Volume: a rank sends as many blocks as it has targets. How many messages meet in one
/// round is known to nobody without a look at all ranks, and is not claimed.
template <generator G>
class only_wanted {
public:
    only_wanted(G g, relation who, rank_type rank) : g_(std::move(g)), who_(std::move(who)), rank_(rank) {}

    round_index rounds() const noexcept { return g_.rounds(); }
    block_index blocks() const noexcept { return g_.blocks(); }

    capabilities claims() const noexcept {
        return moving_only(
            {.any_size = g_.claims().any_size, .rounds = rounds(), .sent_blocks = who_.most_targets()});
    }

    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks, of which rank 4 wants the message of rank 1 only: of its receives that from
        // rank 1 is left.
        g_.emit(i, [&](const step& s) {
            const bool sends = s.kind == step_kind::send;
            if (s.blocks.count == 0 || who_.wants(sends ? s.peer : rank_, sends ? rank_ : s.peer)) sink(s);
        });
    }

private:
    G g_;
    relation who_;
    rank_type rank_;
};

/// The multicast by any allgather strategy: direct ones leave out messages (only_wanted), the others are
/// pruned. Throws argument_error if `who` is not of at.size ranks.
template <class Strategy>
    requires requires(const Strategy& how, place at) {
        { generate(of<collective::allgather>, how, at) } -> generator;
    }
auto generate(collective_constant<collective::multicast>, const Strategy& how, const relation& who,
              place at) {
    detail::checked(who, at);
    using inner = decltype(generate(of<collective::allgather>, how, at));
    if constexpr (detail::sends_only_own_block<inner>)
        return only_wanted<inner>(generate(of<collective::allgather>, how, at), who, at.rank);
    else
        return pruned(who, at, [&](place there) { return generate(of<collective::allgather>, how, there); });
}

/// The multicast in one round.
inline auto generate(collective_constant<collective::multicast>, const serial&, const relation& who,
                     place at) {
    return multicast_serial(who, detail::checked(who, at));
}

/// A type that names an algorithm for a multicast: every allgather strategy, and serial.
template <class Algorithm>
concept multicast_algorithm = requires(const Algorithm& how, const relation& who, place at) {
    { generate(of<collective::multicast>, how, who, at) } -> generator;
};

} // namespace tutti
