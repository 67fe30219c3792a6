// SPDX-License-Identifier: BSL-1.0
#include "adapters/pmpi/placed_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;
using pmpi::bytes_of;
using pmpi::most_memory;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

/// Of three ranks, as MPI 4 counts them, one behind the other.
pmpi::placed_parts doubles(const std::array<std::int64_t, 3>& counts,
                           const std::array<std::int64_t, 3>& places = {0, 1, 2}) {
    return {pmpi::number_list(counts.data()), pmpi::number_list(places.data()),
            pmpi::data_type::of(MPI_DOUBLE), 3};
}
std::vector<std::int64_t> each(const pmpi::placed_parts& of) { return {of.each().begin(), of.each().end()}; }

} // namespace

TEST_CASE("bytes of more elements than memory has are none, instead of a number that has wrapped", "[pmpi]") {
    CHECK(bytes_of(0, 8) == 0);
    CHECK(bytes_of(largest, 0) == 0); // as many of nothing as you like
    CHECK(bytes_of(std::int64_t{1} << 40, 8) == std::int64_t{1} << 43);
    CHECK(bytes_of(most_memory / 8, 8) == most_memory);
    CHECK(bytes_of(most_memory / 8 + 1, 8) == -1);
    CHECK(bytes_of(std::int64_t{1} << 61, 8) == -1); // 2^64
    CHECK(bytes_of(largest, largest) == -1);
    CHECK(bytes_of(-1, 8) == -1);
    CHECK(bytes_of(-1, 0) == -1);
}

TEST_CASE("parts of ranks have long counts, and those that cannot be are none", "[pmpi]") {
    const std::int64_t many = std::int64_t{1} << 33;
    const auto long_ones = doubles({many, 1, 2}, {0, many, many + 1});
    CHECK_FALSE(long_ones.has_negative());
    CHECK(long_ones.in_order());
    CHECK(long_ones.bytes() == 8 * (many + 3));
    CHECK(each(long_ones) == std::vector<std::int64_t>{8 * many, 8, 16});

    const auto wrapped = doubles({1, std::int64_t{1} << 61, 1});
    CHECK(wrapped.has_negative());
    CHECK(each(wrapped) == std::vector<std::int64_t>{8, -1, 8});
    CHECK(wrapped.bytes() == 16);

    // Each would fit, all of them would not.
    const auto together = doubles({most_memory / 8, 1, 0});
    CHECK(together.has_negative());
    CHECK(each(together) == std::vector<std::int64_t>{most_memory, -1, 0});
    CHECK(doubles({1, -1, 1}).has_negative());
    CHECK_FALSE(doubles({1, 1, 1}).has_negative());
}

TEST_CASE("a vector that no memory has is refused before memory for it is made", "[pmpi]") {
    MPI_Datatype gaps = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 3, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    const pmpi::data_type type = pmpi::data_type::of(gaps);
    std::vector<std::byte> room;
    std::vector<int> data(4);
    const std::string what = " elements of 8 bytes; allowed: as many as memory can have";
    for (const std::int64_t count : {most_memory / 8 + 1, std::int64_t{1} << 61, largest}) {
        CHECK_THROWS_WITH(pmpi::packed_input(data.data(), count, type, room), Catch::Contains(what));
        CHECK_THROWS_WITH(pmpi::packed_output(data.data(), count, type, room), Catch::Contains(what));
    }
    CHECK(room.empty());
    MPI_Type_free(&gaps);
}
