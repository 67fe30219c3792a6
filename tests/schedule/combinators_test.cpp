// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/combinators.hpp>

#include <vector>

#include "support/catch2.hpp"
#include "support/scripted.hpp"

using namespace tutti;
using testing::script;
using testing::scripted;

namespace {

constexpr block_set block(block_index first, block_index count = 1) {
    return {.first = first, .count = count};
}

template <generator G>
std::vector<step> steps_of(const G& g, round_index i) {
    std::vector<step> steps;
    g.emit(i, [&](const step& s) { steps.push_back(s); });
    return steps;
}

scripted playing(script rounds, block_index blocks = 1) { return {std::move(rounds), blocks, {}}; }

/// `messages` messages in one round, the m-th to rank m in length(m) pieces.
template <class Length>
scripted one_round(int messages, const Length& length) {
    std::vector<step> steps;
    for (int m = 0; m < messages; ++m)
        for (int piece = 0; piece < length(m); ++piece) {
            const step s = step::recv(m, block(piece));
            steps.push_back(piece + 1 < length(m) ? s.and_next() : s);
        }
    return playing({steps}, 1000);
}

/// The same messages last first, their pieces in order.
template <class Length>
std::vector<step> last_first(int messages, const Length& length) {
    std::vector<step> steps;
    for (int m = messages - 1; m >= 0; --m)
        for (int piece = 0; piece < length(m); ++piece) {
            const step s = step::send(m, block(piece));
            steps.push_back(piece + 1 < length(m) ? s.and_next() : s);
        }
    return steps;
}

} // namespace

static_assert(generator<sequence<scripted, scripted>>);
static_assert(generator<reversed<scripted>>);
static_assert(generator<pipelined<scripted>>);
static_assert(generator<on_blocks<scripted>>);
static_assert(generator<side_by_side<scripted, scripted>>);
static_assert(generator<claiming<scripted>>);

TEST_CASE("claiming replaces the claims and nothing else", "[schedule][combinators]") {
    const scripted g = playing({{step::send(1, block(0))}});
    const claiming stated(g, {.order_preserving = true, .rounds = 1});
    CHECK(stated.claims() == capabilities{.order_preserving = true, .rounds = 1});
    CHECK(stated.rounds() == 1);
    CHECK(stated.blocks() == 1);
    CHECK(steps_of(stated, 0) == steps_of(g, 0));
}

TEST_CASE("a sequence runs its second part after its first", "[schedule][combinators][sequence]") {
    const sequence both(playing({{step::send(1, block(0))}, {}}), playing({{step::recv(2, block(0))}}));
    CHECK(both.rounds() == 3);
    CHECK(steps_of(both, 0) == std::vector{step::send(1, block(0))});
    CHECK(steps_of(both, 1).empty());
    CHECK(steps_of(both, 2) == std::vector{step::recv(2, block(0))});
}

TEST_CASE("a sequence cuts the coarser part's blocks finer", "[schedule][combinators][sequence]") {
    const sequence both(playing({{step::send(1, block(1, 2)), step::send(2, {0, 2, 1, -1})}}, 3),
                        playing({{step::recv(1, block(5))}}, 6));
    CHECK(both.blocks() == 6);
    CHECK(steps_of(both, 0) == std::vector{step::send(1, block(2, 4)), step::send(2, {0, 4, 2, -2})});
    CHECK(steps_of(both, 1) == std::vector{step::recv(1, block(5))});
}

TEST_CASE("a sequence refuses parts whose blocks do not fit into each other",
          "[schedule][combinators][sequence]") {
    CHECK_THROWS_AS(sequence(playing({{}}, 4), playing({{}}, 6)), argument_error);
}

TEST_CASE("a sequence claims what its parts share", "[schedule][combinators][sequence]") {
    const scripted ordered({{}}, 1, {.order_preserving = true, .scratch_blocks = 2});
    const scripted moving({{}}, 1, {.moves_blocks = true, .reads_input = true, .scratch_blocks = 3});
    const capabilities claims = sequence(ordered, moving).claims();
    CHECK_FALSE(claims.order_preserving);
    CHECK(claims.moves_blocks);
    CHECK(claims.reads_input);
    CHECK(claims.scratch_blocks == 3);
    CHECK(claims.rounds == 2);
    CHECK(sequence(ordered, ordered).claims().order_preserving);
}

TEST_CASE("reversed exchanges sending and receiving and starts at the end",
          "[schedule][combinators][reversed]") {
    const scripted g =
        playing({{step::recv(0, block(0))}, {step::send(4, block(0)), step::send(1, block(0))}});
    SECTION("to copy") {
        const reversed back(g, reversal::copies, 2);
        CHECK(back.rounds() == 2);
        CHECK(steps_of(back, 0) == std::vector{step::recv(1, block(0)), step::recv(4, block(0))});
        CHECK(steps_of(back, 1) == std::vector{step::send(0, block(0))});
    }
    SECTION("to fold, lower ranks on the left") {
        const reversed back(g, reversal::folds, 2);
        CHECK(steps_of(back, 0)
              == std::vector{step::recv_reduce(1, block(0), operand_side::left),
                             step::recv_reduce(4, block(0), operand_side::right)});
        CHECK(steps_of(back, 1) == std::vector{step::send(0, block(0))});
    }
}

