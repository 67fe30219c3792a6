// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/catalogue.hpp>

#include <bit>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "support/all_options.hpp"
#include "support/extent.hpp"
#include "support/long_parts.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

/// The claims of the catalogue that are known to be weaker than what can be proved, as `weak_claims` has
/// them: of the smallest sizes, which are no case of their own in a generator, and of figures without a short
/// formula.
std::string known_as_weak(const catalogue_entry& entry, rank_type size, const parameters& given,
                          const capabilities& claims, const proof& p) {
    const auto is = [&entry](collective what, std::string_view name) {
        return entry.what == what && entry.name == name;
    };
    if (is(collective::exscan, "census")) // each rank has a result of its own: no bits to compare
        return size == 1 || std::has_single_bit(static_cast<unsigned>(size - 1)) ? "bits reads" : "bits";
    if (is(collective::exscan, "doubling_123") || is(collective::scan, "hillis_steele")) return "bits";
    if (scans(entry.what) && (entry.name == "binary_tree" || entry.name == "two_tree")) return "bits";
    if (is(collective::allreduce, "census"))
        return size == 1 ? "order bits" : ""; // ranks have bits of their own
    // For some sizes and roots the distances, which alternate, make that tree after all.
    if (is(collective::reduce, "bine_tree")) return size > 4 && p.canonical_tree ? "tree" : "";
    if (is(collective::allreduce, "dual_root")) return size == 8 ? "tree" : "";
    if (is(collective::allreduce, "recursive_multiplying")) // a pair, a pair and one, of three
        return size == 5 && given.get("radix") == 3 ? "tree" : "";
    if (is(collective::alltoall, "pairwise") || is(collective::alltoall, "kshift"))
        return size == 1 ? "moves reads" : size == 2 ? "reads" : "";
    if (size == 1 && (is(collective::alltoall, "prefix_send") || is(collective::alltoall, "kprefix")))
        return "moves";
    if (folds(entry.what) && entry.name == "circulant") return size == 1 ? "order" : "";
    if (folds(entry.what)
        && (entry.name.ends_with("ring") || entry.name == "pairwise" || entry.name == "recursive_halving"
            || is(collective::reduce_scatter, "recursive_multiplying")
            || entry.name == "reduce_scatter_allgather" || entry.name == "sparbit"))
        return size <= 2 ? "order" : "";
    if (folds(entry.what) && entry.name == "swing") return size <= 2 || size == 4 ? "order" : "";
    if (entry.name == "swing_latency") return size <= 3 ? "order" : "";
    if (entry.name == "kprefix" || entry.name == "prefix_send" || entry.name == "binary_blocks") {
        // They claim all rounds or none; under flow control a few long rounds may turn out alike.
        const bool none = claims.uniform_rounds == 0 && p.uniform_rounds > 0;
        return none && (p.uniform_rounds < p.rounds || given.find("outstanding") != nullptr) ? "uniform" : "";
    }
    return "";
}

void prove_entry(const catalogue_entry& entry, rank_type size, rank_type root, const parameters& given = {}) {
    const proof p = prove(entry.what, size, root, [&](place at) { return entry.make(at, given); });
    INFO(name_of(entry.what) << " " << entry.name << ", size " << size << ", root " << root
                             << "; findings: " << listed(p.findings));
    REQUIRE(p.proved);
    const capabilities claims = entry.make({0, size, root}, given).claims();
    REQUIRE(weak_claims(claims, p, size) == known_as_weak(entry, size, given, claims, p));
}

} // namespace

TEST_CASE("the whole catalogue is proved for every size up to 70 and every root", "[schedule][catalogue]") {
    for (const catalogue_entry& entry : catalogue())
        for (rank_type size = 1; size <= 70; ++size)
            for (rank_type root = 0; root < (has_root(entry.what) ? size : 1); ++root)
                if (support::searches_root(root, size)) prove_entry(entry, size, root);
}

TEST_CASE("the whole catalogue is proved for some larger sizes", "[schedule][catalogue]") {
    for (const catalogue_entry& entry : catalogue())
        for (const rank_type size : support::chosen({96, 97, 127, 128, 129, 255, 256, 257}, {97, 128}))
            for (const rank_type root : {0, 1, size / 2, size - 1})
                if (root == 0 || has_root(entry.what)) prove_entry(entry, size, root);
}

