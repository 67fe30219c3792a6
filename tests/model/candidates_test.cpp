// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/candidates.hpp>

#include <string>
#include <vector>

#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

std::vector<std::string> names(const selection_request& request, const stage_times& stage = {}) {
    std::vector<std::string> all;
    for_each_candidate(catalogue_of(request.what), request, stage,
                       [&](const candidate& c) { all.push_back(name_of(c)); });
    return all;
}

} // namespace

TEST_CASE("every algorithm of a collective is a candidate, in the order of the catalogue, whatever the size",
          "[model][candidates]") {
    for (const collective what : all_collectives)
        for (const rank_type size : {1, 2, 3, 5, 8, 31, 4096})
            for (const std::int64_t bytes : {0, 1, 8, 100000}) {
                std::vector<std::string_view> seen;
                for_each_candidate(catalogue_of(what), {.what = what, .size = size, .bytes = bytes},
                                   {.empty_us = 1, .whole_us = 50}, [&](const candidate& c) {
                                       CHECK(c.entry->what == what);
                                       CHECK(effective(*c.entry, c.with) == c.with);
                                       if (seen.empty() || seen.back() != c.entry->name)
                                           seen.push_back(c.entry->name);
                                   });
                std::vector<std::string_view> expected;
                for (const catalogue_entry& e : catalogue_of(what)) expected.push_back(e.name);
                CHECK(seen == expected);
            }
}

TEST_CASE("every candidate can be made", "[model][candidates]") {
    for (const collective what : all_collectives)
        for (const rank_type size : {1, 2, 3, 7, 16, 100})
            for_each_candidate(catalogue_of(what), {.what = what, .size = size, .bytes = 4096},
                               {.empty_us = 0.1, .whole_us = 10}, [&](const candidate& c) {
                                   INFO(name_of(c) << ", " << size << " ranks");
                                   CHECK_NOTHROW(c.entry->make({.rank = size - 1, .size = size}, c.with));
                               });
}

TEST_CASE("a request of the same bits for any size covers what claims the canonical tree",
          "[model][candidates]") {
    for (const collective what : all_collectives)
        for (const rank_type size : {2, 5, 8, 11})
            for (const rank_type root : {0, 1}) {
                selection_request request{.what = what, .size = size, .root = root, .bytes = 4096};
                for_each_candidate(catalogue_of(what), request, {}, [&](const candidate& c) {
                    const capabilities claims = c.schedule({0, size, has_root(what) ? root : 0}).claims();
                    request.canonical_tree = false;
                    const bool before = not_covered(claims, request).empty();
                    request.canonical_tree = true;
                    INFO(name_of(what) << " " << name_of(c) << ", " << size << " ranks, root " << root);
                    const bool same_bits =
                        claims.canonical_tree || !folds(what); // what folds nothing has no tree
                    CHECK(not_covered(claims, request).empty() == (before && same_bits));
                });
            }
}

TEST_CASE("values that make no difference are left out", "[model][candidates]") {
    using list = std::vector<std::string>;
    std::vector<int> radices{2, 3, 4, 5, 8};
    detail::keep_below(radices, 5);
    CHECK(radices == std::vector{2, 3, 4});
    detail::keep_below(radices, 2);
    CHECK(radices == std::vector{2});
    CHECK(names({.what = collective::reduce, .size = 2, .bytes = 8})
          == list{"serial", "chain segments=1", "kary arity=2 segments=1", "fnomial radix=2 segments=1",
                  "canonical_doubling", "bine_tree", "fnomial_split radix=2 splits=1",
                  "binary_tree segments=1", "two_tree segments=1", "circulant_pipeline segments=1",
                  "halving_doubling", "binary_blocks", "reduce_scatter_gather radix=2", "pairwise_ring",
                  "ring"});
}

TEST_CASE("the values that are tried, and every other one where there are very many ranks",
          "[model][candidates]") {
    // Each value once, in order: "2 3 4".
    const auto values = [](collective what, const std::string& algorithm, const std::string& option,
                           const selection_request& request) {
        std::string text;
        std::string last;
        for_each_candidate(catalogue_of(what), request, {}, [&](const candidate& c) {
            if (c.entry->name != algorithm) return;
            const std::string name = name_of(c);
            const std::size_t begin = name.find(" " + option + "=") + option.size() + 2;
            const std::string value = name.substr(begin, name.find(' ', begin) - begin);
            if (value != last) text += (text.empty() ? "" : " ") + value;
            last = value;
        });
        return text;
    };
    const auto reduce = [&](const std::string& algorithm, const std::string& option, rank_type size) {
        return values(collective::reduce, algorithm, option,
                      {.what = collective::reduce, .size = size, .bytes = 1 << 20});
    };
    CHECK(reduce("fnomial", "radix", 512) == "2 3 4 5 6 8 12 16 32");
    CHECK(reduce("fnomial", "radix", 513) == "2 4 8 16");
    CHECK(reduce("kary", "arity", 512) == "2 3 4 8");
    CHECK(reduce("kary", "arity", 513) == "2 4 16");
    CHECK(reduce("fnomial_split", "radix", 512) == "2 3 4 8");
    CHECK(reduce("fnomial_split", "radix", 513) == "2 4");
    const std::string once = "1 2 3 4 5 6";
    CHECK(reduce("fnomial_split", "splits", 512)
          == once + " " + once + " " + once + " " + once); // of each radix
    CHECK(reduce("fnomial_split", "splits", 513) == "1 2 4 1 2 4");
    // Not in more parts than there are elements: 4 of them in 2 times 2.
    const auto few = [&](std::int64_t bytes) {
        return values(collective::reduce, "fnomial_split", "splits",
                      {.what = collective::reduce, .size = 4, .bytes = bytes, .element_bytes = 8});
    };
    CHECK(few(0) == "1");
    CHECK(few(8) == "1");
    CHECK(few(16) == "1");
    CHECK(few(32) == "1 2 1 2"); // of each radix
    const selection_request gather{.what = collective::allgather, .size = 40, .bytes = 4096};
    CHECK(values(collective::allgather, "kshift", "k", gather) == "4 8 16 32");
    CHECK(values(collective::alltoall, "kshift", "k", {.what = collective::alltoall, .size = 64}) == "8");
    CHECK(values(collective::allgather, "hypercube", "zeta", gather) == "0 1 2 3");
    CHECK(values(collective::allgather, "direct", "outstanding", gather) == "1 4 16");
}

