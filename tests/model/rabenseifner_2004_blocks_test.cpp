// SPDX-License-Identifier: BSL-1.0
// labels: slow
#include <tutti/model/rabenseifner_2004_blocks.hpp>

#include <cstdint>
#include <variant>
#include <vector>

#include <tutti/model/machine_file.hpp>

#include "support/catch2.hpp"
#include "support/closed_forms.hpp"
#include "support/document.hpp"
#include "support/ensembles.hpp"
#include "support/rabenseifner_machines.hpp"

using namespace tutti;
namespace paper = tutti::rabenseifner_2004; // its formulas have the names of schedules
using paper::model;
using support::any_ensemble;
using support::check_equal;
using support::ensemble_of;
using support::rabenseifner_machines;
using support::refuses;

namespace {

rank_type largest_block(rank_type p) { return floor_pow2(p); }

double us(const model& on, const any_ensemble& all, std::int64_t block) {
    return support::priced(on, all, block).us;
}

} // namespace

TEST_CASE("the derived formula of allreduce by binary blocks is what its schedule costs",
          "[model][formulas]") {
    for (rank_type p = 2; p <= 300; ++p) {
        const any_ensemble all = ensemble_of(collective::allreduce, "binary_blocks", p);
        std::int64_t block = 8;
        for (const model& on : rabenseifner_machines()) {
            CAPTURE(p, block, on.alpha, on.beta, on.gamma);
            // Only the sum: where two ways to the end take equally long, the formula may follow the other
            // one.
            const double expected = paper::allreduce_binary_blocks(on, p, block * all.blocks()).us();
            CHECK(support::equal(us(on, all, block), expected));
            block = block == 8 ? 1000 : block == 1000 ? 65536 : 8;
        }
    }
}

TEST_CASE("the derived formula of reduce by binary blocks is what its schedule costs, to any root in the "
          "largest block",
          "[model][formulas]") {
    for (rank_type p = 2; p <= 300; ++p)
        for (const rank_type root : {0, largest_block(p) - 1, largest_block(p) / 3}) {
            if (p > 70 && root != 0) continue; // would take long
            const any_ensemble all = ensemble_of(collective::reduce, "binary_blocks", p, {}, root);
            for (const model& on : rabenseifner_machines()) {
                CAPTURE(p, root, on.alpha, on.beta, on.gamma);
                const double expected = paper::reduce_binary_blocks(on, p, 1000 * all.blocks()).us();
                CHECK(support::equal(us(on, all, 1000), expected));
            }
        }
}

TEST_CASE("to another root it takes at most the result of rank 0 more", "[model][formulas]") {
    const model on = rabenseifner_machines().front();
    const double result = on.alpha_uni + 1000 * on.beta_uni; // one block
    int later = 0;
    for (rank_type p = 3; p <= 70; ++p)
        for (rank_type root = largest_block(p); root < p; ++root) {
            CAPTURE(p, root);
            const any_ensemble all = ensemble_of(collective::reduce, "binary_blocks", p, {}, root);
            const double expected = paper::reduce_binary_blocks(on, p, 1000 * all.blocks()).us();
            const double found = us(on, all, 1000);
            CHECK(found >= expected * (1 - 1e-9));
            CHECK(found <= (expected + result) * (1 + 1e-9));
            later += found > expected * (1 + 1e-9);
        }
    CHECK(later > 0); // so the bound is worth having
}

TEST_CASE("for a power of two binary blocks are halving and doubling", "[model][formulas]") {
    for (rank_type p = 1; p <= 1024; p *= 2)
        for (const model& on : rabenseifner_machines()) {
            check_equal(paper::allreduce_binary_blocks(on, p, 100000),
                        paper::allreduce_halving_doubling(on, p, 100000));
            check_equal(paper::reduce_binary_blocks(on, p, 100000),
                        paper::reduce_halving_doubling(on, p, 100000));
        }
}

