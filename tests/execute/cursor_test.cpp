// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/cursor.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <tutti/execute/operation.hpp>
#include <tutti/schedule/named.hpp>
#include <tutti/transport/mock.hpp>
#include <tutti/transport/threads.hpp>

#include "support/by_hand.hpp"
#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/outcomes.hpp"
#include "support/scripted.hpp"
#include "support/worlds.hpp"

namespace {

using support::add_parts;
using support::matrix;
using support::multiply;
using support::over_buffered_mock;
using support::over_mock;
using support::over_plain;
using support::over_threads;
using support::parts_of;
using support::samples;
using support::serial_fold;
using tutti::any_generator;
using tutti::block_set;
using tutti::operand_side;
using tutti::rank_type;
using tutti::step;
using tutti::sum;
using tutti::testing::play;
namespace mock = tutti::mock;

/// Hands out messages in two pieces, the first of so many bytes: borders may lie within elements.
class cutting : public tutti::threads::transport {
    using base = tutti::threads::transport;

public:
    struct incoming : base::incoming {
        std::vector<std::span<const std::byte>> cut{};
        tutti::gather_list pieces() const noexcept { return cut; }
    };

    cutting(base wires, std::size_t first) : base(std::move(wires)), first_(first) {}

    bool take(rank_type peer, tutti::channel_type channel, incoming& message,
              const tutti::call_label& label = {}) {
        if (!base::take(peer, channel, message, label)) return false;
        const std::span<const std::byte> all = message.base::incoming::pieces().front();
        message.cut = {all.first(first_), all.subspan(first_)};
        return true;
    }

private:
    std::size_t first_;
};

struct over_cutting : over_threads {
    using transport = cutting;
    over_cutting(rank_type size, std::size_t first) : over_threads(size) {
        for (const auto& whole : over_threads::wires) wires.emplace_back(whole, first);
    }
    std::deque<transport> wires;
};

auto allreduce_by(const char* name) {
    return [name](tutti::place at) {
        return tutti::find_algorithm(tutti::collective::allreduce, name)->make(at, {});
    };
}

} // namespace

TEMPLATE_TEST_CASE("several collectives of several ranks advance by hand in any order", "[execute][cursor]",
                   over_mock, over_buffered_mock, over_threads, over_plain) {
    const char* const algorithms[] = {"recursive_doubling", "halving_doubling", "binary_tree"};
    for (const std::int64_t count : {3, 700})
        for (std::uint32_t seed = 0; seed < 20; ++seed) {
            const auto size = static_cast<rank_type>(2 + seed % 5);
            TestType world(size);
            parts_of<TestType, matrix, multiply> all;
            for (tutti::channel_type c = 0; c < 3; ++c)
                add_parts<matrix>(all, world, c, allreduce_by(algorithms[c]), count, multiply{},
                                  c % 2 == seed % 2);
            support::drive_at_random(all, world, seed, 200000);
            INFO("size " << size << ", seed " << seed << ", " << count << " elements");
            REQUIRE(support::all_done(all));
            const std::vector<matrix> expected = serial_fold<matrix>(0, size, count, multiply{});
            for (const auto& p : all) REQUIRE(p->result() == expected);
        }
}

TEMPLATE_TEST_CASE("progress says whether anything moved, and returns when nothing can", "[execute][cursor]",
                   over_mock, over_threads) {
    TestType world(2);
    parts_of<TestType, int, sum> all;
    add_parts<int>(all, world, 0, allreduce_by("recursive_doubling"), 500, sum{}, true);
    CHECK(all[0]->engine.progress());
    while (all[0]->engine.progress()) {
    }
    for (int i = 0; i < 10; ++i) CHECK(!all[0]->engine.progress()); // the other one has not begun
    CHECK(!all[0]->engine.done());
    const auto where = all[0]->engine.where(1);
    CHECK(where.rank == 0);
    CHECK(where.round == 0);
    CHECK(where.peer == 1);
    support::drive(all, world);
    CHECK(support::all_done(all));
    CHECK(!all[0]->engine.progress());
    CHECK(all[1]->result() == serial_fold<int>(0, 2, 500, sum{}));
}

