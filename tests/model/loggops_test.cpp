// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/loggops.hpp>

#include <tutti/model/evaluate.hpp>

#include <cstdint>
#include <vector>

#include "support/catch2.hpp"
#include "support/closed_forms.hpp"
#include "support/scripted.hpp"

using namespace tutti;
using support::any_ensemble;
using support::equal;
using testing::play;

namespace {

constexpr block_set one{.first = 0, .count = 1};

/// One block of `bytes` bytes.
price walked(const loggops& on, const play& p, std::int64_t bytes) {
    const any_ensemble all([&](place at) { return p(at); }, static_cast<rank_type>(p.ranks.size()));
    return evaluate(on, all, block_bytes::even(bytes, 1));
}

/// Rank 0 sends `count` messages to rank 1, in one round.
play burst(int count) {
    play p;
    p.ranks.resize(2);
    for (testing::script& s : p.ranks) s.resize(1);
    for (int k = 0; k < count; ++k) {
        p.ranks[0][0].push_back(step::send(1, one));
        p.ranks[1][0].push_back(step::recv(0, one));
    }
    return p;
}

} // namespace

TEST_CASE("the defaults are LogGOPSim's", "[model]") {
    constexpr loggops on;
    CHECK(on.L == 2.5);
    CHECK(on.o == 1.5);
    CHECK(on.g == 1.0);
    CHECK(on.G == 0.006);
    CHECK(on.O == 0);
    CHECK(on.S == 65535);
}

TEST_CASE("one message takes o + L + o and a gap for every byte but the first", "[model]") {
    const loggops on;
    CHECK(equal(walked(on, burst(1), 1001).us, 1.5 + 2.5 + 1.5 + 1000 * 0.006));
    CHECK(equal(walked(on, burst(1), 1).us, 5.5));
    CHECK(equal(walked(on, burst(1), 0).us, 5.5)); // an empty message counts as a byte
}

TEST_CASE("the next message leaves when processor and interface are free", "[model]") {
    // The receiver takes the last of 5 as soon as it is there, or as soon as it is done with the one before.
    CHECK(equal(walked({.L = 2, .o = 1, .g = 10, .G = 0}, burst(5), 1).us, 4 * 10 + 1 + 2 + 1));
    CHECK(equal(walked({.L = 2, .o = 1, .g = 0, .G = 0.5}, burst(5), 21).us, 1 + 2 + 5 * 11));
    CHECK(equal(walked({.L = 2, .o = 3, .g = 1, .G = 0}, burst(5), 1).us, 3 + 2 + 5 * 3));
    CHECK(equal(walked({.L = 2, .o = 1, .g = 0, .G = 0, .O = 0.5}, burst(5), 21).us, 4 * 11 + 1 + 2 + 11));
}

TEST_CASE("while the interface sends, the processor is free", "[model]") {
    // Both send 1000 bytes and take 1000: the bytes of both go at the same time.
    play p;
    p.ranks = {{{step::send(1, one), step::recv(1, one)}}, {{step::send(0, one), step::recv(0, one)}}};
    CHECK(equal(walked({.L = 2, .o = 1, .g = 0, .G = 0.5}, p, 1001).us, 1 + 2 + 1 + 500));
    CHECK(equal(walked({.L = 2, .o = 1, .g = 0, .G = 0.5}, p, 1001).busy_us, 1 + 1 + 500));
}

TEST_CASE("the sender of a message longer than S waits for its receiver", "[model]") {
    // Rank 1 is busy with rank 2's message before it comes to the round of rank 0's; then rank 0 tells
    // rank 2.
    play p;
    p.ranks = {{{step::send(1, one)}, {step::send(3, one)}},
               {{step::copy(one, buffer_name::work, buffer_name::scratch), step::recv(0, one)}, {}},
               {{}, {}},
               {{}, {step::recv(0, one)}}};
    const loggops eager{.L = 2, .o = 1, .g = 1, .G = 0, .S = 8, .copy_per_byte = 10};
    loggops rendezvous = eager;
    rendezvous.S = 7;
    CHECK(equal(walked(eager, p, 8).us, 80 + 1));              // rank 1 is the last
    CHECK(equal(walked(rendezvous, p, 8).us, 80 + 1 + 2 + 1)); // rank 0 sends to rank 3 from 80 on
}

TEST_CASE("folds and copies cost what the machine says, per byte", "[model]") {
    play p;
    p.ranks = {{{step::recv_reduce(1, one, operand_side::right)},
                {step::copy(one, buffer_name::work, buffer_name::scratch),
                 step::reduce(one, buffer_name::scratch, buffer_name::work, operand_side::right)}},
               {{step::send(0, one)}, {}}};
    const loggops on{.L = 2, .o = 1, .g = 1, .G = 0.1, .fold_per_byte = 3, .copy_per_byte = 5};
    const price found = walked(on, p, 11);
    CHECK(equal(found.parts.fold, 11 * (3 + 5 + 3)));
    CHECK(equal(found.parts.transfer, 1));
    CHECK(equal(found.parts.startup, 1 + 2 + 1));
}
