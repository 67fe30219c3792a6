// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/messages.hpp>

#include <vector>

#include <tutti/core/any_generator.hpp>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("messages go to those listed, and come from those listed, each a block of its own",
          "[schedule][alltoall][messages]") {
    const std::vector<rank_type> to{0, 4}, from{1};
    const any_generator mine = detail::alltoall_messages({3, 5, 0}, to, from);
    CHECK(mine.rounds() == 1);
    CHECK(mine.blocks() == 5);
    std::vector<step> steps;
    mine.append(0, steps);
    CHECK(steps
          == std::vector{step::send(0, {.first = 0, .count = 1}, buffer_name::input),
                         step::send(4, {.first = 4, .count = 1}, buffer_name::input),
                         step::recv(1, {.first = 1, .count = 1})});
}

TEST_CASE("ranks with other messages claim the same", "[schedule][alltoall][messages]") {
    const std::vector<rank_type> none, one{2};
    const capabilities a = any_generator(detail::alltoall_messages({0, 3, 0}, none, one)).claims();
    const capabilities b = any_generator(detail::alltoall_messages({2, 3, 0}, one, none)).claims();
    CHECK(a == b);
    CHECK(a.reads_input); // what is sent is read when the result may be there
    CHECK(a.sent_blocks == unstated);
    CHECK(a.max_outstanding == unstated);
    CHECK_FALSE(a.moves_blocks);
}
