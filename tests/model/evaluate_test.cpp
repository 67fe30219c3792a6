// SPDX-License-Identifier: BSL-1.0
// labels: optimised
#include <tutti/model/evaluate.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <tutti/simulate/simulate.hpp>

#include "support/catch2.hpp"
#include "support/closed_forms.hpp"
#include "support/ensembles.hpp"
#include "support/scripted.hpp"

using namespace tutti;
using support::any_ensemble;
using support::ensemble_of;
using support::equal;
using support::for_each_schedule;
using testing::play;

namespace {

const std::vector<rank_type> sizes{1, 2, 3, 5, 8, 13, 16};

/// One machine of every kind; LogGOPS with dear gaps and a rendezvous, too.
const std::vector<machine>& machines() {
    static const std::vector<machine> all{
        {.name = "loggops", .model = loggops{}},
        {.name = "loggops, long gap, rendezvous",
         .model = loggops{.g = 30, .O = .001, .S = 20, .fold_per_byte = .001, .copy_per_byte = .002}},
        {.name = "measured",
         .model = measured{.call = 1,
                           .send = piecewise::line(.1, .001),
                           .latency = piecewise::constant(.3),
                           .recv = piecewise::line(.2, .002),
                           .recv_fold = piecewise::line(.2, .004),
                           .fetch = piecewise::line(.1, .003),
                           .local = piecewise::line(0, .001)}},
        {.name = "moody",
         .model = moody_2003::model{.L = 2.1,
                                    .r = piecewise::constant(.42),
                                    .C = 9.2,
                                    .c = {{"sum", piecewise::line(0, .2)}},
                                    .operation = "sum"}},
        {.name = "rabenseifner", .model = rabenseifner_2004::model{10, .01, .002, 8, .006}},
        {.name = "kumar_kale",
         .model = kumar_kale_2004::model{.alpha = 9, .beta = .003, .beta_em = .002, .delta = .001, .L = 2}}};
    return all;
}

/// A generator that says neither which rounds are uniform nor when its rank is active.
struct silent {
    any_generator g;

    round_index rounds() const noexcept { return g.rounds(); }
    block_index blocks() const noexcept { return g.blocks(); }
    capabilities claims() const {
        capabilities c = g.claims();
        c.uniform_rounds = 0;
        c.bounded_from = unstated;
        return c;
    }
    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        g.emit(i, sink);
    }
};

ensemble<silent> silenced(const any_ensemble& all) {
    return ensemble([&](place at) { return silent{all[at.rank]}; }, all.size());
}

any_ensemble ensemble_of(const play& p) {
    return any_ensemble([&](place at) { return p(at); }, static_cast<rank_type>(p.ranks.size()));
}

/// Latency 1 and nothing else: counts messages in a row.
struct hops {
    static constexpr bool synchronous = false;
    cost start() const { return {}; }
    cost sender(const message_facts&) const { return {}; }
    cost flight(const message_facts&) const { return {.startup = 1}; }
    cost receiver(const message_facts&) const { return {}; }
    cost fold(std::int64_t) const { return {}; }
    cost copy(std::int64_t) const { return {}; }
};

/// A message takes a us per byte, both its ends are busy with it; a fold takes 100.
struct phone {
    static constexpr bool synchronous = true;
    cost start() const { return {.startup = 1000}; }
    cost sender(const message_facts& m) const { return flight(m); }
    cost flight(const message_facts& m) const { return {.transfer = static_cast<double>(m.bytes)}; }
    cost receiver(const message_facts&) const { return {}; }
    cost fold(std::int64_t) const { return {.fold = 100}; }
    cost copy(std::int64_t) const { return {.fold = 10}; }
};

block_bytes bytes_for(const any_ensemble& all, std::int64_t block) {
    return block_bytes::even(block * all.blocks(), all.blocks());
}

} // namespace

