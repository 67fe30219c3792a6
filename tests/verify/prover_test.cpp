// SPDX-License-Identifier: BSL-1.0
#include <tutti/verify/prover.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/schedule/bcast/tree.hpp>

#include "support/planted.hpp"

// Planted faults: every test breaks a small schedule in one way.
namespace {

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("a right schedule is proved, with its figures", "[verify]") {
    const proof p = tried(collective::reduce, serial_reduce());
    INFO(listed(p.findings));
    CHECK(p.proved);
    CHECK(p.rounds == 1);
    CHECK(p.blocks == 2);
    CHECK(p.sent_blocks == 2);
    CHECK(p.received_blocks == 4);
    CHECK(p.reduced_blocks == 4);
    CHECK(p.sent_messages == 1);
    CHECK(p.received_messages == 2);
    CHECK(p.critical_sent == 2);
    CHECK(p.critical_reduced == 4);
    CHECK(p.critical_messages == 2);
    CHECK(p.max_outstanding == 2);
    CHECK(p.scratch_blocks == 0);
    CHECK(p.order_preserved);
    CHECK(p.same_bits);
    CHECK_FALSE(p.moves_blocks);
    CHECK_FALSE(p.reads_input);
    CHECK(p.bounds == bounds_of(collective::reduce, 3, 2));
    CHECK(tried(collective::bcast, chain_bcast()).proved);
    CHECK(tried(collective::allgather, ring_allgather()).proved);
}

TEST_CASE("sizes and roots are proved in turn, and the first that is wrong is named", "[verify]") {
    std::vector<std::pair<rank_type, rank_type>> seen; // size and root
    const auto trees = [&](rank_type wrong_size) {
        return [&seen, wrong_size](place at) -> any_generator {
            if (at.rank == 0) seen.emplace_back(at.size, at.root);
            if (at.size == wrong_size && at.root == 1)
                return generate(of<collective::bcast>, serial{}, {at.rank, at.size, 0});
            return generate(of<collective::bcast>, serial{}, at);
        };
    };
    const proof right = prove_up_to(collective::bcast, 3, trees(99));
    CHECK(right.proved);
    CHECK(seen.size() == 6);
    CHECK(std::set(seen.begin(), seen.end()).size() == 6);
    const auto rings = [](place at) {
        return any_generator(generate(of<collective::allgather>, ring{}, at));
    };
    const proof rootless = prove_up_to(collective::allgather, 3, rings);
    CHECK(rootless.proved);
    CHECK(rootless.rounds == 2); // of the most ranks
    seen.clear();
    const proof wrong = prove_up_to(collective::bcast, 5, trees(3));
    CHECK_FALSE(wrong.proved);
    CHECK(seen.back() == std::pair<rank_type, rank_type>{3, 1});
    CHECK(wrong.findings.front().what.starts_with("3 ranks, root 1: "));
    CHECK_THROWS_AS(prove_up_to(collective::bcast, 0, trees(3)), argument_error);
}

TEST_CASE("the critical path adds up the busiest rank of every round", "[verify]") {
    const proof p = tried(collective::bcast, chain_bcast());
    CHECK(p.sent_blocks == 1); // each of ranks 0 and 1
    CHECK(p.critical_sent == 2);
    CHECK(p.critical_messages == 2);
}

TEST_CASE("a message in pieces is one message", "[verify]") {
    play p = chain_bcast();
    p.blocks = 3;
    p.ranks = {{{step::send(1, one(2)).and_next(), step::send(1, all2)}},
               {{step::recv(0, {.first = 2, .count = 3})}}}; // 2, 0, 1
    const proof q = tried(collective::bcast, p);
    INFO(listed(q.findings));
    CHECK(q.proved);
    CHECK(q.sent_messages == 1);
    CHECK_FALSE(q.moves_blocks);
}

TEST_CASE("an idle rank alone is proved for every collective", "[verify]") {
    const collective what =
        GENERATE(collective::barrier, collective::bcast, collective::reduce, collective::allreduce,
                 collective::reduce_scatter, collective::allgather);
    play p;
    p.ranks = {{}};
    p.claims = {.order_preserving = true, .same_bits_on_all_ranks = true, .max_outstanding = 0, .rounds = 0};
    CHECK(tried(what, p).proved);
}

TEST_CASE("one rank still has to copy what alltoall wants", "[verify]") {
    play p;
    p.ranks = {{}};
    check_found(tried(collective::alltoall, p), 0, -1, -1, 0, -1, "undefined");
    p.ranks = {{{step::copy(one(0), buffer_name::input, buffer_name::work)}}};
    CHECK(tried(collective::alltoall, p).proved);
}

TEST_CASE("sends and receives may lie in different rounds", "[verify]") {
    // Rank 1 receives in round 2 what rank 0 sends in round 0 and overwrites only then.
    play p;
    p.ranks = {{{step::send(1, one(0))}, {step::recv(2, one(0))}},
               {{}, {}, {step::recv(0, one(0))}, {step::send(2, one(0))}},
               {{step::send(0, one(0))}, {step::recv(1, one(0))}}};
    check_found(tried(collective::bcast, p), 2, 0, 0, 0, 0, "undefined");
    p.ranks[2] = {{step::recv(1, one(0))}, {step::send(0, one(0))}};
    CHECK(tried(collective::bcast, p).proved);
}

TEST_CASE("sends read what was there before the round", "[verify]") {
    // Two ranks swap contributions and fold: each must get the other's own one.
    play p;
    p.ranks = {{{step::send(1, one(0)), step::recv_reduce(1, one(0), right)}},
               {{step::send(0, one(0)), step::recv_reduce(0, one(0), left)}}};
    p.claims = {.order_preserving = true, .same_bits_on_all_ranks = true};
    CHECK(tried(collective::allreduce, p).proved);
}

// ---- matching

TEST_CASE("a missing send is found at the receive that waits for it", "[verify]") {
    play p = serial_reduce();
    p.ranks[2] = {};
    check_found(tried(collective::reduce, p), 0, 0, 1, 0, 2, "rank 2 never sends");
}

TEST_CASE("a missing send is told from a deadlock even if its rank waits", "[verify]") {
    play p = serial_reduce();
    p.claims = {};
    p.ranks[0].push_back({step::send(2, one(1))});
    p.ranks[2] = {{step::recv(0, one(1))}}; // waits for rank 0 instead of sending
    check_found(tried(collective::reduce, p), 0, 0, 1, 0, 2, "rank 2 never sends (it stands in round 0)");
}

TEST_CASE("a missing receive is found at the send", "[verify]") {
    play p = chain_bcast();
    p.ranks[1][0].clear();
    p.ranks[1][1].clear();
    p.ranks[2][1].clear();
    check_found(tried(collective::bcast, p), 0, 0, 0, 0, 1, "rank 1, which never receives it");
}

TEST_CASE("a second message too many is found", "[verify]") {
    play p = chain_bcast();
    p.ranks[1][1].push_back(step::send(2, one(0)));
    check_found(tried(collective::bcast, p), 1, 1, 1, 0, 2, "never receives");
}

TEST_CASE("of two sends, one receive that is still to come serves one", "[verify]") {
    play p = chain_bcast();
    p.ranks = {{{step::send(1, one(0)), step::send(1, one(0))}},
               {{step::recv(2, one(0))}, {step::recv(0, one(0)), step::send(2, one(0))}},
               {{step::recv(1, one(0))}, {step::send(1, one(0))}}}; // 1 and 2 wait for each other
    check_found(tried(collective::bcast, p), 0, 0, 1, 0, 1,
                "rank 1, which never receives it (it stands in round 0)");
}

TEST_CASE("a message of another length than its receive is found", "[verify]") {
    play p = serial_reduce();
    p.ranks[0][0][1].blocks = one(1);
    check_found(tried(collective::reduce, p), 0, 0, 1, 1, 2,
                "wrong length: receives 1 blocks, but the sender (rank 2, round 0, step 0) sends 2");
}

TEST_CASE("a changed block index needs moves_blocks", "[verify]") {
    play p = ring_allgather();
    p.ranks[1][0][0].blocks = one(1);
    p.ranks[2][0][1].blocks = one(2); // should be block 1
    check_found(tried(collective::allgather, p), 2, 0, 1, 2, 1, "moves_blocks is not claimed");
    p.claims.moves_blocks = true;
    check_found(tried(collective::allgather, p), 2, 1, 0, 1, 0, "undefined");
}

TEST_CASE("messages between a pair match in posting order", "[verify]") {
    play p;
    p.blocks = 2;
    p.ranks = {{{step::send(1, one(0)), step::send(1, one(1))}},
               {{step::recv(0, one(1)), step::recv(0, one(0))}}};
    check_found(tried(collective::bcast, p), 1, 0, 0, 1, 0, "sends block 0");
    p.ranks[1] = {{step::recv(0, one(0)), step::recv(0, one(1))}};
    CHECK(tried(collective::bcast, p).proved);
}

// ---- deadlock

TEST_CASE("a deadlock under zero buffering is found with its cycle", "[verify]") {
    play p = ring_allgather();
    for (script& s : p.ranks) { // each round split into a sending and a receiving one
        s = {{s[0][0]}, {s[0][1]}, {s[1][0]}, {s[1][1]}};
    }
    const proof q = tried(collective::allgather, p);
    check_found(
        q, 0, 0, 0, 0, 1,
        "deadlock without buffering: rank 0 (round 0, step 0) waits for rank 1 (round 0, step 0) waits for "
        "rank 2 (round 0, step 0) waits for rank 0");
}

TEST_CASE("a cycle of up to 8 ranks is told whole, a longer one by its beginning and its length",
          "[verify]") {
    const auto told = [](rank_type size) { // everybody sends to the next one before receiving
        play p;
        p.blocks = size;
        for (rank_type r = 0; r < size; ++r)
            p.ranks.push_back({{step::send(mod(r + 1, size), {.first = r, .count = 1})},
                               {step::recv(mod(r - 1, size), {.first = mod(r - 1, size), .count = 1})}});
        return prove(collective::allgather, size, 0, p).findings.at(0).what;
    };
    std::string eight = "rank 0, round 0, step 0, block 0, peer 1: deadlock without buffering: ";
    for (int r = 0; r < 8; ++r) eight += "rank " + std::to_string(r) + " (round 0, step 0) waits for ";
    CHECK(told(8) == eight + "rank 0");
    CHECK(told(9) == eight + "... (9 ranks in all) for rank 0");
}

TEST_CASE("a rank outside the cycle is not blamed for the deadlock", "[verify]") {
    play p;
    p.ranks = {{{step::recv(1, one(0))}},
               {{step::send(2, one(0))}, {step::recv(2, one(0))}, {step::send(0, one(0))}},
               {{step::send(1, one(0))}, {step::recv(1, one(0))}}};
    const proof q = tried(collective::bcast, p, 1);
    check_found(q, 1, 0, 0, 0, 2, "rank 1 (round 0, step 0) waits for rank 2");
    p.ranks[2] = {{step::recv(1, one(0))}, {step::send(1, one(0))}};
    CHECK(tried(collective::bcast, p, 1).proved);
}

// ---- values

TEST_CASE("a contribution that is folded in twice is found", "[verify]") {
    play p = serial_reduce();
    p.ranks[1].push_back({step::send(0, one(1))});
    p.ranks[0].push_back({step::recv_reduce(1, one(1), right)});
    check_found(tried(collective::reduce, p), 0, 1, 0, 1, 1, "the contribution of rank 1 is folded in twice");
}

TEST_CASE("a missing contribution shows in the result", "[verify]") {
    play p = serial_reduce();
    p.ranks[0][0][1].blocks = one(0);
    p.ranks[2][0][0].blocks = one(0);
    check_found(tried(collective::reduce, p), 0, -1, -1, 1, -1,
                "the result is block 1 of rank(s) 0..1; due: block 1 of rank(s) 0..2");
}

TEST_CASE("of a result in many pieces the first eight are told", "[verify]") {
    for (const auto& [size, told] :
         {std::pair(15, "0,2,4,6,8,10,12,14; due"), {17, "0,2,4,6,8,10,12,14,...; due"}}) {
        play p;
        p.ranks.resize(static_cast<std::size_t>(size), {{}});
        for (rank_type r = 2; r < size; r += 2) { // the others are left out
            p.ranks[0][0].push_back(step::recv_reduce(r, one(0), right));
            p.ranks[static_cast<std::size_t>(r)][0].push_back(step::send(0, one(0)));
        }
        check_found(tried(collective::reduce, p), 0, -1, -1, 0, -1,
                    std::string("block 0 of rank(s) ") + told);
    }
}

TEST_CASE("a result that was never received shows as undefined", "[verify]") {
    play p = chain_bcast();
    p.ranks[1].pop_back();
    p.ranks[2].clear();
    check_found(tried(collective::bcast, p), 2, -1, -1, 0, -1, "the result is undefined");
}

TEST_CASE("reading what was never defined is found", "[verify]") {
    SECTION("by a send") {
        play p = chain_bcast();
        p.ranks[1] = {{step::send(2, one(0))}, {step::recv(0, one(0))}};
        p.ranks[2] = {{step::recv(1, one(0))}};
        check_found(tried(collective::bcast, p), 1, 0, 0, 0, 2, "reads an undefined block");
    }
    SECTION("by a copy out of scratch") {
        play p = serial_reduce();
        p.ranks[1].push_back({step::copy(one(1), buffer_name::scratch, buffer_name::work)});
        check_found(tried(collective::reduce, p), 1, 1, 0, 1, -1, "reads an undefined block");
    }
    SECTION("by a fold into it") {
        play p = serial_reduce();
        p.ranks[0][0][0].buffer = buffer_name::scratch;
        check_found(tried(collective::reduce, p), 0, 0, 0, 0, 1, "reads an undefined block");
    }
    SECTION("by a read of an input that the collective has not") {
        play p = chain_bcast();
        p.ranks[0][0][0].buffer = buffer_name::input;
        check_found(tried(collective::bcast, p), 0, 0, 0, 0, 1, "reads an undefined block");
    }
}

TEST_CASE("a fold of contributions to different blocks is found", "[verify]") {
    play p = serial_reduce();
    p.claims = {.moves_blocks = true};
    p.ranks[1][0][0].blocks = {.first = 1, .count = 2}; // 1, 0
    check_found(tried(collective::reduce, p), 0, 0, 0, 0, 1,
                "folds contributions to different blocks: 0 and 1");
}

TEST_CASE("a finding is a sentence that begins with its place", "[verify]") {
    play p = serial_reduce();
    p.claims = {.moves_blocks = true};
    p.ranks[1][0][0].blocks = {.first = 1, .count = 2};
    CHECK(tried(collective::reduce, p).findings.at(0).what
          == "rank 0, round 0, step 0, block 0, peer 1: folds contributions to different blocks: 0 and 1");
    p.ranks[1][0][0].blocks = all2;
    p.ranks[0][0][0].blocks = {.first = 1, .count = 2}; // 1, 0
    CHECK(tried(collective::reduce, p).findings.at(0).what
          == "rank 0, round 0, step 0, block 1, peer 1: folds contributions to different blocks: 1 and 0");
    p = serial_reduce();
    p.claims.rounds = 2; // of nobody in particular
    CHECK(tried(collective::reduce, p).findings.at(0).what
          == "false claim: rounds is stated as 2, counted 1");
    p = serial_reduce();
    p.ranks[0][0][1].blocks = one(0);
    p.ranks[2][0][0].blocks = one(0);
    CHECK(tried(collective::reduce, p).findings.at(0).what
          == "rank 0, block 1: the result is block 1 of rank(s) 0..1; due: block 1 of rank(s) 0..2");
}

TEST_CASE("an alltoall that delivers the wrong block is found", "[verify]") {
    play p;
    p.blocks = 2;
    p.claims.moves_blocks = true;
    const auto rank = [](rank_type r, block_index mine) -> script {
        return {{step::copy(one(r), buffer_name::input, buffer_name::work),
                 step::send(1 - r, one(mine), buffer_name::input), step::recv(1 - r, one(1 - r))}};
    };
    p.ranks = {rank(0, 1), rank(1, 0)};
    CHECK(tried(collective::alltoall, p).proved);
    p.ranks[1] = rank(1, 1);
    check_found(tried(collective::alltoall, p), 0, -1, -1, 1, -1,
                "the result is block 1 of rank(s) 1; due: block 0 of rank(s) 1");
}

TEST_CASE("an exscan that includes the rank itself is found", "[verify]") {
    play p;
    const auto in = buffer_name::input;
    p.ranks = {{{step::send(1, one(0), in)}},
               {{step::recv(0, one(0))}, {step::reduce(one(0), in, buffer_name::work, right)}}};
    check_found(tried(collective::exscan, p), 1, -1, -1, 0, -1, "of rank(s) 0..1; due: block 0 of rank(s) 0");
    p.ranks[1].pop_back();
    CHECK(tried(collective::exscan, p).proved);
}

TEST_CASE("a scan that leaves out the rank itself is found", "[verify]") {
    play p;
    p.ranks = {{{step::send(1, one(0))}}, {{step::recv(0, one(0))}}};
    check_found(tried(collective::scan, p), 1, -1, -1, 0, -1, "of rank(s) 0; due: block 0 of rank(s) 0..1");
    p.ranks[1] = {{step::recv_reduce(0, one(0), left)}};
    CHECK(tried(collective::scan, p).proved);
}

TEST_CASE("a barrier that forgets a rank is found", "[verify]") {
    // Dissemination among 3 ranks, the second round of rank 1 lost: rank 0 does not hear of rank 1 ...
    const block_set nothing{};
    play p;
    for (rank_type r = 0; r < 3; ++r)
        p.ranks.push_back({{step::send(mod(r + 1, 3), nothing), step::recv(mod(r - 1, 3), nothing)},
                           {step::send(mod(r + 2, 3), nothing), step::recv(mod(r - 2, 3), nothing)}});
    const proof whole = tried(collective::barrier, p);
    INFO(listed(whole.findings));
    CHECK(whole.proved);
    p.ranks[1][1].erase(p.ranks[1][1].begin());
    p.ranks[0][1].pop_back();
    check_found(tried(collective::barrier, p), 0, -1, -1, -1, 1, "before rank 1 has come");
}

TEST_CASE("ranks that disagree on rounds, blocks or claims are found", "[verify]") {
    const auto odd_one = [](std::size_t rounds, block_index blocks, capabilities claims) {
        return [=](place at) -> any_generator {
            if (at.rank == 2) return scripted(script(rounds), blocks, claims);
            return scripted(script(1), 2, {});
        };
    };
    check_found(prove(collective::reduce, 3, 0, odd_one(2, 2, {})), 2, -1, -1, -1, -1,
                "rounds() is 2, but 1");
    check_found(prove(collective::reduce, 3, 0, odd_one(1, 3, {})), 2, -1, -1, -1, -1,
                "blocks() is 3, but 2");
    check_found(prove(collective::reduce, 3, 0, odd_one(1, 2, {.any_size = false})), 2, -1, -1, -1, -1,
                "claims()");
}

TEST_CASE("blocks that cannot be shared out are found", "[verify]") {
    play p = ring_allgather();
    p.blocks = 4;
    check_found(tried(collective::allgather, p), 0, -1, -1, -1, -1, "no multiple of the number of ranks");
}

TEST_CASE("a place that is none is refused", "[verify]") {
    const play p = chain_bcast();
    CHECK_THROWS_AS(prove(collective::bcast, 0, 0, p), argument_error);
    CHECK_THROWS_AS(prove(collective::bcast, 3, 3, p), argument_error);
    CHECK_THROWS_AS(prove(collective::bcast, 3, -1, p), argument_error);
}

// ---- properties

/// `p` without step k of round i of a rank.
play without(play p, std::size_t rank, std::size_t round, std::size_t k) {
    auto& steps = p.ranks[rank][round];
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(k));
    return p;
}

