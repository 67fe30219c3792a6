// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <exception>
#include <thread>

#include <tutti/core/compiled.hpp>
#include <tutti/core/fixed_array.hpp>
#include <tutti/transport/failure.hpp>
#include <tutti/transport/rank_body.hpp>
#include <tutti/transport/threads_world.hpp>

namespace tutti::detail {

[[gnu::cold]] void run_each_rank(threads::world& group, const rank_body& body); // itself, once

#if TUTTI_BODIES
TUTTI_BODY void run_each_rank(threads::world& group, const rank_body& body) {
    first_failure failure;
    core_claims claims;
    auto run = [&](rank_type rank) {
        begin_apart(claims, rank, group.size());
        try {
            threads::transport wires(group, rank);
            body(wires);
        } catch (...) {
            const std::exception_ptr what = std::current_exception();
            failure.note(what, group.struck(rank));
            group.fail(rank, sentence({"rank ", rank, " left with an exception: ", text_of(what)}), true);
        }
        attendance::run_due(); // this thread may outlive the group, and its list is not to
        group.leave(rank);
    };

    group.begin();
    const fixed_array<std::thread> threads(static_cast<std::size_t>(group.size())); // of rank 0: none
    rank_type next = 1;
    try {
        for (; next < group.size(); ++next) threads[static_cast<std::size_t>(next)] = std::thread(run, next);
        run(0);
    } catch (...) { // a thread could not be started; run() itself throws nothing
        failure.note(std::current_exception(), false);
        group.fail(next, sentence({"the thread of rank ", next, " could not be started"}));
        for (; next < group.size(); ++next) group.leave(next);
        group.leave(0);
    }
    for (rank_type r = 1; r < group.size(); ++r)
        if (std::thread& t = threads[static_cast<std::size_t>(r)]; t.joinable()) t.join();
    failure.rethrow();
}
#endif

} // namespace tutti::detail

namespace tutti::threads {

/// Runs f(transport&) once for every rank of `group`, each in a thread of its own; rank 0 in the calling one.
/// Returns when all have returned. No two begin on one core while another is without a rank; none is bound to
/// its core. If one leaves with an exception the others do not wait for it for ever, and the exception that
/// came first is rethrown here: the cause, not its consequences.
template <class F>
void for_each_rank(world& group, F&& f) {
    detail::run_each_rank(group, detail::rank_body(f));
}

/// for_each_rank on a world of its own.
template <class F>
void run_transports(rank_type size, F&& f) {
    world group(size);
    for_each_rank(group, f);
}

} // namespace tutti::threads
