// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/allgatherv.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/alltoall.hpp>
#include <tutti/collectives/alltoallv.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/gather.hpp>
#include <tutti/collectives/gatherv.hpp>
#include <tutti/collectives/multicast.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/reduce_scatter.hpp>
#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_processes.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/collectives/scan.hpp>
#include <tutti/collectives/scatter.hpp>
#include <tutti/collectives/scatterv.hpp>

#include "running.hpp"
#include "slate.hpp"

/// How running.hpp is done, for any type of elements; included by the file of each.
namespace program {

/// The algorithm of a candidate. That there is a `generate` for it makes it an algorithm for every call; the
/// library's own `tutti::named` looks the name up, this one has it at hand.
struct chosen_algorithm {
    const candidate& what;
    const tutti::any_generator* made =
        nullptr; ///< the schedule of the rank at hand, where it is there already

    tutti::any_generator make(tutti::place at) const { return made != nullptr ? *made : what.make(at); }
};

template <tutti::collective C>
tutti::any_generator generate(tutti::collective_constant<C>, const chosen_algorithm& how, tutti::place at) {
    return how.make(at);
}
inline tutti::any_generator generate(tutti::collective_constant<tutti::collective::multicast>,
                                     const chosen_algorithm& how, const tutti::relation&, tutti::place at) {
    return how.make(at);
}

/// What the rank does: made before it is timed, since the program's own makers of schedules take longer than
/// some runs.
template <class Communicator>
tutti::any_generator own_schedule(Communicator& comm, const run_case& one) {
    return one.what.make({.rank = comm.rank(), .size = one.size, .root = one.root});
}

/// From now on a rank has the time of its case again. Waiting ranks give up by themselves, and say for whom
/// they have waited; a process that does not wait for anybody can only be killed.
template <class Communicator>
void restart_clock(Communicator& comm, const run_case& one) {
    if (one.over == ranks_are::mock) return;
    comm.set_deadline(one.deadline);
    if (one.over == ranks_are::processes) ::alarm(2 * one.deadline);
}

/// Runs body(communicator&, c) for cases c = 0, 1, ... of one size, in turn on the same ranks: to start them
/// takes longer than most cases. They write to heard[c] what is wrong with it, what each returns, and that
/// the call has refused its arguments, which it does on all of them. Behind a case that goes wrong the ranks
/// are not what they should be: those behind it get new ones.
template <class Body>
void run_ranks(std::span<const run_case> cases, const std::deque<slate>& heard, const Body& body) {
    const tutti::rank_type size = cases.empty() ? 0 : cases.front().size;
    for (std::size_t next = 0; next < cases.size(); ++next) {
        const auto rank = [&](auto& comm) {
            for (std::size_t c = next; c < cases.size(); ++c) {
                restart_clock(comm, cases[c]);
                try {
                    const std::string wrong = body(comm, c);
                    if (!wrong.empty())
                        return heard[c].complain("rank " + std::to_string(comm.rank()) + ": " + wrong, false);
                } catch (const tutti::argument_error& e) {
                    heard[c].complain(e.what(), true);
                }
                heard[c].leave();
                tutti::barrier(comm); // whatever fails now, all ranks have left the cases before it
            }
        };
        std::string why = "not all ranks have come to its end";
        try {
            switch (cases.front().over) {
            case ranks_are::threads: tutti::threads::run(size, rank); break;
            case ranks_are::processes: tutti::processes::run(size, rank); break;
            case ranks_are::mock: tutti::mock::run(size, {}, rank); break;
            }
        } catch (const std::exception& e) {
            why = e.what(); // if it is a consequence: a rank that complains leaves the others alone
        }
        while (next < cases.size() && heard[next].departures() == size) ++next;
        if (next < cases.size()) heard[next].complain(why, false);
    }
}

/// Microseconds that `call` takes on this rank, from a barrier on.
template <class Communicator, class F>
double time_once(Communicator& comm, const run_case& one, F&& call) {
    using clock = std::chrono::steady_clock;
    restart_clock(comm, one);
    tutti::barrier(comm);
    const auto begin = clock::now();
    call();
    return std::chrono::duration<double, std::micro>(clock::now() - begin).count();
}

/// Times `call` on every rank, as often as the case says, and writes the times down.
template <class Communicator, class F>
void time_call(Communicator& comm, const run_case& one, const slate& times, F&& call) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(one.repeat); ++k)
        times.numbers()[k * static_cast<std::size_t>(one.size) + static_cast<std::size_t>(comm.rank())] =
            time_once(comm, one, call);
}

