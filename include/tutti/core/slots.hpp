// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Ranks on numbered slots, not all of which are taken: the nodes of a machine some of which are missing.
/// Immutable; copies share the tables.
/// Example with 5 ranks on slots 0,1,3,4,7 of 8: rank 2 sits on slot 3; slot 5 is a hole.
class slot_map {
public:
    slot_map() : slot_map(1, {0}) {}

    /// Rank r sits on slot slot_of[r], 0 <= slot_of[r] < slots, no slot twice. `what` is how errors call a
    /// slot.
    slot_map(rank_type slots, std::vector<rank_type> slot_of, const char* what = "slot") {
        if (slot_of.empty()) detail::throw_argument("number of ranks", 0, "at least 1");
        if (slots < 1) detail::throw_argument("slots", slots, "at least 1");
        tables made{.slot = std::move(slot_of), .rank = {}};
        made.rank.assign(static_cast<std::size_t>(slots), no_rank);
        for (std::size_t r = 0; r < made.slot.size(); ++r) {
            const rank_type s = made.slot[r];
            const std::string who = std::string(what) + " of rank " + std::to_string(r);
            if (s < 0 || s >= slots) detail::throw_argument_below(who.c_str(), s, slots);
            rank_type& there = made.rank[static_cast<std::size_t>(s)];
            if (there != no_rank)
                detail::throw_argument(who.c_str(), s,
                                       std::string("a ") + what + " of its own; rank " + std::to_string(there)
                                           + " has this one");
            there = static_cast<rank_type>(r);
        }
        tables_ = std::make_shared<const tables>(std::move(made));
    }

    /// Places, with a rank or without.
    rank_type slots() const noexcept { return static_cast<rank_type>(tables_->rank.size()); }
    /// Places with a rank.
    rank_type ranks() const noexcept { return static_cast<rank_type>(tables_->slot.size()); }

    /// Where a rank sits.
    rank_type slot_of(rank_type rank) const noexcept { return tables_->slot[static_cast<std::size_t>(rank)]; }
    /// Who sits on a slot; no_rank if nobody does.
    rank_type rank_at(rank_type slot) const noexcept { return tables_->rank[static_cast<std::size_t>(slot)]; }

private:
    struct tables {
        std::vector<rank_type> slot; // of each rank
        std::vector<rank_type> rank; // on each slot
    };
    std::shared_ptr<const tables> tables_;
};

} // namespace tutti
