// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/mesh2d.hpp>

#include <cstddef>
#include <limits>
#include <vector>

#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<mesh2d, collective::allgather>();
}

TEST_CASE("allgather mesh2d is proved for any size", "[schedule][allgather][mesh2d]") {
    prove_up_to<collective::allgather>(70, mesh2d{});
    // 9 * 10 + 9 ranks: the only hole's column has the busiest rank, which stands in for two.
    for (const rank_type size : {89, 96, 109, 127, 128, 129, 255, 256, 257})
        check_proved(collective::allgather, size, 0, make);
}

// Equation 3: 2 sqrt(p) alpha + p m beta, where sqrt(p) - 1 messages of m and of sqrt(p) m bytes are sent.
TEST_CASE("equation 3 counts two messages and one block too many for squares",
          "[schedule][allgather][mesh2d][formulas]") {
    for (rank_type root = 1; root <= 16; ++root) {
        const rank_type size = root * root;
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == 2 * root - 2);
        CHECK(p.critical_messages == p.rounds);
        CHECK(p.sent_blocks == size - 1);
        CHECK(p.critical_sent == size - 1);
    }
}

TEST_CASE("equation 3 is an upper bound of messages for any size, and holes cost less than a row more volume",
          "[schedule][allgather][mesh2d][formulas]") {
    for (rank_type size = 1; size <= 150; ++size) {
        const proof p = check_proved(collective::allgather, size, 0, make);
        const mesh m(size);
        CAPTURE(size);
        CHECK(p.rounds == m.columns() + m.rows() - 2);
        CHECK(p.rounds * p.rounds < 4 * size);
        CHECK(p.sent_messages == p.rounds);
        CHECK(p.received_blocks == size - 1); // nothing comes twice
        CHECK(p.sent_blocks >= size - 1);
        CHECK(p.sent_blocks < size - 1 + m.columns());
        if (!m.holes()) CHECK(p.sent_blocks == size - 1);
    }
}

TEST_CASE("a rank whose hole it stands in for gets at most two messages in a round",
          "[schedule][allgather][mesh2d]") {
    for (rank_type size = 1; size <= 150; ++size) {
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.max_outstanding == (size == 1 ? 0 : mesh(size).holes() ? 3 : 2));
    }
}

TEST_CASE("all messages stay in a row, then in a column; only those to stand-ins do not",
          "[schedule][allgather][mesh2d]") {
    for (rank_type size = 1; size <= 150; ++size) {
        const mesh m(size);
        CAPTURE(size);
        for (const listed_message& each : messages_of(size, make)) {
            if (each.kind != step_kind::send) continue;
            const rank_type row = m.row_of(each.rank);
            const rank_type column = m.column_of(each.rank);
            if (each.round >= m.columns() - 1) {
                REQUIRE(m.column_of(each.peer) == column);
                continue;
            }
            REQUIRE(each.blocks == std::vector<block_index>{each.rank});
            if (m.row_of(each.peer) == row) continue;
            REQUIRE(row == m.rows() - 1);
            REQUIRE(m.rank_at(row, m.column_of(each.peer)) == no_rank);
            REQUIRE(m.row_of(each.peer) == column % (m.rows() - 1));
        }
    }
}

// Figure 1 of Kumar and Kalé 2004: 14 nodes, holes at 14 and 15.
TEST_CASE("with 14 nodes 12 sends to 2 and 3 instead of 14 and 15", "[schedule][allgather][mesh2d]") {
    CHECK(exchange_text(14, 12, make)
          == "0: send 13 [12]\n"
             "1: send 2 [12]\n"
             "2: send 3 [12], recv 13 [13]\n"
             "3: send 0 [12 13], recv 8 [8 9 10 11]\n"
             "4: send 4 [12 13], recv 4 [4 5 6 7]\n"
             "5: send 8 [12 13], recv 0 [0 1 2 3]");
    CHECK(exchange_text(14, 2, make)
          == "0: send 3 [2], recv 1 [1]\n"
             "1: send 0 [2], recv 0 [0], recv 12 [12]\n"
             "2: send 1 [2], recv 3 [3]\n"
             "3: send 6 [0 1 2 3 12], recv 10 [8 9 10 11]\n"
             "4: send 10 [0 1 2 3 12], recv 6 [4 5 6 7 13]");
    CHECK(exchange_text(14, 10, make)
          == "0: send 11 [10], recv 9 [9]\n"
             "1: send 8 [10], recv 8 [8]\n"
             "2: send 9 [10], recv 11 [11]\n"
             "3: send 2 [8 9 10 11], recv 6 [4 5 6 7 13]\n"
             "4: send 6 [8 9 10 11], recv 2 [0 1 2 3 12]");
}

TEST_CASE("allgather mesh2d of 5 ranks is the example of the header", "[schedule][allgather][mesh2d]") {
    CHECK(exchange_text(5, 0, make)
          == "0: send 1 [0], recv 2 [2]\n"
             "1: send 2 [0], recv 1 [1]\n"
             "2: send 3 [0 1 2], recv 3 [3 4]");
    CHECK(exchange_text(5, 2, make)
          == "0: send 0 [2], recv 1 [1], recv 4 [4]\n"
             "1: send 1 [2], recv 0 [0], recv 3 [3]");
}

TEST_CASE("a rank that stands in for two ranks sends both blocks", "[schedule][allgather][mesh2d]") {
    // 8 columns, 7 rows, the last one short of 55: rank 7 is told by 48 and 54.
    const std::string text = exchange_text(55, 7, make);
    CHECK(text.find("7: send 15 [0 1 2 3 4 5 6 7 48 54], recv 47 [40 41 42 43 44 45 46 47 53]")
          != std::string::npos);
    CHECK(make({0, 55, 0}).claims().sent_blocks == 7 + 5 * (8 + 2));
}

TEST_CASE("allgather mesh2d does not overflow in the largest world", "[schedule][allgather][mesh2d]") {
    constexpr rank_type size = std::numeric_limits<rank_type>::max();
    for (const rank_type rank : {0, 46340, size - 1}) {
        const allgather_mesh2d g({rank, size, 0});
        REQUIRE(g.rounds() == 2 * 46340);
        for (const round_index i : {round_index{0}, round_index{46339}, round_index{46340}, g.rounds() - 1})
            g.emit(i, [&](const step& s) {
                CHECK((s.peer >= 0 && s.peer != rank));
                CHECK(s.blocks.first >= 0);
                CHECK(s.blocks.first + (s.blocks.contiguous() ? s.blocks.count : 0) <= size);
            });
    }
}
