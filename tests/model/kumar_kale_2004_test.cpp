// SPDX-License-Identifier: BSL-1.0
// labels: slow
#include <tutti/model/kumar_kale_2004.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/catch2.hpp"
#include "support/closed_forms.hpp"
#include "support/ensembles.hpp"

// Equations 1 to 10 against the strategies themselves, walked in the same model, for 2 to 300 ranks. Where
// they differ, by what is said in messages and blocks.

using namespace tutti;
namespace paper = tutti::kumar_kale_2004; // its equations have the names of algorithms
using paper::model;
using support::any_ensemble;
using support::check_equal;
using support::refuses;

namespace {

constexpr rank_type most_ranks = 300;

/// Lemieux; the same with what the paper gives no figure for; and one with parameters that nothing ties.
const std::vector<model>& machines() {
    static const std::vector<model> all{
        {.alpha = 7.4, .beta = 0.0075, .beta_em = 0.00313, .delta = 0.00313},
        {.alpha = 7.4,
         .beta = 0.0075,
         .beta_em = 0.00313,
         .delta = 0.00313,
         .gamma = 0.002,
         .contention = 0.001},
        {.alpha = 3, .beta = 0.01, .beta_em = 0.007, .delta = 0.0004, .gamma = 0.03, .contention = 0.0002}};
    return all;
}

any_ensemble strategy(const char* name, rank_type P, const parameters& with = {}) {
    return support::ensemble_of(collective::allgather, name, P, with);
}

/// So many messages, and blocks of m bytes: sent from main memory, from that of the network interface, copied
/// there, combined.
struct counted {
    double messages = 0;
    double sent = 0;
    double sent_em = 0;
    double copied = 0;
    double combined = 0;

    cost in(const model& on, double m) const {
        return {.startup = messages * on.alpha,
                .transfer = m
                            * (sent * (on.beta + on.contention) + sent_em * (on.beta_em + on.contention)
                               + copied * on.delta),
                .fold = m * combined * on.gamma};
    }
};

cost operator-(const cost& a, const cost& b) {
    return {a.startup - b.startup, a.transfer - b.transfer, a.fold - b.fold};
}

std::int64_t block_of(rank_type P) { return P % 2 == 0 ? 64 : 16384; }

/// The strategy costs `expected(machine, m)`, on all machines.
template <class Expected>
void check_strategy(const char* name, rank_type P, const parameters& with, const Expected& expected) {
    const any_ensemble all = strategy(name, P, with);
    const std::int64_t m = block_of(P);
    for (const model& on : machines()) {
        CAPTURE(name_with_options(name, with), P, m, on.alpha);
        check_equal(support::priced(on, all, m).parts, expected(on, m));
    }
}

bool power_of_two(rank_type p) { return floor_pow2(p) == p; }

} // namespace

TEST_CASE("equation 1 is what a message costs", "[model][formulas]") {
    for (const model& on : machines())
        check_equal(on.flight({.bytes = 1000, .blocks = 1}), paper::point_to_point(on, 1000));
    const model slow{.alpha = 1, .beta = 2, .contention = 3, .L = 4};
    CHECK(paper::point_to_point(slow, 5).us() == 1 + 5 * 2 + 5 * 3 + 4);
}

TEST_CASE("equation 7 is exact: a ring never sends a block twice", "[model][formulas]") {
    for (rank_type P = 2; P <= most_ranks; ++P)
        check_strategy("ring", P, {}, [&](const model& on, auto m) { return paper::ring(on, P, m); });
}

TEST_CASE("equation 2 is exact where the network interface has no memory of its own; else direct messages "
          "cost equation 8",
          "[model][formulas]") {
    for (rank_type P = 2; P <= most_ranks; ++P) {
        const any_ensemble all = strategy("direct", P);
        const std::int64_t m = block_of(P);
        for (const model& on : machines()) {
            CAPTURE(P, m, on.alpha);
            model bare = on;
            bare.beta_em = bare.beta;
            bare.delta = 0;
            check_equal(support::priced(bare, all, m).parts, paper::direct(on, P, m));
            // The same block again and again: the model copies it to the interface first.
            if (P > 2) check_equal(support::priced(on, all, m).parts, paper::prefix(on, P, m));
        }
    }
}