TEST_CASE("over many ranks wide trees are not cut into segments", "[model][candidates]") {
    const auto cut = [](rank_type size, int arity) {
        const selection_request request{.what = collective::bcast, .size = size, .bytes = 1 << 20};
        bool any = false;
        for_each_candidate(catalogue_of(request.what), request, {.empty_us = 1, .whole_us = 1000},
                           [&](const candidate& c) {
                               if (std::string(c.entry->name) == "kary" && c.with.get("arity") == arity)
                                   any = any || c.with.get("segments") > 1;
                           });
        return any;
    };
    CHECK(cut(512, 8));
    CHECK(cut(512, 4));
    CHECK(cut(513, 4));
    CHECK_FALSE(cut(513, 16));
}

TEST_CASE("segments are tried about the best length of a pipeline", "[model][candidates]") {
    using list = std::vector<block_index>;
    // n = sqrt((9 - 1) 8 / 1) = 8
    CHECK(detail::segments_to_try(9, {.empty_us = 1, .whole_us = 9}, 1000) == list{1, 4, 8, 16});
    CHECK(detail::segments_to_try(9, {.empty_us = 1, .whole_us = 9}, 10) == list{1, 4, 8});
    CHECK(detail::segments_to_try(9, {.empty_us = 1, .whole_us = 9}, 1) == list{1});
    CHECK(detail::segments_to_try(1, {.empty_us = 1, .whole_us = 9}, 1000) == list{1});
    CHECK(detail::segments_to_try(9, {.empty_us = 1, .whole_us = 1}, 1000) == list{1}); // bytes cost nothing
    CHECK(detail::segments_to_try(9, {.empty_us = 100, .whole_us = 101}, 1000) == list{1, 2});
    CHECK(detail::segments_to_try(9, {.empty_us = 1, .whole_us = 9}, 8) == list{1, 4, 8});
    CHECK(detail::segments_to_try(9, {.empty_us = 1, .whole_us = 9}, 2) == list{1, 2});       // two elements
    CHECK(detail::segments_to_try(2, {.empty_us = 1, .whole_us = 5}, 1000) == list{1, 2, 4}); // sqrt(1 * 4)
    CHECK(detail::segments_to_try(9, {.empty_us = 0, .whole_us = 9}, 1000)
          == list{1, 256, 512}); // bytes only
    CHECK(detail::segments_to_try(9, {.empty_us = 1, .whole_us = 9}, 1000, 0) == list{1, 8});
}

TEST_CASE("claims cover a request or do not", "[model][candidates]") {
    const capabilities plain{};
    const capabilities in_order{.order_preserving = true};
    const capabilities moving{.moves_blocks = true};
    CHECK(not_covered(plain, {.what = collective::reduce}).empty());
    CHECK(!not_covered(plain, {.what = collective::reduce, .commutative = false}).empty());
    CHECK(not_covered(plain, {.what = collective::bcast, .commutative = false}).empty());
    CHECK(not_covered(in_order, {.what = collective::reduce, .commutative = false}).empty());
    CHECK(not_covered(moving, {.what = collective::alltoall}).empty());
    CHECK(!not_covered(moving, {.what = collective::alltoall, .equal_blocks = false}).empty());
}

TEST_CASE("a request that is none is refused", "[model][candidates]") {
    CHECK_THROWS_AS(check_request({.what = collective::reduce, .size = 0}), argument_error);
    CHECK_THROWS_AS(check_request({.what = collective::reduce, .size = 4, .root = 4}), argument_error);
    CHECK_NOTHROW(check_request({.what = collective::allreduce, .size = 4, .root = 4}));
    CHECK_NOTHROW(check_request({.size = 1, .bytes = 0, .element_bytes = 1}));
    CHECK_THROWS_AS(check_request({.size = 4, .bytes = -1}), argument_error);
    CHECK_THROWS_AS(check_request({.size = 4, .element_bytes = 0}), argument_error);
}
