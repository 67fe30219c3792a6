// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/arguments.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>

#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/outcomes.hpp"
#include "support/refusals.hpp"
#include "support/running.hpp"

namespace {

using support::contains;
using tutti::rank_type;
using tutti::sum;
namespace mock = tutti::mock;

using support::check_refused;
using support::rank_call;
using support::ranks;

/// As check_refused, where only `guilty` can know: it is refused before any message of its own, and the
/// others hear of it as an error of the collective.
void check_refused_on(rank_type guilty, rank_type size, const std::string& argument, const rank_call& call) {
    support::complaints heard(size);
    mock::world group(size);
    const std::string first = support::error_of([&] {
        mock::run(group, [&](auto& comm) {
            try {
                call(comm);
                heard.add(comm.rank(), "was not refused");
            } catch (const tutti::argument_error& e) {
                const bool due = comm.rank() == guilty && e.argument() == argument;
                heard.add(comm.rank(), due ? "" : e.what());
                throw;
            } catch (const tutti::collective_error& e) {
                const bool due = comm.rank() != guilty && contains(e.what(), argument);
                heard.add(comm.rank(), due ? "" : e.what());
                throw;
            }
        });
    });
    CHECK(heard.all() == "");
    CHECK(contains(first, argument + " is"));
    CHECK(!contains(group.log(), "rank " + std::to_string(guilty) + " sends"));
}

using vec = std::vector<int>;

// What no collective can move: there must be a range, and its elements must be their bytes.
static_assert(tutti::readable<const vec> && !tutti::readable<int>);
static_assert(!tutti::readable<std::vector<std::string>>);
static_assert(tutti::writable<vec&> && !tutti::writable<const vec&>);
static_assert(!tutti::writable<vec> && !tutti::writable<std::array<int, 3>> && !tutti::writable<int[3]>);
static_assert(tutti::writable<std::span<int>> && tutti::writable<std::span<int, 3>>);
static_assert(tutti::writable<std::ranges::subrange<int*>> && !tutti::writable<std::span<const int>>);
static_assert(tutti::writable_like<vec&, const vec> && !tutti::writable_like<std::vector<long>&, vec>);

} // namespace

TEST_CASE("a root that is no rank is refused", "[execute][arguments]") {
    const rank_type root = GENERATE(as<rank_type>{}, -1, 3, 1000);
    const std::string value = std::to_string(root);
    check_refused(3, "root", value, "0..2", [&](ranks& comm) {
        vec v(4);
        tutti::bcast(comm, v, root);
    });
    check_refused(3, "root", value, "0..2", [&](ranks& comm) {
        vec v(4);
        tutti::reduce(comm, v, sum{}, root);
    });
    check_refused(3, "root", value, "0..2", [&](ranks& comm) {
        vec v(4), out(4);
        tutti::reduce(comm, v, out, sum{}, root, tutti::serial{});
    });
}

TEST_CASE("an output of another length than the input is refused", "[execute][arguments]") {
    check_refused(3, "out", "5 elements", "4 elements, as many as in has", [](ranks& comm) {
        vec in(4), out(5);
        tutti::allreduce(comm, in, out, sum{});
    });
    check_refused(3, "out", "3 elements", "4 elements", [](ranks& comm) {
        vec in(4), out(3);
        tutti::exscan(comm, in, out, sum{});
    });
    check_refused(3, "out", "3 elements", "4 elements", [](ranks& comm) {
        vec in(4), out(3);
        tutti::scan(comm, in, out, sum{});
    });
    check_refused(3, "out", "6 elements", "9 elements", [](ranks& comm) {
        vec in(9), out(6);
        tutti::alltoall(comm, in, out);
    });
    check_refused(3, "out", "11 elements", "12 elements, one block as long as in per rank", [](ranks& comm) {
        vec in(4), out(11);
        tutti::allgather(comm, in, out);
    });
    check_refused(3, "in", "10 elements", "12 elements, one block as long as out per rank", [](ranks& comm) {
        vec in(10), out(4);
        tutti::reduce_scatter(comm, in, out, sum{});
    });
}

TEST_CASE("the root's output of a reduce is checked where it is: on the root", "[execute][arguments]") {
    check_refused_on(1, 3, "out", [](ranks& comm) {
        vec in(4), out(comm.rank() == 1 ? 2 : 0);
        tutti::reduce(comm, in, out, sum{}, 1, tutti::serial{});
        tutti::barrier(comm);
    });
}

TEST_CASE("a reduce needs no output but on the root", "[execute][arguments]") {
    support::complaints heard(3);
    tutti::threads::run(3, [&](auto& comm) {
        const vec in(1000, comm.rank());
        vec out(comm.rank() == 1 ? 1000 : 0);
        tutti::reduce(comm, in, out, sum{}, 1);
        heard.add(comm.rank(), comm.rank() != 1 || out == vec(1000, 3) ? "" : "wrong");
    });
    CHECK(heard.all() == "");
}

