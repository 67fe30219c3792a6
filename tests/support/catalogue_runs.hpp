// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <tutti/collectives/make_plan.hpp>
#include <tutti/schedule/named.hpp>

#include "support/running.hpp"

/// Runs the whole catalogue on one communicator, for tests of transports and of the engine.
namespace support {

inline std::vector<tutti::rank_type> some_roots(tutti::collective what, tutti::rank_type size) {
    if (!tutti::has_root(what)) return {0};
    std::set<tutti::rank_type> roots{0, size / 2, size - 1};
    if (size == 4) roots.insert(1); // up to four ranks: all of them
    return {roots.begin(), roots.end()};
}

/// `count` is meant for whole vectors: where it is one block per rank, long ones are shared out, so that no
/// collective takes p times as long as the others.
inline std::int64_t shared_out(tutti::collective what, std::int64_t count, tutti::rank_type size) {
    return tutti::has_parts(what) && count > 1000 ? count / size : count;
}

/// run_and_check, for operations of which the algorithm's claims do not admit all: where they do not, the
/// call must be refused. `label` names the case in the complaint.
template <class T, class Communicator, class Op, class Algorithm>
std::string run_or_refuse(Communicator& comm, tutti::collective what, std::int64_t count,
                          tutti::rank_type root, const Op& op, const Algorithm& how, bool in_place,
                          bool is_covered) {
    std::string trouble;
    try {
        trouble = run_and_check<T>(comm, what, count, root, op, how, in_place);
        if (!is_covered) trouble = "was not refused";
    } catch (const tutti::argument_error& e) {
        if (is_covered || e.argument() != "algorithm") trouble = e.what();
    }
    return trouble;
}

/// Every algorithm of the catalogue, for some roots, in place and not. Returns the complaints of this rank.
template <class T, class Communicator, class Op>
std::string run_catalogue(Communicator& comm, std::int64_t count, const Op& op) {
    std::string troubles;
    for (const tutti::catalogue_entry& entry : tutti::catalogue())
        for (const tutti::rank_type root : some_roots(entry.what, comm.size()))
            for (const bool in_place : {false, true}) {
                const tutti::any_generator schedule = entry.make({comm.rank(), comm.size(), root}, {});
                const bool is_covered = !tutti::folds(entry.what)
                                        || tutti::is_commutative<Op, T> || schedule.claims().order_preserving;
                const std::string trouble = run_or_refuse<T>(comm, entry.what, count, root, op,
                                                             tutti::named{entry.name}, in_place, is_covered);
                if (!trouble.empty())
                    troubles += std::string(tutti::name_of(entry.what)) + " by " + std::string(entry.name)
                                + ", " + std::to_string(count) + " elements, root " + std::to_string(root)
                                + (in_place ? ", in place: " : ": ") + trouble + "; ";
            }
    return troubles;
}

/// Every collective by the algorithm that tutti chooses.
template <class T, class Communicator, class Op>
std::string run_automatic(Communicator& comm, std::int64_t count, const Op& op) {
    std::string troubles;
    for (const tutti::collective what : tutti::all_collectives)
        for (const tutti::rank_type root : some_roots(what, comm.size()))
            for (const bool in_place : {false, true}) {
                const std::string trouble = run_and_check<T>(comm, what, shared_out(what, count, comm.size()),
                                                             root, op, tutti::automatic{}, in_place);
                if (!trouble.empty())
                    troubles += std::string(tutti::name_of(what)) + ", " + std::to_string(count)
                                + " elements, root " + std::to_string(root)
                                + (in_place ? ", in place: " : ": ") + trouble + "; ";
            }
    return troubles;
}

} // namespace support
