// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>

#include <tutti/boost_mpi/communicator.hpp>
#include <tutti/boost_mpi/object_run.hpp>
#include <tutti/boost_mpi/operation.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/per_rank.hpp>

/// Collectives over objects: the schedules that move bytes move objects just as well.
namespace tutti::boost_mpi {

/// What the calls that take objects take as a communicator: ours, or any other over tutti's MPI transport.
using object_communicator = tutti::communicator<mpi::transport>;

namespace detail {

/// A call and its channels. It is made before the arguments are looked at: a rank that refuses its call, and
/// catches that, goes on with the same channels as all others.
struct object_call {
    explicit object_call(object_communicator& group)
        : comm(group), lengths(group.next_channel()), payloads(group.next_channel()) {}

    object_communicator& comm;
    channel_type lengths;
    channel_type payloads;
};

/// Runs collective `what` by `schedule`; if it fails on the way, all ranks are told, and where it was.
template <object T, class Op>
void run_telling(const object_call& call, collective what, const any_generator& schedule, const Op& op,
                 object_memory<T>& data) {
    mpi::transport& wires = call.comm.transport();
    object_run<T, Op> engine(wires, {call.lengths, call.payloads}, schedule, op, data);
    try {
        engine.run();
        wires.close(call.lengths);
        wires.close(call.payloads);
    } catch (const transport_error& e) {
        auto where = engine.where(e.peer());
        where.collective = name_of(what);
        const collective_error failed(std::move(where), e.what());
        wires.announce_failure(failed.what());
        throw failed;
    } catch (...) { // the operation's own, or memory has run out
        wires.announce_failure(tutti::detail::text_of(std::current_exception()));
        throw;
    }
}

/// Collective C by the algorithm `how`. `layout(blocks)` says how the vector is cut. Refuses, before the
/// first message and before it writes anything, a schedule whose claims do not cover the request.
template <collective C, object T, class Op, class Algorithm, class Layout>
void run_objects(const object_call& call, const Algorithm& how, request_facts facts, const Layout& layout,
                 const object_buffers<T>& buffers, const Op& op) {
    facts.at = {call.comm.rank(), call.comm.size(), facts.at.root};
    const auto make = [&](const request_facts& given) { return make_schedule<C>(call.comm, how, given); };
    const any_generator schedule = make(facts);
    const block_layout cut = layout(schedule.blocks());
    const capabilities claims = schedule.claims();
    tutti::detail::check_claims(schedule_source(make, tutti::detail::name_of_algorithm(how)), facts, claims,
                                cut);
    object_memory<T> data(cut, buffers, claims.reads_input);
    run_telling(call, C, schedule, op, data);
}

/// What a choice depends on. An object counts as long as its type is: how long it is when serialised is not
/// the same on all ranks, and they must choose alike.
template <object T>
request_facts facts_of(std::size_t count, bool commutative = true, rank_type root = 0,
                       bool equal_blocks = true) {
    return {.at = {.root = root},
            .bytes = static_cast<std::int64_t>(count * sizeof(T)),
            .commutative = commutative,
            .equal_blocks = equal_blocks};
}

/// A collective whose vector of `count` objects is cut evenly: bcast, and those that fold whole vectors.
template <collective C, object T, class Op, class Algorithm>
void run_whole(const object_call& call, const Algorithm& how, const object_buffers<T>& buffers, const Op& op,
               rank_type root = 0) {
    const std::size_t count = buffers.work.size();
    run_objects<C>(
        call, how, facts_of<T>(count, is_commutative<Op, T> || !folds(C), root),
        [&](block_index blocks) { return block_layout::even(static_cast<std::int64_t>(count), blocks); },
        buffers, op);
}

/// A collective whose vector has a part per rank.
template <collective C, object T, class Op, class Algorithm>
void run_parts(const object_call& call, const Algorithm& how, const tutti::detail::per_rank_counts& counts,
               const object_buffers<T>& buffers, const Op& op, rank_type root = 0) {
    run_objects<C>(
        call, how,
        facts_of<T>(static_cast<std::size_t>(counts.total()), is_commutative<Op, T> || !folds(C), root,
                    counts.equal()),
        [&](block_index blocks) { return counts.layout(blocks); }, buffers, op);
}

} // namespace detail
} // namespace tutti::boost_mpi
