// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/straight.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/execute/operation.hpp>
#include <tutti/schedule/bcast/tree.hpp>
#include <tutti/transport/threads.hpp>

#include "support/catch2.hpp"

using tutti::rank_type;
using transport = tutti::threads::transport;

namespace {

/// Rank 0 sends rank 1 some of three blocks, as one message.
struct some_blocks {
    tutti::place at;
    tutti::block_set some;

    tutti::round_index rounds() const { return 1; }
    tutti::block_index blocks() const { return 3; }
    tutti::capabilities claims() const { return {.max_outstanding = 1, .rounds = 1, .sent_blocks = 2}; }
    void emit(tutti::round_index, auto&& sink) const {
        if (at.rank == 0) sink(tutti::step::send(1, some, tutti::buffer_name::input));
        if (at.rank == 1) sink(tutti::step::recv(0, some));
    }
};

/// What rank 0 receives, in this order.
struct receives {
    std::vector<tutti::step> steps;

    tutti::round_index rounds() const { return 1; }
    tutti::block_index blocks() const { return 2; }
    tutti::capabilities claims() const { return {}; }
    void emit(tutti::round_index, auto&& sink) const {
        for (const tutti::step& s : steps) sink(s);
    }
};

} // namespace

TEST_CASE("a message, or what is collected for it, waits until there is room for it", "[execute][threads]") {
    const bool outer = GENERATE(true, false); // blocks 0 and 2, or 0 and 1
    const tutti::block_set some{.first = 0, .count = 2, .run = outer ? 1 : 0, .stride = outer ? 2 : 0};
    tutti::threads::world group(2);
    std::array wires{group.transport(0), group.transport(1)};
    const std::array<std::int32_t, 3> in{5, 6, 7};
    std::array<std::int32_t, 3> out{0, 0, 0};
    const auto layout = tutti::block_layout::aligned(sizeof in, 3, sizeof(std::int32_t));
    const std::array bound{tutti::binding{.input = reinterpret_cast<const std::byte*>(in.data())},
                           tutti::binding{.work = reinterpret_cast<std::byte*>(out.data())}};
    std::array<tutti::kept_memory, 2> kept;
    std::array<tutti::resolved_schedule, 2> found;
    for (const rank_type r : {0, 1}) {
        const auto i = static_cast<std::size_t>(r);
        const tutti::any_generator schedule(some_blocks{{.rank = r, .size = 2}, some});
        tutti::step_list room;
        found[i].make(schedule, {layout, bound[i], kept[i]}, {0, 3}, false, 16, room);
    }
    const tutti::fold_function none;
    tutti::straight_run<transport> sender(wires[0], 1, found[0], none), receiver(wires[1], 1, found[1], none);
    sender.place_callers(bound[0], nullptr);
    receiver.place_callers(bound[1], nullptr);

    const std::byte other{1};
    int others = 0;
    for (; wires[0].try_post(1, 2, {&other, 1}); ++others) {
    }
    CHECK(sender.advance() == outer); // collects
    CHECK_FALSE(sender.advance());    // and can do no more
    CHECK_FALSE(sender.done());
    for (int i = 0; i < others; ++i) {
        transport::incoming message;
        REQUIRE(wires[1].take(0, 2, message));
        wires[1].release(message);
    }
    CHECK_FALSE(receiver.advance());
    CHECK(sender.advance());
    CHECK(sender.done());
    CHECK(receiver.advance());
    CHECK(receiver.done());
    CHECK(out == (outer ? std::array<std::int32_t, 3>{5, 0, 7} : std::array<std::int32_t, 3>{5, 6, 0}));
}

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

