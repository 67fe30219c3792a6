// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/selection.hpp>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <tutti/model/default_machine.hpp>
#include <tutti/model/machine_file.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"
#include "support/document.hpp"
#include "support/extent.hpp"

using namespace tutti;
using verdict = rated_candidate::verdict;

namespace {

machine elan() { return parse_machine(support::text_of("machines/quadrics-elan3-nic.machine")); }

const std::vector<machine>& machines() {
    static const std::vector<machine> all{
        default_machine(),
        {.name = "loggops", .model = loggops{}},
        elan(),
        {.name = "rabenseifner",
         .model =
             rabenseifner_2004::model{
                 .alpha = 5, .beta = 0.01, .gamma = 0.002, .alpha_uni = 4, .beta_uni = 0.008}},
        {.name = "kumar_kale",
         .model = kumar_kale_2004::model{.alpha = 7, .beta = 0.003, .beta_em = 0.002, .L = 3}}};
    return all;
}

price price_of(const machine& on, const candidate& c, const selection_request& r) {
    const ensemble all([&](place at) { return c.schedule(at); }, r.size, r.root);
    return evaluate(on, all, block_bytes::even(r.bytes, all.blocks(), r.element_bytes));
}
price price_of(const machine& on, const rated_candidate& c, const selection_request& r) {
    return price_of(on, c.what, r);
}

const rated_candidate* named_in(const ranking& r, const std::string& name) {
    for (const rated_candidate& c : r.all)
        if (name_of(c.what) == name) return &c;
    return nullptr;
}

} // namespace

TEST_CASE("what is ranked first costs least of all, by a price taken afresh", "[model][selection]") {
    for (const machine& on : machines())
        for (const collective what : all_collectives)
            for (const rank_type size : {1, 2, 5, 13})
                for (const std::int64_t bytes : {0, 8, 30000}) {
                    const selection_request request{.what = what, .size = size, .bytes = bytes};
                    const ranking r = rank_algorithms(on, request);
                    REQUIRE(r.any());
                    double before = 0;
                    for (const rated_candidate& c : r.all) {
                        INFO(on.name << " " << name_of(what) << " " << size << " " << name_of(c.what));
                        if (c.how == verdict::refused) {
                            CHECK(!c.refusal.empty());
                            continue;
                        }
                        if (c.how != verdict::priced) {
                            CHECK(c.at_least_us > r.best().cost.us);
                            CHECK(price_of(on, c, request).us >= c.at_least_us * (1 - 1e-9));
                            continue;
                        }
                        CHECK(c.cost == price_of(on, c, request));
                        CHECK(c.cost.us >= before);
                        before = c.cost.us;
                    }
                }
}

TEST_CASE("what is chosen is the first of the cheapest, as if no candidate were left before the end",
          "[model][selection]") {
    for (const machine& on : machines())
        for (const collective what : all_collectives)
            for (const selection_request& request :
                 {selection_request{
                      .what = what, .size = 16, .root = has_root(what) ? 5 : 0, .bytes = 16 << 20},
                  selection_request{.what = what, .size = 40, .bytes = 65536}}) {
                candidate cheapest;
                price least{.us = std::numeric_limits<double>::infinity()};
                const stage_times stage = tutti::detail::any_cost_model::of(on).stage_of(request);
                for_each_candidate(catalogue_of(what), request, stage, [&](const candidate& c) {
                    const any_generator any_rank = c.schedule({0, request.size, request.root});
                    if (!not_covered(any_rank.claims(), request).empty()) return;
                    const price whole = price_of(on, c, request);
                    if (whole.us < least.us) {
                        least = whole;
                        cheapest = c;
                    }
                });
                const ranking r = rank_algorithms(on, request);
                INFO(on.name << " " << name_of(what) << " " << request.size);
                CHECK(name_of(r.best().what) == name_of(cheapest));
                CHECK(r.best().cost == least);
            }
}

