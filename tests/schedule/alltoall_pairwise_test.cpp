// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/pairwise.hpp>

#include <vector>

#include <tutti/core/schedule.hpp>
#include <tutti/schedule/flow_control.hpp>

#include "support/long_parts.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<pairwise, collective::alltoall>();
}

TEST_CASE("alltoall pairwise is proved for any size and moves the least", "[schedule][alltoall][pairwise]") {
    for (rank_type size = 1; size <= 70; ++size) {
        const proof p = check_proved(collective::alltoall, size, 0, make);
        CHECK(p.sent_blocks == size - 1);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.critical_messages == size - 1);
        CHECK(p.scratch_blocks == 0);
    }
}

TEST_CASE("alltoall pairwise is proved with many messages in one round, and in step",
          "[schedule][alltoall][pairwise][flow_control]") {
    for (rank_type size = 1; size <= 40; ++size)
        for (const std::int64_t outstanding : {2, 4, 100})
            for (const std::int64_t pace : {0, 3}) {
                const flow_controlled<pairwise> how{{}, outstanding, pace};
                const proof p = check_proved(collective::alltoall, size, 0, [&](place at) {
                    return any_generator(generate(of<collective::alltoall>, how, at));
                });
                CHECK(p.sent_blocks == size - 1);
            }
    // All at once: one round, whatever the size.
    CHECK(generate(of<collective::alltoall>, flow_controlled<pairwise>{{}, 100}, {0, 9, 0}).rounds() == 1);
}

TEST_CASE("one rank copies its block to itself", "[schedule][alltoall][pairwise]") {
    const schedule alone(make({0, 1, 0}));
    CHECK(std::vector<step>(alone.steps().begin(), alone.steps().end())
          == std::vector{step::copy({.first = 0, .count = 1}, buffer_name::input, buffer_name::work)});
}

TEST_CASE("with 5 ranks rank 4 sends to 0,1,2,3 and receives from 3,2,1,0",
          "[schedule][alltoall][pairwise]") {
    const auto g = make({4, 5, 0});
    for (round_index i = 0; i < 4; ++i) {
        const auto to = static_cast<rank_type>(i);
        const auto from = static_cast<rank_type>(3 - i);
        std::vector<step> steps;
        g.append(i, steps);
        REQUIRE(steps.size() == (i == 0 ? 3U : 2U));
        CHECK(steps[0] == step::send(to, {.first = to, .count = 1}, buffer_name::input));
        CHECK(steps.back() == step::recv(from, {.first = from, .count = 1}));
        if (i == 0) // its own while that is on its way
            CHECK(steps[1] == step::copy({.first = 4, .count = 1}, buffer_name::input, buffer_name::work));
    }
}

TEST_CASE("what each pair of ranks exchanges may be more than 32 bits count",
          "[schedule][alltoall][pairwise]") {
    constexpr rank_type size = 5;
    // Of the alltoallv of these counts every rank knows its own row and column.
    const auto count = [](rank_type from, rank_type to) { return (std::int64_t{1} << 32) + 100 * from + to; };
    const auto layout_of = [&](const auto& count_of) {
        std::vector<std::int64_t> counts;
        for (rank_type other = 0; other < size; ++other) counts.push_back(count_of(other));
        return block_layout::by_counts(counts, 8); // bytes
    };
    for (const std::int64_t outstanding : {1, 4}) {
        const flow_controlled<pairwise> how{{}, outstanding};
        const ensemble all(
            [&](place at) { return any_generator(generate(of<collective::alltoall>, how, at)); }, size);
        int messages = 0;
        for (const matched_message& m : matched_messages(all)) {
            const auto found = [&](rank_type me, const std::vector<step>& steps) {
                const block_layout received = layout_of([&](rank_type other) { return count(other, me); });
                const block_layout sent = layout_of([&](rank_type other) { return count(me, other); });
                kept_memory kept;
                whereabouts engine(received, sent, {}, kept);
                std::int64_t bytes = 0;
                for (const step& s : steps)
                    for (const stretch& part : engine.read(s.blocks, s.buffer)) {
                        CHECK(part.present_offset >= 0);
                        bytes += part.bytes;
                    }
                return bytes;
            };
            CHECK(found(m.from, m.sent) == count(m.from, m.to) * 8);
            CHECK(found(m.to, m.received) == count(m.from, m.to) * 8);
            ++messages;
        }
        CHECK(messages == size * (size - 1));
    }
}