TEST_CASE("the catalogue is proved for 906 ranks, but for what cuts the vector into more blocks than that",
          "[schedule][catalogue]") {
    std::set<std::string> left_out;
    for (const catalogue_entry& entry : catalogue())
        if (entry.make({0, 906, 0}, {}).blocks() <= 906)
            prove_entry(entry, 906, 0);
        else
            left_out.insert(std::string(name_of(entry.what)).append(" ").append(entry.name));
    CHECK(left_out
          == std::set<std::string>{"allgather circulant_pipeline", "allreduce segmented_ring",
                                   "reduce_scatter circulant_pipeline"});
}

TEST_CASE("all-to-alls in which blocks are passed on are proved for 4096 ranks", "[schedule][catalogue]") {
    for (const char* const name : {"bruck", "circulant", "mesh2d", "hypercube"})
        prove_entry(*find_algorithm(collective::alltoall, name), support::up_to(4096, 512), 0);
}

TEST_CASE("messages with parts of each rank are as long as these are, beyond 32 bits",
          "[schedule][catalogue]") {
    std::set<std::string_view> seen;
    for (const collective what :
         {collective::gather, collective::scatter, collective::allgather, collective::reduce_scatter})
        for (const catalogue_entry& entry : catalogue_of(what))
            for (const rank_type size : {2, 5, 8}) {
                const auto make = [&](place at) { return entry.make(at, {}); };
                const any_generator first = make({0, size, 0});
                // Those that take blocks of any lengths, one for each rank.
                if (first.claims().moves_blocks || first.blocks() != size) continue;
                INFO(name_of(what) << " " << entry.name << ", " << size << " ranks");
                const std::int64_t longest = support::check_long_messages(ensemble(make, size, size / 2));
                CHECK(longest >= std::int64_t{1} << 30);
                seen.insert(entry.name);
            }
    for (const char* const name :
         {"serial", "fnomial", "ring", "circulant", "recursive_doubling", "pairwise"})
        CHECK(seen.contains(name));
}

TEST_CASE("the catalogue is proved for other parameters than the defaults", "[schedule][catalogue]") {
    for (const catalogue_entry& entry : catalogue())
        for (std::size_t i = 0; i < support::values_tried && !entry.defaults.empty(); ++i) {
            const parameters given = support::tried_options(entry, i);
            REQUIRE(given.size() == entry.defaults.size());
            for (rank_type size = 1; size <= 20; ++size)
                for (rank_type root = 0; root < (has_root(entry.what) ? size : 1); ++root)
                    prove_entry(entry, size, root, given);
        }
}

TEST_CASE("every algorithm of the catalogue states all its figures", "[schedule][catalogue]") {
    for (const catalogue_entry& entry : catalogue())
        for (const rank_type size : {1, 2, 3, 13, 16, 1000}) {
            INFO(name_of(entry.what) << " " << entry.name << ", size " << size);
            const capabilities claims = entry.make({0, size, 0}, {}).claims();
            CHECK(claims.any_size);
            CHECK(claims.rounds != unstated);
            // That of the busiest rank has no short formula.
            const bool irregular = entry.what == collective::allreduce && entry.name == "circulant_pipeline";
            CHECK((claims.sent_blocks != unstated) == (!irregular || size == 1));
            CHECK(claims.reduced_blocks != unstated);
            CHECK(claims.max_outstanding != unstated);
            CHECK(!entry.rounds.empty());
            CHECK(!entry.volume.empty());
            CHECK(!entry.source.empty());
        }
}

TEST_CASE("one rank needs no round, but a copy in alltoall", "[schedule][catalogue]") {
    for (const catalogue_entry& entry : catalogue())
        CHECK(entry.make({0, 1, 0}, {}).rounds() == (entry.what == collective::alltoall ? 1 : 0));
}

TEST_CASE("the catalogue has every collective, and no pair twice", "[schedule][catalogue]") {
    std::set<std::pair<collective, std::string_view>> pairs;
    std::set<collective> collectives;
    for (const catalogue_entry& entry : catalogue()) {
        CHECK(pairs.emplace(entry.what, entry.name).second);
        collectives.insert(entry.what);
        CHECK(find_algorithm(entry.what, entry.name) == &entry);
    }
    CHECK(collectives.size() == all_collectives.size());
    CHECK(catalogue().size() >= 35);
}

