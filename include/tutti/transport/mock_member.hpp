// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <exception>
#include <list>
#include <string>
#include <vector>

#include <tutti/transport/begun_calls.hpp>
#include <tutti/transport/mock_ledger.hpp>
#include <tutti/transport/mock_network.hpp>

namespace tutti::mock {

/// What a mock world knows of one of its ranks.
struct member {
    detail::begun_calls calls{};
    std::list<operation> operations{}; // a list: endpoints have their addresses
    std::exception_ptr failure{};
    tally books{};
    std::string fate{};           // why nothing more comes from this rank
    std::string doom{};           // what its idle() is to throw
    bool doomed_directly = false; // by what happened to itself, not by what others did then
    std::size_t distance = 0;     // of its failure from the cause, see first_failure
    std::int64_t steps = 0;
    std::uint64_t changes = 0;    // counts what it started and what it saw completed
    std::uint64_t yielded_at = 0; // changes, when it last went on without anything having happened
    std::uint32_t looks = 0;      // fruitless ones since the last idle()
    bool here = false;            // its body runs
    bool started = false;         // it has had the baton
    bool awake = false;           // something of its own has completed while it waited
    bool willing = false;         // it gave the baton away without having to wait
    bool settling = false;        // it looks at something, and others go first
    bool dead = false;
    bool late = false;

    bool can_move() const noexcept { return here && (awake || willing || !started); }

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
    void forget(operation*& op) {
        auto at = operations.begin();
        while (&*at != op) ++at;
        operations.erase(at);
        op = nullptr;
    }
};

} // namespace tutti::mock
