// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/allgatherv.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/alltoall.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/gather.hpp>
#include <tutti/collectives/gatherv.hpp>
#include <tutti/collectives/multicast.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/reduce_scatter.hpp>
#include <tutti/collectives/scan.hpp>
#include <tutti/collectives/scatter.hpp>
#include <tutti/collectives/scatterv.hpp>
#include <tutti/schedule/named.hpp>

#include "support/elements.hpp"

/// Runs every collective with real data and compares with what a serial program computes.
namespace support {

template <class... F>
struct overloaded : F... {
    using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

/// "" if `found` has `count` elements, of which element i is due(i).
template <class T, class Due>
std::string compare(const std::vector<T>& found, std::int64_t count, const Due& due) {
    if (found.size() != static_cast<std::size_t>(count)) return "the result has a wrong size";
    for (std::int64_t i = 0; i < count; ++i)
        if (!(found[static_cast<std::size_t>(i)] == due(i)))
            return "element " + std::to_string(i) + " of the result is wrong";
    return "";
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SUPPORT_FRESH_MEMORY_IS_DEAR 1
#endif
#endif

/// An empty vector, for its thread's next call: one without memory, so that its own will be of the length
/// that is asked for and AddressSanitizer sees what is read or written beyond. To ThreadSanitizer fresh
/// memory costs more than all that the tests of transports do: there it is the last call's.
template <class T, int Which>
std::vector<T>& vector_of_call() {
    thread_local std::vector<T> kept;
#ifdef SUPPORT_FRESH_MEMORY_IS_DEAR
    kept.clear();
#else
    kept = std::vector<T>{};
#endif
    return kept;
}

/// "" if the collective, run by the algorithm `how`, gave the right result on this rank, and left its input
/// as it was; else a sentence. `count` is the number of elements of the whole vector where all of it is
/// folded, and of a block where there is one per rank.
template <class T, class Communicator, class Op, class Algorithm>
std::string run_and_check(Communicator& comm, tutti::collective what, std::int64_t count,
                          tutti::rank_type root, const Op& op, const Algorithm& how, bool in_place) {
    using tutti::collective;
    const std::int64_t p = comm.size();
    const std::int64_t rank = comm.rank();
    const bool is_whole = what == collective::reduce_scatter || what == collective::alltoall
                          || (what == collective::scatter && rank == root);
    std::vector<T>& in = vector_of_call<T, 0>();
    std::vector<T>& out = vector_of_call<T, 1>();
    std::string wrong;
    fill(in, is_whole ? count * p : count, rank);

    const auto result = [&](std::int64_t size) { out.assign(static_cast<std::size_t>(size), T{}); };
    const auto part = [&](const std::vector<T>& whole) {
        return std::span(whole).subspan(static_cast<std::size_t>(rank * count),
                                        static_cast<std::size_t>(count));
    };
    const auto own = [&](std::int64_t i) { return sample<T>(rank, i); };
    const auto of_root = [&](std::int64_t i) { return sample<T>(root, i); };
    const auto of_all = [&](std::int64_t i) { return sample<T>(i / count, i % count); };
    const auto none = [](std::int64_t) { return T{}; };
    /// The ranks first .. last-1.
    const auto folded = [&](std::int64_t first, std::int64_t last) {
        return [&all = serial_fold<T>(first, last, count, op)](std::int64_t i) {
            return all[static_cast<std::size_t>(i)];
        };
    };

    switch (what) {
    case collective::barrier: tutti::barrier(comm, how); break;
    case collective::multicast: return "a multicast needs a relation: run_multicast";
    case collective::bcast:
        result(count);
        if (rank == root) out = in;
        tutti::bcast(comm, out, root, how);
        wrong = compare(out, count, of_root);
        break;
    case collective::reduce:
        if (in_place) {
            out = in;
            tutti::reduce(comm, out, op, root, how);
        } else {
            result(count);
            tutti::reduce(comm, in, out, op, root, how);
        }
        wrong = rank == root ? compare(out, count, folded(0, p))
                : in_place   ? compare(out, count, own)
                             : compare(out, count, none);
        break;
    case collective::allreduce:
        if (in_place) {
            out = in;
            tutti::allreduce(comm, out, op, how);
        } else {
            result(count);
            tutti::allreduce(comm, in, out, op, how);
        }
        wrong = compare(out, count, folded(0, p));
        break;
    case collective::reduce_scatter: {
        if (in_place) {
            out = in;
            tutti::reduce_scatter(comm, out, op, how);
        } else {
            result(count);
            tutti::reduce_scatter(comm, in, out, op, how);
        }
        if (!in_place && out.size() != static_cast<std::size_t>(count)) return "the result has a wrong size";
        const auto due = part(serial_fold<T>(0, p, count * p, op));
        const auto found = in_place ? part(out) : std::span<const T>(out);
        if (!std::equal(found.begin(), found.end(), due.begin())) wrong = "the part is wrong";
        break;
    }
    case collective::allgather:
        result(count * p);
        if (in_place) {
            std::copy(in.begin(), in.end(), out.begin() + rank * count);
            tutti::allgather(comm, out, how);
        } else {
            tutti::allgather(comm, in, out, how);
        }
        wrong = compare(out, count * p, of_all);
        break;
    case collective::gather:
        result(rank == root ? count * p : count);
        if (!in_place) {
            tutti::gather(comm, in, out, root, how);
        } else if (rank == root) {
            std::copy(in.begin(), in.end(), out.begin() + rank * count);
            tutti::gather(comm, out, root, how);
        } else {
            tutti::gather(comm, in, root, how);
        }
        wrong = rank == root ? compare(out, count * p, of_all) : compare(out, count, none);
        break;
    case collective::scatter: {
        const auto due = [&](std::int64_t i) { return sample<T>(root, rank * count + i); };
        if (in_place && rank == root) {
            tutti::scatter(comm, in, root, how);
            break;
        }
        result(count);
        if (in_place)
            tutti::scatter(comm, out, root, how);
        else
            tutti::scatter(comm, in, out, root, how);
        wrong = compare(out, count, due);
        break;
    }
    case collective::alltoall:
        if (in_place) {
            out = in;
            tutti::alltoall(comm, out, how);
        } else {
            result(count * p);
            tutti::alltoall(comm, in, out, how);
        }
        wrong = compare(out, count * p,
                        [&](std::int64_t i) { return sample<T>(i / count, rank * count + i % count); });
        break;
    case collective::exscan:
        if (in_place) {
            out = in;
            tutti::exscan(comm, out, op, how);
        } else {
            result(count);
            tutti::exscan(comm, in, out, op, how);
        }
        wrong = rank > 0   ? compare(out, count, folded(0, rank))
                : in_place ? compare(out, count, own)
                           : compare(out, count, none);
        break;
    case collective::scan:
        if (in_place) {
            out = in;
            tutti::scan(comm, out, op, how);
        } else {
            result(count);
            tutti::scan(comm, in, out, op, how);
        }
        wrong = compare(out, count, folded(0, rank + 1));
        break;
    }
    if (!compare(in, static_cast<std::int64_t>(in.size()), own).empty()) return "the input was written";
    return wrong;
}

/// "" if `call(in, out)`, or `call(out)` in place, brought the messages that are due, counts[r] elements of
/// rank r, and left its input as it was. `due(r)` says whether rank r's is.
template <class T, class Call, class Due>
std::string run_gathering(tutti::rank_type rank, const std::vector<std::int64_t>& counts, bool in_place,
                          const Call& call, const Due& due) {
    std::vector<std::ptrdiff_t> begins{0};
    for (const std::int64_t count : counts)
        begins.push_back(begins.back() + static_cast<std::ptrdiff_t>(count));
    const std::vector<T> before = samples<T>(rank, counts[static_cast<std::size_t>(rank)]);
    std::vector<T> in = before;
    std::vector<T> out(static_cast<std::size_t>(begins.back()));
    if (in_place) {
        std::copy(in.begin(), in.end(), out.begin() + begins[static_cast<std::size_t>(rank)]);
        call(out);
    } else {
        call(in, out);
    }
    if (in != before) return "the input was written";
    for (std::size_t r = 0; r < counts.size(); ++r) {
        const std::vector<T> message = samples<T>(static_cast<std::int64_t>(r), counts[r]);
        if (due(static_cast<tutti::rank_type>(r))
            && !std::equal(message.begin(), message.end(), out.begin() + begins[r]))
            return "the message of rank " + std::to_string(r) + " is wrong";
    }
    return "";
}

template <class T, class Communicator, class Algorithm>
std::string run_allgatherv(Communicator& comm, const std::vector<std::int64_t>& counts, const Algorithm& how,
                           bool in_place) {
    return run_gathering<T>(
        comm.rank(), counts, in_place,
        overloaded{[&](auto& inout) { tutti::allgatherv(comm, inout, counts, how); },
                   [&](auto& in, auto& out) { tutti::allgatherv(comm, in, counts, out, how); }},
        [](tutti::rank_type) { return true; });
}

template <class T, class Communicator, class Algorithm>
std::string run_gatherv(Communicator& comm, const std::vector<std::int64_t>& counts, tutti::rank_type root,
                        const Algorithm& how, bool in_place) {
    if (comm.rank() == root)
        return run_gathering<T>(
            root, counts, in_place,
            overloaded{[&](auto& inout) { tutti::gatherv(comm, inout, counts, root, how); },
                       [&](auto& in, auto& out) { tutti::gatherv(comm, in, counts, out, root, how); }},
            [](tutti::rank_type) { return true; });
    const std::vector<T> before = samples<T>(comm.rank(), counts[static_cast<std::size_t>(comm.rank())]);
    std::vector<T> own = before;
    std::vector<T> none;
    if (in_place)
        tutti::gatherv(comm, own, counts, root, how);
    else
        tutti::gatherv(comm, own, counts, none, root, how);
    return own == before ? "" : "the input was written";
}

template <class T, class Communicator, class Algorithm>
std::string run_scatterv(Communicator& comm, const std::vector<std::int64_t>& counts, tutti::rank_type root,
                         const Algorithm& how, bool in_place) {
    std::int64_t total = 0;
    std::ptrdiff_t begin = 0; // of this rank's part
    for (std::size_t r = 0; r < counts.size(); ++r) {
        total += counts[r];
        if (r < static_cast<std::size_t>(comm.rank())) begin += static_cast<std::ptrdiff_t>(counts[r]);
    }
    const auto own = static_cast<std::ptrdiff_t>(counts[static_cast<std::size_t>(comm.rank())]);
    const std::vector<T> whole = samples<T>(root, total);
    const std::vector<T> part(whole.begin() + begin, whole.begin() + begin + own);
    std::vector<T> in = comm.rank() == root ? whole : std::vector<T>{};
    std::vector<T> out(part.size());
    if (!in_place)
        tutti::scatterv(comm, in, counts, out, root, how);
    else
        tutti::scatterv(comm, comm.rank() == root ? in : out, counts, root, how);
    if (comm.rank() == root && in != whole) return "the input was written";
    if (in_place && comm.rank() == root) return "";
    return out == part ? "" : "the part is wrong";
}

/// counts[r] elements of the fold for rank r.
template <class T, class Communicator, class Op, class Algorithm>
std::string run_reduce_scatter(Communicator& comm, const std::vector<std::int64_t>& counts, const Op& op,
                               const Algorithm& how, bool in_place = false) {
    const auto me = static_cast<std::ptrdiff_t>(comm.rank());
    const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    const std::int64_t before = std::accumulate(counts.begin(), counts.begin() + me, std::int64_t{0});
    const std::int64_t own = counts[static_cast<std::size_t>(me)];
    std::vector<T> in = samples<T>(comm.rank(), total);
    std::vector<T> out(static_cast<std::size_t>(own));
    if (in_place) {
        tutti::reduce_scatter(comm, in, counts, op, how);
        out.assign(in.begin() + before, in.begin() + before + own);
    } else {
        tutti::reduce_scatter(comm, in, out, counts, op, how);
        if (in != samples<T>(comm.rank(), total)) return "the input was written";
    }
    const std::vector<T>& all = serial_fold<T>(0, comm.size(), total, op);
    return compare(out, own, [&](std::int64_t i) { return all[static_cast<std::size_t>(before + i)]; });
}

template <class T, class Communicator, class Algorithm>
std::string run_multicast(Communicator& comm, const std::vector<std::int64_t>& counts,
                          const tutti::relation& who, const Algorithm& how, bool in_place) {
    return run_gathering<T>(
        comm.rank(), counts, in_place,
        overloaded{[&](auto& inout) { tutti::multicast(comm, inout, counts, who, how); },
                   [&](auto& in, auto& out) { tutti::multicast(comm, in, counts, out, who, how); }},
        [&](tutti::rank_type r) { return r == comm.rank() || who.wants(comm.rank(), r); });
}

} // namespace support
