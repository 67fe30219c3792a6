// SPDX-License-Identifier: BSL-1.0
#include <tutti/tune/fold_order.hpp>

#include <cstdint>
#include <string_view>

#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

choice named_choice(collective what, std::string_view name) {
    const catalogue_entry* const entry = find_algorithm(what, name);
    return {.algorithm = entry->name, .make = entry->make, .with = entry->defaults};
}

bool allreduces_alike(rank_type size, std::int64_t elements, std::string_view one, std::string_view other,
                      bool commutative = true) {
    return same_order_of_folds(collective::allreduce, size, elements, commutative,
                               named_choice(collective::allreduce, one),
                               named_choice(collective::allreduce, other));
}

/// A ring, each block of which is two.
struct ring_in_halves {
    any_generator ring;

    round_index rounds() const { return ring.rounds(); }
    block_index blocks() const { return 2 * ring.blocks(); }
    capabilities claims() const { return {}; }
    void emit(round_index round, auto&& sink) const {
        step_list steps;
        ring.append(round, steps);
        for (step s : steps) {
            s.blocks.first *= 2;
            s.blocks.count *= 2;
            sink(s);
        }
    }
};

} // namespace

TEST_CASE("blocks are compared by where they lie, however many there are", "[tune][fold_order]") {
    const choice ring = named_choice(collective::allreduce, "ring");
    choice halves = ring;
    halves.algorithm = "ring_in_halves";
    halves.make = [](place at, const parameters&) {
        return any_generator(
            ring_in_halves{any_generator(generate(of<collective::allreduce>, tutti::ring{}, at))});
    };
    for (const rank_type size : {3, 5}) {
        CHECK(same_order_of_folds(collective::allreduce, size, 4 * size, true, ring, halves));
        CHECK(same_order_of_folds(collective::allreduce, size, 4 * size, true, halves, ring));
        CHECK_FALSE(same_order_of_folds(collective::allreduce, size, 5 * size, true, ring, halves));
    }
}

TEST_CASE("two ranks have one order, if the operation commutes", "[tune][fold_order]") {
    for (const catalogue_entry& entry : catalogue_of(collective::allreduce))
        CHECK(allreduces_alike(2, 10, "serial", entry.name));
}

TEST_CASE("algorithms with the same tree fold alike, others do not", "[tune][fold_order]") {
    CHECK(allreduces_alike(8, 100, "recursive_doubling", "fnomial"));
    CHECK(allreduces_alike(8, 100, "recursive_doubling", "fnomial", false));
    CHECK(!allreduces_alike(8, 100, "recursive_doubling", "serial"));
    CHECK(!allreduces_alike(8, 100, "ring", "serial")); // only block 0 is folded from rank 0 on
    CHECK(!allreduces_alike(7, 100, "ring", "circulant"));
}

TEST_CASE("of a reduce the root's result is compared", "[tune][fold_order]") {
    const choice serial = named_choice(collective::reduce, "serial");
    choice fnomial = named_choice(collective::reduce, "fnomial");
    fnomial.with.set("radix", 2);
    CHECK(!same_order_of_folds(collective::reduce, 8, 100, true, fnomial, serial));
    fnomial.with.set("radix", 8); // flat, too
    CHECK(same_order_of_folds(collective::reduce, 8, 100, true, fnomial, serial));
}

TEST_CASE("blocks that have no element are not compared", "[tune][fold_order]") {
    // Of the blocks of ring only the first has an element; it is folded along the ring.
    CHECK(!allreduces_alike(5, 1, "ring", "fnomial"));
    CHECK(allreduces_alike(5, 0, "ring", "fnomial"));
}

TEST_CASE("what travels under a rank's own part is compared by parts", "[tune][fold_order]") {
    const choice direct = named_choice(collective::reduce_scatter, "direct");
    const choice circulant = named_choice(collective::reduce_scatter, "circulant");
    CHECK(same_order_of_folds(collective::reduce_scatter, 6, 60, true, direct, direct));
    CHECK(!same_order_of_folds(collective::reduce_scatter, 6, 60, true, direct, circulant));
    CHECK(same_order_of_folds(collective::reduce_scatter, 2, 60, true, direct, circulant));
}