// kumar_kale_2004_every_size_test.cpp has all the others, which take long.
TEST_CASE("equation 8 is exact for powers of two, and for others with the next one in place of P",
          "[model][formulas]") {
    // Two ranks: one message each, which is not copied.
    check_strategy("prefix_send", 2, {}, [](const model& on, auto m) { return paper::direct(on, 2, m); });
    for (rank_type P = 3; P <= most_ranks; P += P < 64 ? 1 : 31)
        check_strategy("prefix_send", P, {}, [&](const model& on, auto m) {
            return paper::prefix(on, rank_type{1} << ceil_log2(P), m);
        });
}

TEST_CASE("equation 9 is exact for multiples of k, and for others with the next multiple in place of P",
          "[model][formulas]") {
    for (const rank_type k : {4, 8, 16})
        for (rank_type P = k; P <= most_ranks; P += P < 48 ? 1 : 63)
            check_strategy("kprefix", P, {{"k", k}}, [&](const model& on, auto m) {
                return paper::kprefix(on, ceil_div(P, k) * k, m, k);
            });
}

TEST_CASE("equation 10 is exact for multiples of k", "[model][formulas]") {
    for (const rank_type k : {3, 4, 5, 8, 16})
        for (rank_type P = k; P <= most_ranks; P += k)
            check_strategy("kshift", P, {{"k", k}},
                           [&](const model& on, auto m) { return paper::kshift(on, P, m, k); });
}

TEST_CASE("k = 2 sends the last block once, from main memory", "[model][formulas]") {
    const counted main_memory{.sent = 1};
    const counted copied{.sent_em = 1, .copied = 1};
    for (rank_type P = 2; P <= 100; P += 2)
        for (const char* name : {"kshift", "kprefix"})
            check_strategy(name, P, {{"k", 2}}, [&](const model& on, auto m) {
                const auto bytes = static_cast<double>(m);
                return paper::kshift(on, P, m, 2) + main_memory.in(on, bytes) - copied.in(on, bytes);
            });
}

TEST_CASE("equation 10 for other P: a block is copied for whole windows, and for the last if it serves two",
          "[model][formulas]") {
    for (const rank_type k : {3, 8, 16})
        for (rank_type P = 2; P <= most_ranks; ++P) {
            const rank_type whole = (P - 1) / k;        // windows, before the last one
            const rank_type served = P - 1 - whole * k; // in the last one, by its holder
            const double once = served == 1 ? 1 : 0;
            const counted all{.messages = P - 1.0,
                              .sent = once,
                              .sent_em = P - 1.0 - once,
                              .copied = whole + (served > 1 ? 1.0 : 0.0)};
            check_strategy("kshift", P, {{"k", k}},
                           [&](const model& on, auto m) { return all.in(on, static_cast<double>(m)); });
        }
}

TEST_CASE("equation 4 is exact, but for combining: the first message is a single block",
          "[model][formulas]") {
    const counted first{.combined = 1};
    for (rank_type P = 2; P <= 256; P *= 2)
        check_strategy("hypercube", P, {{"zeta", 0}}, [&](const model& on, auto m) {
            return paper::cube(on, P, m) - first.in(on, static_cast<double>(m));
        });
}

TEST_CASE(
    "equation 5 has all messages; its volume lacks the holes' own blocks and, unless P = 2^k - 1, up to "
    "a fifth",
    "[model][formulas]") {
    double worst = 0;
    for (rank_type P = 2; P <= most_ranks; ++P) {
        const any_ensemble all = strategy("hypercube", P, {{"zeta", 0}});
        const std::int64_t m = block_of(P);
        const model on = machines().front();
        CAPTURE(P);
        const cost walked = support::priced(on, all, m).parts;
        const cost expected = paper::cube_with_holes(on, P, m);
        CHECK(support::equal(walked.startup, expected.startup));
        const double block = static_cast<double>(m) * on.beta;
        const double entering = power_of_two(P) ? 0 : block; // round 0: an extra rank gives its block
        if (power_of_two(P) || power_of_two(P + 1))
            CHECK(support::equal(walked.transfer, expected.transfer + entering));
        CHECK(walked.transfer >= (expected.transfer + entering) * (1 - 1e-9));
        worst = std::max(worst, (walked.transfer - entering) / expected.transfer);
    }
    CHECK(worst <= 1.2);
    CHECK(worst > 1.19);
}