/// Room for the times of a case.
inline std::size_t times_of(const run_case& one) {
    return static_cast<std::size_t>(one.size) * static_cast<std::size_t>(one.repeat);
}
inline std::deque<slate> slates_of(std::span<const run_case> cases) {
    std::deque<slate> made;
    for (const run_case& one : cases) made.emplace_back(times_of(one));
    return made;
}

/// The time of the slowest rank in each repetition.
inline std::vector<double> slowest_ranks(const run_case& one, std::span<const double> times) {
    std::vector<double> slowest;
    for (; !times.empty(); times = times.subspan(static_cast<std::size_t>(one.size)))
        slowest.push_back(*std::max_element(times.begin(), times.begin() + one.size));
    return slowest;
}
inline double median_time(const run_case& one, const slate& times) {
    std::vector<double> slowest = slowest_ranks(one, times.numbers());
    if (slowest.empty()) return -1;
    const auto middle = slowest.begin() + static_cast<std::ptrdiff_t>(slowest.size() / 2);
    std::nth_element(slowest.begin(), middle, slowest.end());
    return *middle;
}

/// Sample is a callable (rank, i) -> T, with values small enough that all folds are exact.
template <class T, class Op, class Sample>
class case_runner final : public element_type {
    static_assert(std::is_trivially_copyable_v<T>);
    using vector = std::vector<T>;

public:
    case_runner(Op op, Sample sample) : op_(std::move(op)), sample_(std::move(sample)) {}

    std::size_t bytes_per_element() const override { return sizeof(T); }

    void prepare(tutti::rank_type size, std::int64_t elements) override {
        size_ = size;
        elements_ = elements;
        block_ = (elements + size - 1) / size;
        const std::int64_t most = std::max(elements, block_ * size);
        inputs_.clear();
        folded_.clear();
        for (tutti::rank_type r = 0; r < size; ++r) {
            vector& mine = inputs_.emplace_back();
            mine.reserve(static_cast<std::size_t>(most));
            for (std::int64_t i = 0; i < most; ++i) mine.push_back(sample_(r, i));
            folded_.push_back(mine); // of ranks 0..r
            for (std::size_t i = 0; r > 0 && i < mine.size(); ++i)
                folded_.back()[i] = op_(folded_[static_cast<std::size_t>(r) - 1][i], mine[i]);
        }
    }

    std::vector<run_result> run(std::span<const run_case> cases) override {
        const std::deque<slate> heard = slates_of(cases);
        run_ranks(cases, heard, [&](auto& comm, std::size_t c) -> std::string {
            const run_case& one = cases[c];
            const cut usual = usual_cut(one.what.entry->what);
            if (std::string wrong = check(comm, one, usual); !wrong.empty()) return wrong;
            const tutti::any_generator made = own_schedule(comm, one);
            if (takes_rising_cut(one.what.entry->what, made)) {
                restart_clock(comm, one);
                if (std::string wrong = check(comm, one, rising_cut()); !wrong.empty())
                    return "blocks of different lengths: " + wrong;
            }
            auto [in, out] = buffers(one.what.entry->what, comm.rank(), usual);
            time_call(comm, one, heard[c],
                      [&, &from = in, &to = out] { call(comm, one, usual, from, to, &made); });
            return "";
        });
        std::vector<run_result> results;
        for (std::size_t c = 0; c < cases.size(); ++c) results.push_back(result_of(cases[c], heard[c]));
        return results;
    }

