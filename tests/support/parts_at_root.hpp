// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/bcast/tree.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/outcomes.hpp"
#include "support/refusals.hpp"
#include "support/uneven_counts.hpp"

/// What gatherv and scatterv have to fulfil alike: every rank has a part of its own length, the root all.
namespace support {

using counts_list = std::vector<std::int64_t>;

/// The catalogue, and what is chosen, from every root; in place and not. `run<T>(comm, counts, root, how,
/// in_place)` makes the call on elements T and says what is wrong with its result.
template <class Communicator, class Run>
void by_all_algorithms(Communicator& comm, tutti::collective what, const counts_list& counts, const Run& run,
                       complaints& heard) {
    for (tutti::rank_type root = 0; root < comm.size(); ++root)
        for (const bool in_place : {false, true}) {
            const auto check = [&](const std::string& how, const std::string& wrong) {
                heard.add(comm.rank(),
                          wrong.empty() ? "" : how + ", root " + std::to_string(root) + ": " + wrong);
            };
            for (const tutti::catalogue_entry& entry : tutti::catalogue_of(what))
                check(std::string(entry.name),
                      run.template operator()<int>(comm, counts, root, tutti::named{entry.name}, in_place));
            check("radix 3",
                  run.template operator()<char>(comm, counts, root, tutti::fnomial{.radix = 3}, in_place));
            check("automatic",
                  run.template operator()<moments>(comm, counts, root, tutti::automatic{}, in_place));
        }
}

template <class Run>
void check_counts_everywhere(tutti::collective what, const counts_list& counts, const Run& run) {
    const auto size = static_cast<tutti::rank_type>(counts.size());
    complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) { by_all_algorithms(comm, what, counts, run, heard); });
    CHECK(heard.all() == "");
    for (const bool rendezvous : {true, false}) {
        complaints over_mock(size);
        tutti::mock::run(size, {.rendezvous = rendezvous, .log = false},
                         [&](auto& comm) { by_all_algorithms(comm, what, counts, run, over_mock); });
        CHECK(over_mock.all() == "");
    }
}

/// Blocks of any lengths, also none.
template <class Run>
void check_any_lengths(tutti::collective what, const Run& run) {
    for (const counts_list& counts : uneven_counts) check_counts_everywhere(what, counts, run);
}

template <class Run>
void check_random_lengths(tutti::collective what, const Run& run) {
    std::mt19937 random(20050901);
    for (const tutti::rank_type size : {2, 4, 6, 9}) {
        counts_list counts; // most of them short or none, some long
        for (tutti::rank_type r = 0; r < size; ++r)
            counts.push_back(static_cast<std::int64_t>(random() % (random() % 4 == 0 ? 3000U : 20U)));
        check_counts_everywhere(what, counts, run);
    }
}

/// Counts that are none; `call(comm, counts)` has two elements for each of three ranks.
template <class Call>
void check_no_counts(const Call& call) {
    const auto refused = [&](const std::string& argument, const std::string& value,
                             const std::string& allowed, const counts_list& counts) {
        check_refused(3, argument, value, allowed, [&](ranks& comm) { call(comm, counts); });
    };
    refused("counts.size()", "2", "3, one count per rank", {2, 2});
    refused("counts.size()", "0", "3, one count per rank", {});
    refused("counts[1]", "-1", "at least 0", {2, -1, 2});
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    refused("counts[2]", "3", "at most 1, because the sum has to fit 64 bits", {2, most - 3, 3});
}

} // namespace support
