// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <tutti/collectives/alltoallv.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/collectives/same_bits.hpp>
#include <tutti/collectives/values.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"

namespace mine {

struct spiral {};
auto generate(tutti::collective_constant<tutti::collective::allreduce>, const spiral&, tutti::place at) {
    return tutti::generate(tutti::of<tutti::collective::allreduce>, tutti::ring{}, at);
}

} // namespace mine

namespace {

using comm = tutti::communicator<tutti::threads::transport>&;
using numbers = std::vector<int>&;
using constant = const std::vector<int>&;
using temporary = std::vector<int>;
using parts = tutti::gathered<int>&;
using tutti::sum;

/// Counts that are no range, and become one.
struct counts {
    std::vector<std::int64_t> all;
    operator std::span<const std::int64_t>() const { return all; }
};

#define CALLABLE(name)                                                                                       \
    template <class... Args>                                                                                 \
    constexpr bool name = requires(comm c, Args&&... args) { tutti::name(c, std::forward<Args>(args)...); }
CALLABLE(allreduce);
CALLABLE(iallreduce);
CALLABLE(plan_allreduce);
CALLABLE(reduce);
CALLABLE(reduce_scatter);
CALLABLE(scan);
CALLABLE(exscan);
CALLABLE(bcast);
CALLABLE(allgather);
CALLABLE(gather);
CALLABLE(scatter);
CALLABLE(alltoall);
CALLABLE(allgatherv);
CALLABLE(gatherv);
CALLABLE(scatterv);
CALLABLE(alltoallv);
#undef CALLABLE
template <class... Buffers>
constexpr bool runs_with = requires(tutti::plan<tutti::threads::transport>& p, Buffers&&... buffers) {
    p.run(std::forward<Buffers>(buffers)...);
    p.start(std::forward<Buffers>(buffers)...);
};

} // namespace

TEST_CASE("what is refused is no call for a requires-expression either", "[collectives]") {
    CHECK_FALSE(allreduce<numbers>);
    CHECK_FALSE(iallreduce<numbers>);
    CHECK_FALSE(plan_allreduce<numbers>);
    CHECK_FALSE(allreduce<sum, numbers>);
    CHECK_FALSE(allreduce<numbers, constant, sum>);
    CHECK_FALSE(allreduce<int, tutti::ring>);
    CHECK_FALSE(reduce<numbers, int, sum>);
    CHECK_FALSE(bcast<int, numbers>);
    CHECK_FALSE(bcast<numbers, tutti::chain>);
    CHECK_FALSE(scatterv<int, parts, numbers>);
}

TEST_CASE("results go into no temporary that owns its elements", "[collectives]") {
    CHECK_FALSE(allreduce<temporary, sum>);
    CHECK_FALSE(allreduce<constant, temporary, sum>);
    CHECK_FALSE(iallreduce<temporary, sum>);
    CHECK_FALSE(plan_allreduce<temporary, sum>);
    CHECK_FALSE(runs_with<temporary>);
    CHECK_FALSE(runs_with<numbers, temporary>);
    CHECK_FALSE(allreduce<std::array<int, 3>, sum>);
    CHECK_FALSE(reduce_scatter<temporary, const std::vector<std::int64_t>&, sum>);
    CHECK_FALSE(reduce_scatter<std::vector<std::int64_t>&, std::vector<std::int64_t>, sum>); // out, or counts
    CHECK_FALSE(bcast<temporary, int>);
    CHECK_FALSE(allgather<temporary>);
    CHECK_FALSE(allgather<constant, temporary>);
    CHECK_FALSE(gather<temporary, int>);
    CHECK_FALSE(scatter<temporary, int>);
    CHECK_FALSE(alltoall<temporary>);
    CHECK_FALSE(allgatherv<temporary, counts>);
    CHECK_FALSE(gatherv<constant, counts, temporary>);
    CHECK_FALSE(scatterv<temporary, counts>);
    CHECK_FALSE(alltoallv<temporary, counts>);
}

TEST_CASE("what is borrowed may be a temporary, and what is only read", "[collectives]") {
    using borrowed = std::span<int>;
    CHECK(allreduce<borrowed, sum>);
    CHECK(allreduce<std::span<int, 3>, sum>);
    CHECK(allreduce<temporary, borrowed, sum>);
    CHECK(plan_allreduce<borrowed, sum>);
    CHECK(runs_with<borrowed>);
    CHECK(runs_with<temporary, borrowed>);
    CHECK(reduce<temporary, borrowed, sum, int>);
    CHECK(reduce_scatter<temporary, numbers, sum>);
    CHECK(reduce_scatter<std::vector<std::int64_t>, std::vector<std::int64_t>&, sum>);
    CHECK(reduce_scatter<numbers, std::vector<std::int64_t>, sum>); // counts
    CHECK(scan<temporary, numbers, sum>);
    CHECK(exscan<borrowed, sum>);
    CHECK(bcast<borrowed>);
    CHECK(allgather<temporary, borrowed, tutti::ring>);
    CHECK(scatter<temporary, numbers, int>);
    CHECK(alltoall<temporary, borrowed>);
    CHECK(alltoall<borrowed>);
    CHECK(allgatherv<temporary>);
    CHECK(allgatherv<temporary, counts, borrowed>);
    CHECK(gatherv<temporary, parts, int>);
    CHECK(gatherv<temporary, counts, numbers, int, tutti::serial>);
    CHECK(alltoallv<temporary, counts, numbers, counts>);
}

TEST_CASE("what looks like a slip, and is none, is not refused", "[collectives]") {
    CHECK(allreduce<numbers, sum>);
    CHECK(iallreduce<constant, numbers, sum, tutti::ring>);
    CHECK(plan_allreduce<numbers, sum>);
    CHECK(allreduce<int, sum>);
    CHECK(allreduce<std::bitset<8>&, std::bit_and<>>); // flips, and is no std::vector<bool>
    CHECK(allreduce<std::span<int>, sum>);
    CHECK(allreduce<std::vector<int>, numbers, sum>); // a temporary to read
    CHECK(allreduce<int(&)[3], int (*)(int, int)>);
    CHECK(allreduce<int(&)[3], int (&)(int, int)>);
    CHECK(allreduce<numbers, decltype([](int a, int b) { return a + b; })>);
    CHECK(allreduce<numbers, sum, tutti::same_bits_for_any_size>);
    CHECK(allreduce<numbers, sum, tutti::named>);
    CHECK(allreduce<numbers, sum, const mine::spiral&>);
    CHECK(reduce<numbers, sum, std::size_t, tutti::chain>);
    CHECK(reduce<numbers, sum, int, tutti::chain>);
    CHECK(reduce<int, sum, int>);
    CHECK(reduce_scatter<constant, numbers, counts, sum>);
    CHECK(reduce_scatter<constant, numbers, std::vector<std::int64_t>&, sum>);
    CHECK(bcast<int, int>);
    CHECK(gather<constant, numbers, int, tutti::serial>);
    CHECK(gather<int, int, tutti::serial>);
    CHECK(allgatherv<constant, parts>);
    CHECK(allgatherv<constant, counts, numbers>);
    CHECK(allgatherv<numbers, counts>);
    CHECK(gatherv<constant, int>);
    CHECK(gatherv<constant, parts, int, tutti::serial>);
    CHECK(scatterv<parts, numbers, int>);
    CHECK(alltoallv<parts, parts>);
    CHECK(alltoallv<parts, tutti::bruck>);
}
