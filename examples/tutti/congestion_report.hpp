// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <tutti/topology/congestion.hpp>

#include "link_meter.hpp"
#include "network_choice.hpp"
#include "traffic.hpp"

/// What `tutti congestion` says to people, in words and pictures.
namespace program {

/// What was asked for, checked.
struct congestion_request {
    network_choice on;
    embedding where;
    std::int64_t missing;     ///< how many nodes
    std::string missing_text; ///< which, as the user wrote it
    tutti::rank_type root;
    std::optional<std::int64_t> bytes;
    std::optional<std::int64_t> round;
    std::size_t worst; ///< how many links to name
    bool draw;
    std::vector<std::function<traffic()>> makers; ///< one after the other: a schedule may take gigabytes
    std::vector<traffic> all{};                   ///< that were made, without their rounds once measured
};

/// The round whose links are shown.
struct shown_round {
    std::size_t of = 0;  ///< which of the traffics
    std::size_t row = 0; ///< of the table
    tutti::round_index round = -1;
    std::string permutation{};
    measured what{};
    link_report links{};

    bool any() const { return round >= 0; }
};

/// Figures of all rounds of a permutation list or of a schedule.
struct totals {
    tutti::schedule_congestion figures{};
    tutti::round_index worst = 0;     // the first with that load
    std::vector<std::string> names{}; // of the rounds
};

/// "4-ary 3-tree, 64 nodes, d-mod-k; 62 ranks, compact; missing nodes 5,9"
std::string where_in_words(const congestion_request& r);

/// How many rounds are free, and which are not.
void print_summary(const traffic& t, const totals& sum, std::ostream& out);

/// The loads of the links of a round, the names of those that carry most, and which messages share these.
void print_links(const congestion_request& r, const shown_round& shown, std::ostream& out);

/// The same links and messages for programs: a member behind others, which begins with a comma.
std::string json_of_links(const congestion_request& r, const shown_round& shown);

/// The network with these loads, and the ways of the messages that meet on its worst link, as SVG.
void draw_links(const congestion_request& r, const shown_round& shown, std::ostream& out);

} // namespace program
