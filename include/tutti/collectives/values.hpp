// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/allgatherv.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/alltoall.hpp>
#include <tutti/collectives/alltoallv.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/gather.hpp>
#include <tutti/collectives/gatherv.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/reduce_scatter.hpp>
#include <tutti/collectives/scan.hpp>
#include <tutti/collectives/scatter.hpp>
#include <tutti/collectives/scatterv.hpp>

/// Values in, values out, beside the calls that take spans: one element of any kind goes in as it is, results
/// come back, and vectors are made as long as they have to be.
///
///     const double total = tutti::allreduce(comm, mine, tutti::sum{});
///     const std::vector<int> all = tutti::allgather(comm, 7 * comm.rank());
///     const auto words = tutti::allgatherv(comm, my_words);   // words.values, words.counts, words.of(rank)
///     const auto joined = tutti::allgather_values(comm, three);   // vectors of equal length, one vector
///
/// Every call is the one of the same name on spans, with its errors and its cost; who calls often keeps the
/// memory of results by the calls on spans, or, where only the ranks together know how much comes, by a
/// result that is given and filled anew. `_values` are calls on vectors of equal length: without it, a call
/// of one vector is the one in place.
namespace tutti {

/// One element that travels by itself: no range, and no pointer, whose target would not travel.
template <class T>
concept single_value = element<T> && !readable<const T> && !std::is_pointer_v<T>;

/// Elements to read of which a vector can be made. (That of bool has no elements to receive into.)
template <class R>
concept readable_values = readable<R> && !std::same_as<detail::element_of<R>, bool>;

/// What several ranks have sent, in the order of ranks, blocks of any length.
template <element T>
    requires(!std::same_as<T, bool>) // whose vector has no elements to receive into
struct gathered {
    std::vector<T> values;            ///< one rank's behind the other's
    std::vector<std::int64_t> counts; ///< how many are each rank's

    /// What rank r sent.  Example with 5 ranks and counts 1,0,2,0,1: of(2) is values 1 and 2.
    std::span<const T> of(rank_type r) const {
        const auto before = counts.begin() + r;
        std::int64_t begin = 0;
        for (auto c = counts.begin(); c != before; ++c) begin += *c;
        return std::span(values).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(*before));
    }
};

namespace detail {
/// As a range of one.
template <class T>
std::span<T, 1> alone(T& value) noexcept {
    return std::span<T, 1>(&value, 1);
}

/// As long as counts tell; throws argument_error if the sum cannot be told.
template <class T>
void make_room(gathered<T>& all, rank_type size) {
    all.values.resize(static_cast<std::size_t>(per_rank_counts(all.counts, size).total()));
}

template <class In>
std::size_t length_of(const In& in) noexcept {
    return std::span(in).size();
}

/// How many elements each rank has, by an allgather.
template <class Transport, class In>
void ask_counts(communicator<Transport>& comm, const In& in, std::vector<std::int64_t>& counts) {
    const auto mine = static_cast<std::int64_t>(length_of(in));
    counts.resize(static_cast<std::size_t>(comm.size()));
    allgather(comm, alone(mine), counts);
}

/// Whether there is one part per rank, and its values.
template <class T>
bool is_whole(const gathered<T>& parts, rank_type size) {
    if (parts.counts.size() != static_cast<std::size_t>(size)) return false;
    std::size_t left = parts.values.size();
    for (const std::int64_t c : parts.counts) {
        if (c < 0 || static_cast<std::size_t>(c) > left) return false;
        left -= static_cast<std::size_t>(c);
    }
    return left == 0;
}

/// The counts to tell others of: of parts that are not whole negative ones, which everybody refuses, so that
/// nobody waits for them.
template <class T>
std::vector<std::int64_t> told_counts(const gathered<T>& parts, rank_type size) {
    return is_whole(parts, size) ? parts.counts
                                 : std::vector<std::int64_t>(static_cast<std::size_t>(size), -1);
}

/// Whether the parts here are whole, and those of whom the counts have been heard.
template <class T>
bool all_whole(const gathered<T>& parts, const std::vector<std::int64_t>& heard, rank_type size) {
    return is_whole(parts, size)
           && std::all_of(heard.begin(), heard.end(), [](std::int64_t count) { return count >= 0; });
}

/// The exchange itself, once `all` has its counts. Who has a slip, or has heard of one, is refused by the
/// call, which lets the others know.
template <class Transport, class T, class Algorithm>
void exchange_parts(communicator<Transport>& comm, const gathered<T>& parts, gathered<T>& all,
                    const Algorithm& how) {
    const std::vector<std::int64_t>& received = is_whole(parts, comm.size()) ? all.counts : parts.counts;
    alltoallv(comm, parts.values, parts.counts, all.values, received, how);
}

/// The same where parts go through other ranks, which say how long they are on their way.
template <class Transport, class T, class Algorithm>
void relay_parts(communicator<Transport>& comm, const gathered<T>& parts, gathered<T>& all,
                 const Algorithm& how) {
    const relayed_parts came = relay(comm, [&] {
        relayed_parts mine(comm.here(), generate(of<collective::alltoall>, how, comm.here()),
                           element_shape::of<T>());
        if (is_whole(parts, comm.size())) mine.put({parts.counts, comm.size()}, input_of(parts.values).data);
        return mine;
    });
    all.counts = came.counts();
    if (!all_whole(parts, all.counts, comm.size())) return exchange_parts(comm, parts, all, pairwise{});
    make_room(all, comm.size());
    came.take(output_of(all.values).data);
}
} // namespace detail