TEST_CASE("of an exscan ranks behind the first are compared, and blocks of other lengths side by side",
          "[tune][fold_order]") {
    const auto alike = [](rank_type size, const choice& one, const choice& other) {
        return same_order_of_folds(collective::exscan, size, 100, false, one, other);
    };
    choice chain = named_choice(collective::exscan, "chain");
    chain.with.set("segments", 1);
    choice in_pieces = chain;
    in_pieces.with.set("segments", 4);
    const choice doubling = named_choice(collective::exscan, "recursive_doubling");
    CHECK(alike(5, chain, in_pieces));
    CHECK(alike(5, in_pieces, chain));
    CHECK(alike(4, chain, doubling));      // (0 1) 2 is the longest
    CHECK(!alike(5, chain, doubling));     // ((0 1) 2) 3 is not (0 1) (2 3)
    CHECK(!alike(5, doubling, in_pieces)); // nor any quarter of it
}

TEST_CASE("what folds alike at one length need not at another", "[tune][fold_order]") {
    const auto alike = [](rank_type size, const choice& one, const choice& other) {
        return same_order_of_folds(collective::allreduce, {.at = {0, size, 0}}, one, other);
    };
    const choice doubling = named_choice(collective::allreduce, "recursive_doubling");
    const choice sparbit = named_choice(collective::allreduce, "sparbit");
    // Block 0 of sparbit, where the one element of the shortest vector is, is folded as all are by doubling.
    CHECK(allreduces_alike(4, 1, "recursive_doubling", "sparbit"));
    CHECK(!allreduces_alike(4, 2, "recursive_doubling", "sparbit"));
    CHECK(!alike(4, doubling, sparbit));
    CHECK(!alike(4, sparbit, doubling));
    CHECK(alike(2, doubling, sparbit)); // one order, however many blocks
    CHECK(alike(4, sparbit, sparbit));
    CHECK(alike(8, doubling, named_choice(collective::allreduce, "fnomial")));
    // As many blocks: one by one. Others: wherever their borders are.
    choice chain = named_choice(collective::exscan, "chain");
    chain.with.set("segments", 3);
    choice in_pieces = chain;
    in_pieces.with.set("segments", 4);
    const request_facts ordered{.at = {0, 5, 0}, .commutative = false};
    CHECK(same_order_of_folds(collective::exscan, ordered, chain, in_pieces));
    CHECK(!same_order_of_folds(collective::exscan, ordered, in_pieces,
                               named_choice(collective::exscan, "recursive_doubling")));
}

TEST_CASE("a rank's part of a reduce_scatter counts even where it is empty at some lengths",
          "[tune][fold_order]") {
    const choice direct = named_choice(collective::reduce_scatter, "direct");
    const choice circulant = named_choice(collective::reduce_scatter, "circulant");
    CHECK(same_order_of_folds(collective::reduce_scatter, 6, 5, true, direct, circulant)); // nobody has any
    CHECK(!same_order_of_folds(collective::reduce_scatter, {.at = {0, 6, 0}}, direct, circulant));
    CHECK(same_order_of_folds(collective::reduce_scatter, {.at = {0, 2, 0}}, direct, circulant));
}

TEST_CASE("what folds alike to root 0 need not to others", "[tune][fold_order]") {
    // A tree is turned round to its root, halving is not.
    const choice tree = named_choice(collective::reduce, "fnomial");
    const choice halving = named_choice(collective::reduce, "halving_doubling");
    const choice bine = named_choice(collective::reduce, "bine_tree");
    const auto alike = [](rank_type root, const choice& one, const choice& other) {
        return same_order_of_folds(collective::reduce, {.at = {0, 4, root}}, one, other);
    };
    CHECK(alike(0, tree, halving));
    CHECK(!alike(1, tree, halving));
    CHECK(!alike(3, halving, tree));
    CHECK(alike(0, tree, bine));
    CHECK(alike(3, tree, bine));
}
