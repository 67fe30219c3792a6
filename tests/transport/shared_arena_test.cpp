// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/shared_arena.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "support/catch2.hpp"

namespace {
using tutti::detail::shared_arena;
}

TEST_CASE("an arena hands out parts that do not overlap, and has all its room again in the end",
          "[transport]") {
    std::vector<std::byte> memory(std::size_t{1} << 16);
    shared_arena arena(memory);
    std::mt19937 random(GENERATE(1U, 2U, 3U));
    std::vector<std::pair<std::byte*, std::size_t>> held;
    std::size_t refused = 0;
    for (int k = 0; k < 20'000; ++k) {
        if (random() % 2 == 0) {
            const std::size_t bytes = random() % 9000;
            std::byte* const part = arena.allocate(bytes);
            refused += part == nullptr ? 1 : 0;
            if (part == nullptr) continue;
            CHECK((part - memory.data()) % 64 == 0);
            CHECK(part + bytes <= memory.data() + memory.size());
            for (const auto& [other, length] : held)
                CHECK((part >= other + length || other >= part + std::max<std::size_t>(bytes, 1)));
            held.emplace_back(part, std::max<std::size_t>(bytes, 1));
        } else if (!held.empty()) {
            const auto one = held.begin() + static_cast<std::ptrdiff_t>(random() % held.size());
            arena.release(one->first);
            held.erase(one);
        }
    }
    CHECK(refused > 0);
    for (const auto& [part, bytes] : held) arena.release(part);
    CHECK(arena.allocate(memory.size()) == memory.data());
    CHECK(arena.allocate(1) == nullptr);
}

TEST_CASE("a part that is shared is free when everybody has released it", "[transport]") {
    std::vector<std::byte> memory(640);
    shared_arena arena(memory);
    const std::byte* const part = arena.allocate(640);
    REQUIRE(part != nullptr);
    arena.share(part);
    arena.share(part);
    arena.release(part);
    arena.release(part);
    CHECK(arena.allocate(1) == nullptr);
    arena.release(part);
    CHECK(arena.allocate(640) == part);
}

TEST_CASE("an arena without memory hands out nothing, and more than there can be is refused", "[transport]") {
    shared_arena none;
    CHECK(none.allocate(0) == nullptr);
    none.release(nullptr);
    std::vector<std::byte> memory(640);
    shared_arena arena(memory);
    CHECK(arena.allocate(~std::size_t{0}) == nullptr);
    CHECK(arena.allocate(641) == nullptr);
}
