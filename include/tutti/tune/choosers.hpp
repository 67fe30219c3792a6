// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <tutti/choose/chooser.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/model/decision_table.hpp>
#include <tutti/model/default_machine.hpp>
#include <tutti/model/selection.hpp>

#if TUTTI_BODIES
#include <tutti/choose/remembered.hpp>
#endif

/// What a communicator can be told to choose by, instead of the tables that ship.
///
///     comm.choose_by(tutti::by_machine(tutti::load_machine("here.machine")));
///     comm.choose_by(tutti::by_table(tutti::load_decision_table("here.table")));
///
/// Without the archive tutti::compiled, a file that includes this compiles the whole catalogue and the
/// models.
namespace tutti {

namespace detail {

/// The request that decides for all of its kind. Those with another root than 0 share a choice, which has to
/// serve every root.
selection_request deciding_request(collective what, const request_facts& facts) noexcept;

/// Prices the candidates on a machine the first time that a request of its kind comes (0.2 ms for 16 ranks,
/// tens of ms for thousands): one rank of a process does, the others that want this kind wait for it, and
/// those that want another do not.
class machine_chooser : public chooser {
public:
    explicit machine_chooser(machine on) : on_(std::move(on)) {}

    const choice& choose(collective what, const request_facts& facts) const override {
        const selection_request r = deciding_request(what, facts);
        kind& mine = kind_of(r);
        const std::lock_guard lock(mine.guard);
        if (mine.best.make == nullptr) {
            const ranking all = rank(r);
            if (!all.any())
                throw argument_error("algorithm", "not to be found for such a request",
                                     "one that an algorithm of the catalogue covers:\n" + all.explain());
            mine.best = choice_of(all.best().what);
        }
        return mine.best;
    }

    std::string explain(collective what, const request_facts& facts) const override {
        return rank(deciding_request(what, facts)).explain();
    }

protected:
    /// All candidates for a request, the best one first.
    virtual ranking rank(const selection_request& request) const { return rank_algorithms(on_, request); }

private:
    struct kind {
        std::mutex guard; ///< of `best`: held while it is being found
        choice best;      ///< makes nothing until it is found, and stays as it is from then on
    };
    kind& kind_of(const selection_request& r) const {
        const std::lock_guard lock(guard_);
        return kinds_[r];
    }

    machine on_;
    mutable std::mutex guard_;                        // of the map only: nobody prices while holding it
    mutable std::map<selection_request, kind> kinds_; // they stay in place
};

} // namespace detail

/// Chooses by the prices on a machine.
std::shared_ptr<const chooser> by_machine(machine on);

/// Chooses by a table; by the prices on `otherwise` for collectives, cases and sizes that it does not list.
std::shared_ptr<const chooser> by_table(decision_table table, machine otherwise = default_machine());

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY selection_request deciding_request(collective what, const request_facts& facts) noexcept {
    const std::int64_t bytes = rounded_length(facts.bytes);
    return {.what = what,
            .size = facts.at.size,
            .root = facts.at.root == 0 ? 0 : 1,
            .bytes = bytes,
            .element_bytes = bytes >= 8   ? 8
                             : bytes >= 4 ? 4
                                          : 1,
            .commutative = facts.commutative,
            .equal_blocks = facts.equal_blocks,
            .every_root = facts.at.root != 0};
}

/// Looks into a table, and asks another chooser where that is silent.
class table_chooser final : public chooser {
public:
    table_chooser(decision_table table, machine otherwise)
        : table_(std::move(table)), otherwise_(std::move(otherwise)) {}

    const choice& choose(collective what, const request_facts& facts) const override {
        if (const choice* found = table_.find_choice(what, facts)) return *found;
        return otherwise_.choose(what, facts);
    }

    std::string explain(collective what, const request_facts& facts) const override {
        const selection_request request = request_of(what, facts);
        if (const decision_rule* rule = table_.rule_for(request))
            return name_of(rule->choice)
                .append(": as listed in the table, ")
                .append(rule->where)
                .append("\n");
        return "prices decide: the table has no rule for " + table_.lacks(request) + "\n"
               + otherwise_.explain(what, facts);
    }

    bool chooses_by_kind() const noexcept override { return false; } // its borders are where they are

private:
    decision_table table_;
    machine_chooser otherwise_;
};
} // namespace detail

TUTTI_BODY std::shared_ptr<const chooser> by_machine(machine on) {
    return std::make_shared<const detail::machine_chooser>(std::move(on));
}

TUTTI_BODY std::shared_ptr<const chooser> by_table(decision_table table, machine otherwise) {
    return std::make_shared<const detail::table_chooser>(std::move(table), std::move(otherwise));
}
#endif

} // namespace tutti