/// The fold of all ranks' values, on every rank.
template <class Transport, single_value T, operation<T> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
[[nodiscard]] T allreduce(communicator<Transport>& comm, const T& mine, Op op, const Algorithm& how = {}) {
    T result = mine;
    allreduce(comm, detail::alone(result), std::move(op), how);
    return result;
}

/// The fold of all ranks' values on `root`, nothing elsewhere.
template <class Transport, single_value T, operation<T> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
[[nodiscard]] std::optional<T> reduce(communicator<Transport>& comm, const T& mine, Op op, rank_type root = 0,
                                      const Algorithm& how = {}) {
    T result = mine;
    reduce(comm, detail::alone(result), std::move(op), root, how);
    return comm.rank() == root ? std::optional<T>(result) : std::nullopt;
}

/// The fold of the values of all ranks below this one; nothing on rank 0.
template <class Transport, single_value T, operation<T> Op,
          algorithm_for<collective::exscan> Algorithm = automatic>
[[nodiscard]] std::optional<T> exscan(communicator<Transport>& comm, const T& mine, Op op,
                                      const Algorithm& how = {}) {
    T result = mine;
    exscan(comm, detail::alone(result), std::move(op), how);
    return comm.rank() > 0 ? std::optional<T>(result) : std::nullopt;
}

/// The fold of the values of this rank and all below it.
template <class Transport, single_value T, operation<T> Op,
          algorithm_for<collective::scan> Algorithm = automatic>
[[nodiscard]] T scan(communicator<Transport>& comm, const T& mine, Op op, const Algorithm& how = {}) {
    T result = mine;
    scan(comm, detail::alone(result), std::move(op), how);
    return result;
}

/// The root's value, on every rank.
template <class Transport, single_value T, algorithm_for<collective::bcast> Algorithm = automatic>
[[nodiscard]] T bcast(communicator<Transport>& comm, const T& mine, rank_type root = 0,
                      const Algorithm& how = {}) {
    T result = mine;
    bcast(comm, detail::alone(result), root, how);
    return result;
}

/// All ranks' values, in the order of ranks.
template <class Transport, single_value T, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!std::same_as<T, bool>)
[[nodiscard]] std::vector<T> allgather(communicator<Transport>& comm, const T& mine,
                                       const Algorithm& how = {}) {
    std::vector<T> all(static_cast<std::size_t>(comm.size()));
    allgather(comm, detail::alone(mine), all, how);
    return all;
}

/// All ranks' values on `root`, in the order of ranks; elsewhere none.
template <class Transport, single_value T, algorithm_for<collective::gather> Algorithm = automatic>
    requires(!std::same_as<T, bool>)
[[nodiscard]] std::vector<T> gather(communicator<Transport>& comm, const T& mine, rank_type root = 0,
                                    const Algorithm& how = {}) {
    std::vector<T> all(comm.rank() == root ? static_cast<std::size_t>(comm.size()) : 0);
    gather(comm, detail::alone(mine), all, root, how);
    return all;
}

