// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/multicast.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/named.hpp>
#include <tutti/schedule/on_slots.hpp>

#include "support/catch2.hpp"
#include "support/extent.hpp"
#include "support/multicasts.hpp"
#include "support/relations.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

const std::vector<rank_type> sizes =
    support::chosen({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 33, 64},
                    {1, 2, 3, 5, 8, 13, 16, 33});

/// Calls f(name, factory, relation) for a strategy, all sizes and some relations of each.
template <class Strategy, class F>
void for_each_relation(const std::string& name, const Strategy& how, F&& f) {
    for (const rank_type size : sizes)
        for (const relation& who : support::some_relations(size, 20040701)) {
            INFO(name << ", size " << size << ", " << who.pairs() << " pairs");
            f(multicast_of(how, who), who);
        }
}

/// A placement with holes: `size` ranks on every slot but each third.
slot_map with_holes(rank_type size) {
    std::vector<rank_type> slots;
    for (rank_type s = 0; static_cast<rank_type>(slots.size()) < size; ++s)
        if (s % 3 != 1) slots.push_back(s);
    return {slots.back() + 1, slots};
}

void check_useful(const generator_factory& strategy, const relation& who) {
    const generator_factory make = made_once(strategy, who.size());
    const proof p = check_proved(who, make);
    const traffic seen = traffic_of(who.size(), who, make);
    CHECK(seen.useless == "");
    CHECK(seen.blocks >= who.pairs());
    CHECK(p.sent_blocks >= p.bounds.sent_blocks);
    CHECK(p.critical_messages >= p.bounds.rounds);
}

/// In addition every message is one pair's.
void check_direct(const generator_factory& strategy, const relation& who) {
    const generator_factory make = made_once(strategy, who.size());
    check_useful(make, who);
    const traffic seen = traffic_of(who.size(), who, make);
    CHECK(seen.blocks == who.pairs());
    CHECK(seen.messages == who.pairs());
}

} // namespace

TEST_CASE(
    "every allgather strategy of the catalogue is proved as a multicast, and carries nothing for nothing",
    "[schedule][multicast]") {
    for (const catalogue_entry& entry : catalogue())
        if (entry.what == collective::allgather)
            for_each_relation(std::string(entry.name), named{entry.name}, check_useful);
}

TEST_CASE("strategies with options are proved as multicasts", "[schedule][multicast]") {
    for_each_relation("kshift", kshift{.k = 3}, check_useful);
    for_each_relation("kprefix", kprefix{.k = 2}, check_useful);
    for_each_relation("hypercube", hypercube{.zeta = 2}, check_useful);
    for_each_relation("kshift, 4 at once", flow_controlled<kshift>{{.k = 4}, 4, 8}, check_useful);
    for_each_relation("kprefix, barriers", flow_controlled<kprefix>{{.k = 4}, 2, 4, synchronise::everybody},
                      check_useful);
}

TEST_CASE("direct strategies send one message per pair, also on slots", "[schedule][multicast]") {
    for_each_relation("serial", serial{}, check_direct);
    for_each_relation("direct", direct{}, check_direct);
    for_each_relation("prefix_send", prefix_send{}, check_direct);
    for_each_relation("direct, 4 at once", flow_controlled<direct>{{}, 4, 8}, check_direct);
    for_each_relation("prefix_send, paced", flow_controlled<prefix_send>{{}, 1, 3}, check_direct);
    for (const rank_type size : sizes)
        for (const relation& who : support::some_relations(size, 3)) {
            CAPTURE(size, who.pairs());
            check_direct(multicast_of(on_slots<direct>{.slots = with_holes(size)}, who), who);
            check_direct(multicast_of(on_slots<prefix_send>{.slots = with_holes(size)}, who), who);
            check_useful(multicast_of(on_slots<kprefix>{{.k = 4}, with_holes(size)}, who), who);
        }
}

TEST_CASE("direct strategies keep their rounds, so that messages meet as they do in an allgather",
          "[schedule][multicast]") {
    const relation who = support::random_relation(13, 30, false, 5);
    for (rank_type r = 0; r < 13; ++r) {
        const place at{.rank = r, .size = 13};
        const auto all = generate(of<collective::allgather>, prefix_send{}, at);
        const auto some = generate(of<collective::multicast>, prefix_send{}, who, at);
        REQUIRE(some.rounds() == all.rounds());
        for (round_index i = 0; i < all.rounds(); ++i) {
            std::vector<step> expected, seen;
            all.emit(i, [&](const step& s) {
                const auto owner = static_cast<rank_type>(s.blocks.first);
                if (who.wants(s.kind == step_kind::send ? s.peer : r, owner)) expected.push_back(s);
            });
            some.emit(i, [&](const step& s) { seen.push_back(s); });
            CHECK(seen == expected);
        }
    }
}

TEST_CASE("a multicast of everybody to everybody is the allgather", "[schedule][multicast]") {
    for (const catalogue_entry& entry : catalogue()) {
        if (entry.what != collective::allgather) continue;
        for (const rank_type size : sizes) {
            INFO(entry.name << ", size " << size);
            const relation all = relation::all_to_all(size);
            const generator_factory allgather = [&](place at) { return entry.make(at, {}); };
            const generator_factory multicast = multicast_of(named{entry.name}, all);
            const traffic before = traffic_of(size, all, allgather);
            const traffic after = traffic_of(size, all, multicast);
            CHECK(before.useless == "");
            CHECK(after.messages == before.messages);
            CHECK(after.blocks == before.blocks);
            const proof a = check_proved(collective::allgather, size, 0, allgather);
            const proof m = check_proved(all, multicast);
            CHECK(m.sent_blocks == a.sent_blocks);
            CHECK(m.max_outstanding == a.max_outstanding);
            CHECK(m.rounds == a.rounds);
        }
    }
}

TEST_CASE("where nobody sends nothing is done", "[schedule][multicast]") {
    for (const rank_type size : sizes) {
        const relation nobody(size, std::vector<std::vector<rank_type>>(static_cast<std::size_t>(size)));
        CHECK(check_proved(nobody, multicast_of(serial{}, nobody)).rounds == 0);
        CHECK(check_proved(nobody, multicast_of(circulant{}, nobody)).rounds == 0);
        CHECK(check_proved(nobody, multicast_of(direct{}, nobody)).sent_messages == 0);
    }
}

TEST_CASE("a relation of another number of ranks is refused", "[schedule][multicast]") {
    const relation who = relation::all_to_all(4);
    const place at{.rank = 0, .size = 5};
    CHECK_THROWS_AS(generate(of<collective::multicast>, direct{}, who, at), argument_error);
    CHECK_THROWS_AS(generate(of<collective::multicast>, serial{}, who, at), argument_error);
    CHECK_THROWS_AS(generate(of<collective::multicast>, ring{}, who, at), argument_error);
    CHECK_THROWS_AS(generate(of<collective::multicast>, named{"ring"}, who, place{.rank = 4, .size = 4}),
                    argument_error);
}
