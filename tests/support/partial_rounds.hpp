// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/partial_allreduce.hpp>

#include "support/late_ranks.hpp"

namespace support {

/// What rank r gives in a round: with a digit of its own, so that sums tell who is in them.
inline std::int64_t given(tutti::rank_type r, int round) {
    return (std::int64_t{1} << (4 * r)) * (1 + round % 3);
}

/// The sum over those that the result says are in it.
template <class Partial>
std::int64_t sum_of_contributors(const Partial& all, tutti::rank_type size, int round) {
    std::int64_t total = 0;
    for (tutti::rank_type r = 0; r < size; ++r)
        if (all.contributed(r)) total += given(r, round);
    return total;
}

/// Many rounds of a partial_allreduce over any transport, everybody late now and then, with other calls
/// between them: what is wrong. `who`: a bit per rank and round, of those that are in the result; the same on
/// all ranks.
template <class Comm>
std::string partial_rounds(Comm& comm, std::size_t count, tutti::partial_kind kind, std::uint32_t seed,
                           int rounds, std::vector<std::uint32_t>& who) {
    const tutti::rank_type me = comm.rank(), size = comm.size();
    std::mt19937 own(seed * 64 + static_cast<std::uint32_t>(me));
    std::string wrong;
    who.clear();
    {
        tutti::partial_allreduce all(comm, count, tutti::sum{}, std::int64_t{0}, kind, seed);
        for (int round = 0; round < rounds; ++round) {
            const tutti::rank_type awaited = all.awaited_rank();
            for (auto looks = own() % 4; looks-- > 0 && !all.test();) {
            }
            const bool comes = awaited == me || me == round % size || own() % 4 != 0;
            const bool in_time = comes && all.contribute(numbers(count, given(me, round)));
            const auto result = all.wait();
            if (all.contributed(me) != in_time) wrong += "it is said to be in, or not; ";
            if (numbers(result.begin(), result.end())
                != numbers(count, sum_of_contributors(all, size, round)))
                wrong += "round " + std::to_string(round) + " is another sum; ";
            if (all.contributors() < 1) wrong += "nobody has come; ";
            if (awaited != tutti::no_rank && !all.contributed(awaited)) wrong += "without the drawn one; ";
            std::uint32_t in = 0;
            for (tutti::rank_type r = 0; r < size; ++r) in |= std::uint32_t{all.contributed(r)} << r;
            who.push_back(in);
            if (round % 5 == 0) tutti::barrier(comm);
        }
    }
    std::vector<std::uint32_t> everyone(who.size() * static_cast<std::size_t>(size));
    tutti::allgather(comm, who, everyone);
    for (std::size_t i = 0; i < everyone.size(); ++i)
        if (everyone[i] != who[i % who.size()]) return wrong + "others have other contributors";
    return wrong;
}

} // namespace support