/// All ranks' elements, of which every rank may have as many as it likes: how many is asked for first, by an
/// allgather. `all` is filled anew and keeps its memory.
template <class Transport, readable_values In, algorithm_for<collective::allgather> Algorithm = automatic>
void allgatherv(communicator<Transport>& comm, const In& in, gathered<detail::element_of<In>>& all,
                const Algorithm& how = {}) {
    detail::ask_counts(comm, in, all.counts);
    detail::make_room(all, comm.size());
    allgatherv(comm, in, all.counts, all.values, how);
}

/// The same, made here.
template <class Transport, readable_values In, algorithm_for<collective::allgather> Algorithm = automatic>
[[nodiscard]] gathered<detail::element_of<In>> allgatherv(communicator<Transport>& comm, const In& in,
                                                          const Algorithm& how = {}) {
    gathered<detail::element_of<In>> all;
    allgatherv(comm, in, all, how);
    return all;
}

/// All ranks' elements on `root`; elsewhere `.values` becomes empty, and `.counts` is the same on all. How
/// many each rank has is asked for first, by an allgather. `all` is filled anew and keeps its memory.
template <class Transport, readable_values In, algorithm_for<collective::gather> Algorithm = automatic>
void gatherv(communicator<Transport>& comm, const In& in, gathered<detail::element_of<In>>& all,
             rank_type root = 0, const Algorithm& how = {}) {
    detail::ask_counts(comm, in, all.counts);
    all.values.clear();
    if (comm.rank() == root) detail::make_room(all, comm.size());
    gatherv(comm, in, all.counts, all.values, root, how);
}

/// The same, made here.
template <class Transport, readable_values In, algorithm_for<collective::gather> Algorithm = automatic>
[[nodiscard]] gathered<detail::element_of<In>> gatherv(communicator<Transport>& comm, const In& in,
                                                       rank_type root = 0, const Algorithm& how = {}) {
    gathered<detail::element_of<In>> all;
    gatherv(comm, in, all, root, how);
    return all;
}

/// To every rank its part of what the root has, of any length; on other ranks `parts` is ignored. How many
/// each rank gets is told first, by a broadcast. `mine` is filled anew and keeps its memory.
template <class Transport, element T, algorithm_for<collective::scatter> Algorithm = automatic>
void scatterv(communicator<Transport>& comm, const gathered<T>& parts, std::vector<T>& mine,
              rank_type root = 0, const Algorithm& how = {}) {
    const bool is_root = comm.rank() == root;
    std::vector<std::int64_t> counts =
        detail::told_counts(parts, comm.size()); // the others' are written over
    bcast(comm, counts, root);
    if (is_root) counts = parts.counts; // whose own error says what is wrong
    const detail::per_rank_counts all(counts, comm.size(),
                                      is_root ? "parts.counts" : "the root's parts.counts");
    if (is_root) detail::check_whole("parts.values", parts.values.size(), all);
    mine.resize(static_cast<std::size_t>(all.of(comm.rank())));
    scatterv(comm, parts.values, counts, mine, root, how);
}

/// The same, made here.
template <class Transport, element T, algorithm_for<collective::scatter> Algorithm = automatic>
[[nodiscard]] std::vector<T> scatterv(communicator<Transport>& comm, const gathered<T>& parts,
                                      rank_type root = 0, const Algorithm& how = {}) {
    std::vector<T> mine;
    scatterv(comm, parts, mine, root, how);
    return mine;
}

/// To every rank r what is parts.of(r) here, of any length; what they have for this one comes back, in the
/// order of ranks. How many each gets is told first, by an alltoall, unless parts go through other ranks,
/// as short ones may with bruck{}. `all` is another object than `parts`, is filled anew and keeps its memory.
template <class Transport, element T, algorithm_for<collective::alltoall> Algorithm = automatic>
void alltoallv(communicator<Transport>& comm, const gathered<T>& parts, gathered<T>& all,
               const Algorithm& how = {}) {
    if constexpr (!std::same_as<Algorithm, automatic>)
        if (detail::relays(how, comm.here())) return detail::relay_parts(comm, parts, all, how);
    all.values.clear();
    all.counts.resize(static_cast<std::size_t>(comm.size()));
    alltoall(comm, detail::told_counts(parts, comm.size()), all.counts);
    if (detail::all_whole(parts, all.counts, comm.size())) detail::make_room(all, comm.size());
    detail::exchange_parts(comm, parts, all, how);
}

