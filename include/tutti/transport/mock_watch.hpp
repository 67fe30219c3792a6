// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/transport/mock_decisions.hpp>
#include <tutti/transport/mock_network.hpp>

namespace tutti::mock {

/// Decides which of the completions that the watched rank has not seen yet it will see first; if `together`,
/// also which others with that one. What came by the same way before is seen with it. If `stay` is 1 it may
/// be none, and if it is, the result is false.
///
///     a and b came from rank 1, c from rank 2: a, a b, a c, a b c, or c; never b without a
inline bool choose_seen(const std::vector<operation*>& unseen, std::size_t stay, bool together,
                        std::uint64_t now, decision_maker& decisions) {
    std::vector<std::size_t> firsts; // what can be seen while all before it in the list is not
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < unseen.size(); before |= unseen[i++]->bit)
        if ((unseen[i]->past & before) == 0) firsts.push_back(i);
    const std::size_t choice = decisions.choose(firsts.size() + stay);
    const bool stays = choice == firsts.size();
    const std::size_t first = stays ? unseen.size() : firsts[choice];
    std::uint64_t seen = 0, not_yet = 0;
    for (std::size_t i = 0; i < unseen.size(); ++i) {
        operation& op = *unseen[i];
        if (i == first || (op.bit & seen) != 0)
            op.known = true;
        else if (i > first && together && (op.past & not_yet) == 0)
            op.known = decisions.choose(2) == 0;
        if (op.known) {
            seen |= op.past;
        } else {
            not_yet |= op.bit;
            op.passed_over = now;
        }
    }
    return !stays;
}

} // namespace tutti::mock
