// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include <tutti/collectives/allgatherv.hpp>
#include <tutti/collectives/alltoall.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/gather.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/reduce_scatter.hpp>
#include <tutti/collectives/scan.hpp>
#include <tutti/collectives/scatter.hpp>

#include "data_type.hpp"
#include "layer.hpp"
#include "operations.hpp"

/// The calls of MPI by their C names. Each says what it is of tutti's, or leaves itself to MPI: by what all
/// ranks have equal, so that all decide alike.
namespace tutti::pmpi {

namespace {

/// MPI's counts are ints, and MPI_Pack's are, too.
constexpr std::int64_t most_bytes = std::numeric_limits<int>::max();

constexpr element_shape one_byte{1, 1};
constexpr char no_type = 0; // what has none is in place

tutti::detail::input_bytes input(const void* data, std::int64_t count, element_shape shape) {
    // Without elements data may be null, which is not to say that the input is elsewhere.
    static constexpr std::byte nothing{};
    return {data == nullptr ? &nothing : static_cast<const std::byte*>(data), static_cast<std::size_t>(count),
            shape, &no_type};
}
tutti::detail::output_bytes output(void* data, std::int64_t count, element_shape shape) {
    return {static_cast<std::byte*>(data), static_cast<std::size_t>(count), shape, &no_type};
}

/// Whether a vector of so many elements of so many bytes can be taken over.
bool fits(std::int64_t count, std::int64_t bytes) noexcept {
    return count >= 0 && bytes >= 0 && (bytes == 0 || count <= most_bytes / bytes);
}

template <collective C, class Call>
void run(twin& with, const Call& call) {
    with.on_wires([&](auto& comm) { tutti::detail::run_call<C>(comm, automatic{}, call); });
}

/// Of an operation, and elements that it folds.
collective_call folding(collective_call call, const reducible& what) {
    call.by = what.by;
    return call;
}

/// How many elements there are for each rank; `total` is -1 if one of the counts is negative.
struct elements_of_ranks {
    std::int64_t each = 0;
    std::vector<std::int64_t> list; ///< empty: all have `each`
    std::int64_t total = 0;

