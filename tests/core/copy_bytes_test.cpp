// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/copy_bytes.hpp>

#include <cstddef>

#include "support/catch2.hpp"
#include "support/pages.hpp"

using support::page;
using support::pages;

TEST_CASE("copying no bytes touches nothing", "[core][copy_bytes]") {
    tutti::copy_bytes(nullptr, nullptr, 0);
    std::byte one{1};
    const std::byte two{2};
    tutti::copy_bytes(&one, &two, -1);
    CHECK(one == std::byte{1});
}

TEST_CASE("bytes are copied, and no others, however both ranges lie in their pages", "[core][copy_bytes]") {
    pages from(4), to(4);
    from.number();
    for (const std::size_t bytes : {1U, 63U, 64U, 65U, 2048U, 2049U, 2112U, 4133U, 8191U})
        for (const std::size_t begin : {0U, 16U, 4090U})
            for (std::size_t ahead = 0; ahead < 40; ++ahead) {
                to.clear();
                const std::size_t target = (begin + ahead) % page;
                tutti::copy_bytes(to.at(target), from.at(begin), bytes);
                CAPTURE(bytes, begin, ahead);
                REQUIRE(to.has_only(target, bytes, from.at(begin)));
            }
}

TEST_CASE("a copy is slow where it is long and 1 to 31 bytes ahead, but for whole pages",
          "[core][copy_bytes]") {
    pages from(4), to(4);
    for (const std::size_t at : {page, page + 16, page + 4000}) {
        const auto slow = [&](std::size_t ahead, std::size_t bytes) {
            return tutti::detail::copies_slowly(to.at(at - page + ahead), from.at(at), bytes);
        };
        CHECK_FALSE(slow(0, 8192));
        CHECK(slow(1, 8192));
        CHECK(slow(31, 8192));
        CHECK_FALSE(slow(32, 8192));
        CHECK_FALSE(slow(page - 1, 8192));
        CHECK(slow(page + 8, 8192));
        CHECK_FALSE(slow(8, 2048));
        CHECK(slow(8, 2049));
    }
}

TEST_CASE("lines may be moved by one line towards the begin", "[core][copy_bytes]") {
    for (const std::size_t bytes : {0U, 1U, 64U, 100U, 4096U, 5000U}) {
        pages all(3), before(3);
        all.number();
        before.number();
        tutti::detail::copy_lines(all.at(0), all.at(tutti::detail::line_bytes), bytes);
        CAPTURE(bytes);
        for (std::size_t i = 0; i < 3 * page; ++i)
            REQUIRE(*all.at(i) == *before.at(i < bytes ? i + tutti::detail::line_bytes : i));
    }
}
