// SPDX-License-Identifier: BSL-1.0
#include "arguments.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <exception>

#include <tutti/core/error.hpp>
#include <tutti/core/spelling.hpp>

namespace program {

namespace {

/// Calls f with every part of `text` between commas, empty ones included.
template <class F>
void for_each_part(std::string_view text, F&& f) {
    for (;;) {
        const std::size_t comma = text.find(',');
        f(text.substr(0, comma));
        if (comma == std::string_view::npos) return;
        text.remove_prefix(comma + 1);
    }
}

template <class T>
void add_once(std::vector<T>& list, const T& value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

std::optional<std::int64_t> number_from(std::string_view text, bool units) {
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc{} || end == text.data()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return value;
    constexpr std::string_view letters = "KMG";
    const std::size_t power = letters.find(text.front());
    if (!units || text.size() != 1 || power == std::string_view::npos) return std::nullopt;
    const int shift = 10 * (static_cast<int>(power) + 1);
    if (value < 0 || value > (std::int64_t{1} << 62) >> shift) return std::nullopt;
    return value << shift;
}

/// "2..7": the ends of a range; "5" is 5..5. What is no number is none.
struct ends {
    std::optional<std::int64_t> first, last;

    bool are_within(const number_range& allowed) const {
        return first && last && allowed.low <= *first && *first <= *last && *last <= allowed.high;
    }
};
ends ends_from(std::string_view text, bool units) {
    const std::size_t dots = text.find("..");
    const auto first = number_from(text.substr(0, dots), units);
    return {first, dots == std::string_view::npos ? first : number_from(text.substr(dots + 2), units)};
}

} // namespace

std::string text_of(std::span<const option> options) {
    constexpr std::size_t indent = 28;
    std::string text;
    for (const option& o : options) {
        std::string line = "  " + std::string(o.name) + (o.value.empty() ? "" : " ") + std::string(o.value);
        if (line.size() + 2 > indent) { // its help begins where all begin
            text.append(line).append("\n");
            line.clear();
        }
        line.resize(indent, ' ');
        text.append(line).append(o.help).append("\n");
    }
    return text;
}

arguments::arguments(std::span<const option> known, std::span<const std::string> given) {
    std::vector<std::string_view> names;
    for (const option& o : known) names.push_back(o.name);
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::string_view word = given[i];
        const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string_view::npos;
        const std::string_view name = word.substr(0, equals);
        const auto found =
            std::find_if(known.begin(), known.end(), [&](const option& o) { return o.name == name; });
        if (found == known.end())
            throw tutti::argument_error("option", tutti::detail::misspelt(name, names), joined(names));
        if (has(name)) throw tutti::argument_error(std::string(name), "given twice", "once");
        const bool wants_value = !found->value.empty();
        if (equals != std::string_view::npos) {
            if (!wants_value)
                throw tutti::argument_error(std::string(name), std::string(word.substr(equals + 1)),
                                            "no value");
            given_.emplace_back(found->name, word.substr(equals + 1));
        } else if (!wants_value) {
            given_.emplace_back(found->name, "");
        } else {
            if (i + 1 == given.size() || given[i + 1].starts_with("--"))
                throw tutti::argument_error(std::string(name), "without a value", std::string(found->value));
            given_.emplace_back(found->name, given[++i]);
        }
    }
}

const arguments::given_option* arguments::find(std::string_view name) const {
    for (const given_option& o : given_)
        if (o.first == name) return &o;
    return nullptr;
}

std::string_view arguments::value(std::string_view name, std::string_view otherwise) const {
    const given_option* found = find(name);
    return found != nullptr ? std::string_view(found->second) : otherwise;
}

namespace {

/// A list that would be taken.
std::string example_of(const number_range& allowed) {
    if (allowed.units && allowed.low <= 8 && allowed.high >= (1 << 20)) return "8,64K,1M";
    const std::int64_t first = std::min(std::max<std::int64_t>(allowed.low, 1), allowed.high);
    const std::int64_t last = std::min(first + 8, allowed.high);
    std::string text = std::to_string(first);
    if (last > first) text.append("..").append(std::to_string(last));
    if (allowed.high >= last + 4) text.append(",").append(std::to_string(last + 4));
    return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "64K,1M..2M" for "64k,1MB..2mb": units as they are taken; "" if there are other words.
std::string respelt(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (is_digit(c) || c == ',' || c == '.') {
            result += c;
            ++i;
            continue;
        }
        std::string unit;
        while (i < text.size() && text[i] != ',' && text[i] != '.')
            unit += static_cast<char>(std::toupper(static_cast<unsigned char>(text[i++])));
        for (const std::string_view bytes : {"BYTES", "IB", "B"})
            if (unit.ends_with(bytes)) {
                unit.resize(unit.size() - bytes.size());
                break;
            }
        if (!unit.empty() && unit != "K" && unit != "M" && unit != "G") return {};
        result += unit;
    }
    return result;
}

std::vector<std::int64_t> listed_numbers(std::string_view option_name, std::string_view text,
                                         number_range allowed, bool one) {
    constexpr std::size_t most = 100000;
    const auto refuse = [&](const std::string& why) {
        std::string value = "'" + std::string(text) + "'";
        const std::string meant = allowed.units ? respelt(text) : std::string();
        bool taken = meant != text && !meant.empty();
        for_each_part(meant, [&](std::string_view part) {
            taken = taken && ends_from(part, allowed.units).are_within(allowed);
        });
        if (taken) value.append(" (did you mean ").append(meant).append("?)");
        throw tutti::argument_error(std::string(option_name), value, why);
    };
    const auto refuse_number = [&](std::optional<std::int64_t> n) {
        std::string why = std::string(one ? "one number" : "numbers") + " from " + std::to_string(allowed.low)
                          + " to " + std::to_string(allowed.high)
                          + (allowed.units ? " (K, M, G may follow)" : "");
        if (!one) why.append(", as in ").append(example_of(allowed));
        if (n && *n > allowed.high && *allowed.beyond != 0) why.append("; ").append(allowed.beyond);
        refuse(why);
    };
    std::vector<std::int64_t> list;
    for_each_part(text, [&](std::string_view part) {
        const ends read = ends_from(part, allowed.units);
        const auto& [first, last] = read;
        if (!read.are_within(allowed)) refuse_number(last);
        if (*last - *first >= static_cast<std::int64_t>(most - list.size()))
            refuse("at most " + std::to_string(most) + " numbers; more in several calls");
        if (*first == *last)
            add_once(list, *first);
        else if (list.empty()) // the usual case, without looking for each among the others
            for (std::int64_t n = *first; n <= *last; ++n) list.push_back(n);
        else
            for (std::int64_t n = *first; n <= *last; ++n) add_once(list, n);
    });
    return list;
}

} // namespace

std::vector<std::int64_t> numbers(std::string_view option_name, std::string_view text, number_range allowed) {
    return listed_numbers(option_name, text, allowed, false);
}

std::vector<std::string_view> words(std::string_view option_name, std::string_view text,
                                    std::span<const std::string_view> allowed, all_is all) {
    if (text == "all") return {allowed.begin(), allowed.end()};
    std::vector<std::string_view> list;
    for_each_part(text, [&](std::string_view part) {
        const auto found = std::find(allowed.begin(), allowed.end(), part);
        if (found == allowed.end())
            throw tutti::argument_error(std::string(option_name), tutti::detail::misspelt(part, allowed),
                                        (all == all_is::told ? "all, " : "") + joined(allowed));
        add_once(list, *found);
    });
    return list;
}

std::string_view one_word(std::string_view option_name, std::string_view text,
                          std::span<const std::string_view> allowed) {
    const auto found = std::find(allowed.begin(), allowed.end(), text);
    if (found != allowed.end()) return *found;
    throw tutti::argument_error(std::string(option_name), tutti::detail::misspelt(text, allowed),
                                joined(allowed));
}

std::string joined(std::span<const std::string_view> names, std::string_view separator) {
    std::string text;
    for (const std::string_view name : names) {
        if (!text.empty()) text += separator;
        text += name;
    }
    return text;
}

std::int64_t one_number(std::string_view option_name, std::string_view text, number_range allowed) {
    const std::vector<std::int64_t> list = listed_numbers(option_name, text, allowed, true);
    if (list.size() != 1)
        throw tutti::argument_error(std::string(option_name), "'" + std::string(text) + "'", "one number");
    return list.front();
}

std::int64_t one_number(const arguments& given, std::string_view option_name, std::string_view otherwise,
                        number_range allowed) {
    return one_number(option_name, given.value(option_name, otherwise), allowed);
}

std::pair<std::int64_t, std::int64_t> one_range(std::string_view option_name, std::string_view text,
                                                number_range allowed) {
    const ends read = ends_from(text, allowed.units);
    if (read.are_within(allowed)) return {*read.first, *read.last};
    throw tutti::argument_error(std::string(option_name), "'" + std::string(text) + "'",
                                "one range from " + std::to_string(allowed.low) + " to "
                                    + std::to_string(allowed.high)
                                    + ", as 2..7 (the lower number first), or one number");
}

double seconds(std::string_view option_name, std::string_view text) {
    const std::string all(text);
    std::size_t read = 0;
    double value = 0;
    try {
        value = std::stod(all, &read);
    } catch (const std::exception&) {
        read = 0;
    }
    if (read != all.size() || all.empty() || !std::isfinite(value) || value <= 0 || value > 3600)
        throw tutti::argument_error(std::string(option_name), "'" + all + "'",
                                    "a number of seconds up to 3600");
    return value;
}

} // namespace program