    elements_of_ranks(int count, rank_type ranks) : each(count), total(std::int64_t{count} * ranks) {}
    elements_of_ranks(const int* counts, rank_type ranks) : list(counts, counts + ranks) {
        for (const std::int64_t one : list) total = one < 0 || total < 0 ? -1 : total + one;
    }
    std::int64_t of(rank_type rank) const {
        return list.empty() ? each : list[static_cast<std::size_t>(rank)];
    }
};

std::int64_t bcast(twin& with, void* buffer, int count, MPI_Datatype type, int root) {
    const data_type t = data_type::of(type);
    const std::int64_t bytes = count * t.bytes;
    if (!fits(count, t.bytes) || root < 0 || root >= with.size() || bytes == 0) return left_to_mpi;
    if (!with.is_ours(bytes)) return left_to_mpi;
    packed_output data(buffer, count, t, with.room_out());
    if (with.rank() == root) data.load();
    run<collective::bcast>(with, [&] {
        return tutti::detail::call_from_root(output(data.data(), bytes, one_byte), root, with.size());
    });
    if (with.rank() != root) data.store();
    return bytes;
}

std::int64_t reduce(twin& with, const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                    int root) {
    const auto what = reducible_of(op, data_type::of(type));
    if (!what || count <= 0 || root < 0 || root >= with.size()) return left_to_mpi;
    const auto bytes = count * static_cast<std::int64_t>(what->shape.bytes);
    if (!with.is_ours(bytes, what->same)) return left_to_mpi;
    const place here = with.here();
    run<collective::reduce>(with, [&] {
        if (in == MPI_IN_PLACE)
            return folding(tutti::detail::call_to_root(output(out, count, what->shape), root, here), *what);
        return folding(tutti::detail::call_to_root(input(in, count, what->shape),
                                                   output(out, count, what->shape), root, here),
                       *what);
    });
    return bytes;
}

/// An allreduce, a scan or an exscan.
template <collective C>
std::int64_t fold_alike(twin& with, const void* in, void* out, int count, MPI_Datatype type, MPI_Op op) {
    const auto what = reducible_of(op, data_type::of(type));
    if (!what || count <= 0) return left_to_mpi;
    const auto bytes = count * static_cast<std::int64_t>(what->shape.bytes);
    if (!with.is_ours(bytes, what->same)) return left_to_mpi;
    run<C>(with, [&] {
        const auto to = output(out, count, what->shape);
        return folding(in == MPI_IN_PLACE ? tutti::detail::call_in_place(to)
                                          : tutti::detail::call_of_alike(input(in, count, what->shape), to),
                       *what);
    });
    return bytes;
}

/// In place, MPI has the whole input where the block of the result goes: that is made elsewhere, then.
std::int64_t reduce_scatter(twin& with, const void* in, void* out, const elements_of_ranks& parts,
                            MPI_Datatype type, MPI_Op op) {
    const auto what = reducible_of(op, data_type::of(type));
    if (!what || parts.total <= 0) return left_to_mpi;
    const auto each = static_cast<std::int64_t>(what->shape.bytes);
    if (!with.is_ours(parts.total * each, what->same)) return left_to_mpi;
    const bool in_place = in == MPI_IN_PLACE;
    const std::int64_t own = parts.of(with.rank());
    void* const result = in_place ? room_of(with.room_out(), own * each) : out;
    const auto from = input(in_place ? out : in, parts.total, what->shape);
    const auto to = output(result, own, what->shape);
    run<collective::reduce_scatter>(with, [&] {
        return folding(parts.list.empty() ? tutti::detail::call_to_parts(from, to, with.size())
                                          : tutti::detail::call_to_parts(from, parts.list, to, with.here()),
                       *what);
    });
    if (in_place) copy_bytes(static_cast<std::byte*>(out), to.data, own * each);
    return parts.total * each;
}

std::int64_t allgather(twin& with, const void* in, int in_count, MPI_Datatype in_type, void* out, int count,
                       MPI_Datatype type) {
    const data_type t = data_type::of(type);
    const rank_type p = with.size();
    if (count <= 0 || !fits(std::int64_t{count} * p, t.bytes) || t.bytes == 0) return left_to_mpi;
    const std::int64_t own = count * t.bytes;
    if (!with.is_ours(own * p)) return left_to_mpi;
    packed_output all(out, std::int64_t{count} * p, t, with.room_out());
    if (in == MPI_IN_PLACE) {
        all.load();
        run<collective::allgather>(
            with, [&] { return tutti::detail::call_in_parts(output(all.data(), own * p, one_byte), p); });
    } else {
        const packed_input mine(in, in_count, data_type::of(in_type), with.room_in());
        run<collective::allgather>(with, [&] {
            return tutti::detail::call_from_parts(input(mine.data(), own, one_byte),
                                                  output(all.data(), own * p, one_byte), p);
        });
    }
    all.store();
    return own * p;
}

/// Blocks at places of the user's choice are gathered one behind the other first.
std::int64_t allgatherv(twin& with, const void* in, int in_count, MPI_Datatype in_type, void* out,
                        const int* counts, const int* places, MPI_Datatype type) {
    const data_type t = data_type::of(type);
    const rank_type p = with.size();
    elements_of_ranks parts(counts, p);
    if (parts.total <= 0 || !fits(parts.total, t.bytes) || t.bytes == 0) return left_to_mpi;
    const std::int64_t bytes = parts.total * t.bytes;
    if (!with.is_ours(bytes)) return left_to_mpi;
    bool in_order = t.whole;
    std::int64_t before = 0;
    for (rank_type r = 0; r < p; ++r) {
        parts.list[static_cast<std::size_t>(r)] *= t.bytes; // in bytes from now on
        in_order = in_order && (counts[r] == 0 || places[r] == before + places[0]);
        before += counts[r];
    }
    auto* const to = static_cast<std::byte*>(out);
    const auto at = [&](rank_type r) { return to + places[r] * t.extent; };
    std::byte* const all = in_order ? at(0) : room_of(with.room_out(), bytes);
    const std::int64_t own = parts.of(with.rank());
    const void* from = in;
    if (in == MPI_IN_PLACE) {
        from = at(with.rank());
        in_count = counts[with.rank()];
        in_type = type;
    }
    if (in == MPI_IN_PLACE && in_order) {
        run<collective::allgather>(
            with, [&] { return tutti::detail::call_in_parts(parts.list, output(all, bytes, one_byte), p); });
    } else {
        const packed_input mine(from, in_count, data_type::of(in_type), with.room_in());
        run<collective::allgather>(with, [&] {
            return tutti::detail::call_from_parts(input(mine.data(), own, one_byte), parts.list,
                                                  output(all, bytes, one_byte), with.here());
        });
    }
    if (in_order) return bytes;
    int packed = 0;
    for (rank_type r = 0; r < p; ++r) {
        if (counts[r] == 0) continue;
        mpi::check(PMPI_Unpack(all, static_cast<int>(bytes), &packed, at(r), counts[r], type, MPI_COMM_SELF),
                   "MPI_Unpack");
    }
    return bytes;
}

/// What MPI asks of other ranks than the root is not looked at there: not `out`, not `count`, not `type`.
std::int64_t gather(twin& with, const void* in, int in_count, MPI_Datatype in_type, void* out, int count,
                    MPI_Datatype type, int root) {
    const rank_type p = with.size();
    const bool is_root = with.rank() == root;
    const data_type t = data_type::of(is_root ? type : in_type);
    const std::int64_t each = is_root ? count : in_count;
    if (root < 0 || root >= p || each <= 0 || !fits(each * p, t.bytes) || t.bytes == 0) return left_to_mpi;
    const std::int64_t own = each * t.bytes;
    if (!with.is_ours(own * p)) return left_to_mpi;
    const place here = with.here();
    if (!is_root) {
        const packed_input mine(in, in_count, t, with.room_in());
        run<collective::gather>(with, [&] {
            return tutti::detail::call_gathering(input(mine.data(), own, one_byte),
                                                 output(nullptr, 0, one_byte), root, here);
        });
        return own * p;
    }
    packed_output all(out, each * p, t, with.room_out());
    if (in == MPI_IN_PLACE) {
        all.load();
        run<collective::gather>(with, [&] {
            return tutti::detail::call_gathering(output(all.data(), own * p, one_byte), root, here);
        });
    } else {
        const packed_input mine(in, in_count, data_type::of(in_type), with.room_in());
        run<collective::gather>(with, [&] {
            return tutti::detail::call_gathering(input(mine.data(), own, one_byte),
                                                 output(all.data(), own * p, one_byte), root, here);
        });
    }
    all.store();
    return own * p;
}

/// Likewise, of `in`, `in_count` and `in_type`.
std::int64_t scatter(twin& with, const void* in, int in_count, MPI_Datatype in_type, void* out, int count,
                     MPI_Datatype type, int root) {
    const rank_type p = with.size();
    const bool is_root = with.rank() == root;
    const data_type t = data_type::of(is_root ? in_type : type);
    const std::int64_t each = is_root ? in_count : count;
    if (root < 0 || root >= p || each <= 0 || !fits(each * p, t.bytes) || t.bytes == 0) return left_to_mpi;
    const std::int64_t own = each * t.bytes;
    if (!with.is_ours(own * p)) return left_to_mpi;
    const place here = with.here();
    if (is_root && out == MPI_IN_PLACE) {
        const packed_input all(in, each * p, t, with.room_in());
        run<collective::scatter>(with, [&] { // which the root only reads
            return tutti::detail::call_scattering(
                output(const_cast<std::byte*>(all.data()), own * p, one_byte), root, here);
        });
        return own * p;
    }
    packed_output mine(out, count, data_type::of(type), with.room_out());
    if (is_root) {
        const packed_input all(in, each * p, t, with.room_in());
        run<collective::scatter>(with, [&] {
            return tutti::detail::call_scattering(input(all.data(), own * p, one_byte),
                                                  output(mine.data(), own, one_byte), root, here);
        });
    } else {
        run<collective::scatter>(with, [&] {
            return tutti::detail::call_scattering(input(nullptr, 0, one_byte),
                                                  output(mine.data(), own, one_byte), root, here);
        });
    }
    mine.store();
    return own * p;
}

std::int64_t alltoall(twin& with, const void* in, int in_count, MPI_Datatype in_type, void* out, int count,
                      MPI_Datatype type) {
    const data_type t = data_type::of(type);
    const rank_type p = with.size();
    if (count <= 0 || !fits(std::int64_t{count} * p, t.bytes) || t.bytes == 0) return left_to_mpi;
    const std::int64_t bytes = count * t.bytes * p;
    if (!with.is_ours(bytes)) return left_to_mpi;
    packed_output all(out, std::int64_t{count} * p, t, with.room_out());
    if (in == MPI_IN_PLACE) {
        all.load();
        run<collective::alltoall>(
            with, [&] { return tutti::detail::call_in_parts(output(all.data(), bytes, one_byte), p); });
    } else {
        const packed_input mine(in, std::int64_t{in_count} * p, data_type::of(in_type), with.room_in());
        run<collective::alltoall>(with, [&] {
            return tutti::detail::call_of_alike_parts(input(mine.data(), bytes, one_byte),
                                                      output(all.data(), bytes, one_byte), p);
        });
    }
    all.store();
    return bytes;
}

} // namespace

} // namespace tutti::pmpi

