// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/catch2.hpp"

namespace {

using tutti::binding;
using tutti::block_layout;
using tutti::block_set;
using tutti::buffer_name;
using tutti::kept_memory;
using tutti::memory;

constexpr std::int64_t each = sizeof(int);

block_layout even(std::int64_t ints, tutti::block_index blocks) {
    return block_layout::aligned(ints * each, blocks, each);
}
const std::byte* bytes_of(const std::vector<int>& ints) {
    return reinterpret_cast<const std::byte*>(ints.data());
}
std::byte* bytes_of(std::vector<int>& ints) { return reinterpret_cast<std::byte*>(ints.data()); }

using stretches = std::vector<std::pair<const int*, std::int64_t>>;

stretches read(memory& data, block_set blocks, buffer_name buffer) {
    stretches found;
    for (const tutti::stretch& part : data.read(blocks, buffer))
        if (part.bytes > 0)
            found.push_back({reinterpret_cast<const int*>(data.present(part)), part.bytes / each});
    return found;
}

std::vector<int> values(memory& data, block_set blocks, buffer_name buffer) {
    std::vector<int> found;
    for (const auto& [at, count] : read(data, blocks, buffer)) found.insert(found.end(), at, at + count);
    return found;
}

template <class F>
void write(memory& data, block_set blocks, buffer_name buffer, F&& value_from) {
    for (const tutti::stretch& part : data.write(blocks, buffer)) {
        auto* const target = reinterpret_cast<int*>(data.target(part));
        const auto* const present = reinterpret_cast<const int*>(data.present(part));
        for (std::int64_t i = 0; i < part.bytes / each; ++i) target[i] = value_from(present[i]);
    }
}
bool may_change(memory& data, block_set blocks, buffer_name buffer) {
    const auto parts = data.read(blocks, buffer);
    return std::any_of(parts.begin(), parts.end(),
                       [](const tutti::stretch& s) { return s.target != tutti::region::nowhere; });
}
void add(memory& data, block_set blocks, int what, buffer_name buffer = buffer_name::work) {
    write(data, blocks, buffer, [&](int present) { return present + what; });
}

} // namespace

TEST_CASE("the first fold reads the input and writes the output, the next ones stay there",
          "[execute][memory]") {
    const std::vector<int> input{1, 2, 3, 4, 5, 6, 7};
    std::vector<int> output(7, -1);
    const tutti::block_index blocks = GENERATE(as<tutti::block_index>{}, 1, 2, 5, 7);
    const block_layout layout = even(7, blocks);
    kept_memory kept;
    memory data(layout, {.input = bytes_of(input), .work = bytes_of(output), .work_starts_as_input = true},
                kept);
    const block_set all{0, blocks};

    CHECK(values(data, all, buffer_name::work) == input);
    add(data, all, 100);
    CHECK(output == std::vector<int>{101, 102, 103, 104, 105, 106, 107});
    add(data, all, 100);
    CHECK(output == std::vector<int>{201, 202, 203, 204, 205, 206, 207});
    CHECK(values(data, all, buffer_name::work) == output);
    CHECK(values(data, all, buffer_name::input) == input);
}

TEST_CASE("blocks are read where they are: those that have landed in the output, others in the input",
          "[execute][memory]") {
    const std::vector<int> input{1, 2, 3, 4, 5};
    std::vector<int> output(5, -1);
    const block_layout layout = even(5, 5);
    kept_memory kept;
    memory data(layout, {.input = bytes_of(input), .work = bytes_of(output), .work_starts_as_input = true},
                kept);
    add(data, {1, 2}, 10);
    add(data, {1, 1}, 10);
    CHECK(output == std::vector<int>{-1, 22, 13, -1, -1});
    CHECK(read(data, {0, 5}, buffer_name::work)
          == stretches{{&input[0], 1}, {&output[1], 2}, {&input[3], 2}});
    CHECK(values(data, {3, 4}, buffer_name::work) == std::vector<int>{4, 5, 1, 22}); // round the end

    SECTION("a cyclic range that has landed in part is folded block by block") {
        add(data, {4, 3}, 100);
        CHECK(output == std::vector<int>{101, 122, 13, -1, 105});
    }
    SECTION("what nobody wrote is copied in the end") {
        data.settle({0, 5});
        CHECK(output == std::vector<int>{1, 22, 13, 4, 5});
        data.settle({0, 5});
        CHECK(output == std::vector<int>{1, 22, 13, 4, 5});
    }
    SECTION("only what is asked for is copied") {
        data.settle({4, 2});
        CHECK(output == std::vector<int>{1, 22, 13, -1, 5});
    }
    SECTION("what is copied while others read it stays the input's, and nothing goes over what has landed") {
        data.copy_unlanded({4, 3});
        CHECK(output == std::vector<int>{1, 22, 13, -1, 5});
        CHECK(read(data, {0, 5}, buffer_name::work)
              == stretches{{&input[0], 1}, {&output[1], 2}, {&input[3], 2}});
    }
    CHECK(input == std::vector<int>{1, 2, 3, 4, 5});
}

