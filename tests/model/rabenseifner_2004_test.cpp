// SPDX-License-Identifier: BSL-1.0
// labels: slow
#include <tutti/model/rabenseifner_2004.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include "support/catch2.hpp"
#include "support/closed_forms.hpp"
#include "support/ensembles.hpp"
#include "support/rabenseifner_machines.hpp"

// The formulas of sections 3.3 to 3.5 and 3.7 against the schedules themselves, walked in the same model: for
// every number of ranks from 2 to 300, for machines of all kinds and vectors short and long.

using namespace tutti;
namespace paper = tutti::rabenseifner_2004; // its formulas have the names of schedules
using paper::model;
using support::any_ensemble;
using support::check_equal;
using support::ensemble_of;
using support::rabenseifner_machines;
using support::refuses;

namespace {

constexpr rank_type most_ranks = 300;

bool power_of_two(rank_type p) { return floor_pow2(p) == p; }

/// What is cheaper if a message of `bytes` goes one way instead of both.
cost one_way_less(const model& on, double bytes) {
    return {.startup = on.alpha_uni - on.alpha, .transfer = bytes * (on.beta_uni - on.beta)};
}

using formula = cost (*)(const model&, rank_type, std::int64_t);

/// check(machine, p, bytes of the whole vector, what the schedule costs)
template <class Check>
void for_all_cases(collective what, const char* algorithm, const Check& check) {
    for (rank_type p = 2; p <= most_ranks; ++p) {
        const any_ensemble all = ensemble_of(what, algorithm, p);
        std::int64_t block = 8;
        for (const model& on : rabenseifner_machines()) {
            CAPTURE(algorithm, p, block, on.alpha, on.beta, on.gamma);
            check(on, p, block * all.blocks(), support::priced(on, all, block).parts);
            block = block == 8 ? 1000 : block == 1000 ? 65536 : 8; // by turns: all of them would take long
        }
    }
}

void check_exact(collective what, const char* algorithm, formula form) {
    for_all_cases(what, algorithm, [&](const model& on, rank_type p, std::int64_t n, const cost& walked) {
        check_equal(walked, form(on, p, n));
    });
}

} // namespace

TEST_CASE("3.3: binary trees cost what T_red,tree and T_all,tree say", "[model][formulas]") {
    check_exact(collective::reduce, "fnomial", paper::reduce_tree);
    check_exact(collective::allreduce, "fnomial", paper::allreduce_tree);
}

TEST_CASE("3.4: recursive doubling costs T_all,r.d., but for one message that the formula has both ways",
          "[model][formulas]") {
    // The vector of a removed rank comes in one way, and goes out so: the formula counts the first of these
    // as one of ceil(lg p) exchanges.
    for_all_cases(collective::allreduce, "recursive_doubling",
                  [](const model& on, rank_type p, std::int64_t n, const cost& walked) {
                      cost expected = paper::allreduce_recursive_doubling(on, p, n);
                      if (!power_of_two(p)) expected += one_way_less(on, static_cast<double>(n));
                      check_equal(walked, expected);
                  });
}

TEST_CASE("3.5: halving and doubling costs T_all,h&d, but for the last message, which the formula has both "
          "ways",
          "[model][formulas]") {
    for_all_cases(collective::allreduce, "halving_doubling",
                  [](const model& on, rank_type p, std::int64_t n, const cost& walked) {
                      cost expected = paper::allreduce_halving_doubling(on, p, n);
                      if (!power_of_two(p)) expected += one_way_less(on, static_cast<double>(n));
                      check_equal(walked, expected);
                  });
}

TEST_CASE("3.5: reduce by halving costs T_red,h&d", "[model][formulas]") {
    check_exact(collective::reduce, "halving_doubling", paper::reduce_halving_doubling);
}

TEST_CASE("3.7: rings cost what T_all,ring and T_red,ring say", "[model][formulas]") {
    check_exact(collective::allreduce, "pairwise_ring", paper::allreduce_ring);
    check_exact(collective::reduce, "pairwise_ring", paper::reduce_ring);
}

