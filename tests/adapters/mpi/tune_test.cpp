// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/model/decision_table_file.hpp>
#include <tutti/tune/choosers.hpp>
#include <tutti/tune/measure_choices.hpp>

#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"
#include "support/mpi_world.hpp"

using namespace tutti;

namespace {

/// Rules for all collectives, as rank 0 of a communicator measures them.
std::string table_text(communicator<mpi::transport>& comm) {
    std::vector<decision_rule> rules;
    for (const collective what : all_collectives) {
        measured_choices of{.what = what, .ways = ways_to_measure(what), .first = comm.size()};
        of.cells = measure_choices(comm, of.ways, 4096, 0.0001, [] {});
        for (decision_rule& rule : rules_of(of)) rules.push_back(std::move(rule));
    }
    return text_of(decision_table("here", std::move(rules)));
}

/// Chooses by a table, and knows what calls have taken.
class witness final : public chooser {
public:
    explicit witness(decision_table table) : by_(by_table(std::move(table))) {}

    const choice& choose(collective what, const request_facts& facts) const override {
        const choice& made = by_->choose(what, facts);
        taken += std::string(made.algorithm) + " ";
        return made;
    }
    std::string explain(collective what, const request_facts& facts) const override {
        return by_->explain(what, facts);
    }
    bool chooses_by_kind() const noexcept override { return by_->chooses_by_kind(); }

    mutable std::string taken;

private:
    std::shared_ptr<const chooser> by_;
};

/// Every collective, in any order of ranks and in theirs.
std::string run_all(communicator<mpi::transport>& comm, std::int64_t count) {
    return support::run_automatic<double>(comm, count, sum{})
           + support::run_automatic<support::matrix>(comm, count, support::multiply{});
}

} // namespace

TEST_CASE("what is measured over MPI is a table that calls over MPI obey, and all ranks have the same one",
          "[mpi]") {
    for (const rank_type size : {2, 3})
        CHECK(support::on_ranks(size,
                                [](MPI_Comm group) {
                                    mpi::transport wires(group);
                                    communicator comm(wires);
                                    comm.choose_by(by_table(parse_decision_table(table_text(comm))));
                                    std::string troubles;
                                    for (const std::int64_t count : {0, 1, 7, 1000, 20000})
                                        troubles += run_all(comm, count);
                                    return troubles;
                                })
              == "");
}

TEST_CASE("a call over MPI takes the algorithm that its table says", "[mpi]") {
    const std::string text = "tutti decision table 1\n"
                             "allreduce commutative 3 0..799 recursive_doubling\n"
                             "allreduce commutative 3 800..  ring\n";
    CHECK(support::on_ranks(3,
                            [&](MPI_Comm group) -> std::string {
                                mpi::transport wires(group);
                                communicator comm(wires);
                                const auto by = std::make_shared<const witness>(parse_decision_table(text));
                                comm.choose_by(by);
                                for (const std::size_t count : {99U, 100U}) {
                                    std::vector<double> v(count, 1.0);
                                    allreduce(comm, v, sum{});
                                    if (v != std::vector<double>(count, 3.0)) return "wrong";
                                }
                                return by->taken == "recursive_doubling ring " ? "" : by->taken;
                            })
          == "");
}