TEST_CASE("a block that lands again and again is one that has landed", "[execute][memory]") {
    const std::vector<int> input{1, 2, 3};
    std::vector<int> output(3, -1);
    const block_layout layout = even(3, 3);
    kept_memory kept;
    memory data(layout, {.input = bytes_of(input), .work = bytes_of(output), .work_starts_as_input = true},
                kept);
    for (int i = 0; i < 3; ++i) add(data, {1, 1}, 10);
    CHECK(values(data, {0, 3}, buffer_name::work) == std::vector<int>{1, 32, 3});
    data.settle({0, 3});
    CHECK(output == std::vector<int>{1, 32, 3});
}

TEST_CASE("reading says whether the memory may change", "[execute][memory]") {
    const std::vector<int> input(6, 1);
    std::vector<int> output(6);
    const block_layout layout = even(6, 3);
    kept_memory kept;
    memory data(layout, {.input = bytes_of(input), .work = bytes_of(output), .work_starts_as_input = true},
                kept);
    CHECK(!may_change(data, {0, 3}, buffer_name::work));
    CHECK(!may_change(data, {0, 3}, buffer_name::input));
    add(data, {1, 1}, 1);
    CHECK(may_change(data, {0, 3}, buffer_name::work));
    CHECK(!may_change(data, {2, 1}, buffer_name::work));
    CHECK(!may_change(data, {0, 3}, buffer_name::input));
    add(data, {0, 3}, 1);
    CHECK(may_change(data, {2, 1}, buffer_name::work));
}

TEST_CASE("the input may be cut otherwise than the work", "[execute][memory]") {
    const std::vector<int> input{1, 2, 3, 4};
    std::vector<int> output(6, -1);
    const block_layout of_work = block_layout::by_counts(std::vector<std::int64_t>{3, 1, 2}, sizeof(int));
    const block_layout of_input = block_layout::by_counts(std::vector<std::int64_t>{0, 3, 1}, sizeof(int));
    kept_memory kept;
    memory data(of_work, of_input, {.input = bytes_of(input), .work = bytes_of(output)}, kept);
    CHECK(values(data, {0, 1}, buffer_name::input).empty());
    CHECK(values(data, {1, 1}, buffer_name::input) == std::vector<int>{1, 2, 3});
    CHECK(values(data, {2, 1}, buffer_name::input) == std::vector<int>{4});
    CHECK(values(data, {0, 1}, buffer_name::work).size() == 3);
    CHECK(data.write({2, 1}, buffer_name::work)[0].offset == 4 * sizeof(int));
    CHECK(data.write({2, 1}, buffer_name::work)[0].bytes == 2 * sizeof(int));
    CHECK(!may_change(data, {1, 1}, buffer_name::input));
}

TEST_CASE("in place, the work is its own input", "[execute][memory]") {
    std::vector<int> both{1, 2, 3};
    const block_layout layout = even(3, 3);
    kept_memory kept;
    memory data(layout, {.work = bytes_of(both)}, kept);
    add(data, {0, 2}, 10);
    CHECK(both == std::vector<int>{11, 12, 3});
    CHECK(may_change(data, {2, 1}, buffer_name::work));
    data.settle({0, 3});
    CHECK(both == std::vector<int>{11, 12, 3});
}

TEST_CASE("without an output work is made, and kept for the next call", "[execute][memory]") {
    const std::vector<int> input{1, 2, 3, 4};
    const block_layout layout = even(4, 2);
    kept_memory kept;
    const int* first = nullptr;
    for (int call = 0; call < 2; ++call) {
        memory data(layout, {.input = bytes_of(input), .work_starts_as_input = true}, kept);
        CHECK(values(data, {0, 2}, buffer_name::work) == input); // nothing is left of the last call
        add(data, {0, 2}, 5);
        CHECK(values(data, {0, 2}, buffer_name::work) == std::vector<int>{6, 7, 8, 9});
        const int* const made = read(data, {0, 2}, buffer_name::work).front().first;
        if (call == 1) CHECK(made == first);
        first = made;
    }
}

