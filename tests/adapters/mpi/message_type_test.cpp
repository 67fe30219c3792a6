// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/message_type.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include "support/catch2.hpp"
#include "support/mpi_world.hpp"

namespace {

std::size_t bytes_of(const tutti::mpi::message_type& what) {
    MPI_Count one = 0;
    MPI_Type_size_x(what.type(), &one);
    return static_cast<std::size_t>(one) * static_cast<std::size_t>(what.count());
}

/// As many bytes at one place, of which nothing is read.
std::span<const std::byte> far(std::size_t length) {
    static const std::byte begin{};
    return {&begin, length};
}

} // namespace

TEST_CASE("a message in one piece is so many bytes, one in several pieces or a long one is a derived type",
          "[mpi]") {
    using list = std::vector<std::span<const std::byte>>;
    const auto describe = [](const list& pieces) {
        const tutti::mpi::message_type what(std::span<const std::span<const std::byte>>{pieces});
        std::size_t total = 0;
        for (const auto& piece : pieces) total += piece.size();
        CHECK(bytes_of(what) == total);
        return what.type() != MPI_BYTE;
    };
    constexpr std::size_t limit = std::size_t{1} << 30;
    CHECK_FALSE(describe({}));
    CHECK_FALSE(describe({far(0), far(0)}));
    CHECK_FALSE(describe({far(8)}));
    CHECK_FALSE(describe({far(0), far(8), far(0)}));
    CHECK_FALSE(describe({far(limit)}));
    CHECK(describe({far(8), far(9)}));
    CHECK(describe({far(limit + 1)}));
    CHECK(describe({far((std::size_t{1} << 31) + 5)}));
    CHECK(describe({far((std::size_t{1} << 34) + 5), far(3)}));
    CHECK(describe(list(3000, far(7))));
}
