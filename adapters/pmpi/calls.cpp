// SPDX-License-Identifier: BSL-1.0
#include "calls.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tutti/collectives/allgatherv.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/alltoall.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/gather.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/reduce_scatter.hpp>
#include <tutti/collectives/scan.hpp>
#include <tutti/collectives/scatter.hpp>
#include <tutti/core/copy_bytes.hpp>
#include <tutti/core/error.hpp>

#include "data_type.hpp"
#include "layer.hpp"
#include "operations.hpp"
#include "take_over.hpp"

namespace tutti::pmpi {

namespace {

/// What MPI_Pack can count.
constexpr std::int64_t most_bytes = std::numeric_limits<int>::max();

/// More elements no call can mean: MPI is to say so, and no sum of them is to overflow here.
constexpr std::int64_t most_elements = std::int64_t{1} << 40;

/// Whether it is an element or more.
bool is_some(std::int64_t count) noexcept { return count > 0 && count <= most_elements; }

/// Whether a vector of so many elements of so many bytes can be taken over.
bool fits(std::int64_t count, std::int64_t bytes) noexcept {
    return count >= 0 && bytes >= 0 && (bytes == 0 || count <= most_bytes / bytes);
}

/// The elements of a vector that is folded, none if the call is in place. `out` is null where nothing is got.
tutti::detail::input_bytes folded_input(twin& with, const void* in, void* out, std::int64_t count,
                                        const reducible& what) {
    if (in == MPI_IN_PLACE) return {};
    return apart(with, input(in, count, what.shape), output(out, out == nullptr ? 0 : count, what.shape));
}

/// How many elements there are for each rank; `total` is -1 if one of the counts is none.
struct elements_of_ranks {
    std::int64_t each = 0;
    std::vector<std::int64_t> list; ///< empty: all have `each`
    std::int64_t total = 0;