TEST_CASE(
    "equation 6 has the messages of its text, one block less is sent, and direct messages are combined, "
    "too",
    "[model][formulas]") {
    for (rank_type P = 4; P <= 256; P *= 2)
        for (int zeta = 2; zeta <= floor_log2(P); ++zeta) {
            // The cube sends P' - 1 blocks, the first of them alone; then a message of P' is put together.
            const double exchanged = P >> zeta;
            const double combined = exchanged == 1 ? 0 : exchanged - 2 + exchanged;
            const counted more{.sent = -1, .combined = combined - exchanged};
            check_strategy("hypercube", P, {{"zeta", zeta}}, [&](const model& on, auto m) {
                return paper::hybrid_cube(on, P, m, zeta) + more.in(on, static_cast<double>(m));
            });
        }
}

TEST_CASE(
    "equation 6 with zeta = 1: the one direct message is sent once, so from main memory, as in equation "
    "4",
    "[model][formulas]") {
    for (rank_type P = 2; P <= 256; P *= 2) {
        const counted first{.combined = 1};
        check_strategy("hypercube", P, {{"zeta", 1}}, [&](const model& on, auto m) {
            return paper::cube(on, P, m) - first.in(on, static_cast<double>(m));
        });
    }
}

TEST_CASE("section 3.2: zeta = 2 adds one message, zeta = 3 four", "[model][formulas]") {
    for (rank_type P = 8; P <= 1024; P *= 2) {
        CHECK(paper::hybrid_cube_messages(P, 0) == ceil_log2(P));
        CHECK(paper::hybrid_cube_messages(P, 1) == ceil_log2(P));
        CHECK(paper::hybrid_cube_messages(P, 2) == ceil_log2(P) + 1);
        CHECK(paper::hybrid_cube_messages(P, 3) == ceil_log2(P) + 4);
    }
}

TEST_CASE("the best zeta is the best by search and grows with the block", "[model][formulas]") {
    const model lemieux = machines().front();
    for (const rank_type P : {2, 64, 256})
        for (std::int64_t m = 1; m <= 1 << 20; m *= 2) {
            const int best = paper::best_zeta(lemieux, P, m);
            for (int zeta = 0; zeta <= floor_log2(P); ++zeta)
                CHECK(paper::hybrid_cube(lemieux, P, m, best).us()
                      <= paper::hybrid_cube(lemieux, P, m, zeta).us());
            if (m > 1) CHECK(best >= paper::best_zeta(lemieux, P, m / 2));
        }
    // Never 0: on Lemieux delta + beta_em < beta, so that equation 6 has even one direct message cheaper from
    // the network interface.
    CHECK(paper::best_zeta(lemieux, 256, 1) == 1);
    CHECK(paper::best_zeta(lemieux, 64, 1024) == 3); // as the paper took it
    CHECK(paper::best_zeta(lemieux, 256, 256) == 3);
    CHECK(paper::best_zeta(lemieux, 256, 1 << 20) == 8);
    CHECK(paper::best_zeta(lemieux, 1, 8) == 0);
}

TEST_CASE("equation 3 for squares: two messages too many, a block too many sent, one too few copied, and "
          "combining is one message per rank, not all that comes",
          "[model][formulas]") {
    for (rank_type root = 3; root * root <= most_ranks; ++root) {
        const rank_type P = root * root;
        const counted more{.messages = -2, .sent_em = -1, .copied = 1, .combined = root - 1.0 * P};
        check_strategy("mesh2d", P, {}, [&](const model& on, auto m) {
            return paper::mesh(on, P, m) + more.in(on, static_cast<double>(m));
        });
    }
}

