// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>

namespace tutti::mock {

enum class fault_kind : std::uint8_t {
    drop,      ///< the message never arrives
    duplicate, ///< the message arrives twice
    truncate,  ///< the message loses its last byte; an empty one cannot
    corrupt,   ///< one bit of the message changes
    kill,      ///< the rank dies
};

constexpr std::string_view name_of(fault_kind kind) noexcept {
    switch (kind) {
    case fault_kind::drop: return "dropped";
    case fault_kind::duplicate: return "duplicated";
    case fault_kind::truncate: return "truncated";
    case fault_kind::corrupt: return "corrupted";
    case fault_kind::kill: return "killed";
    }
    return "?";
}

/// Something that goes wrong, once. Messages are counted from 0 for each ordered pair of ranks, over all
/// channels; the steps of a rank are its calls of start_send and start_recv, from 0.
struct fault {
    fault_kind kind = fault_kind::drop; ///< what goes wrong
    rank_type rank = 0;                 ///< the sender, or the one to be killed
    rank_type to = no_rank;             ///< the receiver; no_rank: `number` is a step of `rank`
    std::int64_t number = 0;            ///< which message, or which step

    /// The n-th message from one rank to another suffers `kind`.
    static constexpr fault message(fault_kind kind, rank_type from, rank_type to, std::int64_t n) {
        return {kind, from, to, n};
    }
    /// The message that `rank` starts to send as its step `step` suffers `kind`; nothing if that is a
    /// receive.
    static constexpr fault at_step(fault_kind kind, rank_type rank, std::int64_t step) {
        return {kind, rank, no_rank, step};
    }
    /// `rank` dies when it starts its step `step`.
    static constexpr fault kill(rank_type rank, std::int64_t step) {
        return {fault_kind::kill, rank, no_rank, step};
    }
};

/// "the message that rank 1 sends at its step 3 was to be dropped"
inline std::string told(const fault& f) {
    if (f.kind == fault_kind::kill)
        return detail::sentence({"rank ", f.rank, " was to be killed at step ", f.number});
    if (f.to == no_rank)
        return detail::sentence({"the message that rank ", f.rank, " sends at its step ", f.number,
                                 " was to be ", name_of(f.kind)});
    return detail::sentence(
        {"message ", f.number, " from rank ", f.rank, " to rank ", f.to, " was to be ", name_of(f.kind)});
}

/// What is left to decide in a run.
enum class freedom : std::uint8_t {
    all,      ///< whatever can happen next may happen next
    distinct, ///< but for what comes to the same as another decision: see explore()
    one_rank, ///< only what `watched` notices, and when: see explore_each_rank()
};

/// When explore_each_rank() takes the watched rank to be where it has been before, and does not go on.
enum class matching : std::uint8_t {
    none,  ///< never
    begun, ///< as `seen`, if it also had seen the same when it started what is still open
    seen,  ///< when it has started the same and seen the same completed, in whatever order
};

/// How a mock world behaves. The same options and the same program give the same run.
struct options {
    std::uint64_t seed = 1; ///< of the decisions
    /// No buffering at all: a send completes only when its receive was started and the message delivered.
    /// Otherwise sends complete at once and the network keeps a copy.
    bool rendezvous = true;
    /// Other ranks may run between two starts of one rank, not only when it waits.
    bool switch_at_start = true;
    std::vector<fault> faults{}; ///< what goes wrong, and when
    /// A run in which all goes well, but a fault never happened, is an error unless it is allowed.
    bool faults_may_miss = false;
    /// These ranks move only when nothing else can.
    std::vector<rank_type> late{};
    /// The first decisions, as world::decisions() gave them; the seed decides what comes after.
    std::vector<std::uint32_t> replay{};
    /// What comes after `replay` is the first possibility every time instead of the seed's choice.
    bool first_choice = false;
    /// Where to put the decisions of a run, of one that fails, too.
    std::vector<std::uint32_t>* record = nullptr;
    freedom decides = freedom::all; ///< what is left to decide
    /// For freedom::one_rank. That rank may see things completed at any of its looks, or else only when it
    /// has waited.
    rank_type watched = no_rank;
    bool every_look = false; ///< of the watched rank: see `watched`
    /// For explore_each_rank().
    matching matches = matching::none;
    bool log = true; ///< keep what happens, for world::log()
};

/// What a killed rank's own call throws. Not a transport_error: nobody is there any more to handle it.
class killed : public error {
public:
    using error::error;
};

} // namespace tutti::mock
