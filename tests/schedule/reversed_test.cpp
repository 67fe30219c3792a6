// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reversed.hpp>

#include <algorithm>
#include <type_traits>
#include <vector>

#include <tutti/pattern/kary.hpp>
#include <tutti/schedule/binary_blocks_phase.hpp>
#include <tutti/schedule/tree_flow.hpp>

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

/// What a generator says to spare `reversed` and `pipelined` work is true on every rank.
template <class Make>
void check_hints(const Make& make) {
    for (rank_type size = 1; size <= 33; ++size)
        for (const rank_type root : {0, size / 2, size - 1})
            for (rank_type rank = 0; rank < size; ++rank) {
                CAPTURE(size, root, rank);
                const auto g = make(place{rank, size, root});
                static_assert(emits_last_first<std::remove_const_t<decltype(g)>>);
                const round_range active = active_rounds(g);
                for (round_index i = 0; i < g.rounds(); ++i) {
                    std::vector<step> expected = steps_of(g, i);
                    std::reverse(expected.begin(), expected.end()); // messages of one piece each
                    std::vector<step> last_first;
                    g.emit_last_first(i, [&](const step& s) { last_first.push_back(s); });
                    REQUIRE(last_first == expected);
                    REQUIRE((expected.empty() || active.contains(i)));
                    REQUIRE(((0 <= active.begin) && (active.end <= g.rounds())));
                }
            }
}

} // namespace

static_assert(generator<reversed<scripted>>);

TEST_CASE("reversed exchanges sending and receiving and starts at the end", "[schedule][reversed]") {
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

TEST_CASE("reversed turns local steps and folds round", "[schedule][reversed]") {
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

TEST_CASE("reversed hands out whole messages last first, however many and long", "[schedule][reversed]") {
    // It keeps 64 steps at a time; messages may be longer, shorter, and lie across the border.
    for (const int messages : {1, 2, 63, 64, 65, 129, 200})
        for (int kind = 0; kind < 7; ++kind) {
            const auto length = [kind](int m) {
                switch (kind) {
                case 0: return 1;
                case 1: return 1 + m % 5;
                case 2: return 64;
                case 3: return 65 - m % 3;
                case 4: return m % 7 == 3 ? 150 : 1;
                case 5: return m % 2 == 0 ? 70 : 1; // the last one short, behind one that fills the window
                default: return 1 + (m * 37) % 80;
                }
            };
            CAPTURE(messages, kind);
            const reversed back(one_round(messages, length), reversal::copies, 0);
            REQUIRE(steps_of(back, 0) == last_first(messages, length));
        }
}

TEST_CASE("reversed folds as much as was sent, and as copies nothing", "[schedule][reversed]") {
    capabilities forward{.order_preserving = true,
                         .canonical_tree = true,
                         .moves_blocks = true,
                         .reads_input = true,
                         .scratch_blocks = 6,
                         .max_outstanding = 3,
                         .rounds = 2,
                         .sent_blocks = 5,
                         .reduced_blocks = 4,
                         .uniform_rounds = 2,
                         .bounded_from = 0};
    capabilities back{.same_bits_on_all_ranks = true,
                      .moves_blocks = true,
                      .reads_input = true,
                      .scratch_blocks = 6,
                      .max_outstanding = 3,
                      .rounds = 2,
                      .reduced_blocks = 5,
                      .uniform_rounds = 2};
    CHECK(reversed(scripted({{}, {}}, 2, forward), reversal::folds, 0).claims() == back);
    CHECK(reversed(scripted({{}, {}}, 2, forward), reversal::copies, 0).claims() == moving_only(back));
    forward.uniform_rounds = 1; // the last one backwards
    back.uniform_rounds = 0;
    CHECK(reversed(scripted({{}, {}}, 2, forward), reversal::folds, 0).claims() == back);
}

TEST_CASE("reversed is active in the same rounds, counted from the end", "[schedule][reversed]") {
    // Example with 5 ranks, chain from root 3: rank 0 receives in round 1 and sends in round 2 of 4.
    const reversed back(tree_flow(tree_way::down, 1, chain_tree({0, 5, 3})), reversal::folds, 0);
    CHECK(back.active() == round_range{1, 3});
    CHECK(active_rounds(playing({{}, {}, {}})) == round_range{0, 3});
}

TEST_CASE("what hands out rounds last first itself hands out the same", "[schedule][reversed]") {
    check_hints([](place at) { return binary_blocks_phase(at); });
}
