// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/mesh.hpp>

#include <limits>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {
constexpr rank_type largest = std::numeric_limits<rank_type>::max();
}

TEST_CASE("ceil_sqrt is the least number whose square is not less", "[pattern][mesh]") {
    for (std::int64_t n = 1; n <= 20000; ++n) {
        const std::int64_t c = ceil_sqrt(n);
        REQUIRE(c * c >= n);
        REQUIRE((c - 1) * (c - 1) < n);
    }
    // Around squares that a double's root would still get right, up to the end of the range.
    for (std::int64_t c = 40000; c <= 46340; ++c) {
        REQUIRE(ceil_sqrt(c * c - 1) == c);
        REQUIRE(ceil_sqrt(c * c) == c);
        REQUIRE(ceil_sqrt(c * c + 1) == c + 1);
    }
    CHECK(ceil_sqrt(largest) == 46341);
    CHECK(ceil_sqrt((std::int64_t{1} << 32) - 1) == 65536);
}

TEST_CASE("a mesh has every rank once, no empty row, and holes at the end of the last row only",
          "[pattern][mesh]") {
    for (rank_type size = 1; size <= 300; ++size) {
        const mesh m(size);
        CAPTURE(size);
        REQUIRE((m.rows() == m.columns() || m.rows() == m.columns() - 1));
        rank_type next = 0;
        for (rank_type i = 0; i < m.rows(); ++i)
            for (rank_type j = 0; j < m.columns(); ++j) {
                const rank_type r = m.rank_at(i, j);
                REQUIRE((r == no_rank) == (next == size));
                REQUIRE((r == no_rank) == (j >= m.width(i)));
                REQUIRE((r == no_rank) == (i >= m.height(j)));
                if (r == no_rank) {
                    REQUIRE(m.holes());
                    continue;
                }
                REQUIRE(r == next++);
                REQUIRE(m.row_of(r) == i);
                REQUIRE(m.column_of(r) == j);
            }
        REQUIRE(next == size);
        REQUIRE(m.holes() == (m.rows() * m.columns() != size));
        REQUIRE(m.width(m.rows() - 1) >= 1);
    }
}

TEST_CASE("stand-ins are in the hole's column, and told_by lists who tells them", "[pattern][mesh]") {
    for (rank_type size = 1; size <= 300; ++size) {
        const mesh m(size);
        if (!m.holes()) continue;
        const rank_type last = m.rows() - 1;
        CAPTURE(size);
        for (rank_type hole = m.width(last); hole < m.columns(); ++hole)
            for (rank_type i = 0; i < last; ++i) {
                std::vector<block_index> tellers;
                for (rank_type j = 0; j < m.width(last); ++j)
                    if (m.stand_in(j, hole) == m.rank_at(i, hole)) tellers.push_back(m.rank_at(last, j));
                const block_set listed = m.told_by(i);
                REQUIRE(listed.count == static_cast<block_index>(tellers.size()));
                for (block_index k = 0; k < listed.count; ++k)
                    REQUIRE(block_at(listed, k, size) == tellers[static_cast<std::size_t>(k)]);
            }
    }
}

// Figure 1 of Kumar and Kalé 2004, and the text: "in the first round node 12 sends messages to nodes 2 and
// 3".
TEST_CASE("with 14 ranks 12 tells 2 and 3 instead of the holes, 13 tells 6 and 7", "[pattern][mesh]") {
    const mesh m(14);
    CHECK(m.rows() == 4);
    CHECK(m.columns() == 4);
    CHECK(m.rank_at(3, 1) == 13);
    CHECK(m.rank_at(3, 2) == no_rank);
    CHECK(m.rank_at(3, 3) == no_rank);
    CHECK(m.stand_in(0, 2) == 2);
    CHECK(m.stand_in(0, 3) == 3);
    CHECK(m.stand_in(1, 2) == 6);
    CHECK(m.stand_in(1, 3) == 7);
    static_assert(mesh(5).rows() == 2 && mesh(5).stand_in(1, 2) == 2 && mesh(5).told_by(0).count == 2);
}

TEST_CASE("the mesh of the largest world does not overflow", "[pattern][mesh]") {
    const mesh m(largest);
    CHECK(m.columns() == 46341);
    CHECK(m.rows() == 46341);
    CHECK(m.row_of(largest - 1) == 46340);
    CHECK(m.rank_at(m.rows() - 1, m.column_of(largest - 1)) == largest - 1);
    CHECK(m.rank_at(m.rows() - 1, m.column_of(largest - 1) + 1) == no_rank);
}