TEST_CASE("equation 3 for other numbers: fewer than 2 sqrt(P) messages, up to a row of blocks and one more",
          "[model][formulas]") {
    const model on = machines().front();
    for (rank_type P = 5; P <= most_ranks; ++P) {
        const std::int64_t m = block_of(P);
        const cost walked = support::priced(on, strategy("mesh2d", P), m).parts;
        const cost expected = paper::mesh(on, P, m);
        CAPTURE(P);
        CHECK(walked.startup < expected.startup);
        CHECK(walked.startup >= expected.startup - 3 * on.alpha);
        const double block = static_cast<double>(m) * on.beta_em;
        CHECK(walked.transfer >= expected.transfer * (1 - 1e-9));
        CHECK(walked.transfer <= expected.transfer + (std::sqrt(static_cast<double>(P)) + 1) * block);
    }
}

TEST_CASE("latency counts in every round that a rank waits for, in the equations once or never",
          "[model][formulas]") {
    model on = machines().front();
    on.L = 4;
    const model without = machines().front();
    const auto check = [&](const char* name, rank_type P, const parameters& with, const cost& equation,
                           double counted_in_it) {
        CAPTURE(name, P);
        const any_ensemble all = strategy(name, P, with);
        const double waits = static_cast<double>(all.rounds()) - counted_in_it;
        CHECK(support::equal(support::priced(on, all, 1000).parts.startup, equation.startup + waits * on.L));
    };
    for (const rank_type P : {4, 16, 64, 256}) {
        check("ring", P, {}, paper::ring(on, P, 1000), 1);
        check("direct", P, {}, paper::direct(on, P, 1000), 1);
        check("prefix_send", P, {}, paper::prefix(on, P, 1000), 1);
        check("kprefix", P, {{"k", 4}}, paper::kprefix(on, P, 1000, 4), 1);
        check("kshift", P, {{"k", 4}}, paper::kshift(on, P, 1000, 4), 1);
        check("hypercube", P, {}, paper::cube(on, P, 1000), 0);
        check("hypercube", P, {{"zeta", 2}}, paper::hybrid_cube(on, P, 1000, 2), 0);
        CHECK(paper::mesh(on, P, 1000) == paper::mesh(without, P, 1000));
        CHECK(paper::cube_with_holes(on, P, 1000) == paper::cube_with_holes(without, P, 1000));
    }
}

TEST_CASE("equations refuse what they are not for, by name", "[model][formulas]") {
    const model on = machines().front();
    CHECK(refuses("P", "0", [&] { paper::direct(on, 0, 8); }));
    CHECK(refuses("m", "-1", [&] { paper::mesh(on, 4, -1); }));
    CHECK(refuses("m", "-1", [&] { paper::point_to_point(on, -1); }));
    CHECK(refuses("P", "6", [&] { paper::cube(on, 6, 8); }));
    CHECK(refuses("P", "12", [&] { paper::hybrid_cube(on, 12, 8, 2); }));
    CHECK(refuses("zeta", "4", [&] { paper::hybrid_cube(on, 8, 8, 4); }));
    CHECK(refuses("zeta", "-1", [&] { paper::hybrid_cube_messages(8, -1); }));
    CHECK(refuses("P", "3", [&] { paper::best_zeta(on, 3, 8); }));
    CHECK(refuses("k", "0", [&] { paper::kshift(on, 8, 8, 0); }));
    CHECK(refuses("P", "-1", [&] { paper::kprefix(on, -1, 8, 4); }));
    CHECK(paper::direct(on, 1, 1000).us() == 0);
    CHECK(paper::cube_with_holes(on, 1, 1000).us() == 0);
}

TEST_CASE("what a model is not told costs nothing", "[model]") {
    const message_facts long_one{.bytes = 1000, .blocks = 3};
    CHECK(model{}.sender(long_one).us() == 0);
    CHECK(model{}.flight(long_one).us() == 0);
    CHECK(model{.alpha = 2, .L = 1}.flight(long_one).us() == 3);
}