TEST_CASE("the parts of a price add up to it, and no processor works longer than all takes", "[model]") {
    for_each_schedule(sizes, [](const any_ensemble& all, const std::string& name) {
        for (const machine& on : machines()) {
            INFO(name << " on " << on.name);
            const price p = evaluate(on, all, bytes_for(all, 24));
            CHECK(p.us == p.parts.us());
            CHECK(p.us >= 0);
            CHECK((p.slowest >= 0 && p.slowest < all.size()));
            if (on.name != "rabenseifner") CHECK(p.busy_us <= p.us + 1e-9); // it has two ports
        }
    });
}

TEST_CASE("who asks only whether it takes longer gets a bound after the first round that shows it",
          "[model]") {
    int left_off = 0;
    for_each_schedule(sizes, [&](const any_ensemble& all, const std::string& name) {
        const block_bytes bytes = bytes_for(all, 24);
        for (const machine& on : machines()) {
            INFO(name << " on " << on.name);
            const price whole = evaluate(on, all, bytes);
            const auto until = [&](double enough_us) {
                return std::visit(
                    [&](const auto& model) { return evaluate_until(model, all, bytes, enough_us); },
                    on.model);
            };
            const partial_price same = until(whole.us);
            CHECK(same.rounds == all.rounds());
            CHECK(same.until == whole);
            const partial_price half = until(whole.us / 2);
            CHECK((half.rounds == all.rounds() ? half.until == whole : half.until.us <= whole.us));
            if (half.rounds == all.rounds()) continue;
            ++left_off;
            CHECK(half.until.us > whole.us / 2);
            CHECK(until(half.until.us).rounds > half.rounds);
            CHECK(until(std::nexttoward(half.until.us, 0)).rounds == half.rounds);
        }
    });
    CHECK(left_off > 500);
}

TEST_CASE("one rank that walks for all finds what all of them find, blocks being equal", "[model]") {
    int shortened = 0;
    for_each_schedule(sizes, [&](const any_ensemble& all, const std::string& name) {
        const block_bytes bytes = bytes_for(all, 24);
        for (const machine& on : machines()) {
            const price whole = evaluate(on, silenced(all), bytes);
            const price shorter = evaluate(on, all, bytes);
            if (all.claims().uniform_rounds > 0) ++shortened;
            if (equal(shorter.us, whole.us) && equal(shorter.busy_us, whole.busy_us)
                && equal(shorter.parts.fold, whole.parts.fold))
                continue;
            FAIL_CHECK(name << " on " << on.name << ": " << shorter.us << " instead of " << whole.us);
        }
    });
    CHECK(shortened > 500);
}

TEST_CASE("the busiest rank of each round that stands for all of many is hardly later than all are",
          "[model]") {
    double most = 0;
    for (const auto& [what, name, with] :
         {std::tuple<collective, const char*, parameters>{collective::allgather, "prefix_send", {}},
          {collective::allgather, "prefix_send", {{"outstanding", 4}}},
          {collective::allgather, "kprefix", {{"k", 4}}},
          {collective::allgather, "kprefix", {{"k", 8}, {"outstanding", 4}}},
          {collective::alltoall, "prefix_send", {}},
          {collective::alltoall, "prefix_send", {{"outstanding", 4}}},
          {collective::alltoall, "kprefix", {{"k", 4}}},
          {collective::alltoall, "kprefix", {{"k", 8}, {"outstanding", 4}}},
          {collective::alltoall, "hypercube", {}},
          {collective::bcast, "scatter_ring_allgather", {}}})
        for (const machine& on : machines()) {
            // One dimension at least to exchange, and many direct rounds.
            const rank_type size = std::string_view(name) == "hypercube" ? 712 : 701;
            const any_ensemble all = ensemble_of(what, name, size, with);
            CHECK(all.claims().bounded_from >= 0);
            const double whole = evaluate(on, silenced(all), bytes_for(all, 24)).us;
            const double bound = evaluate(on, all, bytes_for(all, 24)).us;
            INFO(name_with_options(name, with) << " on " << on.name);
            if (bound < whole * (1 - 1e-9)) CHECK(bound >= whole);
            CHECK(bound <= 1.02 * whole);
            most = std::max(most, bound / whole);
        }
    CHECK(most > 1); // it is one
}