// ---- MPI's own names
// ------------------------------------------------------------------------------------------------

using tutti::pmpi::layer;
using tutti::pmpi::mpi_call;
using tutti::pmpi::offered;
using tutti::pmpi::twin;

#pragma GCC visibility push(default)
extern "C" {

int MPI_Init(int* argc, char*** argv) {
    layer::check_library();
    const int code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) layer::here().begin();
    return code;
}

int MPI_Init_thread(int* argc, char*** argv, int wanted, int* given) {
    layer::check_library();
    const int code = PMPI_Init_thread(argc, argv, wanted, given);
    if (code == MPI_SUCCESS) layer::here().begin();
    return code;
}

int MPI_Finalize() {
    layer::here().end();
    return PMPI_Finalize();
}

int MPI_Comm_free(MPI_Comm* comm) {
    if (comm != nullptr) layer::here().forget(*comm);
    return PMPI_Comm_free(comm);
}

int MPI_Comm_disconnect(MPI_Comm* comm) {
    if (comm != nullptr) layer::here().forget(*comm);
    return PMPI_Comm_disconnect(comm);
}

int MPI_Barrier(MPI_Comm comm) {
    return offered(
        mpi_call::barrier, comm, [&] { return PMPI_Barrier(comm); },
        [](twin& with) -> std::int64_t {
            if (!with.is_ours(0)) return tutti::pmpi::left_to_mpi;
            with.on_wires([](auto& comm) { tutti::barrier(comm); });
            return 0;
        });
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return offered(
        mpi_call::bcast, comm, [&] { return PMPI_Bcast(buffer, count, type, root, comm); },
        [&](twin& with) { return tutti::pmpi::bcast(with, buffer, count, type, root); });
}

