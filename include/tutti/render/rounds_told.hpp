// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/block.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/render/round_words.hpp>
#include <tutti/render/svg.hpp>

#if TUTTI_BODIES
#include <tutti/render/schedule_drawing.hpp>
#endif

namespace tutti::detail {

/// What the rounds of a picture do, in words below it: a line for each, or for several in a row that say the
/// same of who sends how much where. Of what is still too much to be read, a line for each phase says how it
/// begins and how it ends; of too many phases the last line counts those that have none.
class rounds_told {
public:
    static constexpr std::size_t most_lines = 48;

    /// Of rounds `first` to `last`, both included; none where there are none. On a sheet of `most_width`
    /// pixels lines go on in the next one; 0: they are as long as they are.
    rounds_told(const round_words& words, round_index first, round_index last, double most_width = 0)
        : words_(words) {
        for (const schedule_phase& p : words.phases)
            for (round_index i = std::max(first, p.first); i <= std::min(last, p.last); ++i)
                if (!lines_.empty() && lines_.back().phase == &p && done(i) == done(lines_.back().first))
                    lines_.back().last = i;
                else
                    lines_.push_back({i, i, &p});
        if (lines_.size() > most_lines) join_phases();
        for (line& l : lines_) l.text = text_of(l);
        if (lines_.size() > most_lines) join_last();
        break_lines(most_width);
    }

    /// What is drawn, for tests: "rounds 0..2, round the ring: all 4 ranks send 1 block each, shift:1; 3 so
    /// far", "rounds 47..59: 13 more phases".
    std::vector<std::string> lines() const {
        std::vector<std::string> texts;
        for (const line& l : lines_) texts.push_back(l.text);
        return texts;
    }

    /// Of the sheet that has room for them, in pixels.
    double width() const;
    /// What they add to the height of the sheet.
    double height() const { return drawn_.empty() ? 0 : 12 + pitch * static_cast<double>(drawn_.size()); }

    /// From `top` downwards.
    void draw(svg_writer& svg, double top) const;

private:
    static constexpr double margin = 24;
    static constexpr double font = 11;
    static constexpr double pitch = 16;

    struct line {
        round_index first;
        round_index last;
        const schedule_phase* phase;
        std::string text{};
    };

    const std::string& sentence(round_index i) const { return words_.rounds[static_cast<std::size_t>(i)]; }
    /// The sentence without what has been sent so far.
    std::string done(round_index i) const { return sentence(i).substr(0, sentence(i).find("; ")); }

    void join_phases() {
        std::vector<line> joined;
        for (const line& l : lines_)
            if (!joined.empty() && joined.back().phase == l.phase)
                joined.back().last = l.last;
            else
                joined.push_back(l);
        lines_ = std::move(joined);
    }
    void join_last() {
        const std::size_t more = lines_.size() - most_lines + 1;
        line& last = lines_[most_lines - 1];
        last.last = lines_.back().last;
        last.text = range_text({last.first, last.last, {}});
        last.text.append(": ").append(std::to_string(more)).append(" more phases");
        lines_.resize(most_lines);
    }
    std::string text_of(const line& l) const {
        std::string text = range_text({l.first, l.last, {}});
        text.append(", ").append(l.phase->words).append(": ");
        if (done(l.first) != done(l.last)) text.append(done(l.first)).append(" … ");
        return text.append(sentence(l.last));
    }

    void break_lines(double most_width);

    /// What stands in a line of the sheet, and how far from its margin.
    struct drawn_line {
        std::string text;
        double indent;
    };

    static double width_of(const drawn_line& l);

    const round_words& words_;
    std::vector<line> lines_{};
    std::vector<drawn_line> drawn_{};
};

#if TUTTI_BODIES
TUTTI_BODY double rounds_told::width_of(const drawn_line& l) {
    return 2 * margin + l.indent + text_width(l.text, font);
}

TUTTI_BODY double rounds_told::width() const {
    double widest = 0;
    for (const drawn_line& l : drawn_) widest = std::max(widest, width_of(l));
    return widest;
}

TUTTI_BODY void rounds_told::break_lines(double most_width) {
    constexpr double deeper = 16;
    for (const line& l : lines_) {
        drawn_.push_back({l.text, 0});
        while (most_width > 0 && width_of(drawn_.back()) > most_width) {
            drawn_line& long_one = drawn_.back();
            std::size_t at = long_one.text.rfind(' ');
            while (at != std::string::npos && at > 0
                   && width_of({long_one.text.substr(0, at), long_one.indent}) > most_width)
                at = long_one.text.rfind(' ', at - 1);
            if (at == std::string::npos || at == 0) break; // a single word
            drawn_line rest{long_one.text.substr(at + 1), deeper};
            long_one.text.resize(at);
            drawn_.push_back(std::move(rest));
        }
    }
}

TUTTI_BODY void rounds_told::draw(svg_writer& svg, double top) const {
    if (drawn_.empty()) return;
    svg.open("g", {{"class", "sentences"}});
    double y = top;
    for (const drawn_line& l : drawn_) draw_text(svg, margin + l.indent, y += pitch, font, l.text);
    svg.close();
}
#endif

} // namespace tutti::detail