    std::vector<std::vector<double>> time(std::span<const run_case> cases) override {
        const run_case& any = cases.front();
        std::deque<slate> slates;
        const slate& heard = slates.emplace_back(times_of(any) * cases.size());
        run_ranks(cases.first(1), slates, [&](auto& comm, std::size_t) -> std::string {
            const cut usual = usual_cut(any.what.entry->what);
            auto [in, out] = buffers(any.what.entry->what, comm.rank(), usual);
            std::vector<tutti::any_generator> made;
            for (const run_case& one : cases) made.push_back(own_schedule(comm, one));
            const auto once = [&, &from = in, &to = out](std::size_t c, std::size_t k) {
                const auto ranks = static_cast<std::size_t>(any.size);
                heard.numbers()[c * times_of(any) + k * ranks + static_cast<std::size_t>(comm.rank())] =
                    time_once(comm, any, [&] { call(comm, cases[c], usual, from, to, &made[c]); });
            };
            for (std::size_t c = 0; c < cases.size(); ++c) once(c, 0); // warm: written again below
            for (std::size_t k = 0; k < static_cast<std::size_t>(any.repeat); ++k)
                for (std::size_t c = 0; c < cases.size(); ++c) once(c, k);
            return "";
        });
        if (!heard.complaint().empty()) throw std::runtime_error(heard.complaint());
        std::vector<std::vector<double>> slowest;
        for (std::size_t c = 0; c < cases.size(); ++c)
            slowest.push_back(slowest_ranks(any, heard.numbers().subspan(c * times_of(any), times_of(any))));
        return slowest;
    }

private:
    /// How a vector is cut into a block for each rank; in an alltoall what rank 0 sends to each.
    struct cut {
        std::vector<std::int64_t> counts;
        bool equal = false; ///< by the calls that take no counts

        std::int64_t of(tutti::rank_type rank) const { return counts[static_cast<std::size_t>(rank)]; }
        std::int64_t before(tutti::rank_type rank) const {
            return std::accumulate(counts.begin(), counts.begin() + rank, std::int64_t{0});
        }
        std::int64_t all() const { return before(static_cast<tutti::rank_type>(counts.size())); }
        /// In an alltoall what `rank` sends to each, and gets from each: of 5, rank 3 block 2 to and from
        /// rank 4.
        cut of_pairs(tutti::rank_type rank) const {
            cut turned = *this;
            std::rotate(turned.counts.begin(), turned.counts.begin() + rank, turned.counts.end());
            return turned;
        }
    };
    /// `ends(r)` is where the block of rank r ends.
    template <class Ends>
    cut cut_at(const Ends& ends, bool equal) const {
        cut made{.counts = {}, .equal = equal};
        for (tutti::rank_type r = 0; r < size_; ++r)
            made.counts.push_back(ends(r) - (r > 0 ? ends(r - 1) : 0));
        return made;
    }
    /// Equal blocks; those of reduce_scatter and multicast may differ: the first ones are one longer.
    cut usual_cut(tutti::collective what) const {
        if (what != tutti::collective::reduce_scatter && what != tutti::collective::multicast)
            return cut_at([this](std::int64_t r) { return block_ * (r + 1); }, true);
        return cut_at(
            [this](std::int64_t r) {
                return elements_ / size_ * (r + 1) + std::min<std::int64_t>(r + 1, elements_ % size_);
            },
            elements_ % size_ == 0);
    }
    /// Nothing for rank 0, if there are others, and ever more for those behind it.
    cut rising_cut() const {
        return cut_at(
            [this](std::int64_t r) {
                return r + 1 == size_ ? elements_ : elements_ * r * (r + 1) / size_ / (size_ - 1);
            },
            false);
    }
    /// An alltoallv has ways of its own for what moves blocks to where others were.
    static bool takes_rising_cut(tutti::collective what, const tutti::any_generator& made) {
        return tutti::has_parts(what) && (what == tutti::collective::alltoall || !made.claims().moves_blocks);
    }

