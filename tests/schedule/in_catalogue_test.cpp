// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/in_catalogue.hpp>

#include <string>
#include <vector>

#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/own_exscan.hpp"

using namespace tutti;

namespace {

/// What is refused: "radix is 1; allowed: ...".
template <class F>
std::string refusal(F&& f) {
    try {
        f();
    } catch (const argument_error& e) {
        return e.argument() + " is " + e.value() + "; allowed: " + e.allowed();
    }
    return "";
}

std::string refused(const parameters& given) {
    return refusal([&] { generate(of<collective::exscan>, named{"line", given}, {1, 4, 0}); });
}

const catalogue_entry own = detail::entry<collective::exscan, support::line>("line", "", "", "");

} // namespace

TEST_CASE("an algorithm that is added is listed behind tutti's, with its options",
          "[schedule][in_catalogue]") {
    for (const std::span<const catalogue_entry> scans :
         {catalogue_of(collective::exscan), catalogue_of<collective::exscan>()}) {
        REQUIRE(scans.size() == 7);
        CHECK(scans[0].name == "census");
        CHECK(scans[1].name == "doubling_123");
        CHECK(scans[2].name == "recursive_doubling");
        CHECK(scans[3].name == "binary_tree");
        CHECK(scans[4].name == "two_tree");
        CHECK(scans[5].name == "chain");
        CHECK(scans[6].name == "line");
        CHECK(scans[6].defaults == parameters{{"pieces", 2}});
        CHECK(scans[6].rounds == "p-2+S, S pieces");
    }
    CHECK(find_algorithm(collective::exscan, "line") == &catalogue_of(collective::exscan)[6]);
    CHECK(find_algorithm(collective::allreduce, "line") == nullptr);
    CHECK(catalogue_of(collective::barrier).size() == 1);
    CHECK(catalogue().data() == catalogue().data());
}

TEST_CASE("its options are taken by name; others, and values it does not allow, are refused",
          "[schedule][in_catalogue]") {
    CHECK(refused({{"pieces", 5}}) == "");
    CHECK(generate(of<collective::exscan>, named{"line", {{"pieces", 5}}}, {1, 4, 0}).blocks() == 5);
    CHECK(refused({{"pieces", 0}}) == "pieces is 0; allowed: at least 1");
    CHECK(refused({{"pieces", 2}, {"radix", 4}})
          == "radix is 4; allowed: nothing, this algorithm has no such option; it has pieces");
    CHECK(refusal([] {
              parameters{{"pieces", 1LL << 31}};
          })
          == "pieces is 2147483648; allowed: a number of 32 bits");
    CHECK(refusal([] {
              parameters{{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}, {"a", 5}, {"e", 6}, {"f", 7}, {"g", 8}};
          })
          == "g is 8; allowed: nothing, there are 6 options already");
}

TEST_CASE("a name that is taken is refused, and so is who comes late", "[schedule][in_catalogue]") {
    catalogue(); // somebody looks into it
    CHECK(refusal([] { const in_catalogue<collective::exscan, support::line> late{"slow_line"}; })
          == "algorithm is exscan slow_line; allowed: one that is added before anybody looks into the "
             "catalogue");
    const std::string_view taken =
        "algorithm is exscan line; allowed: a name that no other of this collective has";
    detail::added_algorithms some;
    CHECK(refusal([&] { some.add(own, {&own, 1}); }) == taken); // by one of tutti's
    some.add(own, {});
    CHECK(refusal([&] { some.add(own, {}); }) == taken); // by another that was added
}

TEST_CASE("an algorithm that is added stands behind those of its collective", "[schedule][in_catalogue]") {
    const auto ours = [](collective what) { return catalogue_of(what).front(); };
    const std::vector<catalogue_entry> three{ours(collective::bcast), ours(collective::exscan),
                                             ours(collective::barrier)};
    detail::added_algorithms some;
    some.add(own, three);
    const std::vector<catalogue_entry> all = some.behind(three);
    REQUIRE(all.size() == 4);
    CHECK(all[1].name == "census");
    CHECK(all[2].name == "line");
    CHECK(all[3].what == collective::barrier);
    detail::added_algorithms others;
    others.add(own, {});
    CHECK(others.behind({three.data(), 1}).size() == 1); // a list that lacks the collective
}

TEST_CASE("options are compared whatever their order", "[schedule][parameters]") {
    const parameters two{{"radix", 4}, {"segments", 2}};
    CHECK(two == parameters{{"segments", 2}, {"radix", 4}});
    CHECK(!(two == parameters{{"segments", 2}, {"radix", 3}}));
    CHECK(!(two == parameters{{"radix", 4}}));
    CHECK(!(parameters{{"radix", 4}} == two));
    CHECK(two.get("radix") == 4);
    CHECK(two.get("arity", 7) == 7);
    CHECK(parameters{}.empty());
}

namespace {
struct narrow {
    signed char width = 1;
    void options(auto& is) { is("width", width); }
};
static_assert(sizeof(parameters) <= 72);
} // namespace

TEST_CASE("a value that the member cannot hold is refused", "[schedule][parameters]") {
    CHECK(configured<narrow>({{"width", -128}}).width == -128);
    CHECK(refusal([] {
              configured<narrow>({{"width", 128}});
          })
          == "width is 128; allowed: what its type in the algorithm holds");
}