TEST_CASE("no step of a right schedule can be left out", "[verify]") {
    const auto [what, whole] =
        GENERATE(std::pair(collective::reduce, serial_reduce()), std::pair(collective::bcast, chain_bcast()),
                 std::pair(collective::allgather, ring_allgather()));
    play p = whole;
    p.claims = {};
    REQUIRE(tried(what, p).proved);
    for (std::size_t r = 0; r < p.ranks.size(); ++r)
        for (std::size_t i = 0; i < p.ranks[r].size(); ++i)
            for (std::size_t k = 0; k < p.ranks[r][i].size(); ++k) {
                CAPTURE(r, i, k);
                CHECK_FALSE(tried(what, without(p, r, i, k)).proved);
            }
}

// ---- many blocks are proved a slice at a time

TEST_CASE("a fault in one of many blocks is found with its number", "[verify]") {
    constexpr block_index many = 1000;
    const block_set whole{.first = 700, .count = many};
    play p;
    p.blocks = many;
    p.ranks = {{{step::recv_reduce(1, whole, right), step::recv_reduce(2, whole, right)}},
               {{step::send(0, whole)}},
               {{step::send(0, whole)}}};
    p.claims = {.order_preserving = true, .sent_blocks = many, .reduced_blocks = 2 * many};
    CHECK(tried(collective::reduce, p).proved);
    SECTION("folded twice") {
        p.ranks[0].push_back({step::recv_reduce(1, one(643), right)});
        p.ranks[1].push_back({step::send(0, one(643))});
        check_found(tried(collective::reduce, p), 0, 1, 0, 643, 1, "folded in twice");
    }
    SECTION("not folded at all") {
        for (rank_type r : {0, 1})
            p.ranks[static_cast<std::size_t>(r)][0][0].blocks = {.first = 644, .count = many - 1};
        check_found(tried(collective::reduce, p), 0, -1, -1, 643, -1, "0,2; due: block 643 of rank(s) 0..2");
    }
    SECTION("scratch adds up over the slices") {
        p.ranks[1].push_back({step::copy(whole, buffer_name::work, buffer_name::scratch)});
        p.claims.scratch_blocks = many;
        const proof q = tried(collective::reduce, p);
        CHECK(q.proved);
        CHECK(q.scratch_blocks == many);
    }
}

} // namespace