    run_result result_of(const run_case& one, const slate& heard) const {
        const tutti::collective what = one.what.entry->what;
        run_result result;
        result.elements = tutti::has_parts(what) ? usual_cut(what).all() : elements_;
        result.bytes = result.elements * static_cast<std::int64_t>(sizeof(T));
        if (heard.refused() && must_be_refused(one)) {
            result.refused = true;
            return result;
        }
        result.wrong = heard.complaint();
        if (result.wrong.empty() && must_be_refused(one))
            result.wrong =
                "it does not keep the order of ranks, but was not refused for an operation that is "
                "not commutative";
        if (result.wrong.empty()) result.time_us = median_time(one, heard);
        return result;
    }

    bool must_be_refused(const run_case& one) const {
        if (tutti::is_commutative<Op, T> || !tutti::folds(one.what.entry->what)) return false;
        return !one.what.make({0, one.size, one.root}).claims().order_preserving;
    }

    std::span<const T> input(tutti::rank_type rank, std::int64_t count) const {
        return std::span(inputs_[static_cast<std::size_t>(rank)]).first(static_cast<std::size_t>(count));
    }
    std::span<const T> folded(tutti::rank_type last, std::int64_t count) const {
        return std::span(folded_[static_cast<std::size_t>(last)]).first(static_cast<std::size_t>(count));
    }
    /// The part of a rank in a vector that is cut so.
    static std::span<const T> block_of(tutti::rank_type rank, const cut& by, std::span<const T> all) {
        return all.subspan(static_cast<std::size_t>(by.before(rank)), static_cast<std::size_t>(by.of(rank)));
    }

    static vector junk(std::int64_t count) {
        vector v(static_cast<std::size_t>(count));
        if (count > 0) std::memset(static_cast<void*>(v.data()), 0xA5, v.size() * sizeof(T));
        return v;
    }
    static vector copy(std::span<const T> from) { return {from.begin(), from.end()}; }

    /// Input and, filled with junk, output for a call with both apart.
    std::pair<vector, vector> buffers(tutti::collective what, tutti::rank_type rank, const cut& by) const {
        switch (what) {
        case tutti::collective::allgather:
        case tutti::collective::gather:
        case tutti::collective::multicast: return {copy(input(rank, by.of(rank))), junk(by.all())};
        case tutti::collective::scatter:
        case tutti::collective::reduce_scatter: return {copy(input(rank, by.all())), junk(by.of(rank))};
        case tutti::collective::alltoall: return {copy(input(rank, by.all())), junk(by.all())};
        default: return {copy(input(rank, elements_)), junk(elements_)};
        }
    }

    template <class Communicator>
    void call(Communicator& comm, const run_case& one, const cut& by, const vector& in, vector& out,
              const tutti::any_generator* made = nullptr) {
        const chosen_algorithm how{one.what, made};
        const std::span<const std::int64_t> counts = by.counts;
        switch (one.what.entry->what) {
        case tutti::collective::barrier: break; // has no elements: run_barrier
        case tutti::collective::multicast: tutti::multicast(comm, in, counts, out, *one.who, how); break;
        case tutti::collective::bcast: tutti::bcast(comm, out, one.root, how); break;
        case tutti::collective::reduce: tutti::reduce(comm, in, out, op_, one.root, how); break;
        case tutti::collective::allreduce: tutti::allreduce(comm, in, out, op_, how); break;
        case tutti::collective::reduce_scatter: tutti::reduce_scatter(comm, in, out, counts, op_, how); break;
        case tutti::collective::allgather:
            by.equal ? tutti::allgather(comm, in, out, how) : tutti::allgatherv(comm, in, counts, out, how);
            break;
        case tutti::collective::gather:
            by.equal ? tutti::gather(comm, in, out, one.root, how)
                     : tutti::gatherv(comm, in, counts, out, one.root, how);
            break;
        case tutti::collective::scatter:
            by.equal ? tutti::scatter(comm, in, out, one.root, how)
                     : tutti::scatterv(comm, in, counts, out, one.root, how);
            break;
        case tutti::collective::alltoall:
            if (by.equal) {
                tutti::alltoall(comm, in, out, how);
            } else {
                const cut pairs = by.of_pairs(comm.rank());
                tutti::alltoallv(comm, in, pairs.counts, out, pairs.counts, how);
            }
            break;
        case tutti::collective::exscan: tutti::exscan(comm, in, out, op_, how); break;
        case tutti::collective::scan: tutti::scan(comm, in, out, op_, how); break;
        }
    }

