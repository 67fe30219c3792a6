// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/shared_buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include <tutti/transport/threads.hpp>

#include "support/catch2.hpp"

namespace threads = tutti::threads;

TEST_CASE("a shared_buffer is a range of zeros, of as many elements as were asked for", "[transport]") {
    threads::world group(1);
    auto wires = group.transport(0);
    for (const std::size_t length : {0U, 1U, 1000U}) {
        tutti::shared_buffer<int> buffer(wires, length);
        const auto& read_only = buffer;
        REQUIRE(buffer.size() == length);
        CHECK(std::vector<int>(buffer.begin(), buffer.end()) == std::vector<int>(length, 0));
        std::iota(buffer.begin(), buffer.end(), 7);
        std::vector<int> expected(length);
        std::iota(expected.begin(), expected.end(), 7);
        CHECK(std::equal(read_only.begin(), read_only.end(), expected.begin(), expected.end()));
        CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
    }
    CHECK_THROWS_AS(tutti::shared_buffer<int>(wires, PTRDIFF_MAX / sizeof(int) + 1),
                    std::bad_array_new_length);
}

TEST_CASE("a shared_buffer that is moved leaves nothing behind", "[transport]") {
    threads::world group(1);
    auto wires = group.transport(0);
    tutti::shared_buffer<int> one(wires, 3), two(wires, 5);
    one[2] = 9;
    int* const where = one.data();
    tutti::shared_buffer<int> taken(std::move(one));
    CHECK((taken.data() == where && taken.size() == 3 && taken[2] == 9));
    CHECK((one.size() == 0 && one.begin() == one.end()));
    two = std::move(taken);
    CHECK((two.data() == where && two.size() == 3));
}
