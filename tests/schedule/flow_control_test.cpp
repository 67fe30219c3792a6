// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/flow_control.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <tutti/schedule/allgather/direct.hpp>
#include <tutti/schedule/allgather/kprefix.hpp>
#include <tutti/schedule/allgather/kshift.hpp>
#include <tutti/schedule/allgather/prefix_send.hpp>

#include "support/proving_sizes.hpp"
#include "support/scripted.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

/// `rounds` rounds, round i sending block i to rank i, in stages.
struct staged : scripted {
    staged(round_index rounds, round_index stage) : scripted(script_of(rounds), 16, {}), stage_(stage) {}
    round_index stage() const { return stage_; }

private:
    static script script_of(round_index rounds) {
        script result;
        for (round_index i = 0; i < rounds; ++i)
            result.push_back({step::send(static_cast<rank_type>(i), {.first = i, .count = 1})});
        return result;
    }
    round_index stage_;
};

/// The blocks sent, round by round: "0 1|2 3|4"; "-" for an empty message.
template <generator G>
std::string sent(const G& g) {
    std::string text;
    for (round_index i = 0; i < g.rounds(); ++i) {
        if (i > 0) text += "|";
        bool first = true;
        g.emit(i, [&](const step& s) {
            if (s.kind != step_kind::send) return;
            text += first ? "" : " ";
            text += s.blocks.count == 0 ? "-" : std::to_string(s.blocks.first);
            first = false;
        });
    }
    return text;
}

template <class Strategy>
void prove_under_flow_control(const Strategy& how, rank_type largest) {
    for (const std::int64_t outstanding :
         {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{8}, huge})
        for (const std::int64_t pace :
             {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{5}, std::int64_t{8}, huge})
            for (const synchronise with : {synchronise::neighbours, synchronise::everybody}) {
                CAPTURE(outstanding, pace, with == synchronise::everybody);
                prove_up_to<collective::allgather>(largest,
                                                   flow_controlled<Strategy>{how, outstanding, pace, with});
            }
}

template <class Strategy>
auto controlled(rank_type size, const flow_controlled<Strategy>& how) {
    return generate(of<collective::allgather>, how, {.rank = 0, .size = size});
}

} // namespace

static_assert(staged_generator<allgather_direct>);
static_assert(staged_generator<allgather_prefix_send>);
static_assert(staged_generator<allgather_kshift>);
static_assert(staged_generator<allgather_kprefix>);
static_assert(!staged_generator<scripted>);
static_assert(generator<grouped<staged>>);
static_assert(generator<paced<scripted>>);

TEST_CASE("grouped runs rounds of a stage at once and begins anew at every stage",
          "[schedule][flow_control][grouped]") {
    CHECK(sent(grouped(staged(8, 5), 1)) == "0|1|2|3|4|5|6|7");
    CHECK(sent(grouped(staged(8, 5), 2)) == "0 1|2 3|4|5 6|7");
    CHECK(sent(grouped(staged(8, 5), 3)) == "0 1 2|3 4|5 6 7");
    CHECK(sent(grouped(staged(8, 5), 5)) == "0 1 2 3 4|5 6 7");
    CHECK(sent(grouped(staged(10, 5), 4)) == "0 1 2 3|4|5 6 7 8|9");
    CHECK(sent(grouped(staged(3, 5), huge)) == "0 1 2");
    CHECK(sent(grouped(staged(0, 5), 2)).empty());
}

TEST_CASE("grouped is never wider than a stage", "[schedule][flow_control][grouped]") {
    CHECK(grouped(staged(8, 5), 4).width() == 4);
    CHECK(grouped(staged(8, 5), huge).width() == 5);
}

TEST_CASE("grouped leaves open how many messages there are if the generator does",
          "[schedule][flow_control][grouped]") {
    CHECK(grouped(staged(8, 5), 2).claims().max_outstanding == unstated);
    CHECK(grouped(staged(8, 5), 2).claims().rounds == 5);
    CHECK(grouped(allgather_direct({.size = 9}), 3).claims().max_outstanding == 6);
    CHECK(grouped(allgather_direct({.size = 3}), 3).claims().max_outstanding == 4);
}

TEST_CASE("paced has ranks tell their neighbours how far they have come, but not after the last round",
          "[schedule][flow_control][paced]") {
    const place among_5{.rank = 2, .size = 5};
    CHECK(sent(paced(staged(5, 5), among_5, 2, synchronise::neighbours)) == "0|1|- -|2|3|- -|4");
    CHECK(sent(paced(staged(4, 5), among_5, 2, synchronise::neighbours)) == "0|1|- -|2|3");
    CHECK(sent(paced(staged(3, 5), among_5, 2, synchronise::everybody)) == "0|1|-|-|-|2");
    CHECK(sent(paced(staged(3, 5), among_5, 0, synchronise::everybody)) == "0|1|2");
    CHECK(sent(paced(staged(3, 5), among_5, 3, synchronise::neighbours)) == "0|1|2");
    CHECK(sent(paced(staged(3, 5), among_5, huge, synchronise::neighbours)) == "0|1|2");
    CHECK(sent(paced(staged(2, 5), {.rank = 1, .size = 2}, 1, synchronise::neighbours)) == "0|-|1");
    CHECK(sent(paced(staged(2, 5), {}, 1, synchronise::neighbours)) == "0|1"); // nobody else
    CHECK(sent(paced(staged(2, 5), {}, 1, synchronise::everybody)) == "0|1");
    CHECK(paced(staged(0, 5), among_5, 1, synchronise::everybody).rounds() == 0);
}

