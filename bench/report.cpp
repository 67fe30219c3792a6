// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

#include "../examples/tutti/json.hpp"

namespace bench {

std::string size_text(std::size_t bytes) {
    if (bytes >= 1U << 20) return std::to_string(bytes >> 20) + " MiB";
    if (bytes >= 1U << 10) return std::to_string(bytes >> 10) + " KiB";
    return std::to_string(bytes) + " B";
}
namespace {

std::string fixed(double value, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

std::string text_of(const cell& c) {
    if (const auto* text = std::get_if<std::string>(&c)) return *text;
    if (const auto* number = std::get_if<std::int64_t>(&c)) return std::to_string(*number);
    const auto& figure = std::get<measured>(c);
    return fixed(figure.value, figure.digits);
}

/// Terminal columns of a UTF-8 text: bytes that continue a character take none.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

void print(const table& t) {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
        std::size_t width = width_of(t.columns[c]);
        for (const auto& row : t.rows) width = std::max(width, width_of(text_of(row[c])));
        widths.push_back(width);
    }
    const auto line = [&](std::size_t c, const std::string& text, bool left) {
        const std::string gap(widths[c] - width_of(text), ' ');
        std::fputs((c == 0 ? "  " : "   "), stdout);
        std::fputs((left ? text + gap : gap + text).c_str(), stdout);
    };
    std::printf("\n%s\n", t.title.c_str());
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
        const bool words =
            !t.rows.empty() && std::holds_alternative<std::string>(t.rows.front()[c]) && c == 0;
        line(c, t.columns[c], words);
    }
    std::fputs("\n", stdout);
    for (const auto& row : t.rows) {
        for (std::size_t c = 0; c < row.size(); ++c)
            line(c, text_of(row[c]), c == 0 && std::holds_alternative<std::string>(row[c]));
        std::fputs("\n", stdout);
    }
}

std::string sentence(const aim& a) {
    return a.what + ": " + fixed(a.value, 2) + a.unit
           + (a.wanted == aim::direction::at_most ? ", aim <= " : ", aim >= ") + fixed(a.limit, 2) + a.unit
           + (a.met() ? ": met" : ": MISSED");
}

std::string json_of(const cell& c) {
    if (const auto* text = std::get_if<std::string>(&c)) return program::in_quotes(*text);
    if (const auto* figure = std::get_if<measured>(&c)) return fixed(figure->value, 6);
    return text_of(c);
}

} // namespace

void report::add(table finished) {
    print(finished);
    std::fflush(stdout);
    tables_.push_back(std::move(finished));
}

void report::judge(aim a) {
    std::printf("  %s\n", sentence(a).c_str());
    std::fflush(stdout);
    aims_.push_back(std::move(a));
}

void report::at_most(std::string what, double value, double limit, std::string unit) {
    judge({std::move(what), value, aim::direction::at_most, limit, std::move(unit)});
}

void report::at_least(std::string what, double value, double limit, std::string unit) {
    judge({std::move(what), value, aim::direction::at_least, limit, std::move(unit)});
}

void report::wrong(const std::string& what) {
    std::printf("  WRONG RESULT: %s\n", what.c_str());
    correct_ = false;
}

void report::print_aims() const {
    const auto met = std::count_if(aims_.begin(), aims_.end(), [](const aim& a) { return a.met(); });
    std::printf("\nAims: %d of %d met\n", static_cast<int>(met), static_cast<int>(aims_.size()));
    for (const aim& a : aims_)
        if (!a.met()) std::printf("  %s\n", sentence(a).c_str());
}

bool report::write_json(const std::string& path) const {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) return false;
    std::string text = program::json_heading("bench/run") + ", \"rows\": [";
    const char* separator = "\n";
    for (const table& t : tables_)
        for (const auto& row : t.rows) {
            text += separator + ("{\"table\": " + program::in_quotes(t.name));
            for (std::size_t c = 0; c < row.size(); ++c)
                text += ", " + program::in_quotes(t.columns[c]) + ": " + json_of(row[c]);
            text += "}";
            separator = ",\n";
        }
    text += "\n], \"aims\": [";
    separator = "\n";
    for (const aim& a : aims_) {
        text += separator + ("{\"what\": " + program::in_quotes(a.what)) + ", \"value\": " + fixed(a.value, 6)
                + ", \"aim\": " + program::in_quotes(a.wanted == aim::direction::at_most ? "<=" : ">=")
                + ", \"limit\": " + fixed(a.limit, 6) + ", \"unit\": " + program::in_quotes(a.unit)
                + ", \"met\": " + (a.met() ? "true" : "false") + "}";
        separator = ",\n";
    }
    text += "\n]}\n";
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && written;
}

} // namespace bench
