// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/same_bits.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/bypass.hpp>
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/partial_allreduce.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/reduce_scatter.hpp>
#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/collectives/scan.hpp>
#include <tutti/collectives/values.hpp>
#include <tutti/core/math.hpp>

#include "support/catalogue_over_processes.hpp"
#include "support/catch2.hpp"
#include "support/outcomes.hpp"

namespace {

using tutti::rank_type;
using tutti::same_bits_for_any_size;
using vec = std::vector<float>;

/// With all bits of a significand, and of different sizes, so that nearly every sum of two is rounded: two
/// orders of adding four have different sums in every fourth element.
vec values(rank_type rank, std::size_t count) {
    std::mt19937 random(static_cast<unsigned>(rank) + 7);
    vec all(count);
    for (float& x : all) {
        const auto significand = static_cast<float>(1 + random() % 0xffffff);
        const bool is_negative = random() % 2 == 0;
        x = std::ldexp(is_negative ? -significand : significand, static_cast<int>(random() % 4));
    }
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

bool same(std::span<const float> a, std::span<const float> b) {
    return std::ranges::equal(std::as_bytes(a), std::as_bytes(b));
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

namespace {

std::span<const float> part_of(const vec& all, std::size_t first, std::size_t count) {
    return std::span(all).subspan(first, count);
}

/// What is wrong with a call on this rank that blocks, is begun, or is planned and run twice, each with
/// `length` elements out and in place. `due` begins with the first element out, and in place at `first`.
template <class Call, class Begin, class Plan>
std::string wrong_forms(const char* name, const vec& mine, std::size_t length, std::size_t first,
                        std::span<const float> due, const Call& call, const Begin& begin, const Plan& plan) {
    std::string wrong;
    vec out(length);
    vec inout(mine);
    auto planned = plan(mine, out);
    auto planned_in_place = plan(inout);
    const auto check = [&](const char* form, auto&& run, auto&& run_in_place) {
        std::fill(out.begin(), out.end(), 0.0F);
        std::copy(mine.begin(), mine.end(), inout.begin());
        run();
        run_in_place();
        for (const bool in_place : {false, true})
            if (!same(part_of(in_place ? inout : out, in_place ? first : 0, due.size()), due))
                wrong += std::string(name) + " " + form + (in_place ? " in place" : "") + ": other bits; ";
    };
    check(
        "called", [&] { call(mine, out); }, [&] { call(inout); });
    check(
        "begun", [&] { begin(mine, out).wait(); }, [&] { begin(inout).wait(); });
    for (const char* const form : {"planned", "planned, again"})
        check(
            form, [&] { planned.run(); }, [&] { planned_in_place.run(); });
    return wrong;
}

/// All calls that take an algorithm and fold, of parts[r] on rank r, each a multiple of size() long.
template <class Communicator>
std::string wrong_calls(Communicator& comm, const std::vector<vec>& parts) {
    constexpr same_bits_for_any_size how{};
    constexpr tutti::sum sum{};
    const auto me = static_cast<std::size_t>(comm.rank());
    const vec& mine = parts[me];
    const std::size_t count = mine.size();
    const vec all = canonical_sum(parts, 0, parts.size());
    const vec up_to = canonical_sum(parts, 0, me + 1);
    const vec before = me == 0 ? vec{} : canonical_sum(parts, 0, me);
    const auto at = [&](rank_type root) { return comm.rank() == root ? all : vec{}; };
    std::string wrong;

    wrong += wrong_forms(
        "allreduce", mine, count, 0, all, [&](auto&... data) { tutti::allreduce(comm, data..., sum, how); },
        [&](auto&... data) { return tutti::iallreduce(comm, data..., sum, how); },
        [&](auto&... data) { return tutti::plan_allreduce(comm, data..., sum, how); });
    wrong += wrong_forms(
        "scan", mine, count, 0, up_to, [&](auto&... data) { tutti::scan(comm, data..., sum, how); },
        [&](auto&... data) { return tutti::iscan(comm, data..., sum, how); },
        [&](auto&... data) { return tutti::plan_scan(comm, data..., sum, how); });
    wrong += wrong_forms(
        "exscan", mine, count, 0, before, [&](auto&... data) { tutti::exscan(comm, data..., sum, how); },
        [&](auto&... data) { return tutti::iexscan(comm, data..., sum, how); },
        [&](auto&... data) { return tutti::plan_exscan(comm, data..., sum, how); });
    for (rank_type root = 0; root < comm.size(); ++root) {
        wrong += wrong_forms(
            "reduce", mine, count, 0, at(root),
            [&](auto&... data) { tutti::reduce(comm, data..., sum, root, how); },
            [&](auto&... data) { return tutti::ireduce(comm, data..., sum, root, how); },
            [&](auto&... data) { return tutti::plan_reduce(comm, data..., sum, root, how); });
        vec out(count);
        tutti::bypass_reduce(comm, mine, out, sum, root, how);
        if (comm.rank() == root && !same(out, all)) wrong += "bypass_reduce: other bits; ";
    }
    tutti::finish_bypassed(comm);

    const std::size_t each = count / parts.size();
    const auto block = part_of(all, me * each, each);
    wrong += wrong_forms(
        "reduce_scatter", mine, each, me * each, block,
        [&](auto&... data) { tutti::reduce_scatter(comm, data..., sum, how); },
        [&](auto&... data) { return tutti::ireduce_scatter(comm, data..., sum, how); },
        [&](auto&... data) { return tutti::plan_reduce_scatter(comm, data..., sum, how); });
    if (!same(tutti::reduce_scatter_values(comm, mine, sum, how), block))
        wrong += "reduce_scatter_values: other bits; ";
    std::vector<std::int64_t> counts(parts.size(), 1); // one of each, and the rest of all at the last rank
    counts.back() = static_cast<std::int64_t>(count - parts.size() + 1);
    const std::span<const std::int64_t> lengths_of_blocks(counts);
    const auto own = static_cast<std::size_t>(counts[me]);
    wrong += wrong_forms(
        "reduce_scatter with counts", mine, own, me, part_of(all, me, own),
        [&](auto&... data) { tutti::reduce_scatter(comm, data..., lengths_of_blocks, sum, how); },
        [&](auto&... data) { return tutti::ireduce_scatter(comm, data..., lengths_of_blocks, sum, how); },
        [&](auto&... data) {
            return tutti::plan_reduce_scatter(comm, data..., lengths_of_blocks, sum, how);
        });

    vec some_all, some_at_last, some_up_to, some_before;
    const std::size_t some = std::min<std::size_t>(count, 40);
    for (std::size_t i = 0; i < some; ++i) {
        some_all.push_back(tutti::allreduce(comm, mine[i], sum, how));
        some_up_to.push_back(tutti::scan(comm, mine[i], sum, how));
        if (const std::optional<float> x = tutti::exscan(comm, mine[i], sum, how)) some_before.push_back(*x);
        if (const std::optional<float> x = tutti::reduce(comm, mine[i], sum, comm.size() - 1, how))
            some_at_last.push_back(*x);
    }
    const auto check_some = [&](const char* name, const vec& found, const vec& due) {
        if (!same(found, part_of(due, 0, std::min(some, due.size()))))
            wrong += std::string(name) + " of a value: other bits; ";
    };
    check_some("allreduce", some_all, all);
    check_some("scan", some_up_to, up_to);
    check_some("exscan", some_before, before);
    check_some("reduce", some_at_last, at(comm.size() - 1));

    // Who is late contributes zeros, which change no bits.
    tutti::partial_allreduce partial(comm, count, sum, 0.0F, tutti::partial_kind::solo, 0, how);
    for (int round = 0; round < 3; ++round) {
        partial.contribute(mine);
        const auto result = partial.wait();
        std::vector<vec> given(parts.size(), vec(count));
        for (std::size_t r = 0; r < parts.size(); ++r)
            if (partial.contributed(static_cast<rank_type>(r))) given[r] = parts[r];
        if (!same(result, canonical_sum(given, 0, given.size()))) wrong += "partial_allreduce: other bits; ";
    }
    return wrong;
}

/// Of every rank some elements, or more than short_bytes, in blocks that are equally long.
std::vector<vec> parts_of_all(rank_type size, bool are_long) {
    std::vector<vec> parts;
    const auto ranks = static_cast<std::size_t>(size);
    const std::size_t each = are_long ? same_bits_for_any_size::short_bytes / sizeof(float) / ranks + 1 : 20;
    for (rank_type r = 0; r < size; ++r) parts.push_back(values(r, each * ranks));
    return parts;
}

} // namespace

TEST_CASE("every form of every call that folds gives the bits of the canonical tree",
          "[execute][same_bits]") {
    for (rank_type size = 1; size <= 9; ++size)
        for (const bool are_long : {false, true}) {
            INFO(size << " ranks, " << (are_long ? "long" : "short"));
            const std::vector<vec> parts = parts_of_all(size, are_long);
            if (size > 3) { // of three ranks the tree is their order
                vec in_order = parts[0];
                for (std::size_t r = 1; r < parts.size(); ++r)
                    for (std::size_t i = 0; i < in_order.size(); ++i) in_order[i] += parts[r][i];
                CHECK(!same(in_order, canonical_sum(parts, 0, parts.size())));
            }
            support::complaints heard(size);
            tutti::threads::run(size, [&](auto& comm) { heard.add(comm.rank(), wrong_calls(comm, parts)); });
            CHECK(heard.all() == "");
        }
}

TEST_CASE("every form of every call that folds gives those bits over processes, too",
          "[execute][same_bits][processes]") {
    for (const rank_type size : {3, 6})
        for (const bool are_long : {false, true}) {
            INFO(size << " processes, " << (are_long ? "long" : "short"));
            const std::vector<vec> parts = parts_of_all(size, are_long);
            CHECK(support::over_processes(size, [&](auto& comm) { return wrong_calls(comm, parts); }) == "");
        }
}
