// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/render/matched_messages.hpp>
#include <tutti/render/picture_heading.hpp>
#include <tutti/render/schedule_window.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/render/block_text.hpp>
#include <tutti/render/message_tree.hpp>
#include <tutti/render/schedule_colours.hpp>
#endif

namespace tutti {

namespace detail {

/// How much of a schedule there is, beside its messages.
struct dot_size {
    place at;
    round_index rounds;
    block_index blocks;
};

std::string dot_picture(std::vector<matched_message> messages, const dot_size& all, std::string_view title,
                        schedule_picture how, const schedule_window& shown);

} // namespace detail

/// A schedule as a graph for Graphviz: a column per rank, a row per round in which something is sent. A
/// message is an arrow from its sender in its round's row to its receiver in the row below, labelled with the
/// blocks it carries where there is more than one. One whose messages make a tree of few levels is that tree,
/// the root on top, its edges labelled with their rounds; `how` overrules that. Colours are those of
/// pictures: vermilion and thick with a full head where the receiver folds, else blue with an open one. Local
/// steps are not drawn. `dot -Tsvg schedule.dot > schedule.svg` makes a picture of it.
///
/// Of a part of the schedule there are the rounds in which its messages are sent, one after the other, and
/// its ranks; a rank of a message that is not among them stands, paler, only where that message begins or
/// ends.
///
/// Throws argument_error for a schedule with messages that do not match, for a part without rounds or ranks,
/// and for schedule_picture::tree of what is no tree, or of a part. Size: a line per rank and round and
/// one per message; beyond some 32 ranks nobody can read it.
template <class G>
std::string dot_text(const ensemble<G>& all, std::string_view title = {},
                     schedule_picture how = schedule_picture::fitting, const schedule_window& shown = {}) {
    return detail::dot_picture(matched_messages(all),
                               {.at = {.rank = 0, .size = all.size(), .root = all.root()},
                                .rounds = all.rounds(),
                                .blocks = all.blocks()},
                               title, how, shown);
}

#if TUTTI_BODIES
namespace detail {
/// Of a message: " [label=\"...\", ...]", as pictures draw it.
inline std::string dot_edge(std::string_view label, bool folds, std::string_view more = {}) {
    std::string text = " [label=\"";
    text.append(label).append("\", color=\"").append(folds ? colours::folded : colours::copied);
    return text.append(folds ? "\", penwidth=2" : "\", arrowhead=vee").append(more).append("];\n");
}

/// Text between the quotes of a DOT string, which may have several lines.
inline std::string dot_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n') result += "\\n";
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
    return result;
}

/// What both kinds of graphs begin with; `more` are attributes of the graph.
inline std::string dot_head(std::string_view title, std::string_view more) {
    std::string text = "digraph schedule {\n";
    if (!title.empty()) text.append("  label=\"").append(dot_escaped(title)).append("\"; labelloc=t;\n");
    text.append("  ").append(more).append(" fontname=\"Helvetica\";\n");
    text.append(
        "  node [shape=circle, width=0.35, fixedsize=true, fontname=\"Helvetica\", fontsize=10, color=\"");
    text.append(colours::quiet).append("\"];\n  edge [fontname=\"Helvetica\", fontsize=9];\n");
    return text;
}

/// Parents before children, as Graphviz lays trees out: what goes up is an edge drawn backwards.
inline std::string dot_tree(const message_tree& tree, rank_type size, std::string_view title) {
    std::string text = dot_head(title, "ordering=out; nodesep=0.3; ranksep=0.7;");
    const auto node = [](rank_type r) { return std::string("r").append(std::to_string(r)); };
    for (rank_type r = 0; r < size; ++r) {
        text.append("  ").append(node(r)).append(" [label=\"").append(std::to_string(r)).append("\"");
        if (r == tree.root())
            text.append(", style=filled, fillcolor=\"").append(colours::ink).append("\", fontcolor=white");
        text += "];\n";
    }
    for (rank_type r = 0; r < size; ++r)
        for (const rank_type child : tree[r].children) {
            const std::string edge = std::string("  ").append(node(r)).append(" -> ").append(node(child));
            const message_tree::way& up = tree[child].up;
            const message_tree::way& down = tree[child].down;
            if (!up.rounds.empty())
                text +=
                    edge
                    + dot_edge(up.text(), up.folds, up.folds ? ", dir=back" : ", dir=back, arrowtail=vee");
            if (!down.rounds.empty()) text += edge + dot_edge(down.text(), down.folds);
        }
    return text + "}\n";
}

class dot_writer {
public:
    /// All of these messages; the columns are those of the ranks of `part`.
    dot_writer(const std::vector<matched_message>& messages, const schedule_window& part, const dot_size& all,
               std::string_view title)
        : messages_(messages), part_(part), last_(part.last_round + 1 < all.rounds ? "after" : "end") {
        text_ = dot_head(title, "newrank=true; splines=line; nodesep=0.45; ranksep=0.6;");
        const std::vector<round_index> rounds = busy_rounds();
        const auto row_of = [&](round_index i) {
            return static_cast<std::size_t>(std::lower_bound(rounds.begin(), rounds.end(), i)
                                            - rounds.begin());
        };
        std::vector<std::vector<rank_type>> others(rounds.size() + 1); // of each row: who has no column
        for (const matched_message& m : messages_) {
            if (!part.has_rank(m.from)) others[row_of(m.sent_in)].push_back(m.from);
            if (!part.has_rank(m.to)) others[row_of(m.received_in) + 1].push_back(m.to);
        }
        for (std::size_t row = 0; row <= rounds.size(); ++row) nodes(row, rounds, std::move(others[row]));
        text_ += "\n  edge [style=dotted, arrowhead=none, color=\"";
        text_.append(colours::line).append("\", weight=100];\n");
        for (rank_type r = part.first_rank; r <= part.last_rank && !rounds.empty(); ++r) {
            text_ += "  ";
            for (std::size_t row = 0; row <= rounds.size(); ++row)
                text_.append(row == 0 ? "" : " -> ").append(node(r, row));
            text_ += ";\n";
        }
        text_ += "\n  edge [style=solid, arrowhead=normal, weight=1];\n";
        for (const matched_message& m : messages_)
            message(m, row_of(m.sent_in), row_of(m.received_in) + 1, all.blocks);
        text_ += "}\n";
    }
    std::string finish() && { return std::move(text_); }

private:
    static std::string node(rank_type r, std::size_t row) {
        return std::string("r").append(std::to_string(r)).append("_").append(std::to_string(row));
    }

