// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/layout.hpp>
#include <tutti/core/math.hpp>
#include <tutti/schedule/allgather/catalogue.hpp>
#include <tutti/schedule/in_catalogue.hpp>
#include <tutti/topology/congestion.hpp>
#include <tutti/topology/network.hpp>
#include <tutti/topology/placement.hpp>

#if TUTTI_BODIES
#include <cstdio>

#include <tutti/schedule/on_slots.hpp>
#endif

/// Which all-to-all multicast for a network and a placement, and why.
namespace tutti {

/// What a round costs: its slowest message, on a link that it shares and over as many links as it goes.
/// The defaults are Kumar and Kalé's Lemieux: alpha and beta_em of section 2; Figure 6(b) for distance, where
/// prefix-send gets 610 MB/s within 16 nodes (4 links), 534 within 64 (6 links) and 470 within 256 (8 links).
struct link_costs {
    double startup_us = 7.4;        ///< alpha: per message that a rank sends in a round
    double us_per_byte = 0.00313;   ///< beta: of a link that nobody shares
    int near_links = 4;             ///< ways up to this long run at full speed
    double slower_per_link = 0.072; ///< what every further link adds to beta, as a share of it

    /// Microseconds of a round whose busiest link carries `bytes` and whose longest way has `links` links,
    /// and in which a rank sends so many messages.
    double round_us(std::int64_t bytes, int links, std::int64_t messages = 1) const noexcept {
        const int far = links > near_links ? links - near_links : 0;
        return startup_us * static_cast<double>(messages)
               + static_cast<double>(bytes) * us_per_byte * (1 + slower_per_link * far);
    }
};

/// Whether an algorithm of the catalogue can keep to the slots of its ranks: see on_slots.
constexpr bool can_keep_slots(const catalogue_entry& entry) noexcept {
    return entry.what == collective::allgather
           && (entry.name == "direct" || entry.name == "prefix_send" || entry.name == "kprefix");
}

/// A strategy with what it does to the network. It is an algorithm: `allgather(comm, in, out, rated)`.
struct rated_strategy {
    const catalogue_entry* entry = nullptr; ///< the strategy
    parameters with{};                      ///< the options it is rated for, where they are not the defaults
    bool keeps_slots = false;    ///< on_slots: in its rounds missing nodes are skipped, not closed up
    round_index rounds = 0;      ///< of the whole collective
    block_index sent_blocks = 0; ///< by the rank that sends most
    round_index free_rounds = 0; ///< of those with messages, on no link two of them
    round_index busy_rounds = 0; ///< with messages
    std::int64_t worst_load = 0; ///< messages on one link in one round
    double mean_load = 0;        ///< over the busy rounds
    int longest_way = 0;         ///< links
    double predicted_us = 0;     ///< by link_costs
    slot_map slots{};            ///< where ranks are, for keeps_slots

    /// "kshift k=8", "prefix_send on slots"
    std::string name() const;

    /// Its schedule, of the rank at `at`.
    any_generator make(place at) const;
};

/// The schedule of a rated strategy: calls take it as an algorithm.
inline any_generator generate(collective_constant<collective::allgather>, const rated_strategy& how,
                              place at) {
    return how.make(at);
}

/// All strategies, the best one first.
struct strategy_choice {
    std::vector<rated_strategy> ranking; ///< with all their figures

    /// The one to take.
    const rated_strategy& best() const noexcept { return ranking.front(); }

