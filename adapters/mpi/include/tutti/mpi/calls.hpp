// SPDX-License-Identifier: BSL-1.0
#pragma once

// The C++ bindings that MPI 3 removed are not wanted: they warn, and ask for a library of their own.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1 ///< leaves out those of Open MPI
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1 ///< leaves out those of MPICH and what came of it
#endif
#include <mpi.h>

#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>

/// MPI's own objects and return codes, as C++ has them.
namespace tutti::mpi {

/// What MPI says of an error code.
inline std::string text_of(int code) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) return "MPI error " + std::to_string(code);
    return std::string(text, static_cast<std::size_t>(length));
}

/// Throws transport_error with the call's name and MPI's text; `peer` is whom it concerns, or no_rank.
[[noreturn, gnu::cold]] inline void throw_failed(int code, const char* call, rank_type peer) {
    throw transport_error(std::string(call) + ": " + text_of(code), peer);
}
/// Throws transport_error with MPI's text unless `code` means success.
inline void check(int code, const char* call, rank_type peer = no_rank) {
    if (code != MPI_SUCCESS) [[unlikely]]
        throw_failed(code, call, peer);
}

/// Whether MPI may be called: it may not before MPI_Init, nor after MPI_Finalize.
inline bool is_running() noexcept {
    int begun = 0;
    int ended = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    return begun != 0 && ended == 0;
}

/// This process in that communicator; throws transport_error if MPI fails.
inline rank_type rank_in(MPI_Comm comm) {
    rank_type rank = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank;
}
/// Processes of that communicator; throws transport_error if MPI fails.
inline rank_type size_of(MPI_Comm comm) {
    rank_type size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    return size;
}

/// How many tags there are, rounded down to a power of two: then numbers that follow each other have
/// different ones where they wrap round, too. The one behind them may be used as well.
inline std::uint32_t count_tags() {
    int there = 0;
    int* largest = nullptr;
    check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &there), "MPI_Comm_get_attr");
    constexpr int everywhere = 32767; // what every MPI has
    return std::bit_floor(static_cast<std::uint32_t>(there != 0 ? *largest : everywhere));
}

/// A communicator of our own, freed in the end. Making one is collective over the group it comes from.
class owned_comm {
public:
    owned_comm() = default;
    explicit owned_comm(MPI_Comm made) noexcept : comm_(made) {}
    owned_comm(owned_comm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
    owned_comm& operator=(owned_comm&& other) noexcept {
        std::swap(comm_, other.comm_);
        return *this;
    }
    ~owned_comm() {
        if (comm_ != MPI_COMM_NULL && is_running()) MPI_Comm_free(&comm_);
    }

    /// A duplicate whose calls return error codes instead of ending the program.
    static owned_comm duplicate(MPI_Comm of) {
        if (!is_running())
            throw error("tutti: MPI is not running: call MPI_Init first (or use tutti::mpi::run)");
        if (of == MPI_COMM_NULL)
            throw argument_error("communicator", "MPI_COMM_NULL", "one that this rank belongs to");
        int is_inter = 0;
        check(MPI_Comm_test_inter(of, &is_inter), "MPI_Comm_test_inter");
        if (is_inter != 0)
            throw argument_error("communicator", "one between two groups", "one of a single group");
        MPI_Comm made = MPI_COMM_NULL;
        check(MPI_Comm_dup(of, &made), "MPI_Comm_dup");
        owned_comm result(made);
        check(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        return result;
    }

    /// Never freed: for one that others may still use after all hope of agreement is gone.
    void leave_alone() noexcept { comm_ = MPI_COMM_NULL; }

    /// Still owned here; MPI_COMM_NULL if there is none.
    MPI_Comm get() const noexcept { return comm_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

} // namespace tutti::mpi
