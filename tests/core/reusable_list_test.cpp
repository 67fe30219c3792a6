// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/reusable_list.hpp>

#include <utility>
#include <vector>

#include "support/catch2.hpp"

using tutti::reusable_list;

namespace {
std::vector<int> values(const reusable_list<int>& list) { return {list.begin(), list.end()}; }

reusable_list<int> up_to(int end) {
    reusable_list<int> list;
    for (int k = 0; k < end; ++k) list.push_back(k);
    return list;
}
} // namespace

TEST_CASE("a list that is cleared keeps its memory", "[core]") {
    reusable_list<int> list = up_to(1000);
    CHECK(list.size() == 1000);
    CHECK((list.front() == 0 && list[500] == 500 && list.back() == 999));
    const int* const memory = list.data();
    list.clear();
    CHECK(list.empty());
    for (int k = 0; k < 1000; ++k) list.push_back(-k);
    CHECK(list.data() == memory);
    CHECK(list.back() == -999);
}

TEST_CASE("values are put between those of a list and taken out of it", "[core]") {
    reusable_list<int> list = up_to(16); // as many as there is room for at first
    list.insert(16, 100);
    list.insert(3, 50);
    list.insert(0, -1);
    CHECK(values(list) == std::vector{-1, 0, 1, 2, 50, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 100});
    list.erase(18);
    list.erase(4);
    list.erase(0);
    list.pop_back();
    CHECK(values(list) == values(up_to(15)));
    while (!list.empty()) list.erase(0);
    list.insert(0, 7);
    CHECK(values(list) == std::vector{7});
}

TEST_CASE("many values are put at the end of a list at once", "[core]") {
    reusable_list<int> list = up_to(10);
    const reusable_list<int> more = up_to(100);
    list.append(more.data(), 0);
    list.append(more.data(), 3);
    CHECK(values(list) == std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2});
    list.append(more.data(), 100);
    CHECK((list.size() == 113 && list[12] == 2 && list[13] == 0 && list.back() == 99));
}

TEST_CASE("a list is filled with one value", "[core]") {
    reusable_list<int> list = up_to(5);
    list.assign(100, 8);
    CHECK(values(list) == std::vector<int>(100, 8));
    list.assign(2, 1);
    CHECK(values(list) == std::vector{1, 1});
    list.assign(0, 1);
    CHECK(list.empty());
}

TEST_CASE("lists are copied and moved as values", "[core]") {
    reusable_list<int> one = up_to(20);
    reusable_list<int> copy = one;
    copy[0] = 5;
    CHECK(one[0] == 0);
    const reusable_list<int>& same = copy;
    copy = same;
    CHECK((copy.size() == 20 && copy[0] == 5));
    reusable_list<int> other = up_to(3);
    other = same;
    CHECK(values(other) == values(copy));
    copy = up_to(40);
    CHECK(values(copy) == values(up_to(40)));
    reusable_list<int> moved = std::move(copy);
    CHECK(values(moved) == values(up_to(40)));
    one = reusable_list<int>();
    CHECK(one.empty());
    const reusable_list<int> none = one;
    CHECK(none.empty());
}