TEST_CASE("a reduction costs the same to any root", "[model][formulas]") {
    const std::pair<const char*, formula> to_roots[]{{"halving_doubling", paper::reduce_halving_doubling},
                                                     {"pairwise_ring", paper::reduce_ring}};
    const model on = rabenseifner_machines().front();
    for (const rank_type p : {2, 3, 5, 8, 11, 16, 21, 32, 37})
        for (rank_type root = 0; root < p; ++root) {
            CAPTURE(p, root);
            for (const auto& [name, form] : to_roots) {
                const any_ensemble all = ensemble_of(collective::reduce, name, p, {}, root);
                check_equal(support::priced(on, all, 1000).parts, form(on, p, 1000 * all.blocks()));
            }
        }
}

TEST_CASE("3.5: the short forms are too dear by a p'-th of transfer and folding, and by what one way saves",
          "[model][formulas]") {
    for (rank_type p = 2; p <= most_ranks; ++p)
        for (const model& on : rabenseifner_machines())
            for (const std::int64_t n : {0, 8, 4096, 1 << 24}) {
                CAPTURE(p, n);
                const double bytes = static_cast<double>(n);
                const double part = bytes / floor_pow2(p);
                const double rounds = floor_log2(p);
                const double uneven = power_of_two(p) ? 0 : 1;
                const double less_alpha = on.alpha - on.alpha_uni;
                const double less_beta = on.beta - on.beta_uni;
                check_equal(paper::allreduce_halving_doubling_roughly(on, p, n),
                            paper::allreduce_halving_doubling(on, p, n)
                                + cost{.startup = uneven * less_alpha,
                                       .transfer = 2 * part * on.beta + uneven * bytes / 2 * less_beta,
                                       .fold = part * on.gamma});
                check_equal(paper::reduce_halving_doubling_roughly(on, p, n),
                            paper::reduce_halving_doubling(on, p, n)
                                + cost{.startup = (rounds + uneven) * less_alpha,
                                       .transfer = part * (on.beta + on.beta_uni)
                                                   + (1 + uneven / 2) * bytes * less_beta,
                                       .fold = part * on.gamma});
            }
}

TEST_CASE("a vector that cannot be cut evenly costs at most an element per block more", "[model][formulas]") {
    constexpr int element = 8;
    const struct {
        collective what;
        const char* name;
        formula form;
    } cases[] = {{collective::reduce, "halving_doubling", paper::reduce_halving_doubling},
                 {collective::allreduce, "pairwise_ring", paper::allreduce_ring},
                 {collective::reduce, "pairwise_ring", paper::reduce_ring}};
    const model on = rabenseifner_machines().front();
    for (const auto& c : cases)
        for (rank_type p = 2; p <= 100; ++p) {
            const any_ensemble all = ensemble_of(c.what, c.name, p);
            const auto blocks = static_cast<double>(all.blocks());
            for (const std::int64_t n : {8, 1000, 12344}) {
                CAPTURE(c.name, p, n);
                const price found = evaluate(on, all, block_bytes::even(n, all.blocks(), element));
                const double surplus = found.us - c.form(on, p, n).us();
                CHECK(surplus >= -1e-9 * found.us);
                // Sent are at most 2.5 vectors, folded 1.5.
                CHECK(surplus <= blocks * element * (2.5 * on.beta + 1.5 * on.gamma));
            }
        }
}

TEST_CASE("formulas refuse what is no number of ranks or bytes, by name", "[model][formulas]") {
    const model on = rabenseifner_machines().front();
    const std::vector<formula> exact{paper::reduce_tree,
                                     paper::allreduce_tree,
                                     paper::allreduce_recursive_doubling,
                                     paper::allreduce_halving_doubling,
                                     paper::reduce_halving_doubling,
                                     paper::allreduce_ring,
                                     paper::reduce_ring};
    std::vector<formula> all = exact;
    all.push_back(paper::allreduce_halving_doubling_roughly);
    all.push_back(paper::reduce_halving_doubling_roughly);
    for (const formula form : all) {
        CHECK(refuses("p", "0", [&] { form(on, 0, 8); }));
        CHECK(refuses("n", "-1", [&] { form(on, 4, -1); }));
        CHECK(form(on, 1, 0).us() == 0);
    }
    for (const formula form : exact) CHECK(form(on, 1, 1000).us() == 0);
}
