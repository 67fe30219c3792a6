// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/combinators.hpp>

#include <array>
#include <vector>

#include <tutti/core/any_generator.hpp>

#include "support/catch2.hpp"
#include "support/combined_claims.hpp"
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

} // namespace

static_assert(generator<sequence<scripted, scripted>>);
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
    CHECK_THROWS_WITH(
        sequence(playing({{}}, 4), playing({{}}, 6)),
        "tutti: sequence: blocks of the first part is 4; allowed: a multiple or a divisor of 6");
    CHECK_THROWS_WITH(
        sequence(playing({{}}, 6), playing({{}}, 4)),
        "tutti: sequence: blocks of the first part is 6; allowed: a multiple or a divisor of 4");
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

TEST_CASE("a sequence adds up volumes if in one of its parts all ranks do the same",
          "[schedule][combinators][sequence]") {
    const scripted alike({{}}, 4,
                         {.max_outstanding = 2, .sent_blocks = 3, .reduced_blocks = 1, .uniform_rounds = 1});
    const scripted uneven({{}, {}}, 8,
                          {.max_outstanding = 5, .sent_blocks = 7, .reduced_blocks = 2, .uniform_rounds = 1});
    const capabilities both = sequence(alike, uneven).claims();
    CHECK(both.sent_blocks == 2 * 3 + 7); // blocks of 8
    CHECK(both.reduced_blocks == 2 * 1 + 2);
    CHECK(both.max_outstanding == 5);
    CHECK(both.uniform_rounds == 2);
    CHECK(sequence(uneven, alike).claims().sent_blocks == 7 + 2 * 3);
    // The busiest rank of the one need not be that of the other.
    CHECK(sequence(uneven, uneven).claims().sent_blocks == unstated);
    CHECK(sequence(uneven, uneven).claims().max_outstanding == 5);
    const scripted unknown({{}}, 4, {.uniform_rounds = 1});
    CHECK(sequence(alike, unknown).claims().sent_blocks == unstated);
    CHECK(sequence(alike, unknown).claims().max_outstanding == unstated);
}

TEST_CASE("what is done in one part alone is done as much in both", "[schedule][combinators][sequence]") {
    const scripted folding({{}}, 2, {.sent_blocks = 3, .reduced_blocks = 5});
    const scripted moving({{}}, 4, {.sent_blocks = 7, .reduced_blocks = 0});
    for (const capabilities& both :
         {sequence(folding, moving).claims(), sequence(moving, folding).claims()}) {
        CHECK(both.reduced_blocks == 2 * 5); // blocks of 4
        CHECK(both.sent_blocks == unstated);
    }
    CHECK(side_by_side(folding, moving).claims().reduced_blocks == 5);
    CHECK(side_by_side(folding, moving).claims().sent_blocks == unstated);
    const scripted unknown({{}}, 2, {.reduced_blocks = unstated});
    CHECK(sequence(unknown, moving).claims().reduced_blocks == unstated);
}

TEST_CASE("side_by_side adds up volumes if in one of its parts all ranks do the same",
          "[schedule][combinators]") {
    const scripted alike({{}}, 4, {.sent_blocks = 3, .reduced_blocks = 1, .uniform_rounds = 1});
    const scripted uneven({{}, {}}, 8, {.sent_blocks = 7, .reduced_blocks = 2, .uniform_rounds = 1});
    for (const capabilities& both :
         {side_by_side(alike, uneven).claims(), side_by_side(uneven, alike).claims()}) {
        CHECK(both.sent_blocks == 3 + 7); // each in blocks of its own
        CHECK(both.reduced_blocks == 1 + 2);
        CHECK(both.max_outstanding == unstated);
    }
    CHECK(side_by_side(uneven, uneven).claims().sent_blocks == unstated);
    CHECK(side_by_side(uneven, uneven).claims().reduced_blocks == unstated);
    CHECK(side_by_side(alike, scripted({{}}, 4, {.uniform_rounds = 1})).claims().sent_blocks == unstated);
}

