// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/resolved.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/schedule/allreduce/recursive_doubling.hpp>
#include <tutti/schedule/gather/fnomial.hpp>
#include <tutti/schedule/reduce_scatter/pairwise.hpp>
#include <tutti/schedule/scatter/fnomial.hpp>

#include "support/catch2.hpp"

namespace {

using tutti::block_layout;
using tutti::block_set;
using tutti::collective;
using tutti::operand_side;
using tutti::region;
using tutti::resolved_schedule;
using tutti::resolved_step;
using act = resolved_step::act;

/// A schedule of one round, put down by hand.
struct one_round {
    std::vector<tutti::step> steps;
    tutti::block_index in_blocks = 1;

    tutti::round_index rounds() const noexcept { return 1; }
    tutti::block_index blocks() const noexcept { return in_blocks; }
    tutti::capabilities claims() const noexcept { return {}; }
    template <class Sink>
    void emit(tutti::round_index, Sink&& sink) const {
        for (const tutti::step& s : steps) sink(s);
    }
};

resolved_schedule resolved(const tutti::any_generator& schedule, std::int64_t bytes,
                           const tutti::binding& bound, const block_set& result, bool copies_result = false,
                           std::size_t most_sends = 16) {
    const block_layout layout = block_layout::aligned(bytes, schedule.blocks(), 1);
    tutti::kept_memory kept;
    tutti::step_list room;
    resolved_schedule found;
    found.make(schedule, {layout, bound, kept}, result, copies_result, most_sends, room);
    return found;
}
resolved_schedule resolved(const tutti::any_generator& schedule, std::int64_t bytes, bool starts_as_input,
                           const block_set& result, bool copies_result = false, std::size_t most_sends = 16) {
    return resolved(schedule, bytes, tutti::binding{.work_starts_as_input = starts_as_input}, result,
                    copies_result, most_sends);
}

} // namespace

TEST_CASE("resolved: recursive doubling of 5 ranks, as the extra rank and as its proxy see it", "[execute]") {
    const auto schedule_of = [](tutti::rank_type rank) {
        return tutti::any_generator(generate(tutti::of<collective::allreduce>, tutti::recursive_doubling{},
                                             tutti::place{.rank = rank, .size = 5}));
    };
    // How often ranks send, receive and fold: 4 hands its vector to 0 before and gets the result after two
    // rounds.
    for (tutti::rank_type rank = 0; rank < 5; ++rank) {
        INFO("rank " << rank);
        const resolved_schedule s = resolved(schedule_of(rank), 8, true, {0, 1});
        REQUIRE(s.known());
        REQUIRE(s.usable());
        int sends = 0, folds = 0;
        for (const resolved_step& one : s.steps()) {
            sends += one.what == act::send ? 1 : 0;
            folds += one.what == act::fold ? 1 : 0;
            CHECK(one.bytes == 8);
        }
        const bool extra = folds == 0;
        CHECK(sends == (extra ? 1 : folds));
        // The extra rank sends before it waits; of the others the last step that matters to anybody is a
        // send.
        REQUIRE(s.end_of_sends() > 0);
        CHECK(s.steps()[s.end_of_sends() - 1].what == act::send);
        for (std::size_t i = s.end_of_sends(); i < s.steps().size(); ++i)
            CHECK(s.steps()[i].what != act::send);
        if (extra) CHECK(s.end_of_sends() == 1);
    }
    const resolved_schedule inner = resolved(schedule_of(2), 8, true, {0, 1});
    // The first message is sent from the input, the first fold reads the input and writes the output; from
    // then on all is in the output.
    CHECK(inner.steps()[0].from == region::input);
    bool folded = false;
    for (const resolved_step& one : inner.steps())
        if (one.what == act::fold) {
            CHECK(one.present == (folded ? region::work : region::input));
            CHECK(one.target == region::work);
            CHECK(one.from == region::message);
            folded = true;
        } else if (one.what == act::send && folded) {
            CHECK(one.from == region::work);
        }
    CHECK(folded);
}