    elements_of_ranks(std::int64_t count, rank_type ranks)
        : each(count), total(is_some(count) ? count * ranks : -1) {}
    elements_of_ranks(const number_list& counts, rank_type ranks) {
        list.reserve(static_cast<std::size_t>(ranks));
        for (rank_type r = 0; r < ranks; ++r) {
            list.push_back(counts[r]);
            const bool is_none = counts[r] < 0 || counts[r] > most_elements;
            total = is_none || total < 0 ? -1 : total + counts[r];
        }
    }
    std::int64_t of(rank_type rank) const {
        return list.empty() ? each : list[static_cast<std::size_t>(rank)];
    }
};

/// Bytes of the vector that a rank gives or gets of its own. What is wrong with its length no other rank
/// knows: the rank hears of it when the call has its number, so that others do not wait for it.
template <collective C>
std::int64_t own_bytes(twin& with, std::int64_t count, const data_type& type, std::int64_t vectors = 1) {
    const std::int64_t bytes = bytes_of(count, type.bytes);
    if (bytes < 0 || bytes > most_memory / vectors)
        with.on_wires([&](auto& comm) {
            tutti::detail::run_anew(comm, name_of(C), [&]() -> task {
                throw argument_error("a count", tutti::detail::sentence({count}),
                                     "0 or more, and no more than memory can have");
            });
        });
    return bytes * vectors;
}

/// A block for every rank, all of one length.
struct equal_blocks {
    data_type type;
    std::int64_t elements; ///< of all
    std::int64_t own;      ///< bytes of one
    std::int64_t bytes;    ///< of all
};

/// Of `count` elements each; none if the call is left to MPI.
std::optional<equal_blocks> equal_blocks_of(twin& with, std::int64_t count, MPI_Datatype type) {
    const data_type t = data_type::of(type);
    if (!is_some(count)) return {};
    const std::int64_t all = count * with.size();
    if (!fits(all, t.bytes) || t.bytes == 0 || !with.is_ours(all * t.bytes)) return {};
    return equal_blocks{.type = t, .elements = all, .own = count * t.bytes, .bytes = all * t.bytes};
}

} // namespace

std::int64_t bcast(twin& with, void* buffer, std::int64_t count, MPI_Datatype type, int root) {
    const data_type t = data_type::of(type);
    if (!fits(count, t.bytes) || count * t.bytes == 0 || root < 0 || root >= with.size()) return left_to_mpi;
    const std::int64_t bytes = count * t.bytes;
    if (!with.is_ours(bytes)) return left_to_mpi;
    packed_output data(buffer, count, t, with.room_out());
    if (with.rank() == root) data.load();
    run<collective::bcast>(with, {{}, output(data.data(), bytes, one_byte), root});
    if (with.rank() != root) data.store();
    return bytes;
}

std::int64_t reduce(twin& with, const void* in, void* out, std::int64_t count, MPI_Datatype type, MPI_Op op,
                    int root) {
    const auto what = reducible_of(op, data_type::of(type));
    if (!what || root < 0 || root >= with.size()) return left_to_mpi;
    const std::int64_t bytes = bytes_of(count, static_cast<std::int64_t>(what->shape.bytes));
    if (bytes <= 0 || !with.is_ours(bytes, what->same)) return left_to_mpi;
    run<collective::reduce>(with, {folded_input(with, in, with.rank() == root ? out : nullptr, count, *what),
                                   output(out, count, what->shape), operation_on_bytes(what->by), root});
    return bytes;
}

template <collective C>
std::int64_t fold_of_equal_lengths(twin& with, const void* in, void* out, std::int64_t count,
                                   MPI_Datatype type, MPI_Op op) {
    const auto what = reducible_of(op, data_type::of(type));
    if (!what) return left_to_mpi;
    const std::int64_t bytes = bytes_of(count, static_cast<std::int64_t>(what->shape.bytes));
    if (bytes <= 0 || !with.is_ours(bytes, what->same)) return left_to_mpi;
    run<C>(with, {folded_input(with, in, out, count, *what), output(out, count, what->shape),
                  operation_on_bytes(what->by)});
    return bytes;
}

template std::int64_t fold_of_equal_lengths<collective::allreduce>(twin&, const void*, void*, std::int64_t,
                                                                   MPI_Datatype, MPI_Op);
template std::int64_t fold_of_equal_lengths<collective::scan>(twin&, const void*, void*, std::int64_t,
                                                              MPI_Datatype, MPI_Op);
template std::int64_t fold_of_equal_lengths<collective::exscan>(twin&, const void*, void*, std::int64_t,
                                                                MPI_Datatype, MPI_Op);

namespace {
/// In place, MPI has the whole input where the block of the result goes: that is made elsewhere, then.
std::int64_t to_parts(twin& with, const void* in, void* out, const elements_of_ranks& parts,
                      MPI_Datatype type, MPI_Op op) {
    const auto what = reducible_of(op, data_type::of(type));
    if (!what) return left_to_mpi;
    const auto each = static_cast<std::int64_t>(what->shape.bytes);
    const std::int64_t bytes = bytes_of(parts.total, each);
    if (bytes <= 0 || !with.is_ours(bytes, what->same)) return left_to_mpi;
    const bool in_place = in == MPI_IN_PLACE;
    const std::int64_t own = parts.of(with.rank());
    void* const result = in_place ? room_of(with.room_out(), own * each) : out;
    const auto to = output(result, own, what->shape);
    const auto from = apart(with, input(in_place ? out : in, parts.total, what->shape), to);
    std::optional<std::span<const std::int64_t>> counts;
    if (!parts.list.empty()) counts = parts.list;
    run<collective::reduce_scatter>(with, {from, to, operation_on_bytes(what->by), 0, counts});
    if (in_place) copy_bytes(static_cast<std::byte*>(out), to.data, own * each);
    return bytes;
}

} // namespace

std::int64_t reduce_scatter(twin& with, const void* in, void* out, const number_list& counts,
                            MPI_Datatype type, MPI_Op op) {
    return to_parts(with, in, out, {counts, with.size()}, type, op);
}

std::int64_t reduce_scatter_block(twin& with, const void* in, void* out, std::int64_t count,
                                  MPI_Datatype type, MPI_Op op) {
    return to_parts(with, in, out, {count, with.size()}, type, op);
}

std::int64_t allgather(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                       std::int64_t count, MPI_Datatype type) {
    const auto blocks = equal_blocks_of(with, count, type);
    if (!blocks) return left_to_mpi;
    packed_output all(out, blocks->elements, blocks->type, with.room_out());
    if (in == MPI_IN_PLACE) {
        all.load();
        run<collective::allgather>(with, {{}, output(all.data(), blocks->bytes, one_byte)});
    } else {
        const data_type t = data_type::of(in_type);
        const std::int64_t own = own_bytes<collective::allgather>(with, in_count, t);
        const packed_input mine(in, in_count, t, with.room_in());
        const auto to = output(all.data(), blocks->bytes, one_byte);
        run<collective::allgather>(with, {apart(with, input(mine.data(), own, one_byte), to), to});
    }
    all.store();
    return blocks->bytes;
}

/// Blocks at places of the user's choice are gathered one behind the other first.
std::int64_t allgatherv(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                        const number_list& counts, const number_list& places, MPI_Datatype type) {
    const data_type t = data_type::of(type);
    const placed_parts parts(counts, places, t, with.size());
    const std::int64_t bytes = parts.bytes();
    if (parts.has_negative() || bytes == 0 || !fits(bytes, 1)) return left_to_mpi;
    if (!with.is_ours(bytes)) return left_to_mpi;
    std::byte* const all = parts.target(out, with.room_out());
    const bool in_place = in == MPI_IN_PLACE;
    if (in_place && parts.in_order()) {
        run<collective::allgather>(with, {{}, output(all, bytes, one_byte), 0, parts.each()});
        return bytes;
    }
    const data_type own_type = in_place ? t : data_type::of(in_type);
    const std::int64_t own_count = in_place ? counts[with.rank()] : in_count;
    const std::int64_t own = own_bytes<collective::allgather>(with, own_count, own_type);
    const packed_input mine(in_place ? parts.part(static_cast<std::byte*>(out), with.rank()) : in, own_count,
                            own_type, with.room_in());
    const auto to = output(all, bytes, one_byte);
    run<collective::allgather>(with,
                               {apart(with, input(mine.data(), own, one_byte), to), to, 0, parts.each()});
    parts.unpack(all, out);
    return bytes;
}

/// What MPI asks of other ranks than the root is not looked at there: not `out`, not `count`, not `type`.
std::int64_t gather(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                    std::int64_t count, MPI_Datatype type, int root) {
    if (root < 0 || root >= with.size()) return left_to_mpi;
    const bool is_root = with.rank() == root;
    const auto blocks =
        is_root ? equal_blocks_of(with, count, type) : equal_blocks_of(with, in_count, in_type);
    if (!blocks) return left_to_mpi;
    const std::int64_t bytes = blocks->bytes;
    if (!is_root) {
        const packed_input mine(in, in_count, blocks->type, with.room_in());
        run<collective::gather>(
            with, {input(mine.data(), blocks->own, one_byte), output(nullptr, 0, one_byte), root});
        return bytes;
    }
    packed_output all(out, blocks->elements, blocks->type, with.room_out());
    if (in == MPI_IN_PLACE) {
        all.load();
        run<collective::gather>(with, {{}, output(all.data(), bytes, one_byte), root});
    } else {
        const data_type t = data_type::of(in_type);
        const std::int64_t own = own_bytes<collective::gather>(with, in_count, t);
        const packed_input mine(in, in_count, t, with.room_in());
        const auto to = output(all.data(), bytes, one_byte);
        run<collective::gather>(with, {apart(with, input(mine.data(), own, one_byte), to), to, root});
    }
    all.store();
    return bytes;
}

/// Likewise, of `in`, `in_count` and `in_type`.
std::int64_t scatter(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                     std::int64_t count, MPI_Datatype type, int root) {
    if (root < 0 || root >= with.size()) return left_to_mpi;
    const bool is_root = with.rank() == root;
    const auto blocks =
        is_root ? equal_blocks_of(with, in_count, in_type) : equal_blocks_of(with, count, type);
    if (!blocks) return left_to_mpi;
    const std::int64_t bytes = blocks->bytes;
    if (is_root && out == MPI_IN_PLACE) {
        const packed_input all(in, blocks->elements, blocks->type, with.room_in());
        run<collective::scatter>(with, {{}, // the root only reads
                                        output(const_cast<std::byte*>(all.data()), bytes, one_byte),
                                        root});
        return bytes;
    }
    const data_type t = data_type::of(type);
    const std::int64_t own = own_bytes<collective::scatter>(with, count, t);
    packed_output mine(out, count, t, with.room_out());
    if (is_root) {
        const packed_input all(in, blocks->elements, blocks->type, with.room_in());
        const auto from = input(all.data(), bytes, one_byte);
        run<collective::scatter>(with, {from, apart_from(with, from, mine, own), root});
    } else {
        run<collective::scatter>(with,
                                 {input(nullptr, 0, one_byte), output(mine.data(), own, one_byte), root});
    }
    mine.store();
    return bytes;
}

std::int64_t alltoall(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                      std::int64_t count, MPI_Datatype type) {
    const auto blocks = equal_blocks_of(with, count, type);
    if (!blocks) return left_to_mpi;
    const std::int64_t bytes = blocks->bytes;
    packed_output all(out, blocks->elements, blocks->type, with.room_out());
    if (in == MPI_IN_PLACE) {
        all.load();
        run<collective::alltoall>(with, {{}, output(all.data(), bytes, one_byte)});
    } else {
        const data_type t = data_type::of(in_type);
        const std::int64_t given = own_bytes<collective::alltoall>(with, in_count, t, with.size());
        const packed_input mine(in, in_count * with.size(), t, with.room_in());
        const auto to = output(all.data(), bytes, one_byte);
        run<collective::alltoall>(with, {apart(with, input(mine.data(), given, one_byte), to), to});
    }
    all.store();
    return bytes;
}

} // namespace tutti::pmpi
