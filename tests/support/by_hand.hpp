// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <tutti/execute/cursor.hpp>

/// Collectives driven step by step from one thread, to see what the engine does in between.
namespace support {

/// One rank's part of one collective: everything that a cursor needs, and the cursor.
template <class Transport, class T, class Op>
struct part {
    tutti::any_generator schedule;
    tutti::fold_function fold;
    tutti::block_layout layout;
    std::vector<T> in;
    std::vector<T> out;
    tutti::workspace<Transport> kept;
    tutti::memory data;
    tutti::cursor<Transport> engine;

    /// In place, `out` starts as the input; else it starts as T{}.
    part(Transport& wires, tutti::channel_type channel, tutti::any_generator g, std::vector<T> input, Op op,
         bool in_place)
        : schedule(std::move(g)), fold(tutti::fold_function::of<T>(std::move(op))),
          layout(tutti::block_layout::aligned(static_cast<std::int64_t>(input.size() * sizeof(T)),
                                              schedule.blocks(), sizeof(T))),
          in(std::move(input)), out(in_place ? in : std::vector<T>(in.size())),
          data(layout,
               {.input = reinterpret_cast<const std::byte*>(in.data()),
                .work = reinterpret_cast<std::byte*>(out.data()),
                .work_starts_as_input = !in_place},
               kept.memory),
          engine(wires, channel, schedule, fold, data, kept) {}

    /// The whole result; only when done.
    const std::vector<T>& result() {
        data.settle({0, layout.blocks()});
        return out;
    }
};

template <class Part>
using parts = std::vector<std::unique_ptr<Part>>;

template <class Part>
bool all_done(const parts<Part>& all) {
    for (const auto& p : all)
        if (!p->engine.done()) return false;
    return true;
}

/// Drives all in turn, and calls between(), which says whether it moved anything, until nothing moves.
template <class Part, class Between>
void drive(const parts<Part>& all, Between&& between) {
    for (bool moved = true; moved;) {
        moved = false;
        for (const auto& p : all)
            if (p->engine.progress()) moved = true;
        if (between()) moved = true;
    }
}

/// Drives one after the other at random, `turns` times or until all are done.
template <class Part, class Between>
void drive_at_random(const parts<Part>& all, Between&& between, std::uint32_t seed, int turns) {
    std::minstd_rand random(seed + 1);
    for (; turns > 0 && !all_done(all); --turns) {
        const std::size_t choice = random() % (2 * all.size());
        if (choice < all.size())
            all[choice]->engine.progress();
        else
            between();
    }
}

} // namespace support