TEST_CASE("with blocks of unequal size the price is that of the larger: never too low", "[model]") {
    double most = 0;
    std::string where;
    for_each_schedule(sizes, [&](const any_ensemble& all, const std::string& name) {
        for (const std::int64_t vector : {1, 8, 100, 1003})
            for (const machine& on : machines()) {
                INFO(name << " on " << on.name << ", " << vector << " bytes");
                const block_bytes bytes = block_bytes::even(vector, all.blocks());
                const double whole = evaluate(on, silenced(all), bytes).us;
                const double shorter = evaluate(on, all, bytes).us;
                if (shorter < whole * (1 - 1e-9)) CHECK(shorter >= whole);
                if (whole == 0 || shorter / whole - 1 <= most) continue;
                most = shorter / whole - 1;
                where = name;
            }
    });
    CAPTURE(most, where);
    CHECK(most < 0.6);   // a byte in 128 blocks of 16 ranks, in a machine in which bytes are dear
    CHECK(most > 0.001); // it does happen
}

TEST_CASE("blocks of counts of their own are counted on every rank", "[model]") {
    const any_ensemble ring = ensemble_of(collective::allgather, "ring", 5);
    const std::vector<std::int64_t> counts{0, 1000, 0, 0, 0};
    const block_bytes bytes(block_layout::by_counts(counts), 1);
    const price found = evaluate(loggops{}, ring, bytes);
    // Block 1 goes round: 4 messages, each waited for.
    CHECK(equal(found.us, 4 * (1.5 + 2.5 + 1.5 + 999 * 0.006)));
    CHECK(found.slowest == 0);
    CHECK(equal(found.us, evaluate(loggops{}, silenced(ring), bytes).us));
}

TEST_CASE("where all ranks do the same a price in LogGOPS is what a simulation takes", "[model]") {
    // Elsewhere they differ: a simulated rank takes a message when it comes, a priced one when it is its
    // turn; and it copies while it waits, so copies cost nothing here.
    const loggops on{.fold_per_byte = .0005};
    int same = 0;
    for_each_schedule(sizes, [&](const any_ensemble& all, const std::string& name) {
        if (all.claims().uniform_rounds < all.rounds() || all.claims().max_outstanding > 2) return;
        for (const std::int64_t block : {8, 1000, 100000}) { // short, long, rendezvous
            INFO(name << ", blocks of " << block << " bytes");
            const block_bytes bytes = bytes_for(all, block);
            const double simulated = simulate(all, bytes, {.machine = on}).completion_us();
            const double priced = evaluate(on, all, bytes).us;
            CHECK(std::abs(priced - simulated) <= 1e-6 * static_cast<double>(all.rounds() + 1)); // whole ps
            ++same;
        }
    });
    CHECK(same > 300);
}

TEST_CASE("messages in a row are the height of trees and the rounds of exchanges", "[model]") {
    for (rank_type p = 2; p <= 40; ++p) {
        CAPTURE(p);
        const auto in_a_row = [&](collective what, const char* name, const parameters& with = {}) {
            const any_ensemble all = ensemble_of(what, name, p, with);
            const price found = evaluate(hops{}, all, bytes_for(all, 8));
            CHECK(found.us == static_cast<double>(found.messages));
            return found.messages;
        };
        CHECK(in_a_row(collective::bcast, "chain", {{"segments", 1}}) == p - 1);
        CHECK(in_a_row(collective::bcast, "serial") == 1);
        CHECK(in_a_row(collective::reduce, "serial") == 1);
        CHECK(in_a_row(collective::bcast, "fnomial") == floor_log2(p)); // the most 1 bits below p
        CHECK(in_a_row(collective::barrier, "dissemination") == ceil_log2(p));
        CHECK(in_a_row(collective::allreduce, "ring") == 2 * (p - 1));
    }
}