TEST_CASE("a candidate that is not priced to the end would not have won", "[model][selection]") {
    for (const selection_request& request :
         {selection_request{.what = collective::allgather, .size = 300, .bytes = 2400},
          selection_request{.what = collective::bcast, .size = 600, .root = 3, .bytes = 600'000},
          selection_request{.what = collective::reduce, .size = 520, .root = 519, .bytes = 10'000'000},
          selection_request{.what = collective::allreduce, .size = 1030, .bytes = 700'000},
          selection_request{.what = collective::scan, .size = 1030, .bytes = 700'000},
          selection_request{.what = collective::alltoall, .size = 1160, .bytes = 116'000}})
        for (const machine& on : machines()) {
            const ranking r = rank_algorithms(on, request);
            int hopeless = 0;
            double before = 0; // in the order of what they take at least
            for (const rated_candidate& c : r.all)
                if (c.how == verdict::hopeless) {
                    ++hopeless;
                    CHECK(c.at_least_us >= std::exchange(before, c.at_least_us));
                    INFO(on.name << " " << name_of(request.what) << " " << name_of(c.what) << ": "
                                 << r.reason(c));
                    CHECK(c.at_least_us > r.best().cost.us);
                    CHECK(price_of(on, c, request).us >= c.at_least_us * (1 - 1e-9));
                }
            INFO(on.name << "\n" << r.explain());
            CHECK(hopeless > 0);
        }
}

TEST_CASE("a tree is left for what its messages in a row take, without a look at all ranks",
          "[model][selection]") {
    const selection_request down{.what = collective::bcast, .size = 4096, .root = 7, .bytes = 65536};
    const selection_request up{.what = collective::reduce, .size = 4096, .root = 7, .bytes = 65536};
    for (const auto& [request, name] : {std::pair{down, "fnomial radix=2 segments=1"},
                                        {down, "chain segments=1"},
                                        {up, "fnomial radix=2 segments=1"}}) {
        const ranking r = rank_algorithms(default_machine(), request);
        const rated_candidate* const tree = named_in(r, name);
        REQUIRE(tree != nullptr);
        INFO(name << ": " << r.reason(*tree));
        CHECK(tree->how == verdict::hopeless);
        CHECK(tree->looked_at == 0);
    }
}

TEST_CASE("a long ring on many ranks is left for what one of them spends on its messages",
          "[model][selection]") {
    // All ranks' steps would be 16 million: it took seconds to choose.
    const selection_request request{.what = collective::allgather, .size = 4095, .bytes = 8};
    for (const rated_candidate& c : rank_algorithms(default_machine(), request).all)
        if (c.what.entry->name == "kring" || c.what.entry->name == "neighbor_exchange") {
            CHECK(c.how == verdict::hopeless);
            CHECK(c.looked_at == 0);
        }
}

TEST_CASE("claims refuse what they do not cover, with the reason, whatever it would cost",
          "[model][selection]") {
    for (const rank_type root : {0, 1, 4}) {
        const selection_request ordered{
            .what = collective::reduce, .size = 5, .root = root, .bytes = 80000, .commutative = false};
        const ranking r = rank_algorithms(default_machine(), ordered);
        REQUIRE(r.any());
        int refused = 0;
        for (const rated_candidate& c : r.all) {
            const bool keeps = c.what.entry->make({0, 5, root}, c.what.with).claims().order_preserving;
            CHECK((c.how == verdict::refused) == !keeps);
            if (keeps) continue;
            ++refused;
            const bool at_zero = c.what.entry->make({0, 5, 0}, c.what.with).claims().order_preserving;
            CHECK(r.reason(c)
                  == (at_zero
                          ? "keeps the order of ranks with root 0, but not with all, and the operation is "
                            "not commutative"
                          : "does not keep the order of ranks, and the operation is not commutative"));
        }
        CHECK(refused > 0);
        CHECK(r.all.back().how == verdict::refused);
    }
    const ranking none = rank_algorithms(
        default_machine(), {.what = collective::alltoall, .size = 5, .bytes = 400, .equal_blocks = false});
    CHECK(!none.any());
    CHECK(none.explain().find("needs blocks of equal length") != std::string::npos);
}

TEST_CASE("a ranking says of every candidate what it is, what it takes and why", "[model][selection]") {
    const auto named = [](std::string_view name, const parameters& given = {}) {
        const catalogue_entry* entry = find_algorithm(collective::allgather, name);
        return candidate{.entry = entry, .with = effective(*entry, given)};
    };
    const auto takes = [](double startup, double transfer, double fold, std::int64_t messages) {
        const cost parts{.startup = startup, .transfer = transfer, .fold = fold};
        return price{.us = startup + transfer + fold, .parts = parts, .messages = messages};
    };
    const ranking r{
        .all = {
            {.what = named("ring"), .cost = takes(4, 6, 0, 3)},
            {.what = named("circulant"), .cost = takes(4, 6, 0, 3)},
            {.what = named("bruck"), .cost = takes(5, 14, 1, 3)},
            {.what = named("recursive_doubling"), .cost = takes(6, 9, 13, 3)},
            {.what = named("sparbit"), .cost = takes(20, 6.5, 4, 9)},
            {.what = named("kshift", {{"k", 1000000000}, {"outstanding", 1000000000}, {"pace", 1000000000}}),
             .how = verdict::hopeless,
             .at_least_us = 40},
            {.what = named("direct"),
             .how = verdict::hopeless,
             .at_least_us = 41.5,
             .rounds = 7,
             .looked_at = 2},
            {.what = named("mesh2d"), .how = verdict::refused, .refusal = "needs a carpet"}}};
    const auto line = [](std::string name, const std::string& rest) {
        if (name.size() < 40) name.resize(40, ' ');
        return name + rest + "\n";
    };
    const std::string none = "           -     ";
    CHECK(
        r.explain()
        == line("ring", "       10.00 us  the least time")
               + line("circulant message_blocks=0", "       10.00 us  as fast; comes later in the catalogue")
               + line("bruck radix=2",
                      "       20.00 us  more bytes on the way: 14.00 us against 6.00; more startup: 5.00 us "
                      "against 4.00; more folding and copying: 1.00 us")
               + line("recursive_doubling",
                      "       28.00 us  more folding and copying: 13.00 us; more bytes on the way: "
                      "9.00 us against 6.00; more startup: 6.00 us against 4.00")
               + line("sparbit message_blocks=0",
                      "       30.50 us  more startup: 9 messages in a row against 3; more folding "
                      "and copying: 4.00 us")
               + line("kshift k=1000000000 outstanding=1000000000 pace=1000000000",
                      none + "what comes one after the other takes 40.00 us or more")
               + line("direct outstanding=1 pace=0", none + "its first 2 of 7 rounds alone take 41.50 us")
               + line("mesh2d", none + "needs a carpet"));
}

TEST_CASE("a choice for every root covers every root", "[model][selection]") {
    for (rank_type size = 2; size <= support::up_to(20, 9); ++size)
        for (const std::int64_t bytes : {8, 4096, 1 << 20}) {
            const ranking r = rank_algorithms(default_machine(), {.what = collective::reduce,
                                                                  .size = size,
                                                                  .root = 1,
                                                                  .bytes = bytes,
                                                                  .commutative = false,
                                                                  .every_root = true});
            REQUIRE(r.any());
            for (rank_type root = 0; root < size; ++root)
                CHECK(
                    r.best().what.entry->make({0, size, root}, r.best().what.with).claims().order_preserving);
        }
}

TEST_CASE("the same request is ranked the same again, and ties are broken by the catalogue",
          "[model][selection]") {
    const selection_request request{.what = collective::bcast, .size = 2, .bytes = 64};
    const ranking a = rank_algorithms(default_machine(), request);
    CHECK(a.explain() == rank_algorithms(default_machine(), request).explain());
    CHECK(a.best().what.entry->name == "serial"); // with two ranks all trees are one
    REQUIRE(a.all.size() > 1);
    CHECK(a.all[1].cost == a.best().cost);
    CHECK(a.reason(a.all[1]) == "as fast; comes later in the catalogue");
}

TEST_CASE("Moody's 31 nodes: with two elements and more radix 2 is the best of the plain f-nomial trees",
          "[model][selection]") {
    for (const std::int64_t elements : {2, 4, 8}) {
        const ranking r =
            rank_algorithms(elan(), {.what = collective::reduce, .size = 31, .bytes = 8 * elements});
        const rated_candidate* best = named_in(r, "fnomial radix=2 segments=1");
        REQUIRE(best != nullptr);
        for (const rated_candidate& c : r.all)
            if (c.what.entry->name == "fnomial") CHECK(c.cost.us >= best->cost.us);
    }
}

TEST_CASE(
    "Moody's 31 nodes, one element: his formula says radix 4, the walk radix 2, because the root need not "
    "wait for its last and smaller subtree",
    "[model][selection]") {
    const machine on = elan();
    const auto& model = std::get<moody_2003::model>(on.model);
    const ranking r = rank_algorithms(on, {.what = collective::reduce, .size = 31, .bytes = 8});
    const rated_candidate* two = named_in(r, "fnomial radix=2 segments=1");
    const rated_candidate* four = named_in(r, "fnomial radix=4 segments=1");
    REQUIRE((two != nullptr && four != nullptr));
    CHECK(moody_2003::reduce_fnomial(model, 31, 4, 8).us()
          < moody_2003::reduce_fnomial(model, 31, 2, 8).us());
    CHECK(four->cost.us == Approx(moody_2003::reduce_fnomial(model, 31, 4, 8).us()));
    CHECK(two->cost.us == Approx(moody_2003::reduce_fnomial(model, 31, 2, 8).us() - model.L));
    CHECK(&r.best() == two);
}

TEST_CASE("reasons name what the slower one spends more on", "[model][selection]") {
    const machine on{.name = "loggops", .model = loggops{}};
    const ranking few = rank_algorithms(on, {.what = collective::allreduce, .size = 16, .bytes = 8});
    const rated_candidate* ring = named_in(few, "ring");
    REQUIRE(ring != nullptr);
    CHECK(few.reason(*ring).find("more startup: 30 messages in a row against ") == 0);
    CHECK(few.reason(few.best()) == "the least time");
    const ranking many = rank_algorithms(on, {.what = collective::allreduce, .size = 16, .bytes = 16 << 20});
    const rated_candidate* doubling = named_in(many, "recursive_doubling");
    REQUIRE(doubling != nullptr);
    CHECK(many.reason(*doubling).find("more bytes on the way: ") == 0);
}

TEST_CASE("only named candidates are ranked if candidates are named", "[model][selection]") {
    const std::vector<candidate> two{
        {find_algorithm(collective::allreduce, "ring"), {}},
        {find_algorithm(collective::allreduce, "fnomial"), {{"radix", 7}, {"segments", 1}}}};
    const ranking r =
        rank_candidates(default_machine(), {.what = collective::allreduce, .size = 9, .bytes = 8}, two);
    REQUIRE(r.all.size() == 2);
    CHECK(name_of(r.best().what) == "fnomial radix=7 segments=1");
}

TEST_CASE("what a candidate's maker makes is what is ranked, beside the algorithms", "[model][selection]") {
    struct by_ring final : schedule_maker {
        any_generator make(place at) const override {
            return find_algorithm(collective::allreduce, "ring")->make(at, {});
        }
    };
    const by_ring maker;
    const selection_request request{.what = collective::allreduce, .size = 9, .bytes = 8};
    const std::vector<candidate> one{
        {.entry = find_algorithm(collective::allreduce, "fnomial"), .with = {}, .maker = &maker}};
    const auto among = catalogue_of(collective::allreduce);
    const ranking plain = rank_algorithms(default_machine(), request, among);
    const ranking more = rank_algorithms(default_machine(), request, among, {}, one);
    CHECK(more.all.size() == plain.all.size() + 1);
    double ring_us = 0, made_us = 0;
    for (const rated_candidate& c : more.all) {
        if (c.what.entry->name == "ring") ring_us = c.cost.us;
        if (c.what.maker == &maker) made_us = c.cost.us;
    }
    CHECK(ring_us > 0);
    CHECK(made_us == ring_us);
    CHECK(choice_of(one.front()).schedule({0, 9, 0}).rounds() == 16);
}

TEST_CASE("whoever watches a ranking is told after every candidate", "[model][selection]") {
    std::vector<double> told;
    const auto f = [&](double done) { told.push_back(done); };
    const selection_request request{.what = collective::reduce, .size = 20, .bytes = 64};
    const ranking r =
        rank_algorithms(default_machine(), request, catalogue_of(collective::reduce), watcher(f));
    std::size_t covered = 0;
    for (const rated_candidate& c : r.all) covered += c.how != rated_candidate::verdict::refused;
    REQUIRE(told.size() == covered);
    for (std::size_t i = 0; i < told.size(); ++i)
        CHECK(told[i] == Approx(static_cast<double>(i + 1) / static_cast<double>(covered)));
}
