// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/permutation.hpp>

#include <limits>
#include <string>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

template <class P>
std::vector<rank_type> targets(const P& p, rank_type size) {
    std::vector<rank_type> result;
    for (rank_type r = 0; r < size; ++r) result.push_back(p(r, size));
    return result;
}

/// No two ranks send to one, and nobody outside.
template <class P>
bool injective(const P& p, rank_type size) {
    std::vector<int> hits(static_cast<std::size_t>(size), 0);
    for (const rank_type t : targets(p, size)) {
        if (t == no_rank) continue;
        if (t < 0 || t >= size || ++hits[static_cast<std::size_t>(t)] > 1) return false;
    }
    return true;
}

template <class Call>
std::string complaint(const Call& call) {
    try {
        call();
    } catch (const argument_error& e) {
        return e.what();
    }
    return "none";
}

constexpr rank_type nobody = no_rank;

} // namespace

static_assert(permutation<shift> && permutation<exclusive_or> && permutation<hypercube_exchange>
              && permutation<quarter_permutation> && permutation<permutation_table>);
static_assert(!permutation<int> && !permutation<std::vector<rank_type>>);
static_assert(shift{-1}(0, 5) == 4);

TEST_CASE("the examples with 5 ranks in the header are right", "[pattern][permutation]") {
    CHECK(targets(shift{2}, 5) == std::vector<rank_type>{2, 3, 4, 0, 1});
    CHECK(targets(exclusive_or{1}, 5) == std::vector<rank_type>{1, 0, 3, 2, nobody});
    CHECK(targets(hypercube_exchange{2}, 5) == std::vector<rank_type>{4, nobody, nobody, nobody, 0});
    CHECK(targets(quarter_permutation({1, 0}), 5) == std::vector<rank_type>{3, 4, nobody, 0, 1});
    CHECK(targets(permutation_table({3, nobody, 0, 4, 1}), 5) == std::vector<rank_type>{3, nobody, 0, 4, 1});
    CHECK(table_of(shift{2}, 5).targets() == std::vector<rank_type>{2, 3, 4, 0, 1});
    CHECK(is_permutation(shift{2}, 5));
    CHECK_FALSE(is_permutation(exclusive_or{1}, 5));
}

TEST_CASE("quarters 1, 2, 3, 4 go to 3, 4, 1, 2 in the order of ranks: Kumar and Kalé's example",
          "[pattern][permutation]") {
    CHECK(targets(quarter_permutation({2, 3, 0, 1}), 8) == std::vector<rank_type>{4, 5, 6, 7, 0, 1, 2, 3});
    CHECK(quarter_permutation({2, 3, 0, 1}).parts() == 4);
}

TEST_CASE("shifts are permutations for every size and distance, and -k is the way back of k",
          "[pattern][permutation]") {
    for (rank_type size = 1; size <= 40; ++size)
        for (rank_type k = -45; k <= 45; ++k) {
            REQUIRE(is_permutation(shift{k}, size));
            for (rank_type r = 0; r < size; ++r) REQUIRE(shift{-k}(shift{k}(r, size), size) == r);
        }
}

TEST_CASE("xor is its own inverse, and a permutation of all ranks for every j iff the size is a power of two",
          "[pattern][permutation]") {
    for (rank_type size = 1; size <= 70; ++size) {
        bool all = true;
        const rank_type end = static_cast<rank_type>(power(2, ceil_log2(size)));
        for (rank_type j = 0; j < end; ++j) {
            CAPTURE(size, j);
            const exclusive_or p{j};
            REQUIRE(injective(p, size));
            for (rank_type r = 0; r < size; ++r)
                if (p(r, size) != no_rank) REQUIRE(p(p(r, size), size) == r);
            all = all && is_permutation(p, size);
        }
        CHECK(all == (size == floor_pow2(size)));
    }
}

TEST_CASE("a hypercube exchange is the xor with one bit", "[pattern][permutation]") {
    for (rank_type size = 1; size <= 40; ++size)
        for (int d = 0; d < 8; ++d)
            CHECK(targets(hypercube_exchange{d}, size) == targets(exclusive_or{rank_type{1} << d}, size));
}