    /// A line for each strategy: what it takes and why it is not the best.
    std::string explain() const;

private:
    /// What sets a strategy apart from the best one.
    std::string reason(const rated_strategy& s) const;
};

namespace detail {

/// Blocks sent by the rank that sends most: stated, or counted.
block_index most_sent(const rated_strategy& s, rank_type size);

template <network N>
void rate(const N& on, const placement& where, std::int64_t bytes, const link_costs& costs,
          rated_strategy& s) {
    const block_layout blocks = block_layout::even(bytes * where.ranks(), where.ranks());
    const schedule_congestion found = congestion_of_schedule(
        on, where, [&s](place at) { return s.make(at); }, blocks);
    s.rounds = static_cast<round_index>(found.rounds.size());
    s.sent_blocks = most_sent(s, where.ranks());
    s.free_rounds = found.free_rounds;
    s.busy_rounds = found.busy_rounds;
    s.worst_load = found.worst.max_load;
    s.longest_way = found.worst.max_hops;
    s.mean_load = found.busy_rounds == 0
                      ? 0
                      : static_cast<double>(found.serial_load) / static_cast<double>(found.busy_rounds);
    for (const round_congestion& r : found.rounds)
        if (r.messages > 0)
            s.predicted_us +=
                costs.round_us(r.max_bytes, r.max_hops, ceil_div(r.messages, std::int64_t{where.ranks()}));
}

} // namespace detail

/// Rates every allgather strategy of the catalogue, those that can also on the slots of the network if nodes
/// are missing, for blocks of `bytes` bytes, and ranks them by predicted time. Loads are counted on the links
/// of `on`, round by round; rounds are taken to follow each other.
///
/// A pure function of its arguments: the same on all ranks. Throws argument_error if `where` is for another
/// number of nodes than `on` has, or bytes is negative. Time: all messages of all strategies are routed, some
/// 10 p^2; 0.1 s for 256 nodes.
template <network N>
strategy_choice choose_allgather(const N& on, const placement& where, std::int64_t bytes,
                                 const link_costs& costs = {}) {
    if (bytes < 0) detail::throw_argument("bytes", bytes, "at least 0");
    strategy_choice result;
    const auto consider = [&](const catalogue_entry& entry, const parameters& with) {
        const bool has_holes = where.ranks() < where.nodes();
        for (const bool keeps_slots : {false, true}) {
            if (keeps_slots && !(has_holes && can_keep_slots(entry))) continue;
            rated_strategy s{.entry = &entry, .with = with, .keeps_slots = keeps_slots};
            if (keeps_slots) s.slots = where.slots();
            detail::rate(on, where, bytes, costs, s);
            result.ranking.push_back(std::move(s));
        }
    };
    for (const catalogue_entry& entry : catalogue_of<collective::allgather>()) {
        // What cuts a rank's block is for blocks of different lengths; here it has but more rounds.
        if (entry.make({.rank = 0, .size = where.ranks()}, {}).blocks() != where.ranks()) continue;
        consider(entry, {});
        if (entry.name == "kshift" || entry.name == "kprefix")
            for (const rank_type k : {4, 16}) consider(entry, {{"k", k}});
        if (entry.name == "hypercube") consider(entry, {{"zeta", 3}});
    }
    std::stable_sort(
        result.ranking.begin(), result.ranking.end(),
        [](const rated_strategy& a, const rated_strategy& b) { return a.predicted_us < b.predicted_us; });
    return result;
}

#if TUTTI_BODIES
TUTTI_BODY std::string rated_strategy::name() const {
    const std::string text = name_with_options(entry->name, with);
    return keeps_slots ? text + " on slots" : text;
}

TUTTI_BODY any_generator rated_strategy::make(place at) const {
    constexpr auto what = of<collective::allgather>;
    if (!keeps_slots) return entry->make(at, with);
    if (entry->name == "direct") return generate(what, on_slots<direct>{.slots = slots}, at);
    if (entry->name == "prefix_send") return generate(what, on_slots<prefix_send>{.slots = slots}, at);
    return generate(what, on_slots<kprefix>{.how = {.k = with.get("k", kprefix{}.k)}, .slots = slots}, at);
}

TUTTI_BODY std::string strategy_choice::explain() const {
    std::string text;
    for (const rated_strategy& s : ranking) {
        char line[200];
        std::snprintf(line, sizeof line,
                      "%-24s %10.1f us  %4lld rounds, %4lld of them free, mean load %.2f, %d links: ",
                      s.name().c_str(), s.predicted_us, static_cast<long long>(s.busy_rounds),
                      static_cast<long long>(s.free_rounds), s.mean_load, s.longest_way);
        text += line + reason(s) + "\n";
    }
    return text;
}

TUTTI_BODY std::string strategy_choice::reason(const rated_strategy& s) const {
    const rated_strategy& b = best();
    if (&s == &b) return "the least time";
    std::string text;
    const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
    if (s.mean_load > b.mean_load * 1.01) add("more congestion");
    if (s.sent_blocks > b.sent_blocks) add("ranks that send more");
    if (s.busy_rounds > b.busy_rounds) add("more rounds");
    if (text.empty()) add("longer messages over far links");
    return text;
}

namespace detail {
TUTTI_BODY block_index most_sent(const rated_strategy& s, rank_type size) {
    block_index most = s.make({.rank = 0, .size = size}).claims().sent_blocks;
    if (most != unstated) return most;
    for (rank_type r = 0; r < size; ++r) {
        const any_generator g = s.make({.rank = r, .size = size});
        block_index sent = 0;
        for (round_index i = 0; i < g.rounds(); ++i)
            g.emit(i, [&sent](const step& one) {
                if (one.kind == step_kind::send) sent += one.blocks.count;
            });
        most = std::max(most, sent);
    }
    return most;
}
} // namespace detail
#endif

} // namespace tutti