TEST_CASE("all strategies are proved under flow control, with all their claims",
          "[schedule][allgather][flow_control]") {
    prove_under_flow_control(direct{}, 17);
    prove_under_flow_control(prefix_send{}, 17);
    for (const rank_type k : {2, 8}) prove_under_flow_control(kprefix{.k = k}, 21);
    for (const rank_type k : {1, 3, 8}) prove_under_flow_control(kshift{.k = k}, 21);
}

TEST_CASE("flow control is proved for larger sizes", "[schedule][allgather][flow_control]") {
    for (const rank_type size : {64, 70, 129})
        for (const synchronise with : {synchronise::neighbours, synchronise::everybody}) {
            const auto prove_one = [&](const auto& how) {
                using how_type = std::remove_cvref_t<decltype(how)>;
                check_proved(collective::allgather, size, 0,
                             factory_of<how_type, collective::allgather>(how));
            };
            prove_one(flow_controlled<direct>{{}, 4, 16, with});
            prove_one(flow_controlled<prefix_send>{{}, 4, 16, with});
            prove_one(flow_controlled<kprefix>{{.k = 8}, 4, 8, with});
            prove_one(flow_controlled<kshift>{{.k = 8}, 4, 8, with});
        }
}

TEST_CASE("without options, flow control changes nothing", "[schedule][allgather][flow_control]") {
    for (const rank_type size : {1, 2, 5, 16}) {
        CHECK(schedule_text(size, 0, factory_of<flow_controlled<direct>, collective::allgather>())
              == schedule_text(size, 0, factory_of<direct, collective::allgather>()));
        CHECK(schedule_text(size, 0, factory_of<flow_controlled<kprefix>, collective::allgather>())
              == schedule_text(size, 0, factory_of<kprefix, collective::allgather>()));
    }
}

TEST_CASE("the barrier after every message, and less barriers", "[schedule][allgather][flow_control]") {
    // 16 ranks: 15 messages, 14 times a barrier of 4 rounds, or one after k = 8 messages only.
    CHECK(controlled<kshift>(16, {{.k = 8}, 1, 1, synchronise::everybody}).rounds() == 15 + 14 * 4);
    CHECK(controlled<kshift>(16, {{.k = 8}, 1, 8, synchronise::everybody}).rounds() == 15 + 4);
    CHECK(controlled<kprefix>(16, {{.k = 8}, 1, 8, synchronise::neighbours}).rounds() == 15 + 1);
}

TEST_CASE("the pace counts messages, whole rounds of them", "[schedule][allgather][flow_control]") {
    // 15 messages, 4 at once: rounds of 4, 4, 4, 3.
    CHECK(controlled<direct>(16, {{}, 4, 4, synchronise::neighbours}).rounds() == 4 + 3);
    CHECK(controlled<direct>(16, {{}, 4, 5, synchronise::neighbours}).rounds() == 4 + 1);
    CHECK(controlled<direct>(16, {{}, 4, 8, synchronise::neighbours}).rounds() == 4 + 1);
    CHECK(controlled<direct>(16, {{}, 4, 1, synchronise::neighbours}).rounds() == 4 + 3);
    CHECK(controlled<direct>(16, {{}, 4, 15, synchronise::neighbours}).rounds() == 4);
    // Windows of 8, however many messages may be outstanding.
    CHECK(controlled<kshift>(32, {{.k = 8}, 100, 16, synchronise::neighbours}).rounds() == 4 + 1);
}

TEST_CASE("direct on 3 ranks, a barrier with the neighbours after each message",
          "[schedule][allgather][flow_control]") {
    const std::string text = schedule_text(
        3, 0,
        factory_of<flow_controlled<direct>, collective::allgather>({{}, 1, 1, synchronise::neighbours}));
    CHECK(text.substr(0, text.find("1.0"))
          == "0.0: send 1 [0]; recv 2 [2]\n"
             "0.1: send 1 []; send 2 []; recv 2 []; recv 1 []\n"
             "0.2: send 2 [0]; recv 1 [1]\n");
}

TEST_CASE("flow control refuses nothing outstanding and a negative pace, by name",
          "[schedule][allgather][flow_control]") {
    const auto refused = [](std::int64_t outstanding, std::int64_t pace) -> std::string {
        try {
            (void)controlled<direct>(4, {{}, outstanding, pace, synchronise::neighbours});
        } catch (const argument_error& e) {
            return e.argument() + "=" + e.value();
        }
        return "";
    };
    CHECK(refused(0, 0) == "outstanding=0");
    CHECK(refused(-3, 0) == "outstanding=-3");
    CHECK(refused(1, -1) == "pace=-1");
    CHECK(refused(1, 0).empty());
    CHECK_THROWS_AS(paced(staged(3, 5), {}, -1, synchronise::neighbours), argument_error);
}
