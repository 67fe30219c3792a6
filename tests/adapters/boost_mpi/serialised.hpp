// SPDX-License-Identifier: BSL-1.0
#pragma once

// First: what follows is to find the calls that take objects.
#include <tutti/boost_mpi.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/set.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include "adapters/support/mpi_world.hpp"
#include "support/elements.hpp"

/// Elements that are not bytes alone, and operations on them. All are exact.
namespace support {

/// Longer than any MPI sends without asking.
inline constexpr std::size_t long_length = 70'000;

/// Most are short; some are empty, and some of rank 1's long.
template <>
inline std::string sample<std::string>(std::int64_t rank, std::int64_t i) {
    if (i % 5 == 2) return "";
    if (i % 6 == 4 && rank == 1) return std::string(long_length + static_cast<std::size_t>(i), 'b');
    return std::string(1, static_cast<char>('a' + rank)) + std::to_string(i);
}

/// Keeps the order of ranks, and shows it.
using concatenate = std::plus<>;

using numbers = std::set<std::int64_t>;

template <>
inline numbers sample<numbers>(std::int64_t rank, std::int64_t i) {
    numbers some{rank, 10 + i, 100 + rank + i};
    for (std::int64_t k = 0; k < (rank + i) % 4; ++k) some.insert(1000 * rank + k);
    return some;
}

struct unite {
    numbers operator()(const numbers& a, const numbers& b) const {
        numbers both = a;
        both.insert(b.begin(), b.end());
        return both;
    }
};

/// A user's struct.
struct tally {
    std::map<std::string, std::int64_t> counts;
    std::vector<double> weights;

    friend bool operator==(const tally&, const tally&) = default;

    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& counts& weights;
    }
};

template <>
inline tally sample<tally>(std::int64_t rank, std::int64_t i) {
    return {{{"all", 1}, {"of rank " + std::to_string(rank), i}},
            std::vector<double>(static_cast<std::size_t>(i % 3), 0.5)};
}

struct merge_tallies {
    tally operator()(const tally& a, const tally& b) const {
        tally both = a;
        for (const auto& [name, count] : b.counts) both.counts[name] += count;
        both.weights.resize(std::max(a.weights.size(), b.weights.size()));
        for (std::size_t i = 0; i < b.weights.size(); ++i) both.weights[i] += b.weights[i];
        return both;
    }
};

/// Calls body(communicator&) on the first `size` ranks; all complaints.
template <class Body>
std::string with_boost(tutti::rank_type size, const Body& body) {
    return support::on_ranks(size, [&](MPI_Comm group) -> std::string {
        tutti::boost_mpi::communicator comm{boost::mpi::communicator(group, boost::mpi::comm_attach)};
        return body(comm);
    });
}

} // namespace support

/// As a program that uses Boost.MPI says it.
template <>
struct boost::mpi::is_commutative<support::unite, support::numbers> : boost::mpl::true_ {};
