// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/extra_bytes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/catch2.hpp"

namespace {

using tutti::buffer_name;
using tutti::step;
using list_of_rounds = std::vector<std::vector<step>>;

struct by_hand {
    list_of_rounds all;

    tutti::round_index rounds() const { return static_cast<tutti::round_index>(all.size()); }
    tutti::block_index blocks() const { return 4; }
    tutti::capabilities claims() const { return {}; }
    void emit(tutti::round_index i, auto&& sink) const {
        for (const step& s : all[static_cast<std::size_t>(i)]) sink(s);
    }
};

/// Of a call on 10 bytes in blocks of 3, 3, 2 and 2, whose work the caller gives, or not.
std::int64_t extra(list_of_rounds all, bool has_work = true) {
    static std::array<std::byte, 10> work;
    const tutti::task t{.what = tutti::collective::allgather,
                        .schedule = tutti::any_generator(by_hand{std::move(all)}),
                        .layout = tutti::block_layout::aligned(10, 4, 1),
                        .bound = {.work = has_work ? work.data() : nullptr}};
    return tutti::detail::extra_bytes(t, false);
}

/// Behind it the round comes whose messages take the same memory as those of the first one.
list_of_rounds then_as_the_first(std::vector<step> first, std::vector<step> again) {
    list_of_rounds all(tutti::detail::rounds_in_flight + 1);
    all.front() = std::move(first);
    all.back() = std::move(again);
    return all;
}

} // namespace

TEST_CASE("what comes early takes as much as the longest k-th message of its round",
          "[execute][extra_bytes]") {
    CHECK(extra({}) == 0);
    CHECK(extra({{step::send(1, {0, 4})}}) == 0);
    CHECK(extra({{step::recv(1, {0, 1})}}) == 3);
    CHECK(extra({{step::recv(1, {0, 1}), step::recv(2, {2, 1})}}) == 5);
    CHECK(extra({{step::recv(1, {0, 1})}, {step::recv(1, {2, 1})}}) == 5);
    CHECK(extra({{step::send(1, {2, 2}).and_next(), step::send(1, {0, 2}), step::recv(1, {1, 1})}}) == 3);
    // Pieces that are joined are one message.
    CHECK(extra({{step::recv(1, {0, 1}).and_next(), step::recv(1, {2, 1}).and_next(), step::recv(1, {3, 1})}})
          == 7);
    CHECK(extra(then_as_the_first(
              {step::recv(1, {0, 1}), step::recv(2, {2, 1})},
              {step::recv(1, {2, 1}).and_next(), step::recv(1, {3, 1}), step::recv(2, {0, 1})}))
          == 4 + 3);
    CHECK(extra(then_as_the_first({step::recv(1, {0, 2})}, {step::send(1, {0, 1})})) == 6);
    CHECK(extra(then_as_the_first({step::recv(1, {0, 1})},
                                  {step::recv(1, {2, 1}).and_next(), step::recv(1, {3, 1})}))
          == 4);
}

TEST_CASE("buffers that the caller does not give are whole vectors", "[execute][extra_bytes]") {
    CHECK(extra({{step::recv(1, {0, 1})}}, false) == 3 + 10);
    CHECK(extra({{step::send(1, {0, 1})}}, false) == 0);
    CHECK(extra({{step::copy({0, 1}, buffer_name::work, buffer_name::scratch)}}) >= 10);
    CHECK(extra({{step::copy({0, 1}, buffer_name::work, buffer_name::scratch)}})
          == extra({{step::copy({0, 1}, buffer_name::work, buffer_name::scratch_1)}}));
    CHECK(extra({{step::copy({0, 1}, buffer_name::work, buffer_name::scratch),
                  step::copy({0, 1}, buffer_name::work, buffer_name::scratch_1)}})
          == 2 * extra({{step::copy({0, 1}, buffer_name::work, buffer_name::scratch)}}));
}
