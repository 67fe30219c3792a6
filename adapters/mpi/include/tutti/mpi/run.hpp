// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include <tutti/execute/communicator.hpp>
#include <tutti/mpi/transport.hpp>
#include <tutti/transport/failure.hpp>

namespace tutti::mpi {

namespace detail {
/// MPI from here to the end of the scope, unless the program has begun it itself.
class running_mpi {
public:
    running_mpi(int& argc, char**& argv) {
        int begun = 0;
        MPI_Initialized(&begun);
        is_ours_ = begun == 0;
        if (is_ours_) check(MPI_Init(&argc, &argv), "MPI_Init");
    }
    running_mpi(const running_mpi&) = delete;
    running_mpi& operator=(const running_mpi&) = delete;
    ~running_mpi() {
        if (is_ours_) MPI_Finalize();
    }

private:
    bool is_ours_ = false;
};
} // namespace detail

/// Runs body(communicator&) on all ranks that the launcher has started, and returns what main() should: 0, or
/// 1 if a rank has left with an exception. MPI_Init and MPI_Finalize are called unless the program has.
///
/// A rank that fails writes why to stderr; the others, if they wait for it, get a collective_error that says
/// so. If some of them do not come to their end within some seconds, MPI_Abort ends the program.
///
///     int main(int argc, char** argv) {
///         return tutti::mpi::run(argc, argv, [](auto& comm) { tutti::barrier(comm); });
///     }
template <class Body>
int run(int& argc, char**& argv, Body&& body) {
    const detail::running_mpi mpi(argc, argv);
    transport wires(MPI_COMM_WORLD);
    const auto complain = [&](const std::string& why) {
        if (!wires.is_struck()) // else the rank that failed first says it
            std::fprintf(stderr, "rank %d: %s\n", static_cast<int>(wires.rank()), why.c_str());
    };
    bool failed = false;
    try {
        communicator<transport> comm(wires);
        body(comm);
    } catch (...) {
        failed = true;
        const std::string why = tutti::detail::text_of(std::current_exception());
        complain(why);
        wires.announce_failure(why);
    }
    const bool all_came = wires.settle();
    if (!failed && wires.is_spent()) complain(wires.failure()); // found out while the others were waited for
    if (!all_came) MPI_Abort(MPI_COMM_WORLD, 1);
    return failed || wires.is_spent() ? 1 : 0;
}

} // namespace tutti::mpi