TEST_CASE("resolved: sends come before what lands in the same round, joined pieces are one message",
          "[execute]") {
    using tutti::step;
    const auto s = resolved(
        one_round{.steps = {step::recv(1, {0, 1}), step::send(1, {0, 1}).and_next(), step::send(1, {2, 1})},
                  .in_blocks = 4},
        16, false, {0, 4});
    REQUIRE(s.usable());
    REQUIRE(s.steps().size() == 5);
    CHECK(s.steps()[0].what == act::collect);
    CHECK(s.steps()[0].at == 0);
    CHECK(s.steps()[1].what == act::collect);
    CHECK(s.steps()[1].at == 8);
    CHECK(s.steps()[2].what == act::send_collected);
    CHECK(s.steps()[2].step == 1);
    CHECK(s.end_of_sends() == 3);
    CHECK(s.steps()[3].what == act::receive);
    CHECK(s.steps()[3].bytes == 4);
    CHECK(s.steps()[3].parts == 1);
    CHECK(s.steps()[4].what == act::copy);
    CHECK(s.steps()[4].target == region::work);
}

TEST_CASE("resolved: a message of several pieces lands piece after piece", "[execute]") {
    using tutti::step;
    const auto s = resolved(one_round{.steps = {step::recv_reduce(1, {0, 1}, operand_side::left).and_next(),
                                                step::recv_reduce(1, {3, 1}, operand_side::left)},
                                      .in_blocks = 4},
                            16, true, {0, 4});
    REQUIRE(s.steps().size() == 3 + 1);
    CHECK(s.steps()[0].bytes == 8);
    CHECK(s.steps()[0].parts == 2);
    CHECK(s.steps()[1].at == 0);
    CHECK(s.steps()[1].offset == 0);
    CHECK(s.steps()[2].at == 4);
    CHECK(s.steps()[2].offset == 12);
    CHECK(s.steps()[2].side == operand_side::left);
    // In the end the two blocks in between, which nothing landed in, come from the input.
    CHECK(s.steps()[3].what == act::copy);
    CHECK(s.steps()[3].from == region::input);
    CHECK(s.steps()[3].offset == 4);
    CHECK(s.steps()[3].bytes == 8);
}

TEST_CASE("resolved: a local step follows where its source changes place", "[execute]") {
    using tutti::buffer_name;
    using tutti::step;
    const auto s = resolved(one_round{.steps = {step::recv(1, {1, 1}),
                                                step::copy({0, 3}, buffer_name::work, buffer_name::scratch)},
                                      .in_blocks = 3},
                            12, true, {0, 0});
    REQUIRE(s.steps().size() == 2 + 3);
    CHECK(s.steps()[2].from == region::input);
    CHECK(s.steps()[3].from == region::work);
    CHECK(s.steps()[4].from == region::input);
    for (std::size_t i = 2; i < 5; ++i) {
        CHECK(s.steps()[i].target == region::scratch);
        CHECK(s.steps()[i].at == 4 * (i - 2));
        CHECK(s.steps()[i].offset == 4 * (i - 2));
    }
    CHECK(s.needs(region::scratch));
    CHECK_FALSE(s.needs(region::scratch_1));
}

TEST_CASE("resolved: a local step goes part by part where its target is in parts", "[execute]") {
    using tutti::buffer_name;
    using tutti::step;
    std::byte out[4]{};
    const auto s = resolved(
        one_round{.steps = {step::copy({0, 4}, buffer_name::scratch, buffer_name::work)}, .in_blocks = 4}, 16,
        tutti::binding{.part = {1, 1}, .part_at = out}, {0, 4});
    REQUIRE(s.steps().size() == 3);
    const std::vector<std::uint32_t> at{0, 4, 8}, bytes{4, 4, 8};
    for (std::size_t i = 0; i < 3; ++i) {
        const resolved_step& one = s.steps()[i];
        CHECK(one.from == region::scratch);
        CHECK(one.at == at[i]);
        CHECK(one.bytes == bytes[i]);
        CHECK(one.target == (i == 1 ? region::result : region::work));
        CHECK(one.offset == (i == 1 ? 0 : at[i]));
    }
}

TEST_CASE("resolved: the result of a reduce_scatter is put where the caller wants it", "[execute]") {
    const auto schedule = tutti::any_generator(generate(
        tutti::of<collective::reduce_scatter>, tutti::pairwise{}, tutti::place{.rank = 1, .size = 3}));
    const auto s = resolved(schedule, 24, true, {1, 1}, true);
    const resolved_step& last = s.steps().back();
    CHECK(last.what == act::copy);
    CHECK(last.target == region::result);
    CHECK(last.offset == 0);
    CHECK(last.at == 8);
    CHECK(last.bytes == 8);
}

