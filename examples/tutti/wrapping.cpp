// SPDX-License-Identifier: BSL-1.0
#include "wrapping.hpp"

#include <algorithm>
#include <exception>

namespace program {

namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// How many bytes of a word that is wider than `most` stand on a line of that width.
std::size_t fitting_part(std::string_view word, std::size_t most) {
    std::size_t end = 0;
    for (std::size_t width = 0; end < word.size(); ++end)
        if (begins_character(word[end]) && ++width > most) break;
    const std::size_t comma = word.substr(0, end).rfind(',');
    return comma == std::string_view::npos ? end : comma + 1;
}

/// Calls f with each part that ends with `mark`, or with the text, without that.
template <class F>
void for_each_part(std::string_view text, char mark, F&& f) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(mark), text.size());
        f(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Where a line that is too long goes on below.
std::size_t next_indent(std::string_view line, std::size_t most, std::size_t hang) {
    const std::size_t indent = line.find_first_not_of(' ');
    const std::size_t gap = line.rfind("  ", most / 2);
    if (gap == std::string_view::npos) return indent + hang;
    const std::size_t column = line.find_first_not_of(' ', gap);
    return column <= most / 2 ? column : std::min(indent, most / 2);
}

} // namespace

long& line_width(std::ostream& out) {
    static const int place = std::ios_base::xalloc();
    return out.iword(place);
}

long& may_be_bold(std::ostream& out) {
    static const int place = std::ios_base::xalloc();
    return out.iword(place);
}

std::size_t width_of(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\033')
            i = std::min(text.find('m', i), text.size());
        else if (begins_character(text[i]))
            ++width;
    return width;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t most) {
    std::vector<std::string> lines(1);
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        std::string_view word = text.substr(begin, end - begin);
        if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > most) lines.emplace_back();
        for (; width_of(word) > most; lines.emplace_back()) {
            const std::size_t part = fitting_part(word, most);
            lines.back() = word.substr(0, part);
            word.remove_prefix(part);
        }
        lines.back().append(lines.back().empty() ? "" : " ").append(word);
        begin = end + 1;
    }
    return lines;
}

std::string fitted(std::string_view text, std::size_t most, std::size_t hang) {
    if (most == 0) return std::string(text);
    constexpr std::string_view example = "Example: ";
    std::string result;
    for_each_part(text, '\n', [&](std::string_view line) {
        if (width_of(line) <= most) {
            result.append(line).append("\n");
            return;
        }
        // A command can still be copied: its lines end as a shell likes them, and none of them in a word,
        // even if a terminal has to break it then.
        const bool is_command = line.starts_with(example);
        const std::string_view end = is_command ? " \\" : "";
        const std::size_t indent = is_command ? example.size() : next_indent(line, most, hang);
        std::size_t room = most - indent - end.size();
        if (is_command)
            for_each_part(line.substr(indent), ' ',
                          [&](std::string_view word) { room = std::max(room, width_of(word)); });
        std::string before(line.substr(0, indent));
        for (const std::string& part : wrapped(line.substr(indent), room)) {
            result.append(before).append(part).append(end).append("\n");
            before.assign(indent, ' ');
        }
        result.erase(result.size() - 1 - end.size(), end.size());
    });
    if (!text.ends_with('\n') && !result.empty()) result.pop_back();
    return result;
}

std::string paragraphs(std::string_view text) {
    std::string result;
    bool goes_on = false;   // the line before may have more to it
    std::size_t column = 0; // where that must stand
    for_each_part(text, '\n', [&](std::string_view line) {
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        const std::string_view words = line.substr(indent);
        if (goes_on && !words.empty() && indent == column) {
            result.append(" ").append(words);
            return;
        }
        result.append(result.empty() ? "" : "\n").append(line);
        const std::size_t gap = line.find("  ", indent);
        column = indent > 0 && gap != std::string_view::npos ? line.find_first_not_of(' ', gap) : 0;
        goes_on = !words.empty() && (indent == 0) == (column == 0);
    });
    return text.ends_with('\n') ? result + '\n' : result;
}

flowing::flowing(std::ostream& to, std::size_t hang, long usual) : to_(to), hang_(hang) {
    line_width(*this) = line_width(to) > 0 ? line_width(to) : usual;
    may_be_bold(*this) = may_be_bold(to);
}

flowing::~flowing() {
    try {
        to_ << fitted(view(), static_cast<std::size_t>(line_width(*this)), hang_);
    } catch (const std::exception&) { // it may say that there is no memory
        to_ << view();
    }
}

} // namespace program