    template <class Communicator>
    void call_in_place(Communicator& comm, const run_case& one, const cut& by, vector& inout) {
        const chosen_algorithm how{one.what};
        const std::span<const std::int64_t> counts = by.counts;
        switch (one.what.entry->what) {
        case tutti::collective::barrier: break;
        case tutti::collective::multicast: tutti::multicast(comm, inout, counts, *one.who, how); break;
        case tutti::collective::bcast: tutti::bcast(comm, inout, one.root, how); break;
        case tutti::collective::reduce: tutti::reduce(comm, inout, op_, one.root, how); break;
        case tutti::collective::allreduce: tutti::allreduce(comm, inout, op_, how); break;
        case tutti::collective::reduce_scatter:
            by.equal ? tutti::reduce_scatter(comm, inout, op_, how)
                     : tutti::reduce_scatter(comm, inout, counts, op_, how);
            break;
        case tutti::collective::allgather:
            by.equal ? tutti::allgather(comm, inout, how) : tutti::allgatherv(comm, inout, counts, how);
            break;
        case tutti::collective::gather:
            by.equal ? tutti::gather(comm, inout, one.root, how)
                     : tutti::gatherv(comm, inout, counts, one.root, how);
            break;
        case tutti::collective::scatter:
            by.equal ? tutti::scatter(comm, inout, one.root, how)
                     : tutti::scatterv(comm, inout, counts, one.root, how);
            break;
        case tutti::collective::alltoall:
            by.equal ? tutti::alltoall(comm, inout, how)
                     : tutti::alltoallv(comm, inout, by.of_pairs(comm.rank()).counts, how);
            break;
        case tutti::collective::exscan: tutti::exscan(comm, inout, op_, how); break;
        case tutti::collective::scan: tutti::scan(comm, inout, op_, how); break;
        }
    }

    /// What `out` must hold after the call, where it may hold anything what it does; `before` it held that.
    vector expected(const run_case& one, const cut& by, tutti::rank_type rank, const vector& before,
                    const vector& out) const {
        switch (one.what.entry->what) {
        case tutti::collective::barrier: return out;
        case tutti::collective::multicast: {
            vector result = out;
            for (tutti::rank_type r = 0; r < size_; ++r) {
                if (r != rank && !one.who->wants(rank, r)) continue;
                const auto block = input(r, by.of(r));
                std::copy(block.begin(), block.end(), result.begin() + by.before(r));
            }
            return result;
        }
        case tutti::collective::bcast: return copy(input(one.root, elements_));
        case tutti::collective::reduce: // elsewhere than on the root nothing may be written
            return rank == one.root ? copy(folded(size_ - 1, elements_)) : before;
        case tutti::collective::allreduce: return copy(folded(size_ - 1, elements_));
        case tutti::collective::reduce_scatter: return copy(block_of(rank, by, folded(size_ - 1, by.all())));
        case tutti::collective::gather: // nor may it be of a gather
            if (rank != one.root) return before;
            [[fallthrough]];
        case tutti::collective::allgather: {
            vector result;
            for (tutti::rank_type r = 0; r < size_; ++r) {
                const auto block = input(r, by.of(r));
                result.insert(result.end(), block.begin(), block.end());
            }
            return result;
        }
        case tutti::collective::scatter: return copy(block_of(rank, by, input(one.root, by.all())));
        case tutti::collective::alltoall: {
            vector result;
            for (tutti::rank_type r = 0; r < size_; ++r) {
                const auto block = block_of(rank, by.of_pairs(r), input(r, by.all()));
                result.insert(result.end(), block.begin(), block.end());
            }
            return result;
        }
        case tutti::collective::scan: return copy(folded(rank, elements_));
        case tutti::collective::exscan: return rank > 0 ? copy(folded(rank - 1, elements_)) : before;
        }
        return out;
    }

