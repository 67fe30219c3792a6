// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/operation.hpp>

#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/execute/fold_function.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/outcomes.hpp"

namespace {

using tutti::is_commutative;
using tutti::located;

// What decides whether an algorithm that changes the order may run.
static_assert(is_commutative<tutti::sum, int> && is_commutative<tutti::sum, double>);
static_assert(is_commutative<tutti::sum, std::complex<float>>);
static_assert(is_commutative<tutti::product, std::complex<long double>>);
template <class T>
struct quaternion {
    T parts[4];
    T real() const { return parts[0]; }
    T imag() const { return parts[1]; }
};
static_assert(!is_commutative<tutti::product, quaternion<double>>, "more than two parts may not commute");
static_assert(is_commutative<std::plus<>, long> && is_commutative<std::plus<long>, long>);
static_assert(is_commutative<std::multiplies<>, float> && is_commutative<std::bit_xor<>, unsigned>);
static_assert(is_commutative<tutti::min, std::int8_t> && is_commutative<tutti::logical_xor, bool>);
static_assert(is_commutative<tutti::min_location, located<double>>);
static_assert(is_commutative<tutti::max_location, located<float, std::int32_t>>);
static_assert(!is_commutative<tutti::product, support::matrix>, "a type of the user's may not commute");
static_assert(!is_commutative<std::minus<>, int>);
static_assert(!is_commutative<support::merge_moments, support::moments>);
static_assert(is_commutative<tutti::commutative<support::merge_moments>, support::moments>);
constexpr auto plain_lambda = [](const int& a, const int& b) { return a + b; };
static_assert(!is_commutative<decltype(plain_lambda), int>, "nobody knows what a lambda does");
static_assert(is_commutative<decltype(tutti::commutative(plain_lambda)), int>);

static_assert(tutti::operation<tutti::sum, std::int8_t> && tutti::operation<decltype(plain_lambda), int>);
static_assert(!tutti::operation<tutti::bit_and, double>, "bits of a number with a point are refused");
static_assert(!tutti::element<std::vector<int>> && !tutti::element<const int>);

// All ready-made operations are constexpr, so the compiler checks them without undefined behaviour.
static_assert(tutti::sum{}(3, 4) == 7 && tutti::product{}(3, 4) == 12);
static_assert(tutti::min{}(3, 4) == 3 && tutti::max{}(3, 4) == 4);
static_assert(tutti::bit_and{}(6, 3) == 2 && tutti::bit_or{}(6, 3) == 7 && tutti::bit_xor{}(6, 3) == 5);
static_assert(tutti::logical_and{}(2, 1) == 1 && tutti::logical_and{}(2, 0) == 0);
static_assert(tutti::logical_or{}(0, 0) == 0 && tutti::logical_or{}(0, 9) == 1);
static_assert(tutti::logical_xor{}(2, 1) == 0 && tutti::logical_xor{}(0, 5) == 1);
static_assert(tutti::sum{}(std::uint8_t{200}, std::uint8_t{100}) == 44, "small integers wrap as their type");
static_assert(tutti::product{}(std::uint8_t{16}, std::uint8_t{17}) == 16);
static_assert(std::is_same_v<decltype(tutti::sum{}(std::int8_t{1}, std::int8_t{1})), std::int8_t>);
static_assert(std::is_same_v<decltype(tutti::bit_or{}(std::uint16_t{1}, std::uint16_t{1})), std::uint16_t>);

// As the engine applies it: many elements at once.
template <class T, class Op>
void check_fold(const char* name, const Op& op) {
    const std::vector<T> mine = support::samples<T>(0, 300), other = support::samples<T>(5, 300);
    std::vector<T> result(300);
    tutti::fold_function::of<T>(op)(
        reinterpret_cast<std::byte*>(result.data()), reinterpret_cast<const std::byte*>(mine.data()),
        {reinterpret_cast<const std::byte*>(other.data()), tutti::operand_side::right}, 300 * sizeof(T));
    bool right = true;
    for (std::size_t i = 0; i < 300; ++i) right = right && result[i] == op(mine[i], other[i]);
    INFO(name);
    CHECK(right);
}

// Over 5 ranks, by the algorithm that is chosen; on every rank and for every element.
template <class T, class Op>
void check_over_ranks(const char* name, const Op& op) {
    constexpr tutti::rank_type size = 5;
    support::complaints heard(size);
    const std::vector<T> expected = support::serial_fold<T>(0, size, 300, op);
    tutti::threads::run(size, [&](auto& comm) {
        std::vector<T> v = support::samples<T>(comm.rank(), 300);
        tutti::allreduce(comm, v, op);
        heard.add(comm.rank(), v == expected ? "" : "wrong");
    });
    INFO(name);
    CHECK(heard.all() == "");
}

} // namespace