TEST_CASE("resolved: a result that lies in several places is put together where the caller wants it",
          "[execute]") {
    using tutti::step;
    // Block 1 has been received, the others are the input's.
    for (const std::uint32_t length : {1U, 4U}) {
        const auto s = resolved(one_round{.steps = {step::recv(1, {1, 1})}, .in_blocks = 3}, 3 * length, true,
                                {0, 3}, true);
        REQUIRE(s.steps().size() == 2 + 3);
        for (std::uint32_t i = 0; i < 3; ++i) {
            const resolved_step& one = s.steps()[2 + i];
            CHECK(one.what == act::copy);
            CHECK(one.from == (i == 1 ? region::work : region::input));
            CHECK(one.target == region::result);
            CHECK(one.at == length * i);
            CHECK(one.offset == length * i);
            CHECK(one.bytes == length);
        }
    }
}

TEST_CASE("resolved: in a gather the own block goes out of an input that is no longer than that",
          "[execute]") {
    // Rank 2 of 4: receives block 3, sends 2..3.
    const auto schedule = tutti::any_generator(
        generate(tutti::of<collective::gather>, tutti::fnomial{}, tutti::place{.rank = 2, .size = 4}));
    const auto s = resolved(schedule, 32, {.input_begins = 16, .work_starts_as_input = true}, {0, 0});
    REQUIRE(s.steps().size() == 5);
    CHECK(s.steps()[0].what == act::receive);
    CHECK(s.steps()[1].target == region::work);
    CHECK(s.steps()[1].offset == 24);
    CHECK(s.steps()[2].what == act::collect);
    CHECK(s.steps()[2].from == region::input);
    CHECK(s.steps()[2].at == 0);
    CHECK(s.steps()[2].bytes == 8);
    CHECK(s.steps()[3].from == region::work);
    CHECK(s.steps()[3].at == 24);
    CHECK(s.steps()[4].what == act::send_collected);
    // A leaf needs no memory but the caller's.
    const auto leaf = resolved(tutti::any_generator(generate(tutti::of<collective::gather>, tutti::fnomial{},
                                                             tutti::place{.rank = 3, .size = 4})),
                               32, {.input_begins = 24, .work_starts_as_input = true}, {0, 0});
    REQUIRE(leaf.steps().size() == 1);
    CHECK(leaf.steps()[0].what == act::send);
    CHECK(leaf.steps()[0].at == 0);
    CHECK_FALSE(leaf.needs(region::work));
}

TEST_CASE("resolved: what a scatter brings a rank lands in its output, what it hands on elsewhere",
          "[execute]") {
    std::byte out[8]{};
    const auto part_of = [&](tutti::rank_type rank) {
        return resolved(tutti::any_generator(generate(tutti::of<collective::scatter>, tutti::fnomial{},
                                                      tutti::place{.rank = rank, .size = 4})),
                        32, {.work_starts_as_input = rank == 0, .part = {rank, 1}, .part_at = out},
                        {rank, 1});
    };
    const auto inner = part_of(2); // receives 2..3, sends 3
    REQUIRE(inner.steps().size() == 4);
    CHECK(inner.steps()[0].what == act::receive);
    CHECK(inner.steps()[0].bytes == 16);
    CHECK(inner.steps()[1].target == region::result);
    CHECK(inner.steps()[1].offset == 0);
    CHECK(inner.steps()[2].target == region::work);
    CHECK(inner.steps()[2].offset == 24);
    CHECK(inner.steps()[3].what == act::send);
    CHECK(inner.steps()[3].at == 24);
    CHECK_FALSE(part_of(3).needs(region::work));
    // The root copies its own in the end.
    const auto root = part_of(0);
    CHECK(root.steps().back().what == act::copy);
    CHECK(root.steps().back().from == region::input);
    CHECK(root.steps().back().target == region::result);
    CHECK_FALSE(root.needs(region::work));
}

TEST_CASE("resolved: a round that sends more than a mailbox holds is none for running in order",
          "[execute]") {
    one_round many;
    for (tutti::rank_type peer = 1; peer <= 3; ++peer) many.steps.push_back(tutti::step::send(peer, {0, 1}));
    CHECK(resolved(many, 8, false, {0, 1}, false, 3).usable());
    const auto s = resolved(many, 8, false, {0, 1}, false, 2);
    CHECK(s.known());
    CHECK_FALSE(s.usable());
}