    static std::string difference(std::span<const T> is, std::span<const T> should) {
        if (is.empty() || std::memcmp(is.data(), should.data(), is.size_bytes()) == 0) return "";
        std::size_t i = 0;
        while (std::memcmp(&is[i], &should[i], sizeof(T)) == 0) ++i;
        return "element " + std::to_string(i) + " is wrong";
    }

    /// Runs the case once apart and once in place and compares; "" if all is well.
    template <class Communicator>
    std::string check(Communicator& comm, const run_case& one, const cut& by) {
        if (std::string wrong = check_apart(comm, one, by); !wrong.empty()) return wrong;
        std::string wrong = check_in_place(comm, one, by);
        return wrong.empty() ? wrong : "in place: " + wrong;
    }

    template <class Communicator>
    std::string check_apart(Communicator& comm, const run_case& one, const cut& by) {
        const tutti::rank_type rank = comm.rank();
        auto [in, out] = buffers(one.what.entry->what, rank, by);
        const vector before = in;
        if (one.what.entry->what == tutti::collective::bcast && rank == one.root) out = in;
        const vector at_first = out;
        call(comm, one, by, in, out);
        if (!difference(in, before).empty()) return "the input was written";
        return difference(out, expected(one, by, rank, at_first, out));
    }

    template <class Communicator>
    std::string check_in_place(Communicator& comm, const run_case& one, const cut& by) {
        const tutti::collective what = one.what.entry->what;
        const tutti::rank_type rank = comm.rank();
        switch (what) {
        case tutti::collective::allgather:
        case tutti::collective::multicast: { // the own block lies where it belongs
            vector inout = junk(by.all());
            const auto own = input(rank, by.of(rank));
            std::copy(own.begin(), own.end(), inout.begin() + by.before(rank));
            call_in_place(comm, one, by, inout);
            return difference(inout, expected(one, by, rank, {}, inout));
        }
        case tutti::collective::gather: { // on the root likewise; others have nothing but theirs
            const vector own = copy(input(rank, by.of(rank)));
            vector inout = rank == one.root ? junk(by.all()) : own;
            if (rank == one.root) std::copy(own.begin(), own.end(), inout.begin() + by.before(rank));
            call_in_place(comm, one, by, inout);
            return difference(inout, expected(one, by, rank, own, inout));
        }
        case tutti::collective::scatter: { // the root keeps all as it is
            const vector all = copy(input(rank, by.all()));
            vector inout = rank == one.root ? all : junk(by.of(rank));
            call_in_place(comm, one, by, inout);
            return difference(inout, rank == one.root ? all : expected(one, by, rank, {}, inout));
        }
        case tutti::collective::reduce_scatter: { // the own block of the result, and scratch
            vector inout = copy(input(rank, by.all()));
            call_in_place(comm, one, by, inout);
            return difference(block_of(rank, by, inout), expected(one, by, rank, {}, {}));
        }
        default: {
            vector inout = copy(input(rank, what == tutti::collective::alltoall ? by.all() : elements_));
            const vector before = inout;
            call_in_place(comm, one, by, inout);
            return difference(inout, expected(one, by, rank, before, inout));
        }
        }
    }

    Op op_;
    Sample sample_;
    tutti::rank_type size_ = 1;
    std::int64_t elements_ = 0;
    std::int64_t block_ = 0;     // elements of each rank's share, rounded up
    std::vector<vector> inputs_; // of each rank
    std::vector<vector> folded_; // of ranks 0..r
};

template <class T, class Op, class Sample>
std::unique_ptr<element_type> make_runner(Op op, Sample sample) {
    return std::make_unique<case_runner<T, Op, Sample>>(std::move(op), std::move(sample));
}

/// Different numbers below 2^16 for neighbouring ranks and elements.
inline std::uint32_t scrambled(std::int64_t rank, std::int64_t i) {
    const auto x =
        static_cast<std::uint32_t>(rank) * 2654435761U + static_cast<std::uint32_t>(i) * 2246822519U;
    return (x ^ x >> 15U) * 3266489917U >> 16U;
}

} // namespace program