TEST_CASE("planes of scratch are apart from each other and from the work", "[execute][memory]") {
    std::vector<int> both{1, 2};
    const block_layout layout = even(2, 2);
    kept_memory kept;
    memory data(layout, {.work = bytes_of(both)}, kept);
    const auto set = [&](buffer_name buffer, int what) {
        write(data, {0, 2}, buffer, [&](int) { return what; });
    };
    set(buffer_name::scratch, 7);
    set(buffer_name::scratch_1, 8);
    CHECK(values(data, {0, 2}, buffer_name::work) == std::vector<int>{1, 2});
    CHECK(values(data, {0, 2}, buffer_name::scratch) == std::vector<int>{7, 7});
    CHECK(values(data, {0, 2}, buffer_name::scratch_1) == std::vector<int>{8, 8});
}

TEST_CASE("a part of work may lie apart from the rest", "[execute][memory]") {
    std::vector<int> part(2, -1);
    const block_layout layout = even(10, 5);
    kept_memory kept;
    SECTION("of a rank that receives and hands on") {
        memory data(layout, {.part = {3, 1}, .part_at = bytes_of(part)}, kept);
        int next = 0;
        write(data, {3, 3}, buffer_name::work, [&](int) { return next++; }); // round the end
        CHECK(part == std::vector<int>{0, 1});
        CHECK(values(data, {2, 4}, buffer_name::work).size() == 8);
        CHECK(values(data, {3, 3}, buffer_name::work) == std::vector<int>{0, 1, 2, 3, 4, 5});
        CHECK(values(data, {4, 2}, buffer_name::work) == std::vector<int>{2, 3, 4, 5});
        CHECK(read(data, {3, 1}, buffer_name::work) == stretches{{part.data(), 2}});
        CHECK(read(data, {2, 3}, buffer_name::work).size() == 3); // before, in and behind it
    }
    SECTION("of the one whose work starts as the input") {
        const std::vector<int> input{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        memory data(layout,
                    {.input = bytes_of(input),
                     .work_starts_as_input = true,
                     .part = {1, 1},
                     .part_at = bytes_of(part)},
                    kept);
        CHECK(values(data, {0, 5}, buffer_name::work) == input);
        data.settle({1, 1});
        CHECK(part == std::vector<int>{2, 3});
        CHECK(values(data, {0, 5}, buffer_name::work) == input);
    }
    SECTION("all of it, and none") {
        std::vector<int> all(10, -1);
        memory whole(layout, {.part = {0, 5}, .part_at = bytes_of(all)}, kept);
        add(whole, {2, 5}, 5);
        CHECK(all == std::vector<int>(10, 4));
        memory none(layout, {.work = bytes_of(all), .part = {2, 0}, .part_at = bytes_of(part)}, kept);
        add(none, {2, 1}, 1);
        CHECK(all == std::vector<int>{4, 4, 4, 4, 5, 5, 4, 4, 4, 4});
    }
    CHECK(kept.scratch[1].at_least(0) == nullptr);
}

TEST_CASE("an input may be no more than a part of the vector", "[execute][memory]") {
    const std::vector<int> input{7, 8};
    const block_layout layout = even(6, 3);
    kept_memory kept;
    memory data(layout, {.input = bytes_of(input), .input_begins = 2 * each, .work_starts_as_input = true},
                kept);
    CHECK(values(data, {1, 1}, buffer_name::work) == input);
    for (const tutti::stretch& s : data.write({2, 1}, buffer_name::work)) {
        auto* const target = reinterpret_cast<int*>(data.target(s));
        target[0] = 9;
        target[1] = 10;
    }
    CHECK(values(data, {1, 2}, buffer_name::work) == std::vector<int>{7, 8, 9, 10});
    data.settle({1, 1});
    CHECK(values(data, {1, 2}, buffer_name::work) == std::vector<int>{7, 8, 9, 10});
}

TEST_CASE("empty blocks have landed like others", "[execute][memory]") {
    const std::vector<int> input{1, 2};
    std::vector<int> output(2, -1);
    const block_layout layout = even(2, 5); // sizes 1,1,0,0,0
    kept_memory kept;
    memory data(layout, {.input = bytes_of(input), .work = bytes_of(output), .work_starts_as_input = true},
                kept);
    add(data, {2, 3}, 1);
    add(data, {0, 1}, 1);
    CHECK(output == std::vector<int>{2, -1});
    data.settle({0, 5});
    CHECK(output == std::vector<int>{2, 2});
}

TEST_CASE("kept bytes grow, never shrink, and lie on cache lines", "[execute][memory]") {
    tutti::reusable_bytes bytes;
    std::byte* const small = bytes.at_least(10);
    CHECK(reinterpret_cast<std::uintptr_t>(small) % 64 == 0);
    CHECK(bytes.at_least(5) == small);
    std::byte* const large = bytes.at_least(100000);
    large[99999] = std::byte{1};
    CHECK(bytes.at_least(10) == large);
    tutti::reusable_bytes moved = std::move(bytes);
    CHECK(moved.at_least(1) == large);
    CHECK(bytes.at_least(1) != nullptr); // has none left, and knows it
}
