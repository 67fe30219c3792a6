// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <exception>
#include <list>
#include <string>
#include <vector>

#include <tutti/transport/begun_calls.hpp>
#include <tutti/transport/call_counts.hpp>
#include <tutti/transport/mock_ledger.hpp>
#include <tutti/transport/mock_network.hpp>

namespace tutti::mock {

/// What a mock world knows of one of its ranks.
struct member {
    detail::begun_calls calls{};       ///< the last ones, by channel
    detail::call_counts counts{};      ///< of this run
    std::list<operation> operations{}; ///< not tested to their end; a list: endpoints have their addresses
    std::exception_ptr failure{};      ///< what it left with in this run; null: it has not, or returned
    tally books{};                     ///< kept if the world has a ledger
    std::string fate{};                ///< why nothing more comes from this rank; empty if something may
    std::string doom{};                ///< what its idle() is to throw next; empty: nothing
    bool doomed_directly = false;      ///< by what happened to itself, not by what others did then
    std::size_t distance = 0;          ///< of what it heard of last from a cause, see first_failure
    std::int64_t steps = 0;            ///< its calls of start_send and start_recv, in all runs of the world
    std::uint64_t changes = 0;         ///< counts what it started and what it saw completed
    std::uint64_t yielded_at = 0;      ///< changes, when it last went on without anything having happened
    std::uint32_t looks = 0;           ///< fruitless ones since the last idle()
    bool here = false;                 ///< its body runs
    bool started = false;              ///< it has had the baton in this run
    bool awake = false;                ///< something of its own has completed while it waited
    bool willing = false;              ///< it gave the baton away without having to wait
    bool settling = false;             ///< it looks at something, and others go first
    bool dead = false;                 ///< killed by a fault, for good
    bool late = false;                 ///< see options::late

    /// Whether it may be given the baton: it has not begun, or has something to look at.
    bool can_move() const noexcept { return here && (awake || willing || !started); }

    /// The first that it started of those that have not completed; null if there is none.
    const operation* awaited() const noexcept {
        for (const operation& op : operations)
            if (op.state == operation::status::waiting) return &op;
        return nullptr;
    }
    /// Completed, but the rank has not seen it, nor is it told to at its next look.
    std::vector<operation*> unseen() {
        std::vector<operation*> some;
        for (operation& op : operations)
            if (op.state != operation::status::waiting && !op.known) some.push_back(&op);
        return some;
    }
    /// Ends an operation of this rank, completed or withdrawn; `op` is null then.
    void forget(operation*& op) {
        auto at = operations.begin();
        while (&*at != op) ++at;
        operations.erase(at);
        op = nullptr;
    }
};

} // namespace tutti::mock
