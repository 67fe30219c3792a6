// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/permutation_name.hpp>

#include <string>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/pattern/permutation.hpp>

#include "support/catch2.hpp"

namespace {

using namespace tutti;

std::string name_of(const std::vector<message>& messages, rank_type size) {
    return permutation_name(messages, size, [](rank_type r) { return r; });
}
template <class Permutation>
std::vector<message> messages_of(const Permutation& p, rank_type size) {
    std::vector<message> list;
    for (rank_type r = 0; r < size; ++r)
        if (const rank_type to = p(r, size); to != no_rank && to != r) list.push_back({.from = r, .to = to});
    return list;
}

} // namespace

TEST_CASE("messages of a permutation have its name, all of them or some") {
    for (const rank_type size : {3, 5, 8, 13})
        for (rank_type k = 1; k < size; ++k) {
            INFO(k << " of " << size);
            CHECK(name_of(messages_of(shift{k}, size), size) == "shift:" + std::to_string(k));
            // Half the ranks further on, shift and exchange are one: the shift is said.
            const bool both = 2 * k == size && (k & (k - 1)) == 0;
            const std::vector<message> exchanges = messages_of(exclusive_or{k}, size);
            if (exchanges.size() > 2)
                CHECK(name_of(exchanges, size) == (both ? "shift:" : "xor:") + std::to_string(k));
        }
    CHECK(name_of({{.from = 3, .to = 0}, {.from = 4, .to = 1}}, 5) == "shift:2");
}

TEST_CASE("messages of no permutation, and those of none, have no name") {
    CHECK(name_of({}, 5).empty());
    CHECK(name_of({{.from = 0, .to = 1}, {.from = 1, .to = 3}}, 5).empty());
    CHECK(name_of({{.from = 0, .to = 1}, {.from = 0, .to = 1}}, 5).empty()); // two from one rank
}

TEST_CASE("a permutation counts what it is told to") { // ranks 0, 2, 4, 6 are 0, 1, 2, 3
    const std::vector<message> messages{
        {.from = 0, .to = 2}, {.from = 2, .to = 0}, {.from = 4, .to = 6}, {.from = 6, .to = 4}};
    CHECK(permutation_name(messages, 4, [](rank_type r) { return r / 2; }) == "xor:1");
}
