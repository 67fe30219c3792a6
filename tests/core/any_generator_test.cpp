// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/any_generator.hpp>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// Sends to `peer` in each of three rounds; as large as `Bytes` says, and counts its living copies.
template <std::size_t Bytes>
struct counted {
    static inline int alive = 0;
    rank_type peer;
    std::array<std::byte, Bytes> ballast{};

    explicit counted(rank_type to) : peer(to) { ++alive; }
    counted(const counted& other) noexcept : peer(other.peer) { ++alive; }
    counted& operator=(const counted&) = default;
    ~counted() { --alive; }

    round_index rounds() const { return 3; }
    block_index blocks() const { return 7; }
    capabilities claims() const { return {.rounds = 3, .sent_blocks = 7}; }
    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        sink(step::send(peer, {.first = i, .count = 1}));
    }
};

using small = counted<1>;
using large = counted<1000>;

} // namespace

TEMPLATE_TEST_CASE("any generator does what the one inside does", "[core][any_generator]", small, large) {
    const any_generator any{TestType(5)};
    CHECK(any.rounds() == 3);
    CHECK(any.blocks() == 7);
    CHECK(any.claims().sent_blocks == 7);
    std::vector<step> steps{step::recv(1, {0, 1})};
    any.append(2, steps);
    CHECK(steps == std::vector{step::recv(1, {0, 1}), step::send(5, {2, 1})});
    std::vector<step> emitted;
    any.emit(1, [&](const step& s) { emitted.push_back(s); });
    CHECK(emitted == std::vector{step::send(5, {1, 1})});
}

TEMPLATE_TEST_CASE("copies of any generator are independent, and all are destroyed", "[core][any_generator]",
                   small, large) {
    REQUIRE(TestType::alive == 0);
    {
        std::optional<any_generator> first = any_generator(TestType(5));
        any_generator second = *first;
        const any_generator other{TestType(9)};
        first.reset();
        std::vector<step> steps;
        second.append(0, steps);
        second = other;
        second.append(0, steps);
        second = *&second;
        second.append(0, steps);
        CHECK(steps == std::vector{step::send(5, {0, 1}), step::send(9, {0, 1}), step::send(9, {0, 1})});
        std::vector<any_generator> many(20, second);
        many.push_back(other);
        many.erase(many.begin());
        CHECK(TestType::alive > 0);
    }
    CHECK(TestType::alive == 0);
}

TEST_CASE("any generators of one type have one hash, of different types different ones",
          "[core][any_generator]") {
    CHECK(any_generator(small(1)).type_hash() == any_generator(small(2)).type_hash());
    CHECK(any_generator(large(1)).type_hash() == any_generator(large(2)).type_hash());
    CHECK(any_generator(small(1)).type_hash() != any_generator(large(1)).type_hash());
    CHECK(any_generator(small(1)).type_hash() != any_generator(counted<2>(1)).type_hash());
}

TEST_CASE("any generator holds one kind after another", "[core][any_generator]") {
    any_generator any{small(1)};
    any = any_generator{large(2)};
    any = any_generator{small(3)};
    std::vector<step> steps;
    any.append(0, steps);
    CHECK(steps == std::vector{step::send(3, {0, 1})});
}