TEST_CASE("reversed turns local steps and folds round", "[schedule][combinators][reversed]") {
    const scripted g =
        playing({{step::recv_reduce(1, block(0), operand_side::left),
                  step::copy(block(0), buffer_name::work, buffer_name::scratch),
                  step::reduce(block(0), buffer_name::input, buffer_name::work, operand_side::left)}});
    CHECK(steps_of(reversed(g, reversal::copies, 0), 0)
          == std::vector{step::copy(block(0), buffer_name::work, buffer_name::input),
                         step::copy(block(0), buffer_name::scratch, buffer_name::work),
                         step::send(1, block(0))});
    CHECK(steps_of(reversed(g, reversal::folds, 0), 0)
          == std::vector{step::reduce(block(0), buffer_name::work, buffer_name::input, operand_side::right),
                         step::reduce(block(0), buffer_name::scratch, buffer_name::work, operand_side::right),
                         step::send(1, block(0))});
}

TEST_CASE("reversed hands out whole messages last first, however many and long",
          "[schedule][combinators][reversed]") {
    // It keeps 64 steps at a time; messages may be longer, shorter, and lie across the border.
    for (const int messages : {1, 2, 63, 64, 65, 129, 200})
        for (int kind = 0; kind < 6; ++kind) {
            const auto length = [kind](int m) {
                switch (kind) {
                case 0: return 1;
                case 1: return 1 + m % 5;
                case 2: return 64;
                case 3: return 65 - m % 3;
                case 4: return m % 7 == 3 ? 150 : 1;
                default: return 1 + (m * 37) % 80;
                }
            };
            CAPTURE(messages, kind);
            const reversed back(one_round(messages, length), reversal::copies, 0);
            REQUIRE(steps_of(back, 0) == last_first(messages, length));
        }
}

TEST_CASE("pipelined runs segment s one round after segment s - 1", "[schedule][combinators][pipelined]") {
    const pipelined flow(playing({{step::recv(0, block(0))}, {step::send(2, block(0, 2))}}, 2), 3);
    CHECK(flow.rounds() == 4);
    CHECK(flow.blocks() == 6);
    CHECK(steps_of(flow, 0) == std::vector{step::recv(0, block(0))});
    CHECK(steps_of(flow, 1) == std::vector{step::send(2, block(0, 2)), step::recv(0, block(2))});
    CHECK(steps_of(flow, 2) == std::vector{step::send(2, block(2, 2)), step::recv(0, block(4))});
    CHECK(steps_of(flow, 3) == std::vector{step::send(2, block(4, 2))});
}

TEST_CASE("a range that wraps in a segment becomes one message of two pieces",
          "[schedule][combinators][pipelined]") {
    const pipelined flow(playing({{step::send(2, block(3, 2)),
                                   step::copy(block(3, 2), buffer_name::input, buffer_name::work)}},
                                 4),
                         2);
    const auto copy = [](block_index b) {
        return step::copy(block(b), buffer_name::input, buffer_name::work);
    };
    CHECK(steps_of(flow, 1)
          == std::vector{step::send(2, block(7)).and_next(), step::send(2, block(4)), copy(7), copy(4)});
}

TEST_CASE("an empty message stays one in every segment", "[schedule][combinators][pipelined]") {
    const pipelined flow(playing({{step::send(1, block(2, 0))}}, 4), 2);
    CHECK(steps_of(flow, 1) == std::vector{step::send(1, block(4, 0))});
}

TEST_CASE("pipelining nothing takes no rounds, and less than one segment is refused",
          "[schedule][combinators][pipelined]") {
    CHECK(pipelined(playing({}), 5).rounds() == 0);
    CHECK_THROWS_AS(pipelined(playing({}), 0), argument_error);
}

TEST_CASE("pipelined multiplies the volume it knows", "[schedule][combinators][pipelined]") {
    const scripted g({{}}, 1, {.scratch_blocks = 1, .max_outstanding = 1, .rounds = 1, .sent_blocks = 2});
    const capabilities claims = pipelined(g, 3).claims();
    CHECK(claims.scratch_blocks == 3);
    CHECK(claims.max_outstanding == unstated);
    CHECK(claims.rounds == 3);
    CHECK(claims.sent_blocks == 6);
    CHECK(claims.reduced_blocks == unstated);
}

TEST_CASE("on_blocks shifts into a larger vector", "[schedule][combinators]") {
    const on_blocks part(playing({{step::send(1, block(1, 2))}}, 2), 3, 8);
    CHECK(part.blocks() == 8);
    CHECK(steps_of(part, 0) == std::vector{step::send(1, block(4)).and_next(), step::send(1, block(3))});
    CHECK_THROWS_AS(on_blocks(playing({{}}, 2), 7, 8), argument_error);
    CHECK_THROWS_AS(on_blocks(playing({{}}, 2), -1, 8), argument_error);
}

TEST_CASE("side_by_side runs both parts in the same rounds on their own blocks", "[schedule][combinators]") {
    const side_by_side both(playing({{step::send(1, block(0))}}, 2),
                            playing({{step::send(2, block(0))}, {step::recv(2, block(2))}}, 3));
    CHECK(both.rounds() == 2);
    CHECK(both.blocks() == 5);
    CHECK(steps_of(both, 0) == std::vector{step::send(1, block(0)), step::send(2, block(2))});
    CHECK(steps_of(both, 1) == std::vector{step::recv(2, block(4))});
}

TEST_CASE("on_group renames peers and silences strangers", "[schedule][combinators]") {
    const scripted g =
        playing({{step::send(1, block(0)), step::copy(block(0), buffer_name::input, buffer_name::work)}});
    const auto odd = [](rank_type member) { return 2 * member + 1; };
    CHECK(
        steps_of(on_group(odd, g), 0)
        == std::vector{step::send(3, block(0)), step::copy(block(0), buffer_name::input, buffer_name::work)});
    CHECK(steps_of(on_group(odd, g, false), 0).empty());
    CHECK(on_group(odd, g, false).rounds() == 1);
}