int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    return offered(
        mpi_call::reduce, comm, [&] { return PMPI_Reduce(in, out, count, type, op, root, comm); },
        [&](twin& with) { return tutti::pmpi::reduce(with, in, out, count, type, op, root); });
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return offered(
        mpi_call::allreduce, comm, [&] { return PMPI_Allreduce(in, out, count, type, op, comm); },
        [&](twin& with) {
            return tutti::pmpi::fold_alike<tutti::collective::allreduce>(with, in, out, count, type, op);
        });
}

int MPI_Exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return offered(
        mpi_call::exscan, comm, [&] { return PMPI_Exscan(in, out, count, type, op, comm); },
        [&](twin& with) {
            return tutti::pmpi::fold_alike<tutti::collective::exscan>(with, in, out, count, type, op);
        });
}

int MPI_Scan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return offered(
        mpi_call::scan, comm, [&] { return PMPI_Scan(in, out, count, type, op, comm); },
        [&](twin& with) {
            return tutti::pmpi::fold_alike<tutti::collective::scan>(with, in, out, count, type, op);
        });
}

int MPI_Reduce_scatter(const void* in, void* out, const int counts[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
    return offered(
        mpi_call::reduce_scatter, comm, [&] { return PMPI_Reduce_scatter(in, out, counts, type, op, comm); },
        [&](twin& with) {
            return tutti::pmpi::reduce_scatter(with, in, out, {counts, with.size()}, type, op);
        });
}

int MPI_Reduce_scatter_block(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
    return offered(
        mpi_call::reduce_scatter_block, comm,
        [&] { return PMPI_Reduce_scatter_block(in, out, count, type, op, comm); },
        [&](twin& with) {
            return tutti::pmpi::reduce_scatter(with, in, out, {count, with.size()}, type, op);
        });
}

int MPI_Allgather(const void* in, int in_count, MPI_Datatype in_type, void* out, int count, MPI_Datatype type,
                  MPI_Comm comm) {
    return offered(
        mpi_call::allgather, comm,
        [&] { return PMPI_Allgather(in, in_count, in_type, out, count, type, comm); },
        [&](twin& with) { return tutti::pmpi::allgather(with, in, in_count, in_type, out, count, type); });
}

int MPI_Allgatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int counts[],
                   const int places[], MPI_Datatype type, MPI_Comm comm) {
    return offered(
        mpi_call::allgatherv, comm,
        [&] { return PMPI_Allgatherv(in, in_count, in_type, out, counts, places, type, comm); },
        [&](twin& with) {
            return tutti::pmpi::allgatherv(with, in, in_count, in_type, out, counts, places, type);
        });
}