TEST_CASE("a send that has to wait is nothing that moves, a message put aside is", "[execute][cursor]") {
    SECTION("a send that has to wait") {
        const play schedules{.ranks = {{{step::recv(1, {0, 1})}, {step::send(1, {0, 1})}}, {}}, .blocks = 1};
        over_threads world(2);
        parts_of<over_threads, int, sum> all;
        add_parts<int>(all, world, 0, schedules, 10, sum{}, true);
        CHECK(all[0]->engine.progress());
        for (int i = 0; i < 10; ++i) CHECK(!all[0]->engine.progress());
        over_threads::give_up(all);
    }
    SECTION("a message put aside") {
        const play schedules{
            .ranks = {{{step::send(1, {0, 1}), step::recv_reduce(1, {0, 1}, operand_side::right)}},
                      {{step::send(0, {0, 1})}}}, // and takes nothing
            .blocks = 1};
        over_threads world(2);
        parts_of<over_threads, int, sum> all;
        add_parts<int>(all, world, 0, schedules, 100000, sum{}, true);
        CHECK(all[0]->engine.progress());
        CHECK(!all[0]->engine.progress());
        CHECK(all[1]->engine.progress());
        CHECK(all[0]->engine.progress());
        CHECK(!all[0]->engine.progress());
        over_threads::give_up(all);
    }
}

TEST_CASE("at fault is the oldest step that talks to the suspect, if any does", "[execute][cursor]") {
    const play schedules{.ranks = {{{step::recv(1, {0, 1}), step::recv(2, {1, 1})}}, {}, {}}, .blocks = 2};
    over_threads world(3);
    parts_of<over_threads, int, sum> all;
    add_parts<int>(all, world, 0, schedules, 10, sum{}, true);
    all[0]->engine.progress();
    CHECK(all[0]->engine.where(2).peer == 2);
    CHECK(all[0]->engine.where(2).step == 1);
    CHECK(all[0]->engine.where(1).peer == 1);
    CHECK(all[0]->engine.where(7).peer == 1);
    CHECK(all[0]->engine.where().step == 0);
    over_threads::give_up(all);
}

TEST_CASE("at fault is the oldest round, if nobody is suspected who has a step", "[execute][cursor]") {
    const play schedules{.ranks = {{{step::recv(1, {0, 1})}, {step::recv(2, {1, 1})}}, {}, {}}, .blocks = 2};
    over_threads world(3);
    parts_of<over_threads, int, sum> all;
    add_parts<int>(all, world, 0, schedules, 10, sum{}, true);
    all[0]->engine.progress();
    for (const rank_type suspect : {rank_type{7}, tutti::no_rank}) {
        CHECK(all[0]->engine.where(suspect).round == 0);
        CHECK(all[0]->engine.where(suspect).peer == 1);
    }
    CHECK(all[0]->engine.where(2).round == 1);
    CHECK(all[0]->engine.where(2).peer == 2);
    over_threads::give_up(all);
}

TEMPLATE_TEST_CASE("a late rank does not hold up rounds that have nothing to do with it", "[execute][cursor]",
                   over_mock, over_buffered_mock, over_threads, over_plain) {
    const block_set first{0, 1}, second{1, 1};
    const play schedules{.ranks = {{{step::recv_reduce(1, first, operand_side::right)},
                                    {step::recv_reduce(2, second, operand_side::right)},
                                    {step::send(2, second)}},
                                   {{step::send(0, first)}},
                                   {{}, {step::send(0, second)}, {step::recv(0, second)}}},
                         .blocks = 2};
    TestType world(3);
    parts_of<TestType, int, sum> all;
    add_parts<int>(all, world, 0, schedules, 200, sum{}, true);
    auto late = std::move(all[1]);
    all.erase(all.begin() + 1);
    support::drive(all, world);
    CHECK(all[1]->engine.done()); // rank 2 has its answer
    CHECK(!all[0]->engine.done());
    CHECK(all[0]->engine.where(1).peer == 1);
    all.push_back(std::move(late));
    support::drive(all, world);
    CHECK(support::all_done(all));
    CHECK(all[0]->out[0] == support::sample<int>(0, 0) + support::sample<int>(1, 0));
    CHECK(all[1]->out[100] == support::sample<int>(0, 100) + support::sample<int>(2, 100));
}

