// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/linked_list.hpp>

#include <utility>
#include <vector>

#include "support/catch2.hpp"

using tutti::detail::linked_list;

namespace {
struct link {
    link() { ++alive; }
    link(const link&) = delete;
    ~link() { --alive; }
    int value = 0;
    link* next = nullptr;
    static inline int alive = 0;
};

std::vector<int> values(const linked_list<link>& all) {
    std::vector<int> found;
    for (const link* one = all.first(); one != nullptr; one = one->next) found.push_back(one->value);
    return found;
}
} // namespace

TEST_CASE("a list keeps the order in which things were put at its ends", "[core]") {
    linked_list<link> all;
    CHECK(all.first() == nullptr);
    all.push_back().value = 1;
    all.push_back().value = 2;
    all.push_front().value = 0;
    all.put_front(*new link).value = 9;
    CHECK(values(all) == std::vector{9, 0, 1, 2});
}

TEST_CASE("what is taken out of a list comes again, with what it holds", "[core]") {
    linked_list<link> all;
    link& first = all.push_back();
    link& second = all.push_back();
    link& third = all.push_back();
    first.value = 1, second.value = 2, third.value = 3;
    CHECK(all.push_front_spare() == nullptr);
    all.remove(second); // from between
    CHECK(values(all) == std::vector{1, 3});
    all.remove(third); // from the end
    all.remove(first); // from the front: now the next one to come again
    CHECK(all.first() == nullptr);
    CHECK(all.push_front_spare() == &first);
    CHECK(&all.push_back() == &third);
    CHECK(&all.push_front() == &second);
    CHECK(values(all) == std::vector{2, 1, 3});
    CHECK(link::alive == 3);
    CHECK(all.push_front_spare() == nullptr);
    all.remove(third); // again from the end
    all.push_back().value = 7;
    CHECK(values(all) == std::vector{2, 1, 7});
}

TEST_CASE("a list keeps no more of what is taken out than it is told to", "[core]") {
    linked_list<link> all;
    link& first = all.push_back();
    link& second = all.push_back();
    all.push_back().value = 3;
    all.remove(first, 1);
    CHECK(link::alive == 3);
    all.remove(second, 1); // one is kept already
    CHECK(link::alive == 2);
    CHECK(values(all) == std::vector{3});
    CHECK(all.push_front_spare() == &first);
    CHECK(all.push_front_spare() == nullptr);
    all.remove(first, 0);
    CHECK(link::alive == 1);
}

TEST_CASE("a list ends what it holds, and what was taken out", "[core]") {
    {
        linked_list<link> from;
        from.push_back();
        from.remove(from.push_back());
        linked_list<link> to(std::move(from));
        to.first()->value = 4;
        CHECK(link::alive == 2);
        linked_list<link> other;
        other.push_back();
        other = std::move(to);
        CHECK(values(other) == std::vector{4});
    }
    CHECK(link::alive == 0);
}
