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
