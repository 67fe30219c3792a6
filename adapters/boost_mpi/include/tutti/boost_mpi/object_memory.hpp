// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tutti/boost_mpi/object.hpp>
#include <tutti/core/layout.hpp>
#include <tutti/core/step.hpp>

namespace tutti::boost_mpi::detail {

/// Where the objects of a call lie.
template <object T>
struct object_buffers {
    std::span<const T> input{}; ///< what the schedule calls input; empty if the collective has none
    std::span<T> work{};        ///< where the result goes
    std::span<const T> start{}; ///< copied to work before the first round, ...
    std::int64_t start_at = 0;  ///< ... to this element and those behind it
    bool in_place = false;      ///< input and work are the same memory
};

/// The buffers of a schedule as rows of objects.
template <object T>
class object_memory {
public:
    object_memory(const block_layout& layout, const object_buffers<T>& at, bool reads_input_late)
        : layout_(layout), input_(at.input.data()), work_(at.work.data()) {
        if (at.in_place && reads_input_late) {
            kept_input_.assign(at.input.begin(), at.input.end());
            input_ = kept_input_.data();
        }
        std::copy(at.start.begin(), at.start.end(), at.work.begin() + at.start_at);
    }

    std::int64_t count(const block_set& blocks) const noexcept { return layout_.size(blocks); }

    /// Calls f(const T*, elements) for the contiguous stretches that hold `blocks`, in message order.
    template <class F>
    void read(const block_set& blocks, buffer_name buffer, F&& f) {
        const T* const base = start_of(buffer);
        for_each_run(blocks, layout_.blocks(), [&](block_index first, block_index many) {
            f(base + layout_.offset(first), layout_.size(first, many));
        });
    }

    /// Calls f(T&) for each object of `blocks`, in message order.
    template <class F>
    void write(const block_set& blocks, buffer_name buffer, F&& f) {
        T* const base = at(buffer);
        for_each_run(blocks, layout_.blocks(), [&](block_index first, block_index many) {
            for (std::int64_t i = layout_.offset(first); i < layout_.offset(first + many); ++i) f(base[i]);
        });
    }

    /// Calls f(T&, const T&) for each object of `blocks` and the one at the same place in `source`.
    template <class F>
    void write_from(const block_set& blocks, buffer_name source, buffer_name buffer, F&& f) {
        T* const base = at(buffer);
        read(blocks, source, [&](const T* from, std::int64_t many) {
            T* to = base + (from - start_of(source));
            for (std::int64_t i = 0; i < many; ++i) f(to[i], from[i]);
        });
    }

private:
    const T* start_of(buffer_name buffer) { return buffer == buffer_name::input ? input_ : at(buffer); }

    /// Where a buffer that may be written lies; scratch is made when it is first needed.
    T* at(buffer_name buffer) {
        if (buffer == buffer_name::work) return work_;
        const auto plane = static_cast<std::size_t>(buffer) - static_cast<std::size_t>(buffer_name::scratch);
        std::vector<T>& made = scratch_[plane];
        if (made.empty()) made.resize(static_cast<std::size_t>(layout_.elements()));
        return made.data();
    }

    const block_layout& layout_;
    const T* input_;
    T* work_;
    std::vector<T> kept_input_;
    std::array<std::vector<T>, buffer_count - 2> scratch_;
};

} // namespace tutti::boost_mpi::detail
