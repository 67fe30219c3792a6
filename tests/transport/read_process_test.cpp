// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/read_process.hpp>

#include <algorithm>
#include <cstddef>

#include <sys/mman.h>
#include <unistd.h>

#include "support/catch2.hpp"
#include "support/pages.hpp"

using support::page;
using support::pages;

TEST_CASE("what a process reads lands where it belongs, however both lie in their pages",
          "[transport][read_process]") {
    if (!tutti::detail::can_read_processes()) return; // as in some sandboxes
    constexpr std::size_t at_once = 64 * page;        // at most, where it is moved
    pages from(132), to(132);
    from.number();
    for (const std::size_t bytes : {page, page + 1, at_once - 1, at_once, at_once + 1, at_once + 63,
                                    at_once + 64, at_once + 65, 2 * at_once + 17})
        for (const std::size_t ahead : {0U, 1U, 16U, 31U, 32U}) {
            to.clear();
            std::size_t done = 0;
            while (done < bytes) {
                const ssize_t n = tutti::detail::read_process(::getpid(), from.at(16 + done),
                                                              {to.at(16 + ahead + done), bytes - done});
                REQUIRE(n > 0);
                done += static_cast<std::size_t>(n);
            }
            CAPTURE(bytes, ahead);
            CHECK(done == bytes);
            CHECK(to.has_only(16 + ahead, bytes, from.at(16)));
        }
}

TEST_CASE("a process reads no further than another's memory goes", "[transport][read_process]") {
    if (!tutti::detail::can_read_processes()) return;
    void* const memory =
        ::mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    auto* const from = static_cast<std::byte*>(memory);
    for (std::size_t i = 0; i < 2 * page; ++i) from[i] = pages::value(i);
    REQUIRE(::munmap(from + 2 * page, page) == 0);
    pages to(4);
    const ssize_t n = tutti::detail::read_process(::getpid(), from, {to.at(16), 3 * page});
    CHECK(n == 2 * page);
    CHECK(std::equal(from, from + 2 * page, to.at(16)));
    ::munmap(from, 2 * page);
}
