// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/generator.hpp>

#include <memory>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

struct whole {
    round_index rounds() const { return 0; }
    block_index blocks() const { return 1; }
    capabilities claims() const { return {}; }
    template <class Sink>
    void emit(round_index, Sink&&) const {}
};
struct no_rounds {
    block_index blocks() const { return 1; }
    capabilities claims() const { return {}; }
    template <class Sink>
    void emit(round_index, Sink&&) const {}
};
struct emits_unless_const {
    round_index rounds() const { return 0; }
    block_index blocks() const { return 1; }
    capabilities claims() const { return {}; }
    template <class Sink>
    void emit(round_index, Sink&&) {}
};
struct not_copyable : whole {
    std::unique_ptr<int> mine{};
};

} // namespace

TEST_CASE("the generator concept is the conjunction of its named parts", "[core][generator]") {
    CHECK(generator<whole>);
    CHECK_FALSE(generator<no_rounds>);
    CHECK_FALSE(has_rounds<no_rounds>);
    CHECK(has_blocks<no_rounds>);
    CHECK(has_capabilities<no_rounds>);
    CHECK(has_emit<no_rounds>);
    CHECK_FALSE(generator<emits_unless_const>);
    CHECK_FALSE(has_emit<emits_unless_const>);
    CHECK(has_emit<not_copyable>);
    CHECK_FALSE(generator<not_copyable>);
    CHECK_FALSE(generator<int>);
}

TEST_CASE("a range of rounds holds what lies from its begin to before its end", "[core][generator]") {
    constexpr round_range r{2, 4};
    CHECK_FALSE(r.contains(1));
    CHECK(r.contains(2));
    CHECK(r.contains(3));
    CHECK_FALSE(r.contains(4));
    CHECK(round_range{3, 3}.empty());
    CHECK(r.shifted(3) == round_range{5, 7});
    CHECK(hull(r, {6, 7}) == round_range{2, 7});
    CHECK(hull({6, 7}, r) == round_range{2, 7});
    CHECK(hull(r, {9, 9}) == r); // an empty one does not count
    CHECK(hull({}, r) == r);
    CHECK(round_range{} == round_range{0, 0});
}

TEST_CASE("a generator that does not say when it is active may be so in all rounds", "[core][generator]") {
    struct four_rounds : whole {
        round_index rounds() const { return 4; }
    };
    struct says_when : four_rounds {
        round_range active() const { return {1, 3}; }
    };
    CHECK(active_rounds(four_rounds{}) == round_range{0, 4});
    CHECK(active_rounds(says_when{}) == round_range{1, 3});
}

TEST_CASE(
    "one rank stands for all from the first round on where all do the same, else from where it is claimed",
    "[core][generator]") {
    struct four_rounds : whole {
        round_index rounds() const { return 4; }
    };
    CHECK(bounded_rounds_of(four_rounds{}, {.uniform_rounds = 4}) == 0);
    CHECK(bounded_rounds_of(four_rounds{}, {.uniform_rounds = 3, .bounded_from = 2}) == 2);
    CHECK(bounded_rounds_of(four_rounds{}, {.uniform_rounds = 3}) == unstated);
}