TEST_CASE("an output that overlaps the input is refused", "[execute][arguments]") {
    const std::size_t shift = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{3});
    const auto in_of = [](vec& v, std::size_t count) { return std::span<const int>(v).first(count); };
    const auto out_of = [shift](vec& v, std::size_t count) {
        return std::span<int>(v).subspan(shift, count);
    };
    const std::string overlap = "memory that overlaps in";
    check_refused(2, "out", overlap, "apart from in", [&](ranks& comm) {
        vec v(20);
        tutti::allreduce(comm, in_of(v, 4), out_of(v, 4), sum{});
    });
    check_refused(2, "out", overlap, "apart from in", [&](ranks& comm) {
        vec v(20);
        tutti::exscan(comm, in_of(v, 4), out_of(v, 4), sum{});
    });
    check_refused(2, "out", overlap, "apart from in", [&](ranks& comm) {
        vec v(20);
        tutti::alltoall(comm, in_of(v, 4), out_of(v, 4));
    });
    check_refused(2, "out", overlap, "apart from in", [&](ranks& comm) {
        vec v(20);
        tutti::allgather(comm, in_of(v, 4), out_of(v, 8));
    });
    check_refused(2, "out", overlap, "apart from in", [&](ranks& comm) {
        vec v(20);
        tutti::reduce_scatter(comm, in_of(v, 8), out_of(v, 4), sum{});
    });
    check_refused_on(0, 2, "out", [&](ranks& comm) {
        vec v(20);
        tutti::reduce(comm, in_of(v, 4), out_of(v, 4), sum{});
        tutti::barrier(comm);
    });
}

TEST_CASE("one element that is input and output is refused, none is not", "[execute][arguments]") {
    check_refused(2, "out", "memory that overlaps in", "apart from in", [](ranks& comm) {
        vec v(1);
        tutti::allreduce(comm, std::span<const int>(v), std::span<int>(v), sum{});
    });
    mock::run(2, {}, [](auto& comm) {
        vec v(1);
        tutti::allreduce(comm, std::span<const int>(v).first(0), std::span<int>(v).first(0), sum{});
    });
}