TEST_CASE("delta_expo,max of one costs little, of many a message for each rank of the larger block",
          "[model][formulas]") {
    // 48 = 32 + 16, 33 = 32 + 1: one way costs as much as both, folding nothing.
    const model latency{1, 0, 0, 1, 0};
    CHECK(paper::allreduce_binary_blocks(latency, 48, 0).us() == 10 + 2 + 2);
    CHECK(paper::allreduce_binary_blocks(latency, 33, 0).us() == 10 + 32 + 32);
    CHECK(paper::allreduce_halving_doubling(latency, 48, 0).us() == 10 + 3);
    CHECK(paper::allreduce_halving_doubling(latency, 33, 0).us() == 10 + 3);
    const model transfer{0, 1, 0, 0, 1}; // one byte, in units of it
    CHECK(support::equal(paper::allreduce_binary_blocks(transfer, 48, 1).us(), 2 - 2. / 32 + 2. / 16));
    CHECK(support::equal(paper::allreduce_binary_blocks(transfer, 33, 1).us(), 4 - 2. / 32));
}

TEST_CASE("section 4: on 33, 65, 66, 97 and 129 to 131 processes 32 KB are better halved and doubled",
          "[model][formulas]") {
    constexpr std::int64_t n = 32 * 1024;
    for (const rank_type p : {33, 65, 66, 97, 129, 130, 131}) CHECK(!paper::prefers_binary_blocks(p, n));
    for (const rank_type p : {96, 60, 61, 80, 235, 251, 36, 77, 100}) // the paper's most used ones
        CHECK(paper::prefers_binary_blocks(p, n));
    CHECK(!paper::prefers_binary_blocks(32, n)); // not more than 32
    CHECK(!paper::prefers_binary_blocks(48, 16 * 1024 - 1));
    CHECK(paper::prefers_binary_blocks(48, 16 * 1024));
    CHECK(!paper::prefers_binary_blocks(33, 32 * 1024)); // 5 < lg(2^15)/2 - 2.5 = 5 does not hold
    CHECK(paper::prefers_binary_blocks(33, 32 * 1024 + 1));
    CHECK(!paper::prefers_binary_blocks(48, 0));
}

TEST_CASE(
    "the rule of section 4 is what the formulas say on the fitted Cray T3E, but for a fortieth of the cases",
    "[model][formulas]") {
    const machine t3e = load_machine((support::project_root() / "machines/cray-t3e-900.machine").string());
    const model on = std::get<model>(t3e.model);
    int cases = 0;
    int same = 0;
    for (rank_type p = 33; p <= 540; ++p) {
        if (floor_pow2(p) == p) continue;
        for (std::int64_t n = 16 * 1024; n <= 8 * 1024 * 1024; n *= 2) {
            const bool blocks = paper::allreduce_binary_blocks(on, p, n).us()
                                < paper::allreduce_halving_doubling(on, p, n).us();
            ++cases;
            same += blocks == paper::prefers_binary_blocks(p, n);
        }
    }
    CHECK(cases == 504 * 10);
    CHECK(40 * same > 39 * cases);
}

TEST_CASE("binary blocks refuse what is no number of ranks or bytes, by name", "[model][formulas]") {
    const model on = rabenseifner_machines().front();
    CHECK(refuses("p", "0", [&] { paper::allreduce_binary_blocks(on, 0, 8); }));
    CHECK(refuses("n", "-1", [&] { paper::allreduce_binary_blocks(on, 4, -1); }));
    CHECK(refuses("p", "-5", [&] { paper::reduce_binary_blocks(on, -5, 8); }));
    CHECK(refuses("n", "-1", [&] { paper::reduce_binary_blocks(on, 4, -1); }));
    CHECK(refuses("p", "0", [&] { paper::prefers_binary_blocks(0, 8); }));
    CHECK(paper::allreduce_binary_blocks(on, 1, 1000).us() == 0);
}
