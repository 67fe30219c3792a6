// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "reason.hpp"
#include "settings.hpp"
#include "twin.hpp"

namespace tutti::pmpi {

/// What has become of one of MPI's calls on this rank.
struct call_count {
    std::array<std::uint64_t, number_of_reasons> by_reason{};
    std::uint64_t bytes = 0;   ///< of ours, in whole vectors
    double seconds = 0;        ///< in ours
    double seconds_in_mpi = 0; ///< in those left to MPI
};

/// All there is of the layer in this process, between MPI_Init and MPI_Finalize.
class layer {
public:
    static layer& here();

    /// Before MPI_Init: ends a program whose MPI has other handles than this was made for.
    static void check_library();
    /// After MPI_Init: reads the settings. Ends the program if they are wrong.
    void begin();
    /// Before MPI_Finalize, collectively: prints the report, if there is to be one, and gives all up.
    void end();

    /// The twin of a communicator, made when it is first asked for; null, and why, where the call is MPI's.
    /// Collective then. A twin takes a millisecond to make, so the first call on a communicator is MPI's
    /// unless MPI's own is not timed, or it folds: equal calls have equal results.
    twin* twin_of(MPI_Comm comm, mpi_call which, reason& why);

    /// Before a communicator is freed, collectively: gives up its twin.
    void forget(MPI_Comm comm);

    /// Whether all calls are MPI's just now, as those are by which a twin is made.
    bool is_closed() const noexcept { return !begun_ || makes_twin_; }
    const settings& told() const noexcept { return those_; }

    void count(mpi_call which, reason why, std::uint64_t bytes, double seconds);

    /// Tells the user of `comm` what has failed, as MPI does; what the failed call is to return.
    int raise(MPI_Comm comm, const std::string& why) noexcept;

private:
    twin* look_up(MPI_Comm comm, mpi_call which, reason& why);
    std::unique_ptr<twin> make_twin(MPI_Comm comm);
    static int drop(MPI_Comm comm, int key, void* value, void* extra);
    void remember(const twin& one);
    void report();

    static thread_local bool makes_twin_;
    bool begun_ = false;
    settings those_;
    int key_ = MPI_KEYVAL_INVALID;
    std::atomic<std::uint64_t> dropped_{0}; // twins, so far: then a handle may be another communicator's
    std::mutex mutex_; // threads of the program may call at the same time, for communicators of their own
    std::vector<std::unique_ptr<twin>> twins_;
    std::array<call_count, mpi_calls> counts_{};
    std::array<std::set<std::string>, all_collectives.size() + 1> algorithms_; // by collective
    std::set<std::string> lacks_;  // why communicators have no wires
    std::set<std::string> slower_; // what is left to MPI because that is faster there
};

/// A call that tutti may take over: ours(twin) runs it and returns the bytes of its whole vector, or
/// `left_to_mpi` before anything has happened, on all ranks or none. Else native() does.
inline constexpr std::int64_t left_to_mpi = -1;

template <class Native, class Ours>
int offered(mpi_call which, MPI_Comm comm, const Native& native, const Ours& ours) {
    layer& it = layer::here();
    if (it.is_closed()) return native();
    twin* with = nullptr;
    reason not_ours = reason::told;
    try {
        if (!it.told().is_off(which)) with = it.twin_of(comm, which, not_ours);
        if (with != nullptr) with->begin_call(which);
        const bool timed = it.told().report;
        using clock = std::chrono::steady_clock;
        const auto start = timed ? clock::now() : clock::time_point{};
        const std::int64_t bytes = with == nullptr ? left_to_mpi : ours(*with);
        const int code = bytes == left_to_mpi ? native() : MPI_SUCCESS;
        if (timed) {
            it.count(which, with != nullptr ? with->why() : not_ours,
                     bytes == left_to_mpi ? 0 : static_cast<std::uint64_t>(bytes),
                     std::chrono::duration<double>(clock::now() - start).count());
        }
        if (with != nullptr && with->tries()) [[unlikely]]
            with->end_try();
        return code;
    } catch (const std::exception& e) {
        if (with != nullptr && with->tries()) with->end_try(false);
        return it.raise(comm, e.what());
    }
}

} // namespace tutti::pmpi
