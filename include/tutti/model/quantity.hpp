// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

/// Numbers with units as people write them in machine files. Units shift the decimal point of the text before
/// it becomes a double, so "3.13 ns/B" is the very double that 0.00313 is, and what was written is read back
/// exactly.
namespace tutti::detail {

/// A unit of a time and its power of ten against the first one, in which values are kept.
struct decimal_unit {
    std::string_view name;
    int power;
};
inline constexpr decimal_unit time_units[]{{"us", 0}, {"ns", -3}, {"ps", -6}};
inline constexpr decimal_unit time_per_byte_units[]{{"us/B", 0}, {"ns/B", -3}, {"ps/B", -6}};

struct byte_unit {
    std::string_view name;
    std::int64_t bytes;
};
inline constexpr byte_unit byte_units[]{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}};

inline std::string_view trimmed(std::string_view text) noexcept {
    constexpr std::string_view blanks = " \t\r";
    const auto first = text.find_first_not_of(blanks);
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// "1.50" and "us" of "1.50 us"; blanks between them may be left out.
struct number_and_unit {
    std::string_view number;
    std::string_view unit;

    explicit number_and_unit(std::string_view text) noexcept {
        text = trimmed(text);
        double ignored = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), ignored).ptr;
        number = text.substr(0, static_cast<std::size_t>(end - text.data()));
        unit = trimmed(text.substr(number.size()));
    }
};

template <class Unit>
std::string names_of(std::span<const Unit> units) {
    std::string all;
    for (const Unit& u : units) all.append(all.empty() ? "" : ", ").append(u.name);
    return all;
}

/// What is wrong with the unit, if none of `units` has that name.
template <class Unit>
std::string unit_fault(std::string_view given, std::span<const Unit> units) {
    if (given.empty()) return std::string("the unit is missing; allowed: ").append(names_of(units));
    return std::string("the unit '").append(given).append("' is wrong; allowed: ").append(names_of(units));
}

inline std::string no_number(std::string_view text) {
    return std::string("'").append(text).append("' is not a number");
}

/// Reads a time, in the first of `units`. Returns what is wrong with the text, "" if nothing.
inline std::string read_time(std::string_view text, std::span<const decimal_unit> units, double& to) {
    const number_and_unit parts(text);
    if (parts.number.empty()) return no_number(text);
    double value = 0;
    std::from_chars(parts.number.data(), parts.number.data() + parts.number.size(), value);
    if (!std::isfinite(value)) return "the value is not finite";
    if (std::signbit(value)) return "the value is negative";
    for (const decimal_unit& u : units) {
        if (u.name != parts.unit) continue;
        const auto e = parts.number.find_first_of("eE");
        int exponent = 0;
        if (e != parts.number.npos) exponent = std::atoi(std::string(parts.number.substr(e + 1)).c_str());
        const std::string shifted =
            std::string(parts.number.substr(0, e)).append("e").append(std::to_string(exponent + u.power));
        const auto read = std::from_chars(shifted.data(), shifted.data() + shifted.size(), to);
        return read.ec == std::errc() ? "" : "the value is out of range";
    }
    return unit_fault<decimal_unit>(parts.unit, units);
}

/// Reads a number without unit that is at least `least`. Returns what is wrong, "" if nothing.
inline std::string read_count(std::string_view text, std::int64_t least, std::int64_t& to) {
    text = trimmed(text);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), to);
    if (read.ec != std::errc()) return no_number(text);
    if (read.ptr != text.data() + text.size())
        return std::string("'").append(text).append("' is not a whole number without unit");
    if (to < 0) return "the value is negative";
    if (to < least) return std::string("the value is less than ").append(std::to_string(least));
    return "";
}

/// Reads a length. Returns what is wrong, "" if nothing.
inline std::string read_bytes(std::string_view text, std::int64_t& to) {
    const number_and_unit parts(text);
    if (parts.number.empty()) return no_number(text);
    std::int64_t value = 0;
    if (std::string fault = read_count(parts.number, 0, value); !fault.empty()) return fault;
    for (const byte_unit& u : byte_units) {
        if (u.name != parts.unit) continue;
        if (value > INT64_MAX / u.bytes) return "the value is out of range";
        to = value * u.bytes;
        return "";
    }
    return unit_fault<byte_unit>(parts.unit, byte_units);
}

/// The shortest text that reads back as the same double; below a hundredth of the first unit in the next
/// one: "0.42 us", "3.13 ns/B".
inline std::string text_of_time(double value, std::span<const decimal_unit> units) {
    const decimal_unit& unit = value > 0 && value < 0.01 ? units[1] : units[0];
    char digits[40];
    const auto written =
        std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific).ptr;
    const std::string_view all(digits, static_cast<std::size_t>(written - digits));
    const auto e = all.find('e');
    // Shifted in the text, not by arithmetic: that would round.
    const int exponent = std::atoi(std::string(all.substr(e + 1)).c_str()) - unit.power;
    std::string number(1, all[0]);
    const std::string fraction(e > 2 ? all.substr(2, e - 2) : std::string_view());
    if (exponent < -4 || exponent > 15) {
        if (!fraction.empty()) number.append(".").append(fraction);
        number.append("e").append(std::to_string(exponent));
    } else if (exponent < 0) {
        number = std::string("0.")
                     .append(static_cast<std::size_t>(-exponent - 1), '0')
                     .append(number)
                     .append(fraction);
    } else {
        std::string rest = fraction;
        while (rest.size() < static_cast<std::size_t>(exponent)) rest.push_back('0');
        number.append(rest.substr(0, static_cast<std::size_t>(exponent)));
        if (rest.size() > static_cast<std::size_t>(exponent))
            number.append(".").append(rest.substr(static_cast<std::size_t>(exponent)));
    }
    return number.append(" ").append(unit.name);
}

/// In the largest unit that divides it: "4 KiB", "65535 B".
inline std::string text_of_bytes(std::int64_t bytes) {
    const byte_unit* best = byte_units;
    for (const byte_unit& u : byte_units)
        if (bytes > 0 && bytes % u.bytes == 0) best = &u;
    return std::to_string(bytes / best->bytes).append(" ").append(best->name);
}

} // namespace tutti::detail
