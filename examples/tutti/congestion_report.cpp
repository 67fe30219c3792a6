// SPDX-License-Identifier: BSL-1.0
#include "congestion_report.hpp"

#include <algorithm>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/render/fat_tree_svg.hpp>
#include <tutti/render/network_svg.hpp>

#include "json.hpp"
#include "table.hpp"

namespace program {

namespace {

/// "allgather kshift k=8 outstanding=1 pace=0"
std::string schedule_in_words(const traffic& t) {
    const std::string with = text_of(t.schedule->with);
    std::string text(tutti::name_of(t.schedule->entry->what));
    text.append(" ").append(t.schedule->entry->name);
    if (!with.empty()) text.append(" ").append(with);
    if (!t.schedule->relation.empty()) text.append(", ").append(t.schedule->relation);
    return text;
}

std::string counted(std::int64_t n, const std::string& one, const std::string& many) {
    return std::to_string(n) + " " + (n == 1 ? one : many);
}

/// "round 3 (shift:4)", or the name of the permutation alone.
std::string round_in_words(const traffic& t, tutti::round_index round, const std::string& permutation) {
    if (!t.schedule) return permutation;
    return "round " + std::to_string(round) + (permutation.empty() ? "" : " (" + permutation + ")");
}

/// The rounds that are not free: "1..5, 7", the first few.
std::string congested_rounds(const traffic& t, const totals& sum) {
    constexpr int most = 8;
    const auto congested = [&](std::size_t i) { return !sum.figures.rounds[i].free(); };
    std::string text;
    int listed = 0;
    std::int64_t left_out = 0;
    for (std::size_t i = 0; i < sum.figures.rounds.size(); ++i) {
        if (!congested(i)) continue;
        std::size_t end = i + 1; // of rounds in a row; permutations have names, not numbers
        while (t.schedule && end < sum.figures.rounds.size() && congested(end)) ++end;
        if (listed++ < most)
            text += (text.empty() ? "" : ", ")
                    + (t.schedule ? std::to_string(i) + (end > i + 1 ? ".." + std::to_string(end - 1) : "")
                                  : sum.names[i]);
        else
            left_out += static_cast<std::int64_t>(end - i);
        i = end - 1;
    }
    return left_out > 0 ? text + " and " + std::to_string(left_out) + " more" : text;
}

/// Never 100 where something is missing, never 0 where there is something.
std::int64_t percent(std::int64_t part, std::int64_t whole) {
    const std::int64_t rounded = (200 * part + whole) / (2 * whole);
    return part == whole ? 100 : part == 0 ? 0 : std::clamp<std::int64_t>(rounded, 1, 99);
}

/// "0 -> 4, 1 -> 5 and 6 more"
std::string messages_in_words(const std::vector<sharing_message>& all) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t k = 0; k < std::min(all.size(), most); ++k)
        text.append(k == 0 ? "" : ", ")
            .append(std::to_string(all[k].way.from))
            .append(" -> ")
            .append(std::to_string(all[k].way.to));
    if (all.size() > most) text += " and " + std::to_string(all.size() - most) + " more";
    return text;
}

} // namespace

std::string where_in_words(const congestion_request& r) {
    std::string text = r.on.name + ", " + counted(r.on.nodes(), "node", "nodes") + ", " + r.on.routing + "; "
                       + counted(r.where.at.ranks(), "rank", "ranks") + ", "
                       + (r.where.slots ? "slots kept" : "compact");
    if (r.missing > 0)
        text += std::string("; missing ") + (r.missing == 1 ? "node " : "nodes ") + r.missing_text;
    return text;
}

void print_summary(const traffic& t, const totals& sum, std::ostream& out) {
    const tutti::schedule_congestion& f = sum.figures;
    if (t.schedule) out << schedule_in_words(t) << ": ";
    if (f.busy_rounds == 0) {
        out << "no messages\n";
        return;
    }
    if (!t.schedule && t.rounds == 1) {
        out << sum.names.front() << (f.free_rounds == 1 ? " is" : " is not") << " free of contention\n";
        return;
    }
    out << f.free_rounds << " of " << f.busy_rounds << (t.schedule ? " rounds" : " permutations")
        << " free of contention (" << percent(f.free_rounds, f.busy_rounds) << " %)";
    if (f.worst.max_load > 1)
        out << "; worst load " << f.worst.max_load << " in "
            << round_in_words(t, sum.worst, sum.names[static_cast<std::size_t>(sum.worst)])
            << "; loads add up to " << f.serial_load << "; not free: " << congested_rounds(t, sum);
    out << '\n';
}