TEST_CASE("a message that comes when its receiver gets ready is not waited for", "[model]") {
    struct copying_hops : hops {
        cost copy(std::int64_t) const { return {.fold = 1}; }
    };
    const block_set one{.first = 0, .count = 1};
    play p;
    p.ranks = {{{step::send(1, one)}},
               {{step::copy(one, buffer_name::work, buffer_name::scratch), step::recv(0, one)}}};
    const price found = evaluate(copying_hops{}, ensemble_of(p), block_bytes::even(8, 1));
    CHECK(found == price{.us = 1, .parts = {.fold = 1}, .busy_us = 1, .slowest = 1});
}

TEST_CASE("a reduction of 5 ranks by hand", "[model]") {
    // Binomial, L = 2, r = 1, c = 1: 0 and 2 are done with 1 and 3 at 4; 2's message is there at 6 and folded
    // at 8; 4's has been there since 2, and takes until 10.
    const moody_2003::model on{
        .L = 2, .r = piecewise::constant(1), .c = {{"sum", piecewise::constant(1)}}, .operation = "sum"};
    const any_ensemble all = ensemble_of(collective::reduce, "fnomial", 5, {{"radix", 2}});
    const price found = evaluate(on, all, block_bytes::even(8, all.blocks()));
    CHECK(found.us == 10);
    CHECK(found.parts == cost{.startup = 4, .transfer = 3, .fold = 3});
    CHECK(found.messages == 2);
    CHECK(found.slowest == 0);
    CHECK(found.busy_us == 6); // of the root: three messages
}

TEST_CASE("messages of a pair are matched in order, others in any", "[model]") {
    // Rank 2 lists what comes from 1 first; 0's two messages come in their order.
    play p;
    p.blocks = 3;
    const auto one = [](block_index b) { return block_set{.first = b, .count = 1}; };
    p.ranks = {{{step::send(2, {.first = 0, .count = 2}), step::send(2, one(0))}},
               {{step::send(2, one(1))}},
               {{step::recv(1, one(1)), step::recv(0, {.first = 0, .count = 2}),
                 step::recv_reduce(0, one(0), operand_side::left)}}};
    struct by_bytes : hops {
        cost receiver(const message_facts& m) const {
            return {.transfer = static_cast<double>(m.bytes) * (m.folded ? 100 : 1)};
        }
    };
    CHECK(evaluate(by_bytes{}, ensemble_of(p), block_bytes::even(3, 3)).us == 1 + 1 + 2 + 100);
}

TEST_CASE("a model is told what a message is", "[model]") {
    struct told : hops {
        std::vector<message_facts>* heard;
        cost sender(const message_facts& m) const {
            heard->push_back(m);
            return {};
        }
    };
    std::vector<message_facts> heard;
    told on;
    on.heard = &heard;
    play p; // 0 sends 3 blocks in two parts to 1, which folds; 2 and 3 exchange
    p.blocks = 4;
    const block_set all4{.first = 0, .count = 4};
    p.ranks = {{{step::send(1, {0, 1}).and_next(), step::send(1, {2, 2})}},
               {{step::recv_reduce(0, {0, 1}, operand_side::left).and_next(),
                 step::recv_reduce(0, {2, 2}, operand_side::left)}},
               {{step::send(3, all4), step::recv(3, all4)}},
               {{step::send(2, all4), step::recv(2, all4)}}};
    evaluate(on, ensemble_of(p), block_bytes::even(40, 4));
    REQUIRE(heard.size() == 2); // of messages that are alike once
    CHECK(heard[0].bytes == 30);
    CHECK(heard[0].blocks == 3);
    CHECK(heard[0].folded);
    CHECK_FALSE(heard[0].both_ways);
    CHECK(heard[1].bytes == 40);
    CHECK_FALSE(heard[1].folded);
    CHECK(heard[1].both_ways);
}

