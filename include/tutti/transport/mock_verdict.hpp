// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string>

#include <tutti/core/error.hpp>
#include <tutti/transport/mock_member.hpp>
#include <tutti/transport/mock_network.hpp>

namespace tutti::mock {

/// Why nothing comes any more for a rank that waits.
struct verdict {
    std::string text;    ///< what the rank waits for, and why in vain; without the seed
    bool direct = false; ///< it happened to this rank itself, not to one that it waits for
};

inline std::string wish_of(rank_type rank, const operation* op) {
    return detail::sentence(
        {"rank ", rank, " waits ", op == nullptr ? "for nothing it has started" : op->wish()});
}

/// Whether a rank waits for that: what it has left of a call that was called off waits for nobody.
inline bool is_awaited(const operation& op, network& wires) {
    return op.state == operation::status::waiting
           && (wires.called_off().count() == 0 || !wires.called_off().has(op.channel));
}
/// The first such one that it started; null if there is none.
inline const operation* awaited_of(const member& me, network& wires) {
    for (const operation& op : me.operations)
        if (is_awaited(op, wires)) return &op;
    return nullptr;
}

/// Best an obstacle of its own, then what has become of its peers, then all that went wrong anywhere.
inline verdict why_stuck(rank_type rank, std::span<const member> ranks, network& wires) {
    const member& me = ranks[static_cast<std::size_t>(rank)];
    for (const operation& op : me.operations) {
        if (!is_awaited(op, wires)) continue;
        const packet* const lost = wires.obstacle(op);
        if (lost != nullptr && lost->dropped) // it met the receiver, the sender only waits for that
            return {detail::sentence({wish_of(rank, &op), " in vain: ", lost->lost}), !op.sends};
        const member& peer = ranks[static_cast<std::size_t>(op.peer)];
        std::string why = lost == nullptr ? std::string{} : lost->lost;
        if (!peer.fate.empty() && why.find(peer.fate) == std::string::npos)
            why += (why.empty() ? "" : "; ") + peer.fate;
        if (!why.empty())
            return {detail::sentence({wish_of(rank, &op), " in vain: ", why}),
                    lost == nullptr && peer.distance == 0};
    }
    std::string all;
    if (wires.incidents().empty()) {
        for (std::size_t r = 0; r < ranks.size(); ++r)
            if (ranks[r].here || !ranks[r].started)
                all += (all.empty() ? "" : "; ")
                       + wish_of(static_cast<rank_type>(r), awaited_of(ranks[r], wires));
        return {"deadlock: " + all, true};
    }
    for (const std::string& what : wires.incidents()) all += (all.empty() ? "" : "; ") + what;
    return {detail::sentence({wish_of(rank, awaited_of(me, wires)), " in vain: ", all}), false};
}

} // namespace tutti::mock
