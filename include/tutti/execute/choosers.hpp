// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory>
#include <span>
#include <utility>

#include <tutti/execute/chooser.hpp>
#include <tutti/model/decision_table.hpp>

/// What a communicator can be told to choose by.
///
///     comm.choose_by(tutti::by_machine(tutti::load_machine("here.machine")));
///     comm.choose_by(tutti::by_table(tutti::load_decision_table("here.table")));
namespace tutti {

namespace detail {

class machine_chooser : public chooser {
public:
    explicit machine_chooser(machine on) : on_(std::move(on)) {}

protected:
    machine_chooser(machine on, bool has_list) : chooser(has_list), on_(std::move(on)) {}

private:
    ranking rank(const selection_request& request, std::span<const catalogue_entry> among) const override {
        return rank_algorithms(on_, request, among);
    }

    machine on_;
};

class table_chooser final : public machine_chooser {
public:
    table_chooser(decision_table table, machine otherwise)
        : machine_chooser(std::move(otherwise), true), table_(std::move(table)) {}

private:
    const candidate* listed(collective what, const request_facts& facts) const override {
        return table_.find({.what = what,
                            .size = facts.at.size,
                            .root = facts.at.root,
                            .bytes = facts.bytes,
                            .commutative = facts.commutative,
                            .equal_blocks = facts.equal_blocks});
    }

    decision_table table_;
};

} // namespace detail

/// Chooses by the prices on a machine.
inline std::shared_ptr<const chooser> by_machine(machine on) {
    return std::make_shared<const detail::machine_chooser>(std::move(on));
}

/// Chooses by a table; by the prices on `otherwise` for collectives, cases and sizes that it does not list.
inline std::shared_ptr<const chooser> by_table(decision_table table, machine otherwise = default_machine()) {
    return std::make_shared<const detail::table_chooser>(std::move(table), std::move(otherwise));
}

} // namespace tutti
