// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/common_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

namespace {

using support::contains;
using support::error_of;
using tutti::detail::common_memory;
using tutti::detail::shared_list;
using tutti::detail::shared_piece;
using piece_list = std::vector<std::span<const std::byte>>;

} // namespace

TEST_CASE("pieces of common memory are named by offsets, and found again by them", "[transport]") {
    const std::vector<std::byte> memory(4096), elsewhere(64);
    const common_memory common(memory);
    const std::span<const std::byte> all(memory);
    CHECK(common.offset_of(all.subspan(100, 10)) == 100U);
    CHECK(!common.offset_of(elsewhere).has_value());
    const piece_list mine{all.subspan(10, 300), {}, all.subspan(2000, 7), all.subspan(5, 1)};
    REQUIRE(common.count(mine) == 3U);
    const piece_list mixed{all.subspan(10, 300), elsewhere};
    CHECK(!common.count(mixed).has_value());

    shared_list list{3, {}};
    common.name(mine, reinterpret_cast<std::byte*>(list.inside));
    tutti::reusable_list<std::span<const std::byte>> found;
    common.read(list, 308, 1, found);
    REQUIRE(found.size() == 3);
    CHECK((found[0].data() == memory.data() + 10 && found[0].size() == 300));
    CHECK((found[1].data() == memory.data() + 2000 && found[1].size() == 7));
    CHECK((found[2].data() == memory.data() + 5 && found[2].size() == 1));
}

TEST_CASE("a long list of pieces lies in common memory itself", "[transport]") {
    std::vector<std::byte> memory(4096);
    const common_memory common(memory);
    piece_list mine;
    for (std::size_t k = 0; k < 50; ++k) mine.push_back(std::span(memory).subspan(2000 + 10 * k, 10));
    common.name(mine, memory.data() + 64);
    tutti::reusable_list<std::span<const std::byte>> found;
    common.read({50, {{64, 50 * sizeof(shared_piece)}}}, 500, 1, found);
    REQUIRE(found.size() == 50);
    for (std::size_t k = 0; k < 50; ++k)
        CHECK((found[k].data() == mine[k].data() && found[k].size() == mine[k].size()));
}

TEST_CASE("what a peer names that does not lie in common memory is refused", "[transport]") {
    const std::vector<std::byte> memory(4096);
    const common_memory common(memory);
    constexpr std::size_t huge = ~std::size_t{0};
    CHECK(common.at({0, 4096}, 225, 3).size() == 4096);
    for (const shared_piece one : {shared_piece{0, 4097}, {4096, 225}, {huge, 225}, {100, huge}, {0, 224}}) {
        CAPTURE(one.offset, one.bytes);
        CHECK(contains(error_of([&] { static_cast<void>(common.at(one, 225, 3)); }),
                       "bytes lie in shared memory, but they do not"));
    }
    tutti::reusable_list<std::span<const std::byte>> found;
    const auto refused = [&](const shared_list& list) {
        return contains(error_of([&] { common.read(list, 225, 3, found); }), "rank 3 says that");
    };
    CHECK(refused({0, {}}));
    CHECK(refused({2, {{0, 100}, {0, 124}}}));   // too short to be one
    CHECK(refused({2, {{0, 4096}, {1, 4096}}})); // one outside
    CHECK(refused({2, {{0, 4096}, {1, 0}}}));    // none is empty
    CHECK(refused({14, {{4000, 14 * 16}}}));     // a list outside
    CHECK(refused({14, {{0, 14 * 16}}}));        // of nothing: zeros
    CHECK(refused({huge, {{0, 4096}}}));
    CHECK(refused({huge / 16 + 2, {{0, 4096}}}));
    CHECK(refused({shared_list::most + 1, {{0, 4096}}}));
    CHECK(!refused({2, {{0, 4096}, {0, 4096}}})); // the same twice is a message, too
}
