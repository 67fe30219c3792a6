// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/sent_again.hpp>

#include <string>
#include <vector>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"
#include "support/scripted.hpp"

using namespace tutti;
using support::any_ensemble;
using testing::play;
using testing::script;

namespace {

constexpr block_set block(block_index b) { return {.first = b, .count = 1}; }

/// Rank r's messages: '1' if it is sent once, 'f' for the first of several, 'a' for another one.
std::string seen(const any_ensemble& all, rank_type r, std::size_t messages, round_index alike = 0) {
    detail::sent_again known(all, alike);
    std::string text;
    for (std::size_t k = 0; k < messages; ++k) {
        message_facts m;
        known.next(r, m);
        text += !m.again ? '1' : m.first ? 'f' : 'a';
    }
    return text;
}

/// What rank 0 of two ranks sends to rank 1 and does besides.
std::string seen(const script& rounds, std::size_t messages) {
    play p;
    p.blocks = 4;
    p.ranks = {rounds, script(rounds.size())};
    return seen(any_ensemble([&](place at) { return p(at); }, 2), 0, messages);
}

} // namespace

TEST_CASE("a message whose blocks are sent before or later is sent again", "[model]") {
    CHECK(seen({{step::send(1, block(0)), step::send(1, block(1))}}, 2) == "11");
    CHECK(seen({{step::send(1, block(0)), step::send(1, block(1)), step::send(1, block(0))}}, 3) == "f1a");
    CHECK(seen({{step::send(1, block(0))}, {step::send(1, block(0))}, {step::send(1, block(0))}}, 3)
          == "faa");
}

TEST_CASE("who is asked for more messages than it sends says of them what it says of its last", "[model]") {
    const step send = step::send(1, block(0)), other = step::send(1, block(1));
    CHECK(seen({{send, other, send}}, 5) == "f1aaa");
    CHECK(seen({{send, send, other}}, 5) == "fa111");
    CHECK(seen(script(1), 2) == "11");
}

TEST_CASE("what is written in between makes it another message", "[model]") {
    const step send = step::send(1, block(0));
    CHECK(seen({{send}, {step::recv(1, block(0))}, {send}}, 2) == "11");
    CHECK(seen({{send}, {step::recv_reduce(1, {0, 4}, operand_side::right)}, {send}}, 2) == "11");
    CHECK(seen({{send}, {step::copy(block(0), buffer_name::input, buffer_name::work)}, {send}}, 2) == "11");
    CHECK(seen({{send}, {step::recv(1, block(1))}, {send}}, 2) == "fa");
    CHECK(seen({{send}, {step::recv(1, block(0), buffer_name::scratch)}, {send}}, 2) == "fa");
    CHECK(seen({{send}, {send}, {step::recv(1, block(0))}, {send}, {send}}, 4) == "fafa");
}

TEST_CASE("the same blocks are the same sets from the same buffer in the same order", "[model]") {
    CHECK(seen({{step::send(1, {0, 2}), step::send(1, {0, 1})}}, 2) == "11");
    CHECK(seen({{step::send(1, block(0)), step::send(1, block(0), buffer_name::input)}}, 2) == "11");
    const auto two = [](block_index a, block_index b) {
        return std::vector<step>{step::send(1, block(a)).and_next(), step::send(1, block(b))};
    };
    CHECK(seen({two(0, 2), two(0, 2), two(2, 0)}, 3) == "fa1");
}

TEST_CASE("empty messages carry nothing again", "[model]") {
    CHECK(seen({{step::send(1, {}), step::send(1, {})}}, 2) == "11");
}

TEST_CASE("direct strategies multicast their own block, rings send every block once", "[model]") {
    const any_ensemble direct = support::ensemble_of(collective::allgather, "direct", 5);
    CHECK(seen(direct, 0, 4, direct.rounds()) == "faaa");
    CHECK(seen(direct, 3, 4) == "faaa");
    CHECK(seen(support::ensemble_of(collective::allgather, "ring", 5), 3, 4) == "1111");
    // kshift with k = 2: a window of two for the own block, and one for the block that it was handed.
    CHECK(seen(support::ensemble_of(collective::allgather, "kshift", 5, {{"k", 2}}), 3, 4) == "fafa");
}
