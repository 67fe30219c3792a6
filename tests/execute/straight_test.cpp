// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/straight.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#include <tutti/schedule/bcast/tree.hpp>
#include <tutti/transport/threads.hpp>

#include "support/catch2.hpp"

using tutti::rank_type;
using transport = tutti::threads::transport;

TEST_CASE("a short run serves others until its last send, and waits for one peer", "[execute][threads]") {
    // In a line of three ranks the one in the middle sends last, and the others last receive or have ended.
    std::array<bool, 3> before{}, after{};
    std::array<int, 3> got{7, 0, 0};
    std::array<rank_type, 3> awaited{};
    tutti::threads::run_transports(3, [&](transport& wires) {
        const auto r = static_cast<std::size_t>(wires.rank());
        const tutti::any_generator schedule(generate(tutti::of<tutti::collective::bcast>, tutti::chain{1},
                                                     tutti::place{.rank = wires.rank(), .size = 3}));
        const auto layout = tutti::block_layout::aligned(sizeof(int), schedule.blocks(), 1);
        const tutti::binding bound{.work = reinterpret_cast<std::byte*>(&got[r])};
        tutti::kept_memory kept;
        tutti::step_list room;
        tutti::resolved_schedule found;
        found.make(schedule, {layout, bound, kept}, {0, 1}, false, 16, room);

        const tutti::fold_function none;
        tutti::straight_run<transport> run(wires, 1, found, none);
        run.place_callers(bound, nullptr);
        before[r] = run.sends_later();
        awaited[r] = run.awaited();
        for (std::uint32_t turns = 0; !run.done(); ++turns)
            if (!run.advance()) wires.idle(turns);
        after[r] = run.sends_later();
    });
    CHECK(got == std::array{7, 7, 7});
    CHECK(before == std::array{true, true, false});
    CHECK(after == std::array{false, false, false});
    CHECK((awaited[1] == 0 && awaited[2] == 1));
}