TEST_CASE("a target that does not exist is no rank, however large j, dimension and size",
          "[pattern][permutation]") {
    constexpr rank_type most = std::numeric_limits<rank_type>::max();
    CHECK(exclusive_or{-1}(3, 8) == no_rank);
    CHECK(exclusive_or{most}(0, most) == no_rank);
    CHECK(exclusive_or{most}(1, most) == most - 1);
    CHECK(hypercube_exchange{30}(0, most) == 1 << 30);
    CHECK(hypercube_exchange{31}(0, most) == no_rank);
    CHECK(hypercube_exchange{-1}(0, most) == no_rank);
    CHECK(shift{most}(most - 1, most) == most - 1);
    CHECK(shift{std::numeric_limits<rank_type>::min()}(0, most) == most - 1);
}

TEST_CASE("parts keep the order inside, for any number of parts and any size", "[pattern][permutation]") {
    const std::vector<std::vector<rank_type>> orders{{0},          {1, 0},          {2, 0, 1},
                                                     {3, 2, 1, 0}, {1, 4, 0, 2, 3}, {6, 5, 4, 3, 2, 1, 0}};
    for (const auto& to : orders)
        for (rank_type size = 1; size <= 40; ++size) {
            const quarter_permutation p(to);
            const auto parts = static_cast<rank_type>(to.size());
            const rank_type length = ceil_div(size, parts);
            CAPTURE(parts, size);
            REQUIRE(injective(p, size));
            REQUIRE(is_permutation(p, size) == (size % parts == 0 || to == std::vector<rank_type>{0}));
            for (rank_type r = 0; r < size; ++r) {
                if (p(r, size) == no_rank) continue;
                REQUIRE(p(r, size) / length == to[static_cast<std::size_t>(r / length)]);
                REQUIRE(p(r, size) % length == r % length);
            }
        }
}

TEST_CASE("a table says what its permutation says", "[pattern][permutation]") {
    for (rank_type size = 1; size <= 40; ++size) {
        CHECK(targets(table_of(shift{3}, size), size) == targets(shift{3}, size));
        CHECK(targets(table_of(exclusive_or{5}, size), size) == targets(exclusive_or{5}, size));
        CHECK(table_of(hypercube_exchange{1}, size) == table_of(exclusive_or{2}, size));
        CHECK(table_of(table_of(shift{3}, size), size).size() == size);
    }
}

TEST_CASE("what is no permutation is refused with the entry, its value and what is allowed",
          "[pattern][permutation]") {
    CHECK(complaint([] {
              permutation_table({0, 2, 2});
          })
          == "tutti: target of rank 2 is 2; allowed: a target of its own; 1 has this one");
    CHECK(complaint([] {
              permutation_table({0, 3, 1});
          })
          == "tutti: target of rank 1 is 3; allowed: 0..2, or -1 for nobody");
    CHECK(complaint([] {
              permutation_table({0, -2});
          })
          == "tutti: target of rank 1 is -2; allowed: 0..1, or -1 for nobody");
    CHECK(complaint([] { permutation_table({}); })
          == "tutti: number of entries of the permutation is 0; allowed: at least 1");
    CHECK(complaint([] {
              quarter_permutation({0, no_rank});
          })
          == "tutti: target of part 1 is -1; allowed: 0..1");
    CHECK(complaint([] {
              quarter_permutation({1, 1});
          })
          == "tutti: target of part 1 is 1; allowed: a target of its own; 0 has this one");
    CHECK(complaint([] {
              permutation_table({1, 0})(0, 3);
          })
          == "tutti: size is 3; allowed: 2, as many as the permutation's table has");
    CHECK(complaint([] { table_of(shift{1}, 0); }) == "tutti: size is 0; allowed: at least 1");
    CHECK(complaint([] { table_of([](rank_type, rank_type) { return rank_type{0}; }, 2); })
          == "tutti: target of rank 1 is 0; allowed: a target of its own; 0 has this one");
    CHECK_FALSE(is_permutation([](rank_type, rank_type) { return rank_type{0}; }, 2));
    CHECK_FALSE(is_permutation([](rank_type, rank_type) { return rank_type{7}; }, 2));
    CHECK_FALSE(is_permutation(shift{1}, 0));
}