TEST_CASE("what is folded and then only moved has the same bits everywhere",
          "[schedule][combinators][sequence]") {
    const scripted folding({{}}, 1, {.same_bits_on_all_ranks = true, .reduced_blocks = 1});
    const scripted moving({{}}, 1, moving_only({}));
    CHECK(sequence(folding, moving).claims().same_bits_on_all_ranks);
    CHECK_FALSE(sequence(folding, folding).claims().same_bits_on_all_ranks);
    CHECK_FALSE(sequence(scripted({{}}, 1, {}), moving).claims().same_bits_on_all_ranks);
    const scripted along_the_tree({{}}, 1, {.canonical_tree = true, .reduced_blocks = 1});
    CHECK(sequence(along_the_tree, moving).claims().canonical_tree);
    CHECK_FALSE(sequence(along_the_tree, along_the_tree).claims().canonical_tree);
    CHECK_FALSE(sequence(folding, moving).claims().canonical_tree);
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

TEST_CASE("pipelined asks only for the rounds in which a rank is busy",
          "[schedule][combinators][pipelined]") {
    // It would be silent but for the rounds it says; one outside them is never asked for.
    struct busy_in_1 : scripted {
        using scripted::scripted;
        static round_range active() { return {1, 2}; }
    };
    const busy_in_1 g({{step::send(9, block(0))}, {step::send(2, block(0))}, {step::send(9, block(0))}}, 1,
                      {});
    const pipelined flow(g, 2);
    CHECK(flow.rounds() == 4);
    CHECK(steps_of(flow, 0).empty());
    CHECK(steps_of(flow, 1) == std::vector{step::send(2, block(0))});
    CHECK(steps_of(flow, 2) == std::vector{step::send(2, block(1))});
    CHECK(steps_of(flow, 3).empty());
}

TEST_CASE("pipelined asks for the rounds alone in which a rank says that it is busy, the last first",
          "[schedule][combinators][pipelined]") {
    struct busy_in_0_and_2 : scripted {
        using scripted::scripted;
        static std::array<round_index, 3> busy() { return {0, -1, 2}; }
    };
    const busy_in_0_and_2 g({{step::send(1, block(0))}, {step::send(9, block(0))}, {step::recv(2, block(0))}},
                            1, {});
    const pipelined flow(g, 3);
    CHECK(flow.rounds() == 5);
    CHECK(steps_of(flow, 0) == std::vector{step::send(1, block(0))});
    CHECK(steps_of(flow, 1) == std::vector{step::send(1, block(1))});
    CHECK(steps_of(flow, 2) == std::vector{step::recv(2, block(0)), step::send(1, block(2))});
    CHECK(steps_of(flow, 3) == std::vector{step::recv(2, block(1))});
    CHECK(steps_of(flow, 4) == std::vector{step::recv(2, block(2))});
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
    CHECK(steps_of(flow, 1) == std::vector{step::send(1, block(6, 0))});
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

TEST_CASE("two parts together claim what both do, and what either needs", "[schedule][combinators]") {
    using support::combined;
    const auto behind = [](const capabilities& a, const capabilities& b) {
        return sequence(scripted({{}}, 1, a), scripted({{}}, 1, b)).claims();
    };
    const auto beside = [](const capabilities& a, const capabilities& b) {
        return side_by_side(scripted({{}}, 1, a), scripted({{}}, 1, b)).claims();
    };
    for (const auto claim : {&capabilities::any_size, &capabilities::order_preserving}) {
        CHECK(combined(claim, behind) == support::claimed_if_by_both);
        CHECK(combined(claim, beside) == support::claimed_if_by_both);
    }
    CHECK(combined(&capabilities::same_bits_on_all_ranks, beside) == support::claimed_if_by_both);
    for (const auto claim : {&capabilities::moves_blocks, &capabilities::reads_input}) {
        CHECK(combined(claim, behind) == support::claimed_if_by_any);
        CHECK(combined(claim, beside) == support::claimed_if_by_any);
    }
    CHECK(beside({.scratch_blocks = 2}, {.scratch_blocks = 3}).scratch_blocks == 5);
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

namespace {

/// Idle but in the rounds `when`, of which the first `uniform` are the same on all ranks.
struct at_times {
    round_index many;
    round_range when;
    round_index uniform = 0;

    round_index rounds() const { return many; }
    block_index blocks() const { return 1; }
    capabilities claims() const { return {.uniform_rounds = uniform}; }
    round_range active() const { return when; }
    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        if (when.contains(i)) sink(step::send(1, block(0)));
    }
};

struct same_rank {
    rank_type operator()(rank_type r) const { return r; }
};

} // namespace

TEST_CASE("in_buffers renames what is read and what is written", "[schedule][combinators]") {
    constexpr auto work = buffer_name::work, input = buffer_name::input, scratch = buffer_name::scratch;
    constexpr auto scratch_1 = buffer_name::scratch_1;
    constexpr block_set all{.first = 0, .count = 1};
    const scripted g = playing({{step::send(1, all, input), step::copy(all, input, scratch),
                                 step::recv_reduce(2, all, operand_side::left),
                                 step::reduce(all, scratch, work, operand_side::left)}});
    const in_buffers renamed(g, {scratch, work, scratch_1, input});
    CHECK(steps_of(renamed, 0)
          == std::vector<step>{step::send(1, all, work), step::copy(all, work, scratch_1),
                               step::recv_reduce(2, all, operand_side::left, scratch),
                               step::reduce(all, scratch_1, scratch, operand_side::left)});
    CHECK(renamed.rounds() == g.rounds());
    CHECK(renamed.blocks() == g.blocks());
}

TEST_CASE("combinators know when a rank is active if their parts do", "[schedule][combinators]") {
    const at_times early{5, {1, 3}};
    const at_times late{4, {2, 4}};
    const at_times never{5, {}};
    CHECK(active_rounds(sequence(early, late)) == round_range{1, 9});
    CHECK(active_rounds(sequence(never, late)) == round_range{7, 9});
    CHECK(active_rounds(pipelined(early, 3)) == round_range{1, 5});
    CHECK(active_rounds(pipelined(never, 3)).empty());
    CHECK(active_rounds(side_by_side(early, late)) == round_range{1, 4});
    CHECK(active_rounds(on_blocks(early, 1, 3)) == round_range{1, 3});
    CHECK(active_rounds(reversed(early, reversal::folds, 0)) == round_range{2, 4});
    CHECK(active_rounds(on_group(same_rank{}, early)) == round_range{1, 3});
    CHECK(active_rounds(on_group(same_rank{}, early, false)).empty());
    CHECK(active_rounds(claiming(early, {})) == round_range{1, 3});
    CHECK(active_rounds(in_buffers(early, {})) == round_range{1, 3});
    CHECK(any_generator(pipelined(early, 3)).active() == round_range{1, 5});
    CHECK(any_generator(playing({{}, {}})).active() == round_range{0, 2});
}

TEST_CASE("combinators know how many rounds are uniform if their parts do", "[schedule][combinators]") {
    const auto uniform = [](const auto& g) { return g.claims().uniform_rounds; };
    const at_times all{3, {0, 3}, 3};
    const at_times some{4, {0, 4}, 2};
    CHECK(uniform(sequence(all, some)) == 5);
    CHECK(uniform(sequence(some, all)) == 2);
    CHECK(uniform(pipelined(all, 3)) == 5);
    CHECK(uniform(pipelined(some, 3)) == 2);
    CHECK(uniform(side_by_side(all, some)) == 2);
    CHECK(uniform(side_by_side(all, at_times{4, {0, 4}, 4})) == 4);
    CHECK(uniform(reversed(all, reversal::folds, 0)) == 3);
    CHECK(uniform(reversed(some, reversal::folds, 0)) == 0); // its last rounds come first
    CHECK(uniform(on_group(same_rank{}, all)) == 0);
    CHECK(uniform(on_blocks(all, 1, 3)) == 3);
}
