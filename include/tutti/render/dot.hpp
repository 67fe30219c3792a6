// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/render/matched_messages.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>

#include <tutti/render/block_text.hpp>
#endif

namespace tutti {

namespace detail {

std::string dot_picture(const std::vector<matched_message>& messages, rank_type size, block_index blocks,
                        std::string_view title);

} // namespace detail

/// A schedule as a graph for Graphviz: a column per rank, a row per round in which something is sent. A
/// message is an arrow from its sender in its round's row to its receiver in the row below, labelled with the
/// blocks it carries where there is more than one; it is red and thick where the receiver folds it. Local
/// steps are not drawn. `dot -Tsvg schedule.dot > schedule.svg` makes a picture of it.
///
/// Throws argument_error for a schedule with messages that do not match. Size: a line per rank and round and
/// one per message; beyond some 32 ranks nobody can read it.
template <class G>
std::string dot_text(const ensemble<G>& all, std::string_view title = {}) {
    return detail::dot_picture(matched_messages(all), all.size(), all.blocks(), title);
}

#if TUTTI_BODIES
namespace detail {
/// Text between the quotes of a DOT string.
inline std::string dot_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
    return result;
}

class dot_writer {
public:
    dot_writer(const std::vector<matched_message>& messages, rank_type size, block_index blocks,
               std::string_view title)
        : messages_(messages) {
        begin(title);
        const std::vector<round_index> rounds = busy_rounds();
        for (std::size_t row = 0; row <= rounds.size(); ++row) nodes(size, row, rounds);
        text_ += "\n  edge [style=dotted, arrowhead=none, color=\"#b8c2cc\", weight=100];\n";
        for (rank_type r = 0; r < size && !rounds.empty(); ++r) {
            text_ += "  ";
            for (std::size_t row = 0; row <= rounds.size(); ++row)
                text_.append(row == 0 ? "" : " -> ").append(node(r, row));
            text_ += ";\n";
        }
        text_ += "\n  edge [style=solid, arrowhead=normal, color=\"#1f6fb2\", weight=1];\n";
        const auto row_of = [&](round_index i) {
            return static_cast<std::size_t>(std::lower_bound(rounds.begin(), rounds.end(), i)
                                            - rounds.begin());
        };
        for (const matched_message& m : messages_)
            message(m, row_of(m.sent_in), row_of(m.received_in) + 1, blocks);
        text_ += "}\n";
    }
    std::string finish() && { return std::move(text_); }

private:
    static std::string node(rank_type r, std::size_t row) {
        return std::string("r").append(std::to_string(r)).append("_").append(std::to_string(row));
    }

    void begin(std::string_view title) {
        text_ += "digraph schedule {\n";
        if (!title.empty()) text_.append("  label=\"").append(dot_escaped(title)).append("\"; labelloc=t;\n");
        text_ += "  newrank=true; splines=line; nodesep=0.45; ranksep=0.6; fontname=\"Helvetica\";\n"
                 "  node [shape=circle, width=0.35, fixedsize=true, fontname=\"Helvetica\", fontsize=10,"
                 " color=\"#52606d\"];\n"
                 "  edge [fontname=\"Helvetica\", fontsize=9];\n";
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

    /// The ranks as they are before the row's round; the last row is the end. The invisible chain keeps them
    /// in order.
    void nodes(rank_type size, std::size_t row, const std::vector<round_index>& rounds) {
        const std::string label = row == rounds.size()
                                      ? std::string("end")
                                      : std::string("round ").append(std::to_string(rounds[row]));
        const std::string label_node = std::string("t_").append(std::to_string(row));
        text_.append("\n  { rank=same; ").append(label_node);
        text_.append(" [shape=plaintext, fixedsize=false, group=t, label=\"").append(label).append("\"];\n");
        for (rank_type r = 0; r < size; ++r)
            text_.append("    ")
                .append(node(r, row))
                .append(" [label=\"")
                .append(std::to_string(r))
                .append("\", group=g")
                .append(std::to_string(r))
                .append("];\n");
        text_.append("    ").append(label_node);
        for (rank_type r = 0; r < size; ++r) text_.append(" -> ").append(node(r, row));
        text_ += " [style=invis]; }\n";
    }

    void message(const matched_message& m, std::size_t from_row, std::size_t to_row, block_index blocks) {
        text_.append("  ").append(node(m.from, from_row)).append(" -> ").append(node(m.to, to_row));
        const std::string label = blocks > 1 ? block_text(m.sent, blocks, "of", 3) : std::string();
        text_.append(" [label=\"").append(label).append("\"");
        if (m.folded()) text_ += ", color=\"#c01515\", penwidth=2";
        text_ += "];\n";
    }

    const std::vector<matched_message>& messages_;
    std::string text_;
};

TUTTI_BODY std::string dot_picture(const std::vector<matched_message>& messages, rank_type size,
                                   block_index blocks, std::string_view title) {
    return dot_writer(messages, size, blocks, title).finish();
}
} // namespace detail
#endif

} // namespace tutti
