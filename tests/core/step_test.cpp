// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/step.hpp>

#include <type_traits>

#include "support/catch2.hpp"

using namespace tutti;

static_assert(sizeof(step) <= 32);
static_assert(std::is_trivially_copyable_v<step>);
static_assert(step::send(3, {1, 2}).is_message());

TEST_CASE("each kind of step names what it reads and writes", "[core][step]") {
    const step send = step::send(3, {1, 2}, buffer_name::input);
    CHECK(send.kind == step_kind::send);
    CHECK(send.peer == 3);
    CHECK(send.blocks == block_set{1, 2});
    CHECK(send.buffer == buffer_name::input);
    CHECK_FALSE(send.folds());

    const step recv = step::recv(3, {1, 2});
    CHECK(recv.kind == step_kind::recv);
    CHECK(recv.buffer == buffer_name::work);
    CHECK(recv.is_message());

    const step copy = step::copy({1, 2}, buffer_name::input, buffer_name::scratch);
    CHECK(copy.is_local());
    CHECK(copy.source == buffer_name::input);
    CHECK(copy.buffer == buffer_name::scratch);
    CHECK_FALSE(copy.folds());

    const step reduce = step::reduce({1, 2}, buffer_name::scratch, buffer_name::work, operand_side::left);
    CHECK(reduce.is_local());
    CHECK(reduce.folds());
    CHECK(reduce.side() == operand_side::left);
}

TEST_CASE("the side of a fold survives joining steps to one message", "[core][step]") {
    for (const operand_side side : {operand_side::left, operand_side::right}) {
        const step fold = step::recv_reduce(3, {1, 2}, side);
        CHECK(fold.folds());
        CHECK(fold.side() == side);
        CHECK_FALSE(fold.continues());
        CHECK(fold.and_next().continues());
        CHECK(fold.and_next().side() == side);
        CHECK(fold != fold.and_next());
    }
}

TEST_CASE("contributions of lower ranks are folded on the left", "[core][step]") {
    CHECK(side_of(1, 2) == operand_side::left);
    CHECK(side_of(4, 2) == operand_side::right);
}
