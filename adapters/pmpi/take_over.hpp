// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <tutti/collectives/call.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/core/copy_bytes.hpp>

#include "data_type.hpp"
#include "twin.hpp"

/// What the functions that run MPI's calls have in common: from vectors without types to tutti's calls.
namespace tutti::pmpi {

inline constexpr element_shape one_byte{1, 1};
inline constexpr char no_type = 0; // what has none is in place

inline detail::input_bytes input(const void* data, std::int64_t count, element_shape shape) {
    // Without elements data may be null, which is not to say that the input is elsewhere.
    static constexpr std::byte nothing{};
    return {data == nullptr ? &nothing : static_cast<const std::byte*>(data), static_cast<std::size_t>(count),
            shape, &no_type};
}
inline detail::output_bytes output(void* data, std::int64_t count, element_shape shape) {
    return {static_cast<std::byte*>(data), static_cast<std::size_t>(count), shape, &no_type};
}

/// Where the input can be read while the output is written: where it lies, or copied if the two overlap,
/// which MPI forbids, and some MPIs and many programs do not mind.
inline detail::input_bytes apart(twin& with, detail::input_bytes in, const detail::output_bytes& out) {
    const std::int64_t bytes = in.bytes(); // below 0 is for the call to refuse
    if (bytes <= 0 || !detail::overlap(in, out)) return in;
    std::byte* const copy = room_of(with.room_in(), bytes);
    copy_bytes(copy, in.data, bytes);
    in.data = copy;
    return in;
}
/// The same for an output that is shorter than the input: it is written elsewhere.
inline detail::output_bytes apart_from(twin& with, const detail::input_bytes& in, packed_output& out,
                                       std::int64_t bytes) {
    if (bytes > 0 && detail::overlap(in, output(out.data(), bytes, one_byte))) out.put_into(with.room_out());
    return output(out.data(), bytes, one_byte);
}

template <collective C>
void run(twin& with, tutti::detail::collective_call&& call) {
    with.on_wires([&](auto& comm) { tutti::detail::run_call<C>(comm, automatic{}, std::move(call)); });
}

} // namespace tutti::pmpi
