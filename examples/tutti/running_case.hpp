// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/alltoall.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/gather.hpp>
#include <tutti/collectives/multicast.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/reduce_scatter.hpp>
#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_processes.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/collectives/scan.hpp>
#include <tutti/collectives/scatter.hpp>

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
            if (std::string wrong = check(comm, one, false); !wrong.empty()) return wrong;
            if (std::string wrong = check(comm, one, true); !wrong.empty()) return "in place: " + wrong;
            auto [in, out] = buffers(one.what.entry->what, comm.rank());
            const tutti::any_generator made = own_schedule(comm, one);
            time_call(comm, one, heard[c], [&, &from = in, &to = out] { call(comm, one, from, to, &made); });
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
            auto [in, out] = buffers(any.what.entry->what, comm.rank());
            std::vector<tutti::any_generator> made;
            for (const run_case& one : cases) made.push_back(own_schedule(comm, one));
            const auto once = [&, &from = in, &to = out](std::size_t c, std::size_t k) {
                const auto ranks = static_cast<std::size_t>(any.size);
                heard.numbers()[c * times_of(any) + k * ranks + static_cast<std::size_t>(comm.rank())] =
                    time_once(comm, any, [&] { call(comm, cases[c], from, to, &made[c]); });
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
    run_result result_of(const run_case& one, const slate& heard) const {
        const tutti::collective what = one.what.entry->what;
        const bool by_blocks = tutti::has_parts(what) && what != tutti::collective::reduce_scatter
                               && what != tutti::collective::multicast;
        run_result result;
        result.elements = by_blocks ? block_ * size_ : elements_;
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
    /// The part of a rank in a vector of equal ones.
    std::span<const T> block_of(tutti::rank_type rank, std::span<const T> all) const {
        return all.subspan(static_cast<std::size_t>(block_ * rank), static_cast<std::size_t>(block_));
    }
    /// Blocks of reduce_scatter and multicast may differ in length: the first ones are one longer.
    std::int64_t count_of(tutti::rank_type rank) const {
        return elements_ / size_ + (rank < elements_ % size_ ? 1 : 0);
    }
    std::int64_t offset_of(tutti::rank_type rank) const {
        return elements_ / size_ * rank + std::min<std::int64_t>(rank, elements_ % size_);
    }

    std::vector<std::int64_t> counts() const {
        std::vector<std::int64_t> all;
        for (tutti::rank_type r = 0; r < size_; ++r) all.push_back(count_of(r));
        return all;
    }

    static vector junk(std::int64_t count) {
        vector v(static_cast<std::size_t>(count));
        if (count > 0) std::memset(static_cast<void*>(v.data()), 0xA5, v.size() * sizeof(T));
        return v;
    }
    static vector copy(std::span<const T> from) { return {from.begin(), from.end()}; }

    /// Input and, filled with junk, output for a call with both apart.
    std::pair<vector, vector> buffers(tutti::collective what, tutti::rank_type rank) const {
        const std::int64_t all = block_ * size_;
        switch (what) {
        case tutti::collective::allgather:
        case tutti::collective::gather: return {copy(input(rank, block_)), junk(all)};
        case tutti::collective::scatter: return {copy(input(rank, all)), junk(block_)};
        case tutti::collective::alltoall: return {copy(input(rank, all)), junk(all)};
        case tutti::collective::reduce_scatter: return {copy(input(rank, elements_)), junk(count_of(rank))};
        case tutti::collective::multicast: return {copy(input(rank, count_of(rank))), junk(elements_)};
        default: return {copy(input(rank, elements_)), junk(elements_)};
        }
    }

    template <class Communicator>
    void call(Communicator& comm, const run_case& one, const vector& in, vector& out,
              const tutti::any_generator* made = nullptr) {
        const chosen_algorithm how{one.what, made};
        switch (one.what.entry->what) {
        case tutti::collective::barrier: break; // has no elements: run_barrier
        case tutti::collective::multicast: tutti::multicast(comm, in, counts(), out, *one.who, how); break;
        case tutti::collective::bcast: tutti::bcast(comm, out, one.root, how); break;
        case tutti::collective::reduce: tutti::reduce(comm, in, out, op_, one.root, how); break;
        case tutti::collective::allreduce: tutti::allreduce(comm, in, out, op_, how); break;
        case tutti::collective::reduce_scatter:
            tutti::reduce_scatter(comm, in, out, counts(), op_, how);
            break;
        case tutti::collective::allgather: tutti::allgather(comm, in, out, how); break;
        case tutti::collective::gather: tutti::gather(comm, in, out, one.root, how); break;
        case tutti::collective::scatter: tutti::scatter(comm, in, out, one.root, how); break;
        case tutti::collective::alltoall: tutti::alltoall(comm, in, out, how); break;
        case tutti::collective::exscan: tutti::exscan(comm, in, out, op_, how); break;
        case tutti::collective::scan: tutti::scan(comm, in, out, op_, how); break;
        }
    }

    template <class Communicator>
    void call_in_place(Communicator& comm, const run_case& one, vector& inout) {
        const chosen_algorithm how{one.what};
        switch (one.what.entry->what) {
        case tutti::collective::barrier: break;
        case tutti::collective::multicast: tutti::multicast(comm, inout, counts(), *one.who, how); break;
        case tutti::collective::bcast: tutti::bcast(comm, inout, one.root, how); break;
        case tutti::collective::reduce: tutti::reduce(comm, inout, op_, one.root, how); break;
        case tutti::collective::allreduce: tutti::allreduce(comm, inout, op_, how); break;
        case tutti::collective::reduce_scatter: tutti::reduce_scatter(comm, inout, op_, how); break;
        case tutti::collective::allgather: tutti::allgather(comm, inout, how); break;
        case tutti::collective::gather: tutti::gather(comm, inout, one.root, how); break;
        case tutti::collective::scatter: tutti::scatter(comm, inout, one.root, how); break;
        case tutti::collective::alltoall: tutti::alltoall(comm, inout, how); break;
        case tutti::collective::exscan: tutti::exscan(comm, inout, op_, how); break;
        case tutti::collective::scan: tutti::scan(comm, inout, op_, how); break;
        }
    }

    /// What `out` must hold after the call, where it may hold anything what it does; `before` it held that.
    vector expected(const run_case& one, tutti::rank_type rank, const vector& before,
                    const vector& out) const {
        const std::int64_t all = block_ * size_;
        switch (one.what.entry->what) {
        case tutti::collective::barrier: return out;
        case tutti::collective::multicast: {
            vector result = out;
            for (tutti::rank_type r = 0; r < size_; ++r) {
                if (r != rank && !one.who->wants(rank, r)) continue;
                const auto block = input(r, count_of(r));
                std::copy(block.begin(), block.end(), result.begin() + offset_of(r));
            }
            return result;
        }
        case tutti::collective::bcast: return copy(input(one.root, elements_));
        case tutti::collective::reduce: // elsewhere than on the root nothing may be written
            return rank == one.root ? copy(folded(size_ - 1, elements_)) : before;
        case tutti::collective::allreduce: return copy(folded(size_ - 1, elements_));
        case tutti::collective::reduce_scatter:
            return copy(folded(size_ - 1, elements_)
                            .subspan(static_cast<std::size_t>(offset_of(rank)),
                                     static_cast<std::size_t>(count_of(rank))));
        case tutti::collective::gather: // nor may it be of a gather
            if (rank != one.root) return before;
            [[fallthrough]];
        case tutti::collective::allgather: {
            vector result;
            for (tutti::rank_type r = 0; r < size_; ++r) {
                const auto block = input(r, block_);
                result.insert(result.end(), block.begin(), block.end());
            }
            return result;
        }
        case tutti::collective::scatter: return copy(block_of(rank, input(one.root, all)));
        case tutti::collective::alltoall: {
            vector result;
            for (tutti::rank_type r = 0; r < size_; ++r) {
                const auto block = block_of(rank, input(r, all));
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

    /// Runs the case once and compares; "" if all is well.
    template <class Communicator>
    std::string check(Communicator& comm, const run_case& one, bool in_place) {
        const tutti::collective what = one.what.entry->what;
        const tutti::rank_type rank = comm.rank();
        if (!in_place) {
            auto [in, out] = buffers(what, rank);
            const vector before = in;
            if (what == tutti::collective::bcast && rank == one.root) out = in;
            const vector at_first = out;
            call(comm, one, in, out);
            if (!difference(in, before).empty()) return "the input was written";
            return difference(out, expected(one, rank, at_first, out));
        }
        switch (what) {
        case tutti::collective::allgather: { // the own block lies where it belongs
            vector inout = junk(block_ * size_);
            const auto own = input(rank, block_);
            std::copy(own.begin(), own.end(), inout.begin() + block_ * rank);
            call_in_place(comm, one, inout);
            return difference(inout, expected(one, rank, {}, inout));
        }
        case tutti::collective::multicast: { // likewise
            vector inout = junk(elements_);
            const auto own = input(rank, count_of(rank));
            std::copy(own.begin(), own.end(), inout.begin() + offset_of(rank));
            call_in_place(comm, one, inout);
            return difference(inout, expected(one, rank, {}, inout));
        }
        case tutti::collective::gather: { // on the root likewise; others have nothing but theirs
            const vector own = copy(input(rank, block_));
            vector inout = rank == one.root ? junk(block_ * size_) : own;
            if (rank == one.root) std::copy(own.begin(), own.end(), inout.begin() + block_ * rank);
            call_in_place(comm, one, inout);
            return difference(inout, expected(one, rank, own, inout));
        }
        case tutti::collective::scatter: { // the root keeps all as it is
            const vector all = copy(input(rank, block_ * size_));
            vector inout = rank == one.root ? all : junk(block_);
            call_in_place(comm, one, inout);
            return difference(inout, rank == one.root ? all : expected(one, rank, {}, inout));
        }
        case tutti::collective::reduce_scatter: { // in place the blocks are equal
            vector inout = copy(input(rank, block_ * size_));
            call_in_place(comm, one, inout);
            return difference(block_of(rank, inout), block_of(rank, folded(size_ - 1, block_ * size_)));
        }
        default: {
            vector inout =
                copy(input(rank, what == tutti::collective::alltoall ? block_ * size_ : elements_));
            const vector before = inout;
            call_in_place(comm, one, inout);
            return difference(inout, expected(one, rank, before, inout));
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
