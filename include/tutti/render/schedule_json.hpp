// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/render/holdings_text.hpp>
#include <tutti/render/movement_text.hpp>
#include <tutti/render/schedule_colours.hpp>
#include <tutti/render/schedule_drawing.hpp>
#include <tutti/render/symbolic_run.hpp>

/// The data of a page, as compact JSON. Lists of numbers have no names; page_model.hpp reads them.
namespace tutti::detail {

/// Writes JSON that may stand inside a <script> element. Commas come by themselves.
class json_text {
public:
    void open(char bracket) {
        comma();
        text_ += bracket;
        fresh_ = true;
    }
    void close(char bracket) {
        text_ += bracket;
        fresh_ = false;
    }
    void name(std::string_view n) {
        comma();
        text_.append("\"").append(n).append("\":");
        fresh_ = true;
    }
    void number(std::integral auto n) {
        comma();
        text_ += std::to_string(n);
    }
    void fraction(double n) {
        comma();
        char buffer[32];
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, n, std::chars_format::fixed, 1).ptr;
        text_.append(buffer, end);
    }
    void truth(bool b) {
        comma();
        text_ += b ? "true" : "false";
    }
    void words(std::string_view w) {
        comma();
        text_ += '"';
        for (const char c : w) {
            if (c == '"' || c == '\\')
                text_.append("\\").append(1, c);
            else if (c == '<')
                text_ += "\\u003c"; // no end tag, no comment begins in here
            else if (static_cast<unsigned char>(c) < 0x20)
                text_ += ' ';
            else
                text_ += c;
        }
        text_ += '"';
    }
    std::string finish() && { return std::move(text_); }

private:
    void comma() {
        if (!std::exchange(fresh_, false)) text_ += ',';
    }
    std::string text_;
    bool fresh_ = true;
};

/// Writes the rounds of a schedule: what moves, and what has changed where.
class schedule_json {
public:
    explicit schedule_json(const symbolic_run& run) : run_(run) {}

    /// As members of the object that is open.
    void write(json_text& out) {
        out.name("kind"), out.words(name_of(run_.what()));
        out.name("size"), out.number(run_.size());
        out.name("root"), out.number(run_.root());
        out.name("blocks"), out.number(run_.blocks());
        out.name("by_rank"), out.truth(folds(run_.what()) || run_.what() == collective::barrier);
        out.name("personal"), out.truth(run_.personal());
        out.name("colours");
        out.open('[');
        for (rank_type r = 0; run_.personal() && r < run_.size(); ++r)
            out.words(colours::of_rank(r, run_.size()));
        out.close(']');
        out.name("barrier"), out.truth(run_.what() == collective::barrier);
        out.name("buffers");
        out.open('[');
        for (const buffer_name b : drawn_buffers(run_)) out.number(static_cast<int>(b));
        out.close(']');

        block_grid now(run_.size(), run_.blocks());
        std::vector<bool> needed(now.cells(), false);
        std::vector<std::int64_t> labels(static_cast<std::size_t>(run_.size()), -1);
        block_grid grid = run_.start();
        write_state(out, "start", now, grid, needed, 0);
        out.name("labels");
        out.open('[');
        for (rank_type r = 0; r < run_.size(); ++r)
            out.number(labels[index(r)] = text(holdings_text(run_, grid, 0, r)));
        out.close(']');

        out.name("rounds");
        out.open('[');
        for (round_index i = 0; i < run_.rounds(); ++i) {
            out.open('{');
            write_moves(out, i);
            run_.advance(grid, i);
            write_state(out, "contents", now, grid, needed, i + 1);
            out.name("labels");
            out.open('[');
            for (rank_type r = 0; r < run_.size(); ++r) {
                const std::int64_t label = text(holdings_text(run_, grid, i + 1, r));
                if (std::exchange(labels[index(r)], label) != label) out.number(r), out.number(label);
            }
            out.close(']');
            out.close('}');
        }
        out.close(']');

        out.name("sets");
        out.open('[');
        for (std::size_t n = 0; n < run_.sets().size(); ++n) {
            out.open('[');
            for (const rank_interval& i : run_.sets()[static_cast<rank_sets::number>(n)])
                out.number(i.first), out.number(i.last);
            out.close(']');
        }
        out.close(']');
        out.name("texts");
        out.open('[');
        for (const std::string& t : texts_) out.words(t);
        out.close(']');
    }

private:
    static std::size_t index(rank_type r) { return static_cast<std::size_t>(r); }

    std::int64_t text(std::string t) {
        const auto [known, is_new] = numbers_.try_emplace(t, static_cast<std::int64_t>(texts_.size()));
        if (is_new) texts_.push_back(std::move(t));
        return known->second;
    }

    void write_moves(json_text& out, round_index i) {
        out.name("moves");
        out.open('[');
        for (const movement& m : run_.movements(i)) {
            out.open('[');
            out.number(m.from), out.number(m.to), out.number(m.sent), out.number(m.folds ? 1 : 0);
            out.number(m.side == operand_side::left ? 1 : 0);
            out.number(text(cargo_text(run_, m))), out.number(m.blocks());
            out.close(']');
        }
        out.close(']');
    }

    /// What differs between `now` and `grid`, and between `needed` and what is needed before round i; both
    /// are brought up to date.
    void write_state(json_text& out, std::string_view name, block_grid& now, const block_grid& grid,
                     std::vector<bool>& needed, round_index i) {
        std::vector<std::int64_t> toggles;
        out.name(name);
        out.open('[');
        for (int plane = 0; plane < buffer_count; ++plane) {
            const auto buffer = static_cast<buffer_name>(plane);
            if (!run_.uses(buffer) && buffer != buffer_name::input) continue;
            for (rank_type r = 0; r < run_.size(); ++r) {
                for (block_index b = 0; b < run_.blocks();) {
                    const block_content first = grid(r, buffer, b);
                    block_index end = b;
                    while (end < run_.blocks() && grid(r, buffer, end) != now(r, buffer, end)
                           && grid(r, buffer, end).from == first.from
                           && grid(r, buffer, end).origin == first.origin + (end - b)) {
                        now(r, buffer, end) = grid(r, buffer, end);
                        ++end;
                    }
                    if (end == b) {
                        ++b;
                        continue;
                    }
                    for (const std::int64_t n : {std::int64_t{plane}, std::int64_t{r}, b, end - b,
                                                 first.origin, std::int64_t{first.from}})
                        out.number(n);
                    b = end;
                }
                note_toggles(toggles, needed, i, r, buffer);
            }
        }
        out.close(']');
        out.name("needed");
        out.open('[');
        for (const std::int64_t n : toggles) out.number(n);
        out.close(']');
    }
    void note_toggles(std::vector<std::int64_t>& toggles, std::vector<bool>& needed, round_index i,
                      rank_type r, buffer_name buffer) const {
        for (block_index b = 0; b < run_.blocks();) {
            block_index end = b;
            while (end < run_.blocks()) {
                const std::size_t cell = run_.start().index(r, buffer, end);
                if (needed[cell] == run_.needed(i, r, buffer, end)) break;
                needed[cell] = !needed[cell];
                ++end;
            }
            if (end > b) {
                toggles.insert(toggles.end(), {static_cast<std::int64_t>(buffer), r, b, end - b});
                b = end;
            } else {
                ++b;
            }
        }
    }

    const symbolic_run& run_;
    std::vector<std::string> texts_;
    std::map<std::string, std::int64_t> numbers_;
};

} // namespace tutti::detail
