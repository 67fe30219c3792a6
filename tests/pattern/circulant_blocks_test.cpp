// SPDX-License-Identifier: BSL-1.0
// labels: optimised
#include <tutti/pattern/circulant_blocks.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// What is wrong with the blocks of `rank`; "" if nothing is. of(rank) are those of a rank.
template <class Of>
const char* fault_of(rank_type rank, rank_type size, const Of& of) {
    const circulant_blocks& here = of(rank);
    const int q = here.turn();
    if (q != ceil_log2(size)) return "not ceil(lg p) rounds";
    std::uint64_t seen = 0; // of a block of this turn and the one q before it there is one
    int fresh = 0;
    int first = 0;
    for (int k = 0; k < q; ++k) {
        const int block = here.received(k);
        if (block < -q || block >= q) return "a block of another turn is received";
        seen |= std::uint64_t{1} << (block < 0 ? block + q : block);
        if (block >= 0) first = block, ++fresh;
    }
    if (rank > 0 && seen != (std::uint64_t{1} << q) - 1) return "a block is received twice";
    if (rank > 0 && fresh != 1) return "not one block of this turn is received";
    for (int k = 0; k < q; ++k) {
        const rank_type peer = ahead(rank, halving_skip(size, q - k), size);
        if (peer == 0) continue;
        if (here.sent(k) != of(peer).received(k)) return "another block is sent than the peer receives";
        bool held = rank == 0 ? here.sent(k) == k : here.sent(k) == first - q;
        for (int j = 0; j < k && rank > 0; ++j) held = held || here.sent(k) == here.received(j);
        if (!held) return "a block is sent that is not held";
    }
    return "";
}

/// Of all ranks.
std::string fault_of_all(rank_type size) {
    std::vector<circulant_blocks> all;
    for (rank_type r = 0; r < size; ++r) all.emplace_back(r, size);
    const auto of = [&](rank_type r) -> const circulant_blocks& { return all[static_cast<std::size_t>(r)]; };
    for (rank_type r = 0; r < size; ++r)
        if (const std::string_view fault = fault_of(r, size, of); !fault.empty())
            return "rank " + std::to_string(r) + ": " + std::string(fault);
    return "";
}

} // namespace

TEST_CASE("circulant blocks are sent by who has them to who lacks them, for every rank of up to 2000",
          "[pattern][circulant_blocks]") {
    for (rank_type size = 1; size <= 2000; ++size) {
        CAPTURE(size);
        REQUIRE(fault_of_all(size) == "");
    }
}

TEST_CASE("circulant blocks are sent by who has them to who lacks them, for some ranks of many",
          "[pattern][circulant_blocks]") {
    constexpr rank_type most = std::numeric_limits<rank_type>::max();
    for (const rank_type size : {4095, 4096, 4097, 6143, 65535, 65536, 65537, 99991, 524289, 699051, 1048575,
                                 1048576, most / 2, most / 3, most - 1, most})
        for (int n = 0; n < 600; ++n) {
            // Both ends, and what lies between with all kinds of distances.
            const rank_type rank = n < 100 ? n
                                   : n < 200
                                       ? size - 1 - (n - 100)
                                       : static_cast<rank_type>((std::int64_t{n} * n * 2654435761) % size);
            CAPTURE(size, rank);
            REQUIRE(
                std::string_view(fault_of(rank, size, [&](rank_type r) { return circulant_blocks(r, size); }))
                == "");
        }
}

TEST_CASE("the circulant blocks of 5 ranks", "[pattern][circulant_blocks]") {
    // What rank 0 receives, and what it would be sent, is void.
    const auto text = [](rank_type rank) {
        const circulant_blocks blocks(rank, 5);
        std::string received;
        std::string sent;
        for (int k = 0; k < blocks.turn(); ++k) {
            const bool to_0 = ahead(rank, halving_skip(5, blocks.turn() - k), 5) == 0;
            received += (rank == 0 ? "-" : std::to_string(blocks.received(k))) + " ";
            sent += " " + (to_0 ? "-" : std::to_string(blocks.sent(k)));
        }
        return received + "/" + sent;
    };
    CHECK(text(0) == "- - - / 0 1 2");
    CHECK(text(1) == "0 -1 -2 / -3 -3 0");
    CHECK(text(2) == "-3 1 -1 / -2 -2 -");
    CHECK(text(3) == "-2 -3 2 / -1 - -2");
    CHECK(text(4) == "-1 -2 0 / - -1 -1");
}

static_assert(circulant_blocks(4, 5).received(2) == 0);
static_assert(circulant_blocks(0, 1).turn() == 0);
