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
