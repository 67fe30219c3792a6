// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/same_bits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/reduce_scatter.hpp>
#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/collectives/scan.hpp>
#include <tutti/core/math.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

namespace {

using tutti::rank_type;
using tutti::same_bits_for_any_size;
using vec = std::vector<float>;

/// Of very different sizes, so that hardly any two orders of adding them have the same sum.
vec values(rank_type rank, std::size_t count) {
    std::mt19937 random(static_cast<unsigned>(rank) + 7);
    vec all(count);
    for (float& x : all) x = static_cast<float>(random() % 2000) * (random() % 2 == 0 ? 1e-4F : 1e4F) - 1e3F;
    return all;
}

/// parts[first .. first + n - 1], as capabilities::canonical_tree has it.
vec canonical_sum(const std::vector<vec>& parts, std::size_t first, std::size_t n) {
    if (n == 1) return parts[first];
    std::size_t left = 1;
    while (2 * left < n) left *= 2;
    vec sum = canonical_sum(parts, first, left);
    const vec right = canonical_sum(parts, first + left, n - left);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += right[i];
    return sum;
}

bool same(const vec& a, const vec& b) {
    return std::ranges::equal(std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
}

constexpr std::size_t lengths[]{1, 7, 4096, 4097, 9001}; // on both sides of short_bytes

} // namespace

TEST_CASE("an allreduce of the same bits folds along the canonical tree", "[execute][same_bits]") {
    for (rank_type size = 1; size <= 9; ++size)
        for (const std::size_t count : lengths) {
            INFO(size << " ranks, " << count << " elements");
            std::vector<vec> parts;
            for (rank_type r = 0; r < size; ++r) parts.push_back(values(r, count));
            const vec expected = canonical_sum(parts, 0, parts.size());
            support::complaints heard(size);
            tutti::threads::run(size, [&](auto& comm) {
                const vec& mine = parts[static_cast<std::size_t>(comm.rank())];
                vec sum(count);
                tutti::allreduce(comm, mine, sum, tutti::sum{}, same_bits_for_any_size{});
                heard.add(comm.rank(), same(sum, expected) ? "" : "other bits");
            });
            CHECK(heard.all() == "");
        }
}

TEST_CASE("a reduce of the same bits does whatever the root is", "[execute][same_bits]") {
    for (rank_type size = 1; size <= 7; ++size)
        for (const std::size_t count : {std::size_t{3}, std::size_t{5000}}) {
            INFO(size << " ranks, " << count << " elements");
            std::vector<vec> parts;
            for (rank_type r = 0; r < size; ++r) parts.push_back(values(r, count));
            const vec expected = canonical_sum(parts, 0, parts.size());
            support::complaints heard(size);
            tutti::threads::run(size, [&](auto& comm) {
                std::string wrong;
                for (rank_type root = 0; root < size; ++root) {
                    vec sum = parts[static_cast<std::size_t>(comm.rank())];
                    tutti::reduce(comm, sum, tutti::sum{}, root, same_bits_for_any_size{});
                    if (comm.rank() == root && !same(sum, expected))
                        wrong += "other bits at root " + std::to_string(root);
                }
                heard.add(comm.rank(), wrong);
            });
            CHECK(heard.all() == "");
        }
}

TEST_CASE("a reduce_scatter of the same bits does for blocks of any length", "[execute][same_bits]") {
    for (rank_type size = 1; size <= 9; ++size) {
        CAPTURE(size);
        std::vector<std::int64_t> counts;
        std::vector<std::size_t> begins{0};
        for (rank_type r = 0; r < size; ++r) {
            counts.push_back(r * 37 % 11);
            begins.push_back(begins.back() + static_cast<std::size_t>(counts.back()));
        }
        std::vector<vec> parts;
        for (rank_type r = 0; r < size; ++r) parts.push_back(values(r, begins.back()));
        const vec expected = canonical_sum(parts, 0, parts.size());
        support::complaints heard(size);
        tutti::threads::run(size, [&](auto& comm) {
            const auto me = static_cast<std::size_t>(comm.rank());
            vec sum(static_cast<std::size_t>(counts[me]));
            tutti::reduce_scatter(comm, parts[me], sum, counts, tutti::sum{}, same_bits_for_any_size{});
            const vec due(expected.begin() + static_cast<std::ptrdiff_t>(begins[me]),
                          expected.begin() + static_cast<std::ptrdiff_t>(begins[me + 1]));
            heard.add(comm.rank(), same(sum, due) ? "" : "other bits");
        });
        CHECK(heard.all() == "");
    }
}

TEST_CASE("what a scan of the same bits gives a rank is what a reduction of the ranks up to it has",
          "[execute][same_bits]") {
    for (const rank_type size : {1, 2, 3, 4, 5, 7, 8, 13, 33}) {
        CAPTURE(size);
        std::vector<vec> parts;
        for (rank_type r = 0; r < size; ++r) parts.push_back(values(r, 5));
        support::complaints heard(size);
        tutti::mock::run(size, {.seed = 3}, [&](auto& comm) {
            const auto me = static_cast<std::size_t>(comm.rank());
            vec up_to(5);
            vec before(5);
            tutti::scan(comm, parts[me], up_to, tutti::sum{}, same_bits_for_any_size{});
            tutti::exscan(comm, parts[me], before, tutti::sum{}, same_bits_for_any_size{});
            vec in_place = parts[me];
            tutti::scan(comm, in_place, tutti::sum{}, same_bits_for_any_size{});
            std::string wrong = same(up_to, canonical_sum(parts, 0, me + 1)) ? "" : "other bits up to it";
            if (!same(in_place, up_to)) wrong += " others in place";
            if (me > 0 && !same(before, canonical_sum(parts, 0, me))) wrong += " other bits before it";
            heard.add(comm.rank(), wrong);
        });
        CHECK(heard.all() == "");
    }
}

TEST_CASE("one sum has the same bits on 1, 2, 4 and 8 ranks that add up what they have along the same tree",
          "[execute][same_bits]") {
    std::vector<vec> parts;
    for (rank_type r = 0; r < 16; ++r) parts.push_back(values(r, 1));
    const vec expected = canonical_sum(parts, 0, 16);
    for (const rank_type size : {1, 2, 4, 8}) {
        INFO(size << " ranks");
        const std::size_t each = 16 / static_cast<std::size_t>(size);
        support::complaints heard(size);
        tutti::threads::run(size, [&](auto& comm) {
            vec sum = canonical_sum(parts, static_cast<std::size_t>(comm.rank()) * each, each);
            tutti::allreduce(comm, sum, tutti::sum{}, same_bits_for_any_size{});
            heard.add(comm.rank(), same(sum, expected) ? "" : "other bits");
        });
        CHECK(heard.all() == "");
    }
}

TEST_CASE("11 vectors have one sum on 1, 2, 3, 6 and 11 ranks, the last of which has fewer of them",
          "[execute][same_bits]") {
    for (const std::size_t count : {std::size_t{1}, std::size_t{5000}}) { // on both sides of short_bytes
        std::vector<vec> parts;
        for (rank_type r = 0; r < 11; ++r) parts.push_back(values(r, count));
        const vec expected = canonical_sum(parts, 0, 11);
        for (const std::size_t each : {16U, 8U, 4U, 2U, 1U}) {
            const auto size = static_cast<rank_type>((11 + each - 1) / each);
            INFO(size << " ranks, " << count << " elements");
            support::complaints heard(size);
            tutti::threads::run(size, [&](auto& comm) {
                const std::size_t first = static_cast<std::size_t>(comm.rank()) * each;
                const vec mine = canonical_sum(parts, first, std::min(each, 11 - first));
                vec everywhere(count);
                tutti::allreduce(comm, mine, everywhere, tutti::sum{}, same_bits_for_any_size{});
                vec at_last = mine;
                tutti::reduce(comm, at_last, tutti::sum{}, size - 1, same_bits_for_any_size{});
                const bool right =
                    same(everywhere, expected) && (comm.rank() != size - 1 || same(at_last, expected));
                heard.add(comm.rank(), right ? "" : "other bits");
            });
            CHECK(heard.all() == "");
        }
    }
}

namespace {
/// How many of the schedules that a call of the same bits takes do not claim the canonical tree.
template <tutti::collective C>
int without_the_tree() {
    int count = 0;
    for (rank_type size = 1; size <= 200; ++size)
        for (const rank_type root : {0, 1, size / 2, size - 1}) {
            if (root >= size || (root > 0 && !tutti::has_root(C))) continue;
            for (const std::int64_t bytes :
                 {same_bits_for_any_size::short_bytes, same_bits_for_any_size::short_bytes + 1}) {
                const auto schedule = same_bits_for_any_size{}.schedule(
                    tutti::of<C>, {.at = {size - 1, size, root}, .bytes = bytes});
                count += schedule.claims().canonical_tree ? 0 : 1;
            }
        }
    return count;
}
} // namespace

TEST_CASE("the schedules of the same bits claim the canonical tree, for any size, root and length",
          "[execute][same_bits]") {
    static_assert(same_bits_for_any_size::short_bytes == 16384);
    CHECK(without_the_tree<tutti::collective::allreduce>() == 0);
    CHECK(without_the_tree<tutti::collective::reduce>() == 0);
    CHECK(without_the_tree<tutti::collective::reduce_scatter>() == 0);
    CHECK(without_the_tree<tutti::collective::scan>() == 0);
    CHECK(without_the_tree<tutti::collective::exscan>() == 0);
}

TEST_CASE("up to 16 KiB whole vectors are folded in the fewest rounds", "[execute][same_bits]") {
    for (rank_type size = 2; size <= 40; ++size) {
        CAPTURE(size);
        const auto rounds_of = [&](auto what, rank_type root, std::int64_t bytes) {
            return same_bits_for_any_size{}.schedule(what, {.at = {0, size, root}, .bytes = bytes}).rounds();
        };
        const int fewest = tutti::ceil_log2(size);
        CHECK(rounds_of(tutti::of<tutti::collective::allreduce>, 0, 16384) == fewest);
        CHECK(rounds_of(tutti::of<tutti::collective::allreduce>, 0, 16385) > fewest);
        for (rank_type root = 0; root < size; ++root) {
            CHECK(rounds_of(tutti::of<tutti::collective::reduce>, root, 16384) == fewest);
            CHECK(rounds_of(tutti::of<tutti::collective::reduce>, root, 16385) > fewest);
        }
    }
}
