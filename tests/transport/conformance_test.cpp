// SPDX-License-Identifier: BSL-1.0
#include "support/conformance.hpp"

#include <map>
#include <utility>

#include <tutti/transport/mock.hpp>
#include <tutti/transport/threads.hpp>

#include "support/catch2.hpp"

namespace {

using tutti::rank_type;
using tutti::conformance::settings;

/// A transport over the mock one that does one thing wrong, to show that the suite sees it.
enum class flaw { none, swaps_channels, ignores_length, loses_order, forgets_last_byte };

template <flaw Which>
class flawed {
public:
    using handle = tutti::mock::transport::handle;

    explicit flawed(tutti::mock::transport& wires) : wires_(&wires) {}
    rank_type rank() const { return wires_->rank(); }
    rank_type size() const { return wires_->size(); }
    handle start_send(rank_type peer, tutti::channel_type channel, tutti::gather_list data) {
        if constexpr (Which == flaw::forgets_last_byte) {
            static thread_local std::vector<std::byte>
                zeroed; // what goes out lacks the content of its last byte
            if (rank() == 0 && data.size() == 1 && data[0].size() == 257) {
                zeroed.assign(data[0].begin(), data[0].end());
                zeroed.back() ^= std::byte{1};
                static thread_local std::span<const std::byte> piece;
                piece = zeroed;
                return wires_->start_send(peer, channel, {&piece, 1});
            }
        }
        return wires_->start_send(peer, channel_of(channel), data);
    }
    handle start_recv(rank_type peer, tutti::channel_type channel, tutti::scatter_list into) {
        return wires_->start_recv(peer, channel_of(channel), into);
    }
    bool test(handle& h) {
        if constexpr (Which == flaw::ignores_length) {
            try {
                return wires_->test(h);
            } catch (const tutti::transport_error&) {
                return true;
            }
        }
        return wires_->test(h);
    }
    void idle(std::uint32_t turns) { wires_->idle(turns); }
    void abandon(handle& h) { wires_->abandon(h); }

private:
    tutti::channel_type channel_of(tutti::channel_type channel) {
        if constexpr (Which == flaw::swaps_channels) return 0;
        if constexpr (Which == flaw::loses_order)
            return channel + calls_++ % 2 * 1000; // every other one overtakes
        return channel;
    }

    tutti::mock::transport* wires_;
    tutti::channel_type calls_ = 0;
};

template <flaw Which>
void check_flawed() {
    tutti::conformance::check(
        [](rank_type size, auto&& body) {
            tutti::mock::run_transports(size, {.log = false}, [&](tutti::mock::transport& wires) {
                flawed<Which> t(wires);
                body(t);
            });
        },
        settings{.most_ranks = 3, .longest = 1024, .repeats = 20});
}

} // namespace

TEST_CASE("the threads transport conforms", "[transport][threads][conformance]") {
    const rank_type most = GENERATE(as<rank_type>{}, 2, 8, 17);
    tutti::conformance::check([](rank_type size, auto&& body) { tutti::threads::run_transports(size, body); },
                              settings{.most_ranks = most});
}

TEST_CASE("the mock transport conforms for any seed, with and without buffering",
          "[transport][mock][conformance]") {
    const bool rendezvous = GENERATE(true, false);
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CAPTURE(rendezvous, seed);
    tutti::conformance::check(
        [&](rank_type size, auto&& body) {
            tutti::mock::run_transports(size, {.seed = seed, .rendezvous = rendezvous, .log = false}, body);
        },
        settings{.most_ranks = 5, .longest = std::size_t{1} << 16, .repeats = 30});
}

TEST_CASE("the suite sees a transport that does one thing wrong", "[transport][conformance]") {
    check_flawed<flaw::none>();
    CHECK_THROWS_AS(check_flawed<flaw::swaps_channels>(), tutti::conformance::failure);
    CHECK_THROWS_AS(check_flawed<flaw::ignores_length>(), tutti::conformance::failure);
    CHECK_THROWS_AS(check_flawed<flaw::loses_order>(), tutti::conformance::failure);
    CHECK_THROWS_AS(check_flawed<flaw::forgets_last_byte>(), tutti::conformance::failure);
}
