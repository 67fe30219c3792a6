// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <tutti/tutti.hpp>

/// Collectives in flight, over any transport.
namespace support {

using tutti::rank_type;
using tutti::request;
using numbers = std::vector<std::int64_t>;

/// A collective in flight with its buffers, and what it is to bring.
struct call_in_flight {
    numbers in, out, expected;
    numbers counts, back; ///< of ranks, where they differ
    request under_way;

    std::string trouble(const std::string& name) const { return out == expected ? "" : name + " is wrong; "; }
};

inline numbers counted(std::int64_t first, std::size_t count) {
    numbers v(count);
    std::iota(v.begin(), v.end(), first);
    return v;
}

inline numbers joined(const std::vector<numbers>& parts) {
    numbers all;
    for (const numbers& one : parts) all.insert(all.end(), one.begin(), one.end());
    return all;
}

/// Begins a collective of the given kind; all ranks give the same arguments.
template <class Comm>
std::unique_ptr<call_in_flight> begun(Comm& comm, std::size_t kind, std::size_t count, std::int64_t salt) {
    auto one = std::make_unique<call_in_flight>();
    const rank_type p = comm.size(), me = comm.rank();
    const auto ranks = static_cast<std::size_t>(p);
    const auto root = static_cast<rank_type>(salt % p);
    const auto of = [&](rank_type r, std::size_t n) { return counted(salt + 100 * r, n); };
    const auto length_of = [&](rank_type r) { // where they differ
        return r == 1 ? 0 : static_cast<std::int64_t>(count) + r;
    };
    numbers all_parts;
    for (rank_type r = 0; r < p; ++r) {
        one->counts.push_back(length_of(r));
        const numbers theirs = of(r, static_cast<std::size_t>(length_of(r)));
        all_parts.insert(all_parts.end(), theirs.begin(), theirs.end());
    }
    const numbers own_part = of(me, static_cast<std::size_t>(length_of(me)));
    numbers sum(count), before(count);
    for (rank_type r = 0; r < p; ++r) {
        const numbers theirs = of(r, count);
        for (std::size_t i = 0; i < count; ++i) {
            sum[i] += theirs[i];
            if (r < me) before[i] += theirs[i];
        }
    }
    one->in = of(me, count);
    one->out.assign(count, -1);
    switch (kind) {
    case 0:
        one->expected = sum;
        one->under_way = tutti::iallreduce(comm, one->in, one->out, tutti::sum{});
        break;
    case 1:
        one->out = one->in;
        one->expected = sum;
        one->under_way = tutti::iallreduce(comm, one->out, tutti::sum{}, tutti::ring{});
        break;
    case 2:
        one->expected = me == root ? sum : one->out;
        one->under_way = tutti::ireduce(comm, one->in, one->out, tutti::sum{}, root);
        break;
    case 3:
        one->out = one->in;
        one->expected = of(root, count);
        one->under_way = tutti::ibcast(comm, one->out, root);
        break;
    case 4:
        one->expected = me == 0 ? one->out : before;
        one->under_way = tutti::iexscan(comm, one->in, one->out, tutti::sum{});
        break;
    case 5: {
        std::vector<numbers> parts;
        for (rank_type r = 0; r < p; ++r) parts.push_back(of(r, count));
        one->expected = joined(parts);
        one->out.assign(count * ranks, -1);
        one->under_way = tutti::iallgather(comm, one->in, one->out);
        break;
    }
    case 6: {
        one->in = counted(salt + 1000 * me, count * ranks);
        one->out.assign(count * ranks, -1);
        std::vector<numbers> parts;
        for (rank_type r = 0; r < p; ++r)
            parts.push_back(counted(salt + 1000 * r + me * static_cast<std::int64_t>(count), count));
        one->expected = joined(parts);
        one->under_way = tutti::ialltoall(comm, one->in, one->out);
        break;
    }
    case 7:
        one->in = counted(salt, count * ranks);
        one->expected = counted(salt + me * static_cast<std::int64_t>(count), count);
        for (std::int64_t& x : one->expected) x *= p;
        one->under_way = tutti::ireduce_scatter(comm, one->in, one->out, tutti::sum{});
        break;
    case 8: {
        std::vector<numbers> parts;
        for (rank_type r = 0; r < p; ++r) parts.push_back(of(r, count));
        one->out.assign(me == root ? count * ranks : 0, -1);
        if (me == root) one->expected = joined(parts);
        one->under_way = tutti::igather(comm, one->in, one->out, root);
        break;
    }
    case 9:
        one->in = me == root ? counted(salt, count * ranks) : numbers{};
        one->expected = counted(salt + me * static_cast<std::int64_t>(count), count);
        one->under_way = tutti::iscatter(comm, one->in, one->out, root);
        break;
    case 10:
        one->expected = before;
        for (std::size_t i = 0; i < count; ++i) one->expected[i] += one->in[i];
        one->under_way = tutti::iscan(comm, one->in, one->out, tutti::sum{});
        break;
    case 11:
        one->in = own_part;
        one->out.assign(me == root ? all_parts.size() : 0, -1);
        if (me == root) one->expected = all_parts;
        one->under_way = tutti::igatherv(comm, one->in, one->counts, one->out, root);
        break;
    case 12:
        one->in = me == root ? all_parts : numbers{};
        one->out.assign(own_part.size(), -1);
        one->expected = own_part;
        one->under_way = tutti::iscatterv(comm, one->in, one->counts, one->out, root);
        break;
    case 13:
        one->in = own_part;
        one->out.assign(all_parts.size(), -1);
        one->expected = all_parts;
        one->under_way = tutti::iallgatherv(comm, one->in, one->counts, one->out);
        break;
    case 14: { // to each rank as many as it has in the others
        one->in = all_parts;
        one->back.assign(ranks, length_of(me));
        std::vector<numbers> parts(ranks, own_part);
        one->expected = joined(parts);
        one->out.assign(one->expected.size(), -1);
        one->under_way = tutti::ialltoallv(comm, one->in, one->counts, one->out, one->back);
        break;
    }
    case 15: { // of all to all: in what is meant for others may be anything
        std::vector<rank_type> everybody(ranks);
        std::iota(everybody.begin(), everybody.end(), rank_type{0});
        one->in = own_part;
        one->out.assign(all_parts.size(), -1);
        one->expected = all_parts;
        one->under_way =
            tutti::imulticast(comm, one->in, one->counts, one->out,
                              tutti::relation{p, std::vector<std::vector<rank_type>>(ranks, everybody)});
        break;
    }
    default:
        one->expected = one->out;
        one->under_way = tutti::ibarrier(comm);
        break;
    }
    return one;
}
inline constexpr std::size_t kinds_in_flight = 17;

/// Begins up to eight at a time, with blocking calls in between, and ends them in an order of this rank's
/// own.
template <class Comm>
std::string many_at_once(Comm& comm, int calls, unsigned seed) {
    std::mt19937 shared(seed); // the same on all ranks
    std::mt19937 own(seed * 31 + static_cast<unsigned>(comm.rank()) + 1);
    std::vector<std::unique_ptr<call_in_flight>> open;
    std::string text;
    const auto end_one = [&] {
        const std::size_t which = own() % open.size();
        call_in_flight& one = *open[which];
        if (own() % 2 == 0)
            while (!one.under_way.test()) {
            }
        else
            one.under_way.wait();
        text += one.trouble("one that was begun");
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
    };
    for (int i = 0; i < calls; ++i) {
        const std::size_t kind = shared() % kinds_in_flight;
        const std::size_t count = std::vector<std::size_t>{1, 3, 70, 700}[shared() % 4];
        open.push_back(begun(comm, kind, count, static_cast<std::int64_t>(shared() % 50)));
        if (shared() % 5 == 0) {
            numbers one{1};
            tutti::allreduce(comm, one, tutti::sum{});
            if (one != numbers{comm.size()}) text += "a blocking call is wrong; ";
        }
        while (open.size() >= 8 || (!open.empty() && own() % 3 == 0)) end_one();
    }
    while (!open.empty()) end_one();
    return text;
}

/// Of three ranks: wait_any tells of each once, wait_some of all that are over, wait_all ends all.
template <class Comm>
std::string waits_for_several(Comm& comm) {
    std::vector<numbers> data(5, numbers{1});
    std::vector<request> all;
    const auto begin = [&] {
        all.clear();
        for (numbers& one : data) {
            one = {1};
            all.push_back(tutti::iallreduce(comm, one, tutti::sum{}));
        }
    };
    std::string text;
    begin();
    std::vector<int> told(5);
    for (std::size_t which = tutti::wait_any(all); which < all.size(); which = tutti::wait_any(all)) {
        ++told[which];
        if (data[which] != numbers{3}) text += "told too early; ";
    }
    if (told != std::vector<int>(5, 1)) text += "not each once; ";
    begin();
    std::size_t ended = 0;
    for (std::vector<std::size_t> which = tutti::wait_some(all); !which.empty();
         which = tutti::wait_some(all))
        ended += which.size();
    if (ended != 5) text += "wait_some has told of " + std::to_string(ended) + "; ";
    begin();
    tutti::wait_all(all);
    for (const request& one : all) text += one.over() ? "" : "not over; ";
    request a = tutti::ibarrier(comm), b = tutti::iallreduce(comm, data[0], tutti::sum{});
    tutti::wait_all(a, b);
    if (!a.over() || !b.over() || data[0] != numbers{9}) text += "two by name; ";
    return text;
}

} // namespace support