    /// Ascending, each once.
    std::vector<round_index> busy_rounds() const {
        std::vector<round_index> rounds;
        for (const matched_message& m : messages_) {
            rounds.push_back(m.sent_in);
            rounds.push_back(m.received_in);
        }
        std::sort(rounds.begin(), rounds.end());
        rounds.erase(std::unique(rounds.begin(), rounds.end()), rounds.end());
        return rounds;
    }

    /// The ranks as they are before the row's round; the last row is what comes after all. The invisible
    /// chain keeps them in order. `standing`: those in this row that have no column.
    void nodes(std::size_t row, const std::vector<round_index>& rounds, std::vector<rank_type> standing) {
        for (rank_type r = part_.first_rank; r <= part_.last_rank; ++r) standing.push_back(r);
        std::sort(standing.begin(), standing.end());
        standing.erase(std::unique(standing.begin(), standing.end()), standing.end());
        const std::string label = row == rounds.size()
                                      ? std::string(last_)
                                      : std::string("round ").append(std::to_string(rounds[row]));
        const std::string label_node = std::string("t_").append(std::to_string(row));
        text_.append("\n  { rank=same; ").append(label_node);
        text_.append(" [shape=plaintext, fixedsize=false, group=t, label=\"").append(label).append("\"];\n");
        for (const rank_type r : standing) {
            text_.append("    ").append(node(r, row)).append(" [label=\"").append(std::to_string(r));
            text_.append("\", group=g").append(std::to_string(r));
            if (!part_.has_rank(r))
                text_.append(", style=dashed, color=\"").append(colours::line).append("\"");
            text_ += "];\n";
        }
        text_.append("    ").append(label_node);
        for (const rank_type r : standing) text_.append(" -> ").append(node(r, row));
        text_ += " [style=invis]; }\n";
    }

    void message(const matched_message& m, std::size_t from_row, std::size_t to_row, block_index blocks) {
        text_.append("  ").append(node(m.from, from_row)).append(" -> ").append(node(m.to, to_row));
        const std::string label = blocks > 1 ? block_text(m.sent, blocks, "of", 3) : std::string();
        text_ += dot_edge(label, m.folded());
    }

    const std::vector<matched_message>& messages_;
    const schedule_window& part_;
    std::string_view last_; // row
    std::string text_;
};

TUTTI_BODY std::string dot_picture(std::vector<matched_message> messages, const dot_size& all,
                                   std::string_view title, schedule_picture how,
                                   const schedule_window& shown) {
    const rank_type size = all.at.size;
    schedule_window part = shown.within(size, all.rounds);
    part.left_out.clear(); // every rank has its column
    if (!part.whole(size, all.rounds)) {
        if (how == schedule_picture::tree)
            throw argument_error("picture", "tree of a part of the schedule", "rounds");
        std::erase_if(messages, [&](const matched_message& m) {
            return !part.has_round(m.sent_in) || !part.has_end_of(m.from, m.to);
        });
        return dot_writer(messages, part, all, title).finish();
    }
    std::vector<message_tree::message> edges;
    for (const matched_message& m : messages)
        edges.push_back({.from = m.from, .to = m.to, .round = m.sent_in, .folds = m.folded()});
    const message_tree tree(size, all.at.root, edges);
    return drawn_as_tree(tree, how) ? dot_tree(tree, size, title)
                                    : dot_writer(messages, part, all, title).finish();
}
} // namespace detail
#endif

} // namespace tutti