TEST_CASE("an output next to the input is not refused", "[execute][arguments]") {
    support::complaints heard(2);
    tutti::threads::run(2, [&](auto& comm) {
        vec v(8, comm.rank() + 1);
        tutti::allreduce(comm, std::span<const int>(v).first(4), std::span<int>(v).subspan(4), sum{});
        heard.add(comm.rank(), v[3] == comm.rank() + 1 && v[4] == 3 ? "" : "wrong");
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a vector that cannot be cut into equal parts is refused in place", "[execute][arguments]") {
    check_refused(3, "inout", "10 elements", "a multiple of the number of ranks, 3", [](ranks& comm) {
        vec v(10);
        tutti::reduce_scatter(comm, v, sum{});
    });
    check_refused(3, "inout", "10 elements", "a multiple of the number of ranks, 3", [](ranks& comm) {
        vec v(10);
        tutti::allgather(comm, v);
    });
    check_refused(3, "inout", "11 elements", "a multiple of the number of ranks, 3", [](ranks& comm) {
        vec v(11);
        tutti::alltoall(comm, v);
    });
}

TEST_CASE("counts that do not fit are refused", "[execute][arguments]") {
    const auto with = [](std::vector<std::int64_t> counts, std::size_t in_count, std::size_t out_count) {
        return [=](ranks& comm) {
            vec in(in_count), out(out_count);
            tutti::reduce_scatter(comm, in, out, std::span<const std::int64_t>(counts), sum{});
        };
    };
    check_refused(3, "counts.size()", "2", "3, one count per rank", with({1, 2}, 3, 1));
    check_refused(3, "counts.size()", "0", "3, one count per rank", with({}, 0, 0));
    check_refused(3, "in", "5 elements", "6 elements, the sum of counts", with({2, 2, 2}, 5, 2));
    check_refused(3, "out", "3 elements", "2 elements, this rank's count", with({2, 2, 2}, 6, 3));
    check_refused(3, "counts[1]", "-2", "at least 0", with({4, -2, 4}, 6, 4));
}

TEST_CASE("options that an algorithm cannot have are refused", "[execute][arguments]") {
    check_refused(3, "radix", "1", "2", [](ranks& comm) {
        vec v(4);
        tutti::reduce(comm, v, sum{}, 0, tutti::fnomial{.radix = 1});
    });
    check_refused(3, "radix", "-7", "2", [](ranks& comm) {
        vec v(4);
        tutti::bcast(comm, v, 0, tutti::named{"fnomial", {{"radix", -7}}});
    });
    check_refused(3, "segments", "-1", "1", [](ranks& comm) {
        vec v(4);
        tutti::bcast(comm, v, 0, tutti::chain{.segments = -1});
    });
    check_refused(3, "radix", "4", "this algorithm has no options", [](ranks& comm) {
        vec v(4);
        tutti::allreduce(comm, v, sum{}, tutti::named{"ring", {{"radix", 4}}});
    });
    check_refused(3, "raddix", "2", "it has radix, segments (did you mean radix?)", [](ranks& comm) {
        vec v(4);
        tutti::bcast(comm, v, 0, tutti::named{"fnomial", {{"raddix", 2}}});
    });
    check_refused(3, "arity", "2", "no such option; it has radix, segments", [](ranks& comm) {
        vec v(4);
        tutti::bcast(comm, v, 0, tutti::named{"fnomial", {{"radix", 4}, {"arity", 2}}});
    });
}

TEST_CASE("an unknown algorithm is refused with the names there are", "[execute][arguments]") {
    check_refused(3, "allreduce algorithm", "quantum", "recursive_doubling", [](ranks& comm) {
        vec v(4);
        tutti::allreduce(comm, v, sum{}, tutti::named{"quantum"});
    });
    check_refused(3, "bcast algorithm", "fnomail (did you mean fnomial?)", "kary, fnomial", [](ranks& comm) {
        vec v(3);
        tutti::bcast(comm, v, 0, tutti::named{"fnomail"});
    });
    check_refused(3, "allgather algorithm", "pairwise", "ring, direct, prefix_send", [](ranks& comm) {
        vec v(3);
        tutti::allgather(comm, v, tutti::named{"pairwise"});
    });
}

TEST_CASE("an algorithm that changes the order is refused for an operation that needs it",
          "[execute][arguments]") {
    check_refused(3, "algorithm", "circulant, which does not keep the order of ranks", "tutti::commutative",
                  [](ranks& comm) {
                      std::vector<support::matrix> v(9);
                      tutti::allreduce(comm, v, support::multiply{}, tutti::circulant{});
                  });
    check_refused(3, "algorithm", "circulant, which does not keep the order of ranks", "tutti::commutative",
                  [](ranks& comm) {
                      std::vector<support::matrix> v(9);
                      tutti::allreduce(comm, v, support::multiply{}, tutti::named{"circulant"});
                  });
    check_refused(3, "algorithm", "circulant, which does not keep the order of ranks", "order-preserving",
                  [](ranks& comm) {
                      vec v(9);
                      tutti::reduce_scatter(
                          comm, v, [](const int& a, const int& b) { return a + b; }, tutti::circulant{});
                  });
    check_refused(5, "algorithm", "fnomial, which keeps the order of ranks with root 0, but not with 2",
                  "order-preserving", [](ranks& comm) {
                      vec v(9);
                      tutti::reduce(
                          comm, v, [](const int& a, const int& b) { return a + b; }, 2, tutti::fnomial{});
                  });
    check_refused(5, "algorithm", "circulant_pipeline, which does not keep the order of ranks",
                  "order-preserving", [](ranks& comm) {
                      vec v(9);
                      tutti::reduce(
                          comm, v, [](const int& a, const int& b) { return a + b; }, 2,
                          tutti::circulant_pipeline{});
                  });
}

TEST_CASE("no ranks, no such rank and no such context are refused", "[execute][arguments]") {
    const auto nothing = [](auto&) {};
    CHECK_THROWS_AS(tutti::threads::run(0, nothing), tutti::argument_error);
    CHECK_THROWS_AS(mock::run(-1, {}, nothing), tutti::argument_error);
    CHECK(contains(support::error_of([&] { tutti::threads::run(0, nothing); }),
                   "size is 0; allowed: at least 1"));
    mock::world group(2);
    auto wires = group.transport(0);
    CHECK(contains(support::error_of([&] { tutti::communicator<mock::transport> comm(wires, 4096); }),
                   "context is 4096; allowed: 0..4095"));
}

TEST_CASE("after a refusal the communicator goes on", "[execute][arguments]") {
    support::complaints heard(3);
    tutti::threads::run(3, [&](auto& comm) {
        vec v(4, comm.rank());
        for (int i = 0; i < 5; ++i) try {
                tutti::bcast(comm, v, 3);
            } catch (const tutti::argument_error&) {
                tutti::allreduce(comm, v, sum{});
            }
        heard.add(comm.rank(), v == vec(4, 243) ? "" : "wrong");
    });
    CHECK(heard.all() == "");
}
