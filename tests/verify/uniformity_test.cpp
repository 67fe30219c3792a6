// SPDX-License-Identifier: BSL-1.0
#include <tutti/verify/uniformity.hpp>

#include <string>
#include <utility>

#include <tutti/schedule/catalogue.hpp>

#include "support/planted.hpp"

// What generators say of all ranks' rounds is tested as every claim is.
namespace {

using namespace tutti;
using namespace tutti::testing;

/// A play whose generators say in which rounds they are active.
struct play_in_rounds {
    play of;
    round_range active;

    struct part {
        any_generator g;
        round_range when;

        round_index rounds() const noexcept { return g.rounds(); }
        block_index blocks() const noexcept { return g.blocks(); }
        capabilities claims() const { return g.claims(); }
        round_range active() const noexcept { return when; }
        template <class Sink>
        void emit(round_index i, Sink&& sink) const {
            g.emit(i, sink);
        }
    };

    any_generator operator()(place at) const { return part{of(at), active}; }
};

/// A generator that says who is the busiest.
struct naming_busiest {
    any_generator g;
    rank_type who;

    round_index rounds() const noexcept { return g.rounds(); }
    block_index blocks() const noexcept { return g.blocks(); }
    capabilities claims() const { return {.bounded_from = 1}; }
    rank_type busiest(round_index) const noexcept { return who; }
    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        g.emit(i, sink);
    }
};

TEST_CASE("rounds in which all ranks do the same are counted from the first", "[verify]") {
    CHECK(tried(collective::allgather, ring_allgather()).uniform_rounds == 2);
    CHECK(tried(collective::reduce, serial_reduce()).uniform_rounds == 0);
    play p = ring_allgather();
    p.claims.uniform_rounds = 2;
    CHECK(tried(collective::allgather, p).proved);
    p.claims.uniform_rounds = 1; // less than is true
    CHECK(tried(collective::allgather, p).proved);
}

TEST_CASE("a rank that does something else than rank 0 is named", "[verify]") {
    play p = ring_allgather();
    p.claims.uniform_rounds = 2;
    std::string sentence;
    SECTION("in another order") {
        std::swap(p.ranks[2][1][0], p.ranks[2][1][1]);
        sentence = "receives 1, sends 1 block where rank 0 sends 1, receives 1 block";
    }
    SECTION("and something more") {
        p.ranks[2][1].push_back(step::copy(one(0), buffer_name::work, buffer_name::scratch));
        p.claims.scratch_blocks = 1;
        sentence = "sends 1, receives 1, copies 1 block where rank 0 sends 1, receives 1 block";
    }
    const proof found = tried(collective::allgather, p);
    CHECK(found.uniform_rounds == 1);
    check_found(found, 2, 1, -1, -1, -1, "false claim: uniform_rounds is stated as 2, but it " + sentence);
}

TEST_CASE("as many blocks in as many messages are asked for, not the same sets of blocks", "[verify]") {
    // An allgather of 2 ranks, two blocks each: rank 0 names its blocks one by one, in one message.
    play p;
    p.blocks = 4;
    p.ranks = {{{step::send(1, one(0)).and_next(), step::send(1, one(1)), step::recv(1, {2, 2})}},
               {{step::send(0, {2, 2}), step::recv(0, {0, 2})}}};
    p.claims.uniform_rounds = 1;
    CHECK(tried(collective::allgather, p).proved);
}

TEST_CASE("a claim of more rounds than there are is false", "[verify]") {
    play p = ring_allgather();
    p.claims.uniform_rounds = 3;
    const proof found = tried(collective::allgather, p);
    REQUIRE(found.findings.size() == 1);
    CHECK(says(found.findings.front().what, "uniform_rounds is stated as 3, but there are 2 rounds"));
}

TEST_CASE("a rank that does more than the busiest of a round is named", "[verify]") {
    play p = ring_allgather();
    p.claims.bounded_from = 0;
    CHECK(tried(collective::allgather, p).proved);
    p.claims.bounded_from = 3;
    CHECK(says(tried(collective::allgather, p).findings.front().what, "but there are 2 rounds"));

    play down = chain_bcast(); // rank 0 stands for all, as nobody else is named; it is idle in round 1
    down.claims.bounded_from = 0;
    check_found(prove(collective::bcast, 3, 0, down), 1, 0, -1, -1, -1,
                "bounded_from is stated as 0, but it receives 1 block where rank 0, the busiest, sends 1 "
                "block");
    down.claims.bounded_from = 1;
    check_found(prove(collective::bcast, 3, 0, down), 1, 1, -1, -1, -1,
                "but it sends 1 block where rank 0, the busiest, is idle");
}

TEST_CASE("the busiest rank is one of those that there are", "[verify]") {
    const auto with = [](rank_type who) {
        return prove(collective::allgather, 3, 0, [who](place at) {
            return any_generator(naming_busiest{ring_allgather()(at), who});
        });
    };
    CHECK(with(2).proved);
    check_found(with(3), -1, 1, -1, -1, -1, "but rank 3 is to be the busiest");
}

TEST_CASE("a step outside the rounds in which a rank says to be active is a fault", "[verify]") {
    CHECK(prove(collective::bcast, 3, 0, play_in_rounds{chain_bcast(), {0, 2}}).proved);
    CHECK(prove(collective::bcast, 3, 0, play_in_rounds{chain_bcast(), {-1, 7}}).proved);
    check_found(prove(collective::bcast, 3, 0, play_in_rounds{chain_bcast(), {0, 1}}), 1, 1, 0, -1, -1,
                "a step outside the rounds of active(), which begin with 0 and end before 1");
    check_found(prove(collective::bcast, 3, 0, play_in_rounds{chain_bcast(), {1, 2}}), 0, 0, 0, -1, -1,
                "a step outside the rounds of active(), which begin with 1 and end before 2");
    check_found(prove(collective::bcast, 3, 0, play_in_rounds{chain_bcast(), {}}), 0, 0, 0, -1, -1,
                "a step outside the rounds of active()");
}

TEST_CASE("whatever in the catalogue is the same on all ranks is claimed to be", "[verify]") {
    int alike = 0;
    for (const catalogue_entry& entry : catalogue())
        for (rank_type size = 3; size <= 17; ++size) {
            const auto make = [&](place at) { return entry.make(at, {}); };
            const proof p = prove(entry.what, size, 0, make);
            INFO(name_of(entry.what) << " by " << entry.name << ", " << size << " ranks");
            CHECK(p.proved);
            if (p.uniform_rounds < p.rounds) continue;
            CHECK(make({0, size, 0}).claims().uniform_rounds == p.rounds);
            ++alike;
        }
    CHECK(alike > 200);
}

} // namespace
