// SPDX-License-Identifier: BSL-1.0
// The cost formulas of Rabenseifner and Adamidis 2004, section 3, against what the prover counts. f_alpha and
// f_beta are 1, the vector has n blocks, n/p' or n/p of them being one block.
#include <tutti/schedule/catalogue.hpp>

#include <cstdint>
#include <string_view>

#include "support/extent.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

/// The factors of alpha, beta (in blocks) and gamma (in blocks) on the critical path.
struct cost {
    std::int64_t messages = 0;
    block_index sent = 0;
    block_index reduced = 0;
    friend bool operator==(const cost&, const cost&) = default;
};

cost counted(collective what, std::string_view name, rank_type size, rank_type root = 0) {
    const catalogue_entry* entry = find_algorithm(what, name);
    REQUIRE(entry != nullptr);
    const proof p = check_proved(what, size, root, [&](place at) { return entry->make(at, {}); });
    CHECK(p.rounds == p.critical_messages); // one message per round and direction
    return {.messages = p.critical_messages, .sent = p.critical_sent, .reduced = p.critical_reduced};
}

bool power_of_two(rank_type p) { return floor_pow2(p) == p; }

} // namespace

TEST_CASE("3.3: T_red,tree = ceil(lg p) (alpha + n beta + n gamma)", "[schedule][formulas]") {
    for (rank_type p = 1; p <= support::compared_up_to; ++p) {
        const block_index q = ceil_log2(p);
        CHECK(counted(collective::reduce, "fnomial", p) == cost{q, q, q});
    }
}

TEST_CASE("3.3: T_all,tree = ceil(lg p) (2 alpha + 2 n beta + n gamma)", "[schedule][formulas]") {
    for (rank_type p = 1; p <= support::compared_up_to; ++p) {
        const block_index q = ceil_log2(p);
        CHECK(counted(collective::allreduce, "fnomial", p) == cost{2 * q, 2 * q, q});
    }
}

TEST_CASE("3.4: T_all,r.d. = ceil(lg p) (alpha + n beta + n gamma) + (non-power-of-two: alpha + n beta)",
          "[schedule][formulas]") {
    for (rank_type p = 1; p <= support::compared_up_to; ++p) {
        const block_index q = ceil_log2(p);
        const block_index extra = power_of_two(p) ? 0 : 1;
        CHECK(counted(collective::allreduce, "recursive_doubling", p) == cost{q + extra, q + extra, q});
    }
}

TEST_CASE("3.5: T_all,h&d = 2 lg p alpha + 2 n beta + n gamma - 1/p (2 n beta + n gamma) for a power of two",
          "[schedule][formulas]") {
    for (rank_type p = 1; p <= 128; p *= 2) {
        const block_index n = p;
        CHECK(counted(collective::allreduce, "halving_doubling", p)
              == cost{2 * ceil_log2(p), 2 * n - 2 * n / p, n - n / p});
        CHECK(counted(collective::allreduce, "binary_blocks", p)
              == counted(collective::allreduce, "halving_doubling", p));
    }
}

TEST_CASE("3.5: T_all,h&d = (2 lg p' + 2 + 1) alpha + (3 + (1+1)/2) n beta + 3/2 n gamma - 1/p' (2 n beta + "
          "n gamma) "
          "else",
          "[schedule][formulas]") {
    for (rank_type p = 3; p <= support::compared_up_to; ++p) {
        if (power_of_two(p)) continue;
        const block_index n = floor_pow2(p);
        CHECK(counted(collective::allreduce, "halving_doubling", p)
              == cost{2 * floor_log2(p) + 3, (3 + 1) * n - 2, 3 * n / 2 - 1});
    }
}

TEST_CASE("3.5: T_red,h&d = 2 lg p alpha + 2 n beta + n gamma - 1/p (2 n beta + n gamma) for a power of two "
          "and any root",
          "[schedule][formulas]") {
    for (rank_type p = 1; p <= 64; p *= 2)
        for (rank_type root = 0; root < p; ++root) {
            const block_index n = p;
            CHECK(counted(collective::reduce, "halving_doubling", p, root)
                  == cost{2 * ceil_log2(p), 2 * n - 2 * n / p, n - n / p});
        }
}

TEST_CASE("3.5: T_red,h&d = 2 lg p' alpha + 2 alpha + (1 + (1+1)/2 + 1) n beta + 3/2 n gamma - 1/p' (2 n "
          "beta + n gamma) "
          "else, for any root",
          "[schedule][formulas]") {
    for (rank_type p = 3; p <= support::compared_up_to; ++p) {
        if (power_of_two(p)) continue;
        for (rank_type root = 0; root < p; root += p <= 50 ? 1 : 49) {
            const block_index n = floor_pow2(p);
            CHECK(counted(collective::reduce, "halving_doubling", p, root)
                  == cost{2 * floor_log2(p) + 2, (1 + 1 + 1) * n - 2, 3 * n / 2 - 1});
        }
    }
}

TEST_CASE("3.7: T_all,ring = 2 (p-1) alpha + 2 n beta + n gamma - 1/p (2 n beta + n gamma)",
          "[schedule][formulas]") {
    for (rank_type p = 1; p <= support::compared_up_to; p += p < 70 ? 1 : 13) {
        const block_index n = p;
        CHECK(counted(collective::allreduce, "pairwise_ring", p) == cost{2 * (p - 1), 2 * n - 2, n - 1});
    }
}

TEST_CASE("3.7: T_red,ring = (p-1) 2 alpha + 2 n beta + n gamma - 1/p (2 n beta + n gamma)",
          "[schedule][formulas]") {
    const catalogue_entry& ring = *find_algorithm(collective::reduce, "pairwise_ring");
    for (rank_type p = 1; p <= support::compared_up_to; p += p < 40 ? 1 : 20)
        for (rank_type root = 0; root < p; root += p <= 40 ? 1 : 61) {
            const block_index n = p;
            const proof found =
                check_proved(collective::reduce, p, root, [&](place at) { return ring.make(at, {}); });
            CHECK(found.critical_messages == 2 * (p - 1));
            CHECK(found.critical_reduced == n - 1);
            // The bottleneck of the last round is the root's receiving, so the term in beta is what it
            // receives.
            CHECK(found.received_blocks == 2 * n - 2);
        }
}
