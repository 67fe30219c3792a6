// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include <tutti/choose/chooser.hpp>
#include <tutti/choose/remembered.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/schedule/catalogue_entry.hpp>

/// The choices that ship: measured where tutti was measured, priced by the models elsewhere, and written down
/// by `tutti tune --defaults` in choose/default_<collective>.hpp. Only the algorithms that win there are
/// compiled for calls that name none.
namespace tutti {

/// What decides, besides size and bytes, which rules are for a request.
enum class cores : std::uint8_t {
    own,    ///< every rank has a core of its own
    shared, ///< there are more ranks than cores
};

/// The requests whose rounded_length() is at most `bytes` on up to `ranks` ranks, and that no rule before it
/// is for.
struct default_rule {
    /// The rule holds for all sizes that are left.
    static constexpr auto any_size = std::numeric_limits<rank_type>::max();
    /// ... for all lengths that are left.
    static constexpr auto any_bytes = std::numeric_limits<std::int64_t>::max();

    cores on = cores::own;          ///< for ranks with cores of their own, or for others
    bool in_order = false;          ///< for operations that are not known to commute, too
    rank_type ranks = any_size;     ///< the most ranks
    std::int64_t bytes = any_bytes; ///< the longest vector, rounded
    choice to{};                    ///< what is taken

    /// Whether the rule is for such a request; rules before it come first.
    constexpr bool is_for(const request_facts& facts, cores here) const noexcept {
        return on == here && (in_order || facts.commutative) && facts.at.size <= ranks
               && detail::rounded_length(facts.bytes) <= bytes;
    }
};

namespace detail {

/// The rules of a collective, by choose/default_<collective>.hpp. The second parameter is never given: it
/// makes the list one that is compiled for who makes such a call, and not for who includes its header.
template <collective C, class Whenever = void>
struct default_rules;

/// An algorithm that some rule takes: what the catalogue calls `name`.
template <collective C, class Algorithm>
constexpr choice winner(std::string_view name) {
    return {.algorithm = name, .make = &make_algorithm<C, Algorithm>, .with = defaults_of<Algorithm>()};
}

/// A rule as it is written down: options that are not given have their defaults.
struct default_row {
    cores on;
    bool in_order;
    rank_type ranks;
    std::int64_t bytes;
    std::string_view algorithm;
    parameters with{};
};

/// The rules of these rows, each with one of the winners.
template <std::size_t Winners, std::size_t Rows>
consteval std::array<default_rule, Rows> rules_of(const std::array<choice, Winners>& winners,
                                                  const default_row (&rows)[Rows]) {
    std::array<default_rule, Rows> rules{};
    for (std::size_t i = 0; i < Rows; ++i) {
        const default_row& row = rows[i];
        std::size_t who = 0;
        while (winners[who].algorithm != row.algorithm) ++who; // beyond the last one: no constant
        rules[i] = {row.on, row.in_order, row.ranks, row.bytes, winners[who]};
        rules[i].to.with = overridden(winners[who].with, row.with);
    }
    return rules;
}

/// The first rule for a request, and there is one.
constexpr const default_rule& first_rule(std::span<const default_rule> rules, const request_facts& facts,
                                         cores here) noexcept {
    for (const default_rule& rule : rules)
        if (rule.is_for(facts, here)) return rule;
    return rules.back();
}

/// "by the table for ranks with cores of their own, up to 8 ranks, up to 65536 bytes": a rule of a
/// collective, since where nothing is folded no operation has to commute.
std::string reason_of(const default_rule& rule, collective what);
/// "ring: by the table for ranks with cores of their own, up to 8 ranks, up to 65536 bytes", a line
std::string explained(const default_rule& rule, collective what);

#if TUTTI_BODIES
TUTTI_BODY std::string reason_of(const default_rule& rule, collective what) {
    std::string text = "by the table for ranks ";
    text.append(rule.on == cores::own ? "with cores of their own" : "that share cores");
    if (rule.in_order && folds(what)) text.append(", operations that need not commute");
    if (rule.ranks != default_rule::any_size)
        text.append(", up to ").append(std::to_string(rule.ranks)).append(" ranks");
    if (rule.bytes != default_rule::any_bytes)
        text.append(", up to ").append(std::to_string(rule.bytes)).append(" bytes");
    return text;
}
TUTTI_BODY std::string explained(const default_rule& rule, collective what) {
    return name_of(rule.to).append(": ").append(reason_of(rule, what)).append("\n");
}
#endif

} // namespace detail

/// All rules of a collective: compiled by who asks for them, or by the archive.
#if defined(TUTTI_COMPILED)
std::span<const default_rule> default_rules_of(collective what) noexcept;
template <collective C>
std::span<const default_rule> default_rules_of() noexcept {
    return default_rules_of(C);
}
#else
/// All rules of collective C, in the order in which they are looked at.
template <collective C>
constexpr std::span<const default_rule> default_rules_of() noexcept {
    return detail::default_rules<C>::list;
}
#endif

/// The rule for a call of collective C that names no algorithm, on a communicator that no chooser was given.
template <collective C>
const default_rule& default_choice(const request_facts& facts, cores here) {
    return detail::first_rule(default_rules_of<C>(), facts, here);
}

} // namespace tutti
