// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/choose/by_default_on.hpp>
#include <tutti/choose/chooser.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/model/decision_table.hpp>

/// What the user of a program that he cannot change may say, in the environment.
namespace tutti::pmpi {

/// The calls of MPI that are taken over.
enum class mpi_call : std::uint8_t {
    barrier,
    bcast,
    reduce,
    allreduce,
    reduce_scatter,
    reduce_scatter_block,
    allgather,
    allgatherv,
    alltoall,
    exscan,
    gather,
    scatter,
    scan,
    gatherv,
    scatterv,
    alltoallv,
};
inline constexpr std::size_t mpi_calls = 16;

/// "allgatherv"
std::string_view name_of(mpi_call which) noexcept;

/// What it does: of allgatherv allgather.
collective collective_of(mpi_call which) noexcept;

/// Beside which calls MPI's own is timed, to take the faster one from then on.
enum class trials : std::uint8_t {
    none,
    same_bits, ///< those whose result is the same, bit by bit, whoever makes it
    all,
};

struct settings {
    std::array<bool, mpi_calls> off{};                      ///< by mpi_call: left to MPI
    std::array<choice, all_collectives.size() + 1> named{}; ///< by collective: without `make` it is chosen
    std::shared_ptr<const decision_table> table{};          ///< null: none
    std::optional<node_map> nodes{};                        ///< of all ranks; none: as MPI sees them
    bool report = false;
    trials trial = trials::same_bits;

    bool is_off(mpi_call which) const noexcept { return off[static_cast<std::size_t>(which)]; }
    /// The calls for which MPI's own is timed at all: none for which an algorithm is named.
    std::array<bool, mpi_calls> tried() const noexcept;
    bool names_any() const noexcept {
        for (const choice& one : named)
            if (one.make != nullptr) return true;
        return false;
    }

    /// What the variables TUTTI_REPORT, TUTTI_TRIAL, TUTTI_OFF and TUTTI_ALGORITHM say. Throws
    /// argument_error that lists what is allowed.
    static settings of(std::string_view report, std::string_view trial, std::string_view off,
                       std::string_view algorithm);
};

/// The table that TUTTI_TABLE names. Throws argument_error, with file and line in it, for one that cannot be
/// read or has a rule that is not allowed.
decision_table table_of(const std::string& path);

/// Chooses what TUTTI_ALGORITHM names where it can be; else what the table of TUTTI_TABLE lists; and by the
/// tables that ship elsewhere, for ranks on such nodes.
class chooser_of_settings final : public chooser {
public:
    /// `taken(collective, choice)` hears of each choice.
    chooser_of_settings(const settings& those, const node_map& nodes, cores inside,
                        std::function<void(collective, const choice&)> taken)
        : those_(those), otherwise_(by_default_on(nodes, inside)), taken_(std::move(taken)) {}

    const choice& choose(collective what, const request_facts& facts) const override {
        const choice& made = chosen(what, facts);
        taken_(what, made);
        return made;
    }
    /// What is named may keep the order of ranks for some roots only, and a table's borders are where they
    /// are.
    bool chooses_by_kind() const noexcept override { return !those_.names_any() && those_.table == nullptr; }

    std::string explain(collective what, const request_facts& facts) const override {
        return tutti::name_of(chosen(what, facts)) + "\n";
    }

private:
    const choice& chosen(collective what, const request_facts& facts) const;

    settings those_;
    std::shared_ptr<const chooser> otherwise_;
    std::function<void(collective, const choice&)> taken_;
};

} // namespace tutti::pmpi