int MPI_Gather(const void* in, int in_count, MPI_Datatype in_type, void* out, int count, MPI_Datatype type,
               int root, MPI_Comm comm) {
    return offered(
        mpi_call::gather, comm,
        [&] { return PMPI_Gather(in, in_count, in_type, out, count, type, root, comm); },
        [&](twin& with) { return tutti::pmpi::gather(with, in, in_count, in_type, out, count, type, root); });
}

int MPI_Scatter(const void* in, int in_count, MPI_Datatype in_type, void* out, int count, MPI_Datatype type,
                int root, MPI_Comm comm) {
    return offered(
        mpi_call::scatter, comm,
        [&] { return PMPI_Scatter(in, in_count, in_type, out, count, type, root, comm); },
        [&](twin& with) {
            return tutti::pmpi::scatter(with, in, in_count, in_type, out, count, type, root);
        });
}

int MPI_Alltoall(const void* in, int in_count, MPI_Datatype in_type, void* out, int count, MPI_Datatype type,
                 MPI_Comm comm) {
    return offered(
        mpi_call::alltoall, comm,
        [&] { return PMPI_Alltoall(in, in_count, in_type, out, count, type, comm); },
        [&](twin& with) { return tutti::pmpi::alltoall(with, in, in_count, in_type, out, count, type); });
}

} // extern "C"
#pragma GCC visibility pop
