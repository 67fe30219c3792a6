// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <tutti/collectives/call.hpp>
#include <tutti/collectives/make_plan.hpp>

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

template <collective C>
void run(twin& with, tutti::detail::collective_call&& call) {
    with.on_wires([&](auto& comm) { tutti::detail::run_call<C>(comm, automatic{}, std::move(call)); });
}

} // namespace tutti::pmpi
