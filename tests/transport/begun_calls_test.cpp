// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/begun_calls.hpp>

#include <cstdint>

#include "support/catch2.hpp"

using tutti::call_label;
using tutti::channel_type;
using tutti::collective;
using tutti::detail::begun_calls;

TEST_CASE("the last 32 calls that a rank has begun are known, each by its channel", "[transport]") {
    const auto label = [](channel_type channel) {
        return call_label(collective::bcast, 8 * (std::int64_t{channel} + 1), 8, 1, 2);
    };
    begun_calls known;
    call_label found;
    CHECK(!known.find(0, found)); // as zeros, none
    for (channel_type channel = 0; channel < 40; ++channel) {
        known.add(channel, label(channel));
        const channel_type first = channel < 32 ? 0 : channel - 31;
        for (channel_type one = 0; one <= channel + 1; ++one) {
            CAPTURE(channel, one);
            found = {};
            CHECK(known.find(one, found) == (one >= first && one <= channel));
            CHECK(found == (one >= first && one <= channel ? label(one) : call_label{}));
        }
    }
}
