// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <tutti/collectives/allgatherv.hpp>
#include <tutti/schedule/named.hpp>

#include "support/all_options.hpp"
#include "support/outcomes.hpp"

/// Blocks of any length through every allgather algorithm, with other options than the defaults, too. The
/// blocks' contents tell rank and position; what lies around the result must stay.
namespace support::allgatherv_trials {

using counts_type = std::vector<std::int64_t>;

inline std::vector<tutti::named> all_allgathers() { return all_options_of(tutti::collective::allgather); }

inline std::int64_t own_element(tutti::rank_type rank, std::int64_t i) {
    return rank * std::int64_t{1000003} + i + 1;
}

/// "" if one allgatherv gave this rank everything, wrote nothing else and left the input alone.
template <class Communicator>
std::string trial(Communicator& comm, const counts_type& counts, const tutti::named& how, bool in_place) {
    constexpr std::int64_t guard = -7;
    constexpr std::size_t guards = 3; // on either side
    std::vector<std::int64_t> expected(guards, guard);
    std::vector<std::int64_t> in;
    std::size_t own_begin = 0;
    for (tutti::rank_type r = 0; r < comm.size(); ++r) {
        if (r == comm.rank()) own_begin = expected.size();
        for (std::int64_t i = 0; i < counts[static_cast<std::size_t>(r)]; ++i) {
            expected.push_back(own_element(r, i));
            if (r == comm.rank()) in.push_back(own_element(r, i));
        }
    }
    expected.resize(expected.size() + guards, guard);
    const std::vector<std::int64_t> before = in;
    std::vector<std::int64_t> out(expected.size(), guard);
    const std::span<std::int64_t> result = std::span(out).subspan(guards, out.size() - 2 * guards);
    if (in_place) {
        std::copy(in.begin(), in.end(), out.begin() + static_cast<std::ptrdiff_t>(own_begin));
        tutti::allgatherv(comm, result, counts, how);
    } else {
        tutti::allgatherv(comm, in, counts, result, how);
    }
    if (in != before) return "the input was written";
    if (out != expected) return "the result is wrong";
    return "";
}

/// Lengths of blocks: random ones with many zeros, all zero, everything at one rank, all alike.
inline std::vector<counts_type> shapes(tutti::rank_type size) {
    std::vector<counts_type> all;
    const auto ranks = static_cast<std::size_t>(size);
    std::mt19937 random(static_cast<unsigned>(size));
    for (int turn = 0; turn < 3; ++turn) {
        counts_type counts;
        for (tutti::rank_type r = 0; r < size; ++r)
            counts.push_back(random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 50));
        all.push_back(counts);
    }
    all.push_back(counts_type(ranks, 0));
    all.push_back(counts_type(ranks, 5));
    for (const std::size_t owner : {std::size_t{0}, ranks / 2, ranks - 1}) {
        counts_type counts(ranks, 0);
        counts[owner] = 40;
        all.push_back(counts);
    }
    counts_type long_ones; // beyond what travels inside a mailbox
    for (tutti::rank_type r = 0; r < size; ++r) long_ones.push_back(r % 3 == 1 ? 0 : 700 + r);
    all.push_back(long_ones);
    return all;
}

template <class Communicator>
void try_shapes(Communicator& comm, const tutti::named& how, complaints& heard) {
    const std::vector<counts_type> lengths = shapes(comm.size());
    for (std::size_t k = 0; k < lengths.size(); ++k)
        for (const bool in_place : {false, true}) {
            const std::string wrong = trial(comm, lengths[k], how, in_place);
            heard.add(comm.rank(), wrong.empty() ? ""
                                                 : std::string(how.name) + ", shape " + std::to_string(k)
                                                       + (in_place ? ", in place: " : ": ") + wrong);
        }
}

} // namespace support::allgatherv_trials