TEST_CASE("in any order peers change places only where what they send is folded into the same bytes",
          "[execute][threads]") {
    using tutti::step;
    struct row {
        std::vector<step> steps;
        bool waits;                // for rank 1, though the message of rank 2 has come
        std::array<int, 2> result; // of 1000 and 2000 with 10 from rank 1 and 20 from rank 2
    };
    const auto copied = [](rank_type from, tutti::block_index block) { return step::recv(from, {block, 1}); };
    const auto folded = [](rank_type from, tutti::block_index block) {
        return step::recv_reduce(from, {block, 1}, tutti::operand_side::right);
    };
    const std::array rows{row{{folded(1, 0), folded(2, 0)}, false, {1030, 2000}},
                          row{{folded(1, 0), folded(2, 1)}, true, {1010, 2020}},
                          row{{copied(1, 0), copied(2, 1)}, true, {10, 20}},
                          row{{copied(1, 0), folded(2, 0)}, true, {30, 2000}}};
    const row& one = rows[GENERATE(range(std::size_t{0}, std::size_t{4}))];
    const bool any_order = GENERATE(true, false);
    tutti::threads::world group(3);
    std::array wires{group.transport(0), group.transport(1), group.transport(2)};
    std::array<int, 2> data{1000, 2000};
    const auto layout = tutti::block_layout::aligned(sizeof data, 2, sizeof(int));
    const tutti::binding bound{.work = reinterpret_cast<std::byte*>(data.data())};
    tutti::kept_memory kept;
    tutti::step_list room;
    tutti::resolved_schedule found;
    found.make(tutti::any_generator(receives{one.steps}), {layout, bound, kept}, {0, 2}, false, 16, room);
    REQUIRE(found.usable());

    const tutti::fold_function fold = tutti::fold_function::of<int>(tutti::sum{});
    tutti::straight_run<transport> run(wires[0], 1, found, fold, {}, any_order);
    run.place_callers(bound, nullptr);
    const auto send = [&](std::size_t from, const int& value) {
        REQUIRE(wires[from].try_post(0, 1, {reinterpret_cast<const std::byte*>(&value), sizeof value}));
    };
    send(2, 20);
    CHECK(run.advance() == (any_order && !one.waits));
    CHECK_FALSE(run.done());
    send(1, 10);
    CHECK(run.advance());
    CHECK(run.done());
    CHECK(data == one.result);
}

TEST_CASE("in any order no more than 64 receives are looked at, each of them once", "[execute][threads]") {
    // Rank 65 is the 65th to be folded into block 0, and the first into block 1: who looks at it with the
    // other 64 has no bit left to note that it was heard, and takes its second message for one more of the
    // first kind.
    std::vector<tutti::step> steps;
    for (rank_type from = 1; from <= 65; ++from)
        steps.push_back(tutti::step::recv_reduce(from, {0, 1}, tutti::operand_side::right));
    steps.push_back(tutti::step::recv_reduce(65, {1, 1}, tutti::operand_side::right));
    tutti::threads::world group(66);
    auto own = group.transport(0);
    std::array<int, 2> data{0, 0};
    const auto layout = tutti::block_layout::aligned(sizeof data, 2, sizeof(int));
    const tutti::binding bound{.work = reinterpret_cast<std::byte*>(data.data())};
    tutti::kept_memory kept;
    tutti::step_list room;
    tutti::resolved_schedule found;
    found.make(tutti::any_generator(receives{steps}), {layout, bound, kept}, {0, 2}, false, 16, room);
    REQUIRE(found.usable());

    const tutti::fold_function fold = tutti::fold_function::of<int>(tutti::sum{});
    tutti::straight_run<transport> run(own, 1, found, fold, {}, true);
    run.place_callers(bound, nullptr);
    const auto send = [&](rank_type from, const int& value) {
        auto wires = group.transport(from);
        REQUIRE(wires.try_post(0, 1, {reinterpret_cast<const std::byte*>(&value), sizeof value}));
    };
    send(65, 1);
    send(65, 1000);
    CHECK_FALSE(run.advance());
    for (rank_type from = 1; from <= 64; ++from) send(from, 1);
    CHECK(run.advance());
    CHECK(run.done());
    CHECK(data == std::array{65, 1000});
}