TEMPLATE_TEST_CASE("the ready-made operations fold numbers of every kind", "[execute][operation]",
                   std::int8_t, std::uint16_t, std::int32_t, std::uint64_t, float, double) {
    check_fold<TestType>("sum", tutti::sum{});
    check_fold<TestType>("min", tutti::min{});
    check_fold<TestType>("max", tutti::max{});
    check_fold<TestType>("logical_and", tutti::logical_and{});
    check_fold<TestType>("logical_or", tutti::logical_or{});
    check_fold<TestType>("logical_xor", tutti::logical_xor{});
    if constexpr (std::is_unsigned_v<TestType>) check_fold<TestType>("product", tutti::product{});
    if constexpr (std::integral<TestType>) {
        check_fold<TestType>("bit_and", tutti::bit_and{});
        check_fold<TestType>("bit_or", tutti::bit_or{});
        check_fold<TestType>("bit_xor", tutti::bit_xor{});
    }
}

TEST_CASE("ready-made operations fold over ranks", "[execute][operation]") {
    check_over_ranks<std::int8_t>("sum", tutti::sum{});
    check_over_ranks<std::uint16_t>("bit_xor", tutti::bit_xor{});
    check_over_ranks<float>("max", tutti::max{});
}

TEST_CASE("the standard operations are taken as they are", "[execute][operation]") {
    check_over_ranks<double>("plus<>", std::plus<>{});
    check_fold<int>("plus<int>", std::plus<int>{});
    check_fold<std::uint32_t>("bit_or<>", std::bit_or<>{});
}

TEST_CASE("min and max take the left one of equals and leave numbers that compare with none alone",
          "[execute][operation]") {
    struct keyed {
        int key;
        int who;
        constexpr bool operator<(const keyed& other) const { return key < other.key; }
    };
    CHECK(tutti::min{}(keyed{1, 1}, keyed{1, 2}).who == 1);
    CHECK(tutti::max{}(keyed{1, 1}, keyed{1, 2}).who == 1);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(tutti::min{}(2.0, nan) == 2.0);
    CHECK(tutti::max{}(2.0, nan) == 2.0);
}

TEST_CASE("of equal values the one with the smaller index is located", "[execute][operation]") {
    using at = located<int>;
    const at few[] = {{5, 3}, {5, 1}, {4, 9}, {6, 0}};
    CHECK(tutti::min_location{}(few[0], few[1]) == at{5, 1});
    CHECK(tutti::min_location{}(few[1], few[0]) == at{5, 1});
    CHECK(tutti::max_location{}(few[0], few[1]) == at{5, 1});
    CHECK(tutti::max_location{}(few[1], few[0]) == at{5, 1});
    CHECK(tutti::min_location{}(few[0], few[2]) == at{4, 9});
    CHECK(tutti::min_location{}(few[2], few[0]) == at{4, 9});
    CHECK(tutti::max_location{}(few[0], few[3]) == at{6, 0});
    CHECK(tutti::max_location{}(few[3], few[0]) == at{6, 0});
}

TEST_CASE("locating over ranks gives the same answer whoever has the value", "[execute][operation]") {
    // Element i is smallest on ranks i % 3 and i % 3 + 2, with equal values: the smaller index wins.
    using at = located<double>;
    constexpr tutti::rank_type size = 5;
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) {
        for (const char* algorithm : {"serial", "circulant", "halving_doubling", "ring"}) {
            std::vector<at> v(200);
            for (int i = 0; i < 200; ++i) {
                const bool holds = comm.rank() == i % 3 || comm.rank() == i % 3 + 2;
                v[static_cast<std::size_t>(i)] = {holds ? -1.5 : 4.0, 1000 * comm.rank() + i};
            }
            tutti::allreduce(comm, v, tutti::min_location{}, tutti::named{algorithm});
            for (int i = 0; i < 200; ++i)
                heard.add(comm.rank(), v[static_cast<std::size_t>(i)] == at{-1.5, 1000 * (i % 3) + i}
                                           ? ""
                                           : std::string(algorithm) + ": element " + std::to_string(i));
        }
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a lambda folds in the order of ranks, unless it is said to commute", "[execute][operation]") {
    constexpr tutti::rank_type size = 6;
    const auto first = [](const int& a, const int&) { return a; };
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) {
        for (const std::size_t count : {std::size_t{1}, std::size_t{5000}}) {
            std::vector<int> v(count, comm.rank() + 10);
            tutti::allreduce(comm, v, first);
            heard.add(comm.rank(), v == std::vector<int>(count, 10) ? "" : "not in the order of ranks");
            std::vector<int> w(count, comm.rank());
            tutti::allreduce(comm, w, tutti::commutative([](const int& a, const int& b) { return a + b; }),
                             tutti::circulant{});
            heard.add(comm.rank(), w == std::vector<int>(count, 15) ? "" : "wrong sum");
        }
    });
    CHECK(heard.all() == "");
}