TEST_CASE("every folding collective has an algorithm that keeps the order, for every root",
          "[schedule][catalogue]") {
    for (const collective what : all_collectives)
        if (folds(what))
            for (const rank_type size : {2, 13, 16})
                for (rank_type root = 0; root < (has_root(what) ? size : 1); ++root) {
                    bool any = false;
                    for (const catalogue_entry& entry : catalogue())
                        any = any
                              || (entry.what == what
                                  && entry.make({0, size, root}, {}).claims().order_preserving);
                    CHECK(any);
                }
}

TEST_CASE("an unknown name is not found", "[schedule][catalogue]") {
    CHECK(find_algorithm(collective::reduce, "circulant") == nullptr);
    CHECK(find_algorithm(collective::reduce, "") == nullptr);
    CHECK(find_algorithm(collective::bcast, "fnomial") != nullptr);
}

TEST_CASE("the effective parameters are the given ones, else the defaults, and only those that are taken",
          "[schedule][catalogue]") {
    const catalogue_entry& tree = *find_algorithm(collective::reduce, "fnomial");
    CHECK(effective(tree, {}) == parameters{{"radix", 2}, {"segments", 1}});
    CHECK(effective(tree, {{"radix", 4}, {"arity", 7}}) == parameters{{"radix", 4}, {"segments", 1}});
    const catalogue_entry& split = *find_algorithm(collective::reduce, "fnomial_split");
    CHECK(effective(split, {{"splits", 0}}) == parameters{{"radix", 2}, {"splits", 0}});
    const catalogue_entry& shift = *find_algorithm(collective::allgather, "kshift");
    CHECK(effective(shift, {}) == parameters{{"k", 8}, {"outstanding", 1}, {"pace", 0}});
    CHECK(effective(shift, {{"zeta", 2}, {"outstanding", 3}})
          == parameters{{"k", 8}, {"outstanding", 3}, {"pace", 0}});
    CHECK(effective(*find_algorithm(collective::allreduce, "ring"), {{"radix", 4}, {"segments", 2}})
          == parameters{});
}

TEST_CASE("an option that the algorithm lacks, or a value that it does not allow, is refused by name",
          "[schedule][catalogue]") {
    const auto refused = [](collective what, std::string_view name, const parameters& given) -> std::string {
        try {
            find_algorithm(what, name)->make({0, 4, 0}, given);
        } catch (const argument_error& e) {
            return e.argument() + "=" + e.value();
        }
        return "";
    };
    CHECK(refused(collective::allreduce, "ring", {{"radix", 4}}) == "radix=4");
    CHECK(refused(collective::allreduce, "ring", {{"arity", 4}}) == "arity=4");
    CHECK(refused(collective::reduce, "fnomial", {{"splits", 1}}) == "splits=1");
    CHECK(refused(collective::reduce, "fnomial_split", {{"segments", 3}}) == "segments=3");
    CHECK(refused(collective::reduce, "fnomial", {{"radix", 1}}) == "radix=1");
    CHECK(refused(collective::allgather, "hypercube", {{"zeta", 31}}) == "zeta=31");
    CHECK(refused(collective::allgather, "mesh2d", {{"zeta", 1}}) == "zeta=1");
    CHECK(refused(collective::bcast, "chain", {{"segments", -1}}) == "segments=-1");
    CHECK(refused(collective::bcast, "chain", {{"segments", 3}}).empty());
    CHECK(refused(collective::allgather, "ring", {{"k", 4}}) == "k=4");
    CHECK(refused(collective::allgather, "circulant", {{"zeta", 0}}) == "zeta=0");
    CHECK(refused(collective::allgather, "hypercube", {{"outstanding", 2}}) == "outstanding=2");
    CHECK(refused(collective::allgather, "mesh2d", {{"pace", 0}}) == "pace=0");
    CHECK(refused(collective::allgather, "kprefix", {{"k", 6}}) == "k=6");
    CHECK(refused(collective::allgather, "kshift", {{"k", -1}}) == "k=-1");
    CHECK(refused(collective::allgather, "direct", {{"outstanding", -1}}) == "outstanding=-1");
    CHECK(refused(collective::allgather, "prefix_send", {{"pace", -2}}) == "pace=-2");
    CHECK(refused(collective::allgather, "kshift", {{"k", 6}, {"outstanding", 4}, {"pace", 12}}).empty());
}
