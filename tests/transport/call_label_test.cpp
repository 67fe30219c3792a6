// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/call_label.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include "support/catch2.hpp"

using tutti::call_label;
using tutti::collective;

TEST_CASE("a label says what is called", "[transport][call_label]") {
    const auto text = [](collective what, std::int64_t bytes, std::size_t element) {
        return call_label(what, bytes, element, 3, 1).text();
    };
    CHECK(call_label().text() == "no collective");
    CHECK(text(collective::barrier, 0, 1) == "barrier");
    CHECK(text(collective::allreduce, 800, 8) == "allreduce of 100 elements of 8 bytes");
    CHECK(text(collective::bcast, 1, 1) == "bcast of 1 element of 1 byte with root 3");
    CHECK(text(collective::alltoall, call_label::lengths_by_pair, 4) == "alltoallv of elements of 4 bytes");
}

TEST_CASE("a label of elements that are too long for it names the bytes of all", "[transport][call_label]") {
    for (const std::size_t element : {65536U, 65536U + 2, 3 * 65536U}) { // not as 0, 2 and 0 bytes
        CAPTURE(element);
        const auto bytes = static_cast<std::int64_t>(2 * element);
        CHECK(call_label(collective::allreduce, bytes, element, 0, 1).text()
              == "allreduce of " + std::to_string(bytes) + " bytes");
        CHECK(call_label(collective::alltoall, call_label::lengths_by_pair, element, 0, 1).text()
              == "alltoallv of elements of over 65535 bytes");
    }
    CHECK(call_label(collective::allreduce, 65535, 65535, 0, 1).text()
          == "allreduce of 1 element of 65535 bytes");
}

TEST_CASE("a label says bytes where they are no whole elements, and one byte is one",
          "[transport][call_label]") {
    CHECK(call_label(collective::allreduce, 10, 4, 0, 1).text() == "allreduce of 10 bytes");
    CHECK(call_label(collective::allreduce, 10, 0, 0, 1).text() == "allreduce of 10 bytes");
    CHECK(call_label(collective::allreduce, 2, 1, 0, 1).text() == "allreduce of 2 elements of 1 byte");
    CHECK(call_label(collective::alltoall, call_label::lengths_by_pair, 1, 0, 1).text()
          == "alltoallv of elements of 1 byte");
}

TEST_CASE("labels are alike that differ in the schedule only", "[transport][call_label]") {
    const call_label one(collective::bcast, 800, 8, 3, 1);
    const call_label by_another(collective::bcast, 800, 8, 3, 0xFFFFFF);
    CHECK(one.alike(by_another));
    CHECK(!(one == by_another));
    CHECK(one == call_label(collective::bcast, 800, 8, 3, 0x1000001)); // 24 bits are kept
    CHECK(!one.alike(call_label(collective::bcast, 800, 8, 2, 1)));
    CHECK(!one.alike(call_label(collective::reduce, 800, 8, 3, 1)));
    CHECK(!one.alike(call_label(collective::bcast, 808, 8, 3, 1)));
    CHECK(!one.alike(call_label(collective::bcast, 800, 4, 3, 1)));
    CHECK(tutti::detail::different_calls(2, one, 5, by_another)
          == "rank 2 calls bcast of 100 elements of 8 bytes with root 3 by another algorithm or with other "
             "counts than rank 5");
    CHECK(tutti::detail::different_calls(2, one, 5, call_label(collective::barrier, 0, 1, 0, 1))
          == "rank 2 calls bcast of 100 elements of 8 bytes with root 3, rank 5 barrier");
}