/// The same, made here.
template <class Transport, element T, algorithm_for<collective::alltoall> Algorithm = automatic>
[[nodiscard]] gathered<T> alltoallv(communicator<Transport>& comm, const gathered<T>& parts,
                                    const Algorithm& how = {}) {
    gathered<T> all;
    alltoallv(comm, parts, all, how);
    return all;
}

/// All ranks' elements, of which every rank has as many, in the order of ranks. Where they may have
/// different numbers there is allgatherv.
template <class Transport, readable_values In, algorithm_for<collective::allgather> Algorithm = automatic>
[[nodiscard]] std::vector<detail::element_of<In>> allgather_values(communicator<Transport>& comm,
                                                                   const In& in, const Algorithm& how = {}) {
    std::vector<detail::element_of<In>> all(detail::length_of(in) * static_cast<std::size_t>(comm.size()));
    allgather(comm, in, all, how);
    return all;
}

/// All ranks' elements, of which every rank has as many, on `root`, in the order of ranks; elsewhere none.
template <class Transport, readable_values In, algorithm_for<collective::gather> Algorithm = automatic>
[[nodiscard]] std::vector<detail::element_of<In>>
gather_values(communicator<Transport>& comm, const In& in, rank_type root = 0, const Algorithm& how = {}) {
    std::vector<detail::element_of<In>> all;
    if (comm.rank() == root) all.resize(detail::length_of(in) * static_cast<std::size_t>(comm.size()));
    gather(comm, in, all, root, how);
    return all;
}

/// To every rank its block of what the root has, which is size() equal blocks; on other ranks `in` is ignored
/// and may be empty. How long the blocks are is told first, by a broadcast: all ranks throw argument_error if
/// they cannot be equal. `mine` is another object than `in`, is filled anew and keeps its memory.
template <class Transport, readable_values In, algorithm_for<collective::scatter> Algorithm = automatic>
void scatter_values(communicator<Transport>& comm, const In& in, std::vector<detail::element_of<In>>& mine,
                    rank_type root = 0, const Algorithm& how = {}) {
    auto length = static_cast<std::int64_t>(detail::length_of(in));
    bcast(comm, detail::alone(length), root);
    const detail::per_rank_counts blocks = detail::equal_parts(comm.rank() == root ? "in" : "the root's in",
                                                               static_cast<std::size_t>(length), comm.size());
    mine.resize(static_cast<std::size_t>(blocks.of(comm.rank())));
    scatter(comm, in, mine, root, how);
}

/// The same, made here.
template <class Transport, readable_values In, algorithm_for<collective::scatter> Algorithm = automatic>
[[nodiscard]] std::vector<detail::element_of<In>>
scatter_values(communicator<Transport>& comm, const In& in, rank_type root = 0, const Algorithm& how = {}) {
    std::vector<detail::element_of<In>> mine;
    scatter_values(comm, in, mine, root, how);
    return mine;
}

/// To every rank r the r-th of the size() equal blocks here, as long on all ranks; what they have for this
/// one comes back, in the order of ranks.
template <class Transport, readable_values In, algorithm_for<collective::alltoall> Algorithm = automatic>
[[nodiscard]] std::vector<detail::element_of<In>> alltoall_values(communicator<Transport>& comm, const In& in,
                                                                  const Algorithm& how = {}) {
    std::vector<detail::element_of<In>> all(detail::length_of(in));
    alltoall(comm, in, all, how);
    return all;
}

/// Of the fold of all ranks' vectors, element by element, this rank's of size() equal blocks.
template <class Transport, readable_values In, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
[[nodiscard]] std::vector<detail::element_of<In>>
reduce_scatter_values(communicator<Transport>& comm, const In& in, Op op, const Algorithm& how = {}) {
    std::vector<detail::element_of<In>> mine(detail::length_of(in) / static_cast<std::size_t>(comm.size()));
    reduce_scatter(comm, in, mine, std::move(op), how);
    return mine;
}

} // namespace tutti