TEMPLATE_TEST_CASE("a late rank does not hold up what another one is sent of the same blocks",
                   "[execute][cursor]", over_mock, over_threads) {
    const block_set all_there_is{0, 1};
    const play schedules{.ranks = {{{step::send(1, all_there_is)}, {step::send(2, all_there_is)}},
                                   {{step::recv(0, all_there_is)}},
                                   {{}, {step::recv(0, all_there_is)}}}};
    TestType world(3);
    parts_of<TestType, int, sum> all;
    add_parts<int>(all, world, 0, schedules, 10'000, sum{}, true);
    auto late = std::move(all[1]);
    all.erase(all.begin() + 1);
    support::drive(all, world);
    CHECK(all[1]->engine.done());
    CHECK(!all[0]->engine.done());
    all.push_back(std::move(late));
    support::drive(all, world);
    REQUIRE(support::all_done(all));
    for (const auto& one : all) CHECK(one->out == samples<int>(0, 10'000));
}

TEST_CASE("no more rounds are in flight than the window holds", "[execute][cursor]") {
    tutti::testing::script zero{{step::recv(1, {0, 1})}}, one{{step::send(0, {0, 1})}}, two{{}};
    for (int i = 0; i < 9; ++i) {
        zero.push_back({step::recv(2, {1, 1})});
        two.push_back({step::send(0, {1, 1})});
    }
    over_mock world(3, {.rendezvous = false});
    parts_of<over_mock, int, sum> all;
    add_parts<int>(all, world, 0, play{.ranks = {zero, one, two}, .blocks = 2}, 2, sum{}, true);
    const auto receives_started = [&] {
        std::int64_t count = 0;
        const std::string log = world.group.log(), line = "rank 0 waits for a message from rank 2";
        for (auto at = log.find(line); at != std::string::npos; at = log.find(line, at + 1)) ++count;
        return count;
    };
    auto late = std::move(all[1]);
    all.erase(all.begin() + 1);
    support::drive(all, world);
    CHECK(receives_started() == tutti::detail::rounds_in_flight - 1);
    all.push_back(std::move(late));
    support::drive(all, world);
    CHECK(support::all_done(all));
    CHECK(receives_started() == 9);
}

TEMPLATE_TEST_CASE("two ranks that exchange the same blocks in place never wait for each other",
                   "[execute][cursor]", over_mock, over_threads, over_plain) {
    // Each sends what the other's message is going to change: one of the two has to be put aside.
    for (const std::int64_t count : {2, 1000}) {
        play schedules{.ranks = {{}, {}}, .blocks = 1};
        for (int i = 0; i < 6; ++i) {
            schedules.ranks[0].push_back(
                {step::send(1, {0, 1}), step::recv_reduce(1, {0, 1}, operand_side::right)});
            schedules.ranks[1].push_back(
                {step::send(0, {0, 1}), step::recv_reduce(0, {0, 1}, operand_side::left)});
        }
        TestType world(2);
        parts_of<TestType, int, sum> all;
        add_parts<int>(all, world, 0, schedules, count, sum{}, true);
        support::drive(all, world);
        REQUIRE(support::all_done(all));
        for (std::int64_t i = 0; i < count; ++i) {
            const int expected = 32 * (support::sample<int>(0, i) + support::sample<int>(1, i));
            CHECK(all[0]->out[static_cast<std::size_t>(i)] == expected);
            CHECK(all[1]->out[static_cast<std::size_t>(i)] == expected);
        }
    }
}

TEMPLATE_TEST_CASE("two ranks can swap their vectors in place", "[execute][cursor]", over_mock, over_threads,
                   over_plain) {
    const play schedules{.ranks = {{{step::send(1, {0, 2}), step::recv(1, {0, 2})}},
                                   {{step::send(0, {0, 2}), step::recv(0, {0, 2})}}},
                         .blocks = 2};
    TestType world(2);
    parts_of<TestType, int, sum> all;
    add_parts<int>(all, world, 0, schedules, 1001, sum{}, true);
    support::drive(all, world);
    REQUIRE(support::all_done(all));
    CHECK(all[0]->out == samples<int>(1, 1001));
    CHECK(all[1]->out == samples<int>(0, 1001));
}

TEMPLATE_TEST_CASE("a send does not wait for the peer's message that is listed before it",
                   "[execute][cursor]", over_mock, over_threads, over_plain) {
    const play schedules{.ranks = {{{step::recv(1, {1, 1}), step::send(1, {0, 1})}},
                                   {{step::recv(0, {0, 1}), step::send(0, {1, 1})}}},
                         .blocks = 2};
    TestType world(2);
    parts_of<TestType, int, sum> all;
    add_parts<int>(all, world, 0, schedules, 2, sum{}, true);
    support::drive(all, world);
    REQUIRE(support::all_done(all));
    const std::vector<int> expected{support::sample<int>(0, 0), support::sample<int>(1, 1)};
    CHECK(all[0]->out == expected);
    CHECK(all[1]->out == expected);
}

TEMPLATE_TEST_CASE("messages of several pieces come out in order, however both sides cut them",
                   "[execute][cursor]", over_mock, over_buffered_mock, over_threads, over_plain) {
    const std::int64_t each = GENERATE(as<std::int64_t>{}, 1, 100); // elements per block
    // Blocks 0 1 4 5 2 go to where 6 7 3 1 0 are. The last ones go round the end, or in strides.
    const block_set strided{4, 3, 2, -2}; // 4 5 2
    const play schedules{.ranks = {{{step::send(1, {0, 2}).and_next(), step::send(1, strided)}},
                                   {{step::recv(0, {6, 1}).and_next(), step::recv(0, {7, 1}).and_next(),
                                     step::recv(0, {3, 1}).and_next(), step::recv(0, {1, 2, 1, -1})}}},
                         .blocks = 8};
    TestType world(2);
    parts_of<TestType, int, sum> all;
    add_parts<int>(all, world, 0, schedules, 8 * each, sum{}, true);
    for (std::size_t i = 0; i < all[0]->out.size(); ++i) all[0]->out[i] = static_cast<int>(i);
    std::vector<int> expected = samples<int>(1, 8 * each);
    const std::int64_t from[] = {0, 1, 4, 5, 2}, to[] = {6, 7, 3, 1, 0};
    for (int k = 0; k < 5; ++k)
        for (std::int64_t i = 0; i < each; ++i)
            expected[static_cast<std::size_t>(to[k] * each + i)] = static_cast<int>(from[k] * each + i);
    support::drive(all, world);
    REQUIRE(support::all_done(all));
    CHECK(all[1]->out == expected);
}

TEMPLATE_TEST_CASE("pieces of one message are folded where they belong", "[execute][cursor]", over_mock,
                   over_threads, over_plain) {
    const std::int64_t each = GENERATE(as<std::int64_t>{}, 1, 100);
    const bool in_place = GENERATE(true, false);
    const play schedules{.ranks = {{{step::send(1, {3, 3})}}, // 3 0 1, round the end
                                   {{step::recv_reduce(0, {3, 1}, operand_side::left).and_next(),
                                     step::recv_reduce(0, {0, 2}, operand_side::left)}}},
                         .blocks = 4};
    TestType world(2);
    parts_of<TestType, matrix, multiply> all;
    add_parts<matrix>(all, world, 0, schedules, 4 * each, multiply{}, in_place);
    support::drive(all, world);
    REQUIRE(support::all_done(all));
    std::vector<matrix> expected = samples<matrix>(1, 4 * each);
    for (std::int64_t i = 0; i < 4 * each; ++i)
        if (i / each != 2)
            expected[static_cast<std::size_t>(i)] =
                multiply{}(support::sample<matrix>(0, i), support::sample<matrix>(1, i));
    CHECK(all[1]->result() == expected);
    CHECK(all[1]->in == samples<matrix>(1, 4 * each));
}

TEST_CASE("elements that pieces of a message cut through are folded whole", "[execute][cursor]") {
    const play schedules{
        .ranks = {{{step::recv_reduce(1, {0, 1}, operand_side::right)}}, {{step::send(0, {0, 1})}}},
        .blocks = 1};
    for (const std::size_t first : {0U, 2U, 4U, 7U, 8U, 12U}) { // bytes of three elements
        CAPTURE(first);
        over_cutting world(2, first);
        parts_of<over_cutting, int, sum> all;
        add_parts<int>(all, world, 0, schedules, 3, sum{}, true);
        support::drive(all, world);
        REQUIRE(support::all_done(all));
        CHECK(all[0]->result() == serial_fold<int>(0, 2, 3, sum{}));
    }
}

TEMPLATE_TEST_CASE("local steps see what an earlier step of their round wrote", "[execute][cursor]",
                   over_mock, over_threads, over_plain) {
    using tutti::buffer_name;
    const block_set all_blocks{0, 2};
    const play schedules{
        .ranks = {{{step::send(1, all_blocks)}},
                  {{step::recv(0, all_blocks, buffer_name::scratch),
                    step::reduce(all_blocks, buffer_name::scratch, buffer_name::work, operand_side::left),
                    step::copy({1, 1}, buffer_name::work, buffer_name::scratch_1),
                    step::reduce({1, 1}, buffer_name::scratch_1, buffer_name::work, operand_side::right)}}},
        .blocks = 2};
    TestType world(2);
    parts_of<TestType, matrix, multiply> all;
    add_parts<matrix>(all, world, 0, schedules, 200, multiply{}, true);
    support::drive(all, world);
    REQUIRE(support::all_done(all));
    for (std::int64_t i = 0; i < 200; ++i) {
        const matrix once = multiply{}(support::sample<matrix>(0, i), support::sample<matrix>(1, i));
        CHECK(all[1]->out[static_cast<std::size_t>(i)] == (i < 100 ? once : multiply{}(once, once)));
    }
}

TEST_CASE("folds of messages that have all come are one pass, in the order of ranks", "[execute][cursor]") {
    const bool in_place = GENERATE(true, false);
    const std::int64_t count = GENERATE(as<std::int64_t>{}, 1, 9, 5000);
    for (rank_type root = 0; root < 12; ++root) {
        constexpr rank_type size = 12; // more than are folded at once
        over_threads world(size);
        parts_of<over_threads, matrix, multiply> all;
        add_parts<matrix>(
            all, world, 0,
            [&](tutti::place at) {
                return tutti::generate(tutti::of<tutti::collective::reduce>, tutti::serial{},
                                       {at.rank, at.size, root});
            },
            count, multiply{}, in_place);
        auto& at_root = *all[static_cast<std::size_t>(root)];
        for (const auto& p : all)
            if (p.get() != &at_root) p->engine.progress();
        CHECK(at_root.engine.progress());
        CHECK(at_root.engine.done());
        support::drive(all, world);
        CHECK(support::all_done(all));
        CHECK(at_root.result() == serial_fold<matrix>(0, size, count, multiply{}));
    }
}

TEST_CASE("only what is in one piece and for the same buffer is folded in one pass", "[execute][cursor]") {
    using tutti::buffer_name;
    const std::int64_t each = GENERATE(as<std::int64_t>{}, 1, 10000); // elements per block
    const bool other_buffer = GENERATE(true, false);
    const auto fold = [](rank_type from, buffer_name into) {
        return step::recv_reduce(from, {0, 2}, operand_side::right, into);
    };
    const play schedules{
        .ranks = {{{step::copy({0, 2}, buffer_name::work, buffer_name::scratch), fold(1, buffer_name::work),
                    fold(2, other_buffer ? buffer_name::scratch : buffer_name::work)}},
                  {{step::send(0, {0, 2})}},
                  {{step::send(0, {1, 1}).and_next(), step::send(0, {0, 1})}}}, // two pieces
        .blocks = 2};
    over_threads world(3);
    parts_of<over_threads, int, sum> all;
    add_parts<int>(all, world, 0, schedules, 2 * each, sum{}, true);
    std::vector<int> expected = samples<int>(0, 2 * each);
    for (std::int64_t i = 0; i < 2 * each; ++i) {
        const std::int64_t swapped = (i + each) % (2 * each);
        expected[static_cast<std::size_t>(i)] +=
            support::sample<int>(1, i) + (other_buffer ? 0 : support::sample<int>(2, swapped));
    }
    all[1]->engine.progress();
    all[2]->engine.progress();
    support::drive(all, world);
    REQUIRE(support::all_done(all));
    CHECK(all[0]->out == expected);
}

TEST_CASE("folds are in the order of ranks whatever the order of arrival", "[execute][cursor]") {
    constexpr rank_type size = 9;
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        over_threads world(size);
        parts_of<over_threads, matrix, multiply> all;
        add_parts<matrix>(
            all, world, 0,
            [&](tutti::place at) {
                return tutti::generate(tutti::of<tutti::collective::reduce>, tutti::serial{},
                                       {at.rank, at.size, 4});
            },
            1000, multiply{}, seed % 2 == 0);
        support::drive_at_random(all, world, seed, 100000);
        REQUIRE(support::all_done(all));
        CHECK(all[4]->result() == serial_fold<matrix>(0, size, 1000, multiply{}));
    }
}

TEMPLATE_TEST_CASE("a cursor that is given up in the middle leaves no memory in use", "[execute][cursor]",
                   over_mock, over_threads) {
    // What is still under way must not be touched any more: the address sanitizer looks on.
    for (int turns = 0; turns < 60; ++turns) {
        TestType world(4);
        parts_of<TestType, int, sum> all;
        add_parts<int>(all, world, 0, allreduce_by("halving_doubling"), 4000, sum{}, true);
        parts_of<TestType, int, sum> others;
        add_parts<int>(others, world, 1, allreduce_by("halving_doubling"), 4000, sum{}, false);
        support::drive_at_random(all, world, static_cast<std::uint32_t>(turns), turns);
        TestType::give_up(all);
        support::drive(others, world);
        CHECK(support::all_done(others));
        for (const auto& p : others) CHECK(p->result() == serial_fold<int>(0, 4, 4000, sum{}));
    }
}

TEST_CASE("a schedule that folds in a collective without an operation is an error", "[execute][cursor]") {
    over_mock world(2, {.rendezvous = false});
    const play schedules{
        .ranks = {{{step::send(1, {0, 1})}}, {{step::recv_reduce(0, {0, 1}, operand_side::left)}}}};
    const tutti::block_layout layout = tutti::block_layout::even(12, 1);
    std::vector<int> data[2] = {{1, 2, 3}, {4, 5, 6}};
    const auto run = [&](rank_type r) {
        const any_generator schedule = schedules({r, 2, 0});
        const tutti::fold_function none;
        tutti::workspace<mock::transport> kept;
        tutti::memory where(layout, {.work = reinterpret_cast<std::byte*>(data[r].data())}, kept.memory);
        tutti::cursor<mock::transport> engine(world.wires[static_cast<std::size_t>(r)], 0, schedule, none,
                                              where, kept);
        while (engine.progress() || world()) {
        }
        return engine.done();
    };
    CHECK(run(0));
    CHECK(support::contains(support::error_of([&] { run(1); }), "no operation"));
    CHECK(data[1] == std::vector<int>{4, 5, 6});
}
