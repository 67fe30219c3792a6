// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <tutti/collectives/alltoallv.hpp>
#include <tutti/collectives/gatherv.hpp>
#include <tutti/collectives/scatterv.hpp>

#include "calls.hpp"
#include "layer.hpp"
#include "take_over.hpp"

/// Gatherv, Scatterv and Alltoallv. What is wrong with a rank's arguments only that rank knows: it is told
/// when the call has its number, so that others do not wait for it.
namespace tutti::pmpi {

namespace {

/// make() makes the task.
template <collective C, class Make>
void run_by_own_counts(twin& with, const Make& make) {
    with.on_wires([&](auto& comm) { detail::run_anew(comm, name_of(C), make); });
}

/// Between a rank and the root, whose messages with others it knows nothing of.
template <collective C>
task straight_task(twin& with, detail::collective_call&& call) {
    const rank_type root = call.root;
    task t = detail::make_task(
        C, with.here(), detail::checked<C>(std::move(call), with.here()),
        schedule_source(
            [](const request_facts& facts) -> any_generator { return generate(of<C>, serial{}, facts.at); },
            "serial"));
    t.by_pairs = true;
    t.input_layout = t.layout;
    t.label = call_label(C, call_label::lengths_by_pair, 1, root, t.schedule.type_hash() >> 8);
    return t;
}

/// This rank's part, of all that it knows of.
class own_part {
public:
    own_part(const twin& with, std::int64_t bytes) : counts_(static_cast<std::size_t>(with.size())) {
        counts_[static_cast<std::size_t>(with.rank())] = bytes;
    }
    std::span<const std::int64_t> counts() const { return counts_; }

private:
    std::vector<std::int64_t> counts_;
};

} // namespace

std::int64_t gatherv(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                     const number_list& counts, const number_list& places, MPI_Datatype type, int root) {
    if (root < 0 || root >= with.size() || !with.is_ours(twin::unknown_length)) return left_to_mpi;
    const place here = with.here();
    const bool in_place = in == MPI_IN_PLACE;
    const data_type own_type = in_place ? data_type{} : data_type::of(in_type);
    const std::int64_t own = bytes_of(in_count, own_type.bytes);
    if (here.rank != root) {
        const own_part mine(with, own);
        run_by_own_counts<collective::gather>(with, [&] {
            const packed_input from(in, in_count, own_type, with.room_in());
            return straight_task<collective::gather>(
                with, {input(from.data(), own, one_byte), output(nullptr, 0, one_byte), root, mine.counts()});
        });
        return own;
    }
    const placed_parts parts(counts, places, data_type::of(type), here.size);
    std::byte* all = nullptr;
    run_by_own_counts<collective::gather>(with, [&] {
        if (in_place) {
            all = const_cast<std::byte*>(parts.packed(out, with.room_out()));
            return straight_task<collective::gather>(
                with, {{}, output(all, parts.bytes(), one_byte), root, parts.each()});
        }
        const packed_input from(in, in_count, own_type, with.room_in());
        all = parts.target(out, with.room_out());
        const auto to = output(all, parts.bytes(), one_byte);
        return straight_task<collective::gather>(
            with, {apart(with, input(from.data(), own, one_byte), to), to, root, parts.each()});
    });
    parts.unpack(all, out);
    return parts.bytes();
}

std::int64_t scatterv(twin& with, const void* in, const number_list& counts, const number_list& places,
                      MPI_Datatype in_type, void* out, std::int64_t count, MPI_Datatype type, int root) {
    if (root < 0 || root >= with.size() || !with.is_ours(twin::unknown_length)) return left_to_mpi;
    const place here = with.here();
    const bool in_place = out == MPI_IN_PLACE;
    const data_type own_type = in_place ? data_type{} : data_type::of(type);
    const std::int64_t own = bytes_of(count, own_type.bytes);
    std::optional<packed_output> to;
    if (here.rank != root) {
        const own_part mine(with, own);
        run_by_own_counts<collective::scatter>(with, [&] {
            to.emplace(out, count, own_type, with.room_out());
            return straight_task<collective::scatter>(
                with, {input(nullptr, 0, one_byte), output(to->data(), own, one_byte), root, mine.counts()});
        });
        to->store();
        return own;
    }
    const placed_parts parts(counts, places, data_type::of(in_type), here.size);
    run_by_own_counts<collective::scatter>(with, [&] {
        const std::byte* const all = parts.packed(in, with.room_in());
        if (in_place) // the root only reads
            return straight_task<collective::scatter>(
                with, {{}, output(const_cast<std::byte*>(all), parts.bytes(), one_byte), root, parts.each()});
        to.emplace(out, count, own_type, with.room_out());
        const auto from = input(all, parts.bytes(), one_byte);
        return straight_task<collective::scatter>(
            with, {from, apart_from(with, from, *to, own), root, parts.each()});
    });
    if (to) to->store();
    return parts.bytes();
}

std::int64_t alltoallv(twin& with, const void* in, const number_list& in_counts, const number_list& in_places,
                       MPI_Datatype in_type, void* out, const number_list& counts, const number_list& places,
                       MPI_Datatype type) {
    if (!with.is_ours(twin::unknown_length)) return left_to_mpi;
    const place here = with.here();
    const placed_parts parts(counts, places, data_type::of(type), here.size);
    std::byte* all = nullptr;
    const auto run_it = [&](const auto& call) {
        with.on_wires([&](auto& comm) {
            detail::run_anew(comm, "alltoallv",
                             [&] { return detail::make_alltoallv(comm, automatic{}, call()); });
        });
    };
    if (in == MPI_IN_PLACE) {
        run_it([&] {
            all = const_cast<std::byte*>(parts.packed(out, with.room_out()));
            return detail::call_by_pairs{{}, {}, output(all, parts.bytes(), one_byte), parts.each()};
        });
    } else {
        const placed_parts given(in_counts, in_places, data_type::of(in_type), here.size);
        run_it([&] {
            const std::byte* const from = given.packed(in, with.room_in());
            all = parts.target(out, with.room_out());
            const auto to = output(all, parts.bytes(), one_byte);
            return detail::call_by_pairs{apart(with, input(from, given.bytes(), one_byte), to), given.each(),
                                         to, parts.each()};
        });
    }
    parts.unpack(all, out);
    return parts.bytes();
}

} // namespace tutti::pmpi