void print_links(const congestion_request& r, const shown_round& shown, std::ostream& out) {
    if (shown.what.figures.messages == 0) return;
    const traffic& t = r.all[shown.of];
    std::string what = round_in_words(t, shown.round, shown.permutation);
    if (r.all.size() > 1) what = schedule_in_words(t) + ", " + what;
    out << '\n';
    if (r.on.adaptive) { // the links of one choice of ports among many say little
        out << what << ": "
            << (shown.what.remark.empty() ? "no two messages meet, whatever free ports they find"
                                          : shown.what.remark)
            << '\n';
        return;
    }
    out << "links in " << what << ": ";
    const char* before = "";
    for (const auto& [load, links] : shown.links.distribution)
        out << std::exchange(before, ", ") << links << " with load " << load;
    out << '\n';
    for (std::size_t k = 0; k < shown.links.sharing.size(); ++k) {
        const tutti::loaded_link& l = shown.links.worst[k];
        out << "  load " << l.load << "  " << l.name << ": " << messages_in_words(shown.links.sharing[k])
            << '\n';
    }
}

std::string json_of_links(const congestion_request& r, const shown_round& shown) {
    std::string text = ", \"worst_links\": [";
    for (std::size_t k = 0; k < shown.links.sharing.size(); ++k) {
        const tutti::loaded_link& l = shown.links.worst[k];
        text.append(k == 0 ? "\n" : ",\n").append("  {\"row\": ").append(std::to_string(shown.row));
        text.append(", \"link\": ").append(in_quotes(l.name));
        text.append(", \"load\": ").append(std::to_string(l.load)).append(", \"messages\": [");
        for (std::size_t i = 0; i < shown.links.sharing[k].size(); ++i) {
            const auto& [way, bytes] = shown.links.sharing[k][i];
            text.append(i == 0 ? "\n" : ",\n").append("    {\"round\": ").append(std::to_string(shown.round));
            text.append(", \"from\": ").append(std::to_string(way.from));
            text.append(", \"to\": ").append(std::to_string(way.to));
            text.append(", \"bytes\": ").append(r.bytes ? std::to_string(bytes) : "null").append("}");
        }
        text.append("]}");
    }
    return text.append("]");
}

void draw_links(const congestion_request& r, const shown_round& shown, std::ostream& out) {
    if (!shown.any())
        throw tutti::argument_error("--format", "svg of no round at all", "svg of something that sends");
    const traffic& t = r.all[shown.of];
    std::string what = round_in_words(t, shown.round, shown.permutation);
    if (t.schedule) what = schedule_in_words(t) + ", " + what;
    if (shown.links.loads.empty())
        throw tutti::argument_error("--format", "svg of " + what + " with --routing adaptive",
                                    "svg where loads are fixed, or some choice of ports avoids contention: "
                                        + shown.what.remark);
    tutti::picture_heading heading{.title = r.on.name + ", " + r.on.routing + ": " + what + ", max load "
                                            + std::to_string(shown.links.distribution.rbegin()->first),
                                   .lines = {where_in_words(r)}};
    if (r.on.adaptive) heading.lines.push_back("one choice of ports without contention, of many");
    const auto load = [&](tutti::link_index l) { return shown.links.loads[static_cast<std::size_t>(l)]; };
    std::vector<tutti::message_way> meeting;
    if (!shown.links.sharing.empty()) {
        for (const sharing_message& m : shown.links.sharing.front()) meeting.push_back(m.way);
        const tutti::loaded_link& l = shown.links.worst.front();
        heading.lines.push_back("worst link: " + l.name + ", load " + std::to_string(l.load));
    }
    if (r.on.fat_tree() != nullptr)
        out << tutti::fat_tree_svg(*r.on.fat_tree(), r.where.at, load, heading, meeting);
    else
        out << tutti::network_svg(r.on.plan(), r.where.at, load, heading, meeting);
}

} // namespace program