TEST_CASE("in a synchronous model both ends have to come, and a rank has a port each way", "[model]") {
    const block_set one{.first = 0, .count = 1};
    const auto us = [](const play& p) {
        return evaluate(phone{}, ensemble_of(p), block_bytes::even(8, p.blocks)).us - 1000;
    };
    play p;
    SECTION("the receiver is busy with another one") {
        p.ranks = {
            {{step::send(2, one)}},
            {{step::send(2, one)}},
            {{step::recv_reduce(0, one, operand_side::left), step::recv_reduce(1, one, operand_side::left)}}};
        CHECK(us(p) == 8 + 100 + 8 + 100);
    }
    SECTION("the sender is, with what its receiver waits for") {
        p.ranks = {
            {{step::send(1, one), step::send(2, one)}}, {{step::recv(0, one)}}, {{step::recv(0, one)}}};
        CHECK(us(p) == 16);
    }
    SECTION("the receiver comes late") {
        p.ranks = {{{}, {step::send(1, one)}},
                   {{step::copy(one, buffer_name::work, buffer_name::scratch)}, {step::recv(0, one)}}};
        CHECK(us(p) == 10 + 8);
    }
    SECTION("both ways at once") {
        p.ranks = {{{step::send(1, one), step::recv(1, one)}}, {{step::send(0, one), step::recv(0, one)}}};
        CHECK(us(p) == 8);
    }
}

TEST_CASE("in a synchronous model the direct reduce-scatter goes in waves, each a shift", "[model]") {
    for (const rank_type p : {2, 3, 5, 8, 13}) {
        const any_ensemble all = ensemble_of(collective::reduce_scatter, "direct", p);
        const double expected = 1000 + (p - 1) * (8.0 + 100);
        CHECK(evaluate(phone{}, all, bytes_for(all, 8)).us == expected);
        CHECK(evaluate(phone{}, silenced(all), bytes_for(all, 8)).us == expected);
    }
}

TEST_CASE("a machine prices as its model does", "[model]") {
    const any_ensemble all = ensemble_of(collective::allreduce, "fnomial", 13);
    for (const machine& on : machines())
        std::visit(
            [&](const auto& model) {
                CHECK(evaluate(on, all, bytes_for(all, 8)) == evaluate(model, all, bytes_for(all, 8)));
            },
            on.model);
}

TEST_CASE("nobody waits for anything if there is one rank", "[model]") {
    const any_ensemble all = ensemble_of(collective::allreduce, "ring", 1);
    const price found = evaluate(moody_2003::model{.L = 2, .r = {}, .C = 9}, all, bytes_for(all, 8));
    CHECK(found == price{.us = 9, .parts = {.startup = 9}, .busy_us = 9});
}

TEST_CASE("what does not fit is refused", "[model]") {
    const any_ensemble ring = ensemble_of(collective::allgather, "ring", 5);
    CHECK(support::refuses("blocks that have bytes", "4",
                           [&] { evaluate(loggops{}, ring, block_bytes::even(40, 4)); }));
    const block_set one{.first = 0, .count = 1};
    const auto refused = [&](const play& p, const std::string& round) {
        return support::refuses("schedule", "sends and receives of round " + round + " that differ",
                                [&] { evaluate(loggops{}, ensemble_of(p), block_bytes::even(8, 1)); });
    };
    play p;
    p.ranks = {{{}, {step::send(1, one)}}, {{}, {}}}; // is not received
    CHECK(refused(p, "1"));
    p.ranks = {{{}}, {{step::recv(0, one)}}}; // is not sent
    CHECK(refused(p, "0"));
    p.ranks = {{{step::send(2, one)}}, {{step::recv(0, one)}}, {{}}}; // goes to another rank
    CHECK(refused(p, "0"));
}
