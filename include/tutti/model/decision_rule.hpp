// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/model/candidates.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <string_view>

#include <tutti/core/error.hpp>
#endif

/// What a decision table is made of, and what is checked of it.
namespace tutti {

/// From `first` to `last`, both included.
template <class Integer>
struct closed_range {
    Integer first = 0;                                  ///< the least, included
    Integer last = std::numeric_limits<Integer>::max(); ///< the greatest value there is: without end

    /// Whether it holds a value.
    constexpr bool has(Integer value) const noexcept { return first <= value && value <= last; }

    friend constexpr bool operator==(const closed_range&, const closed_range&) = default;
};

/// "2..15", "7", "16.."
template <class Integer>
std::string text_of(const closed_range<Integer>& r) {
    std::string text = std::to_string(r.first);
    if (r.first == r.last) return text;
    text += "..";
    if (r.last != std::numeric_limits<Integer>::max()) text += std::to_string(r.last);
    return text;
}

/// What decides, besides size and bytes, which algorithms cover a request.
struct request_case {
    bool commutative = true;  ///< always where nothing is folded
    bool equal_blocks = true; ///< always where no rank has a block of its own length

    friend constexpr bool operator==(const request_case&, const request_case&) = default;
};

/// Whether the calls of a collective let every rank's block have a length of its own.
constexpr bool has_unequal_blocks(collective c) noexcept {
    return c == collective::allgather || c == collective::reduce_scatter || c == collective::gather
           || c == collective::scatter;
}

/// The case of a request.
constexpr request_case case_of(const selection_request& r) noexcept {
    return {.commutative = !folds(r.what) || r.commutative,
            .equal_blocks = !has_unequal_blocks(r.what) || r.equal_blocks};
}

/// The cases that a collective has.
std::vector<request_case> cases_of(collective c);

/// An algorithm for some sizes and bytes of a collective.
struct decision_rule {
    collective what = collective::barrier; ///< the collective
    bool commutative = true;               ///< for operations that commute (and wherever nothing is folded)
    bool ordered = true;                   ///< for those that do not
    bool equal_blocks = true;              ///< for blocks of equal length (and wherever there are no others)
    bool unequal_blocks = true;            ///< for blocks of any lengths
    closed_range<rank_type> sizes{.first = 1}; ///< numbers of ranks
    closed_range<std::int64_t> bytes{};        ///< of the whole vector
    candidate choice{};                        ///< what is taken: of names and numbers, without a maker
    std::string where{}; ///< how errors call it: "machine.table:7"; "rule 3" if nobody says

    /// Whether the rule is for that case.
    constexpr bool covers(request_case one) const noexcept {
        return (one.commutative ? commutative : ordered)
               && (one.equal_blocks ? equal_blocks : unequal_blocks);
    }

    /// Where they stand does not matter.
    friend bool operator==(const decision_rule& a, const decision_rule& b) {
        return a.what == b.what && a.commutative == b.commutative && a.ordered == b.ordered
               && a.equal_blocks == b.equal_blocks && a.unequal_blocks == b.unequal_blocks
               && a.sizes == b.sizes && a.bytes == b.bytes && a.choice.entry->name == b.choice.entry->name
               && a.choice.with == b.choice.with;
    }
};

namespace detail {

/// Sizes of a rule that its claims are tried on: all of the first 128, then powers of two and their
/// neighbours up to 2^20, and the last.
std::vector<rank_type> sizes_to_try(const closed_range<rank_type>& sizes);

/// Ranges that are ranges, an algorithm of this collective and no maker, options it takes, claims that cover
/// all cases.
void check_rule(const decision_rule& rule);

/// No rule has the sizes from `first` to `last`, but some have smaller and some greater ones.
[[noreturn]] void refuse_size_gap(const std::vector<const decision_rule*>& rules, rank_type first,
                                  rank_type last);

/// `rules`, by their first byte, have every length from 0 on once.
void check_lengths(const std::vector<const decision_rule*>& rules, request_case one,
                   closed_range<rank_type> sizes);

} // namespace detail

#if TUTTI_BODIES
TUTTI_BODY std::vector<request_case> cases_of(collective c) {
    std::vector<request_case> all;
    for (const bool commutative : {true, false})
        for (const bool equal : {true, false})
            if ((commutative || folds(c)) && (equal || has_unequal_blocks(c)))
                all.push_back({commutative, equal});
    return all;
}

namespace detail {
[[noreturn]] inline void refuse_rule(const decision_rule& rule, const std::string& what, std::string value,
                                     std::string allowed) {
    throw argument_error(std::string(rule.where).append(": ").append(what), std::move(value),
                         std::move(allowed));
}

TUTTI_BODY std::vector<rank_type> sizes_to_try(const closed_range<rank_type>& sizes) {
    constexpr std::int64_t far = 1 << 20;
    std::vector<rank_type> all;
    const auto add = [&](std::int64_t size) {
        if (size >= sizes.first && size <= sizes.last) all.push_back(static_cast<rank_type>(size));
    };
    for (std::int64_t n = sizes.first; n < std::int64_t{sizes.first} + 128; ++n) add(n);
    for (std::int64_t power = 1; power <= far; power *= 2)
        for (const std::int64_t n : {power - 1, power, power + 1}) add(n);
    if (sizes.last <= far) add(sizes.last);
    return all;
}

TUTTI_BODY void check_rule(const decision_rule& rule) {
    if (rule.sizes.first < 1 || rule.sizes.last < rule.sizes.first)
        refuse_rule(rule, "size", text_of(rule.sizes), "a range of numbers from 1 on");
    if (rule.bytes.first < 0 || rule.bytes.last < rule.bytes.first)
        refuse_rule(rule, "bytes", text_of(rule.bytes), "a range of numbers from 0 on");
    if (rule.choice.entry == nullptr || rule.choice.entry->what != rule.what)
        refuse_rule(rule, "algorithm", "none of this collective",
                    "one of " + std::string(name_of(rule.what)));
    if (rule.choice.maker != nullptr)
        refuse_rule(rule, "algorithm", name_of(rule.choice) + " by a maker of its own",
                    "one without: a table has names and numbers alone");
    for (const rank_type size : sizes_to_try(rule.sizes))
        for (const rank_type root : {0, 1, size / 2, size - 1}) {
            if (root >= size || (root != 0 && !has_root(rule.what))) continue;
            capabilities claims;
            try {
                claims = rule.choice.entry->make({0, size, root}, rule.choice.with).claims();
            } catch (const argument_error& e) {
                refuse_rule(rule, e.argument(), e.value(), e.allowed());
            }
            for (const request_case one : cases_of(rule.what)) {
                if (!rule.covers(one)) continue;
                const std::string_view why = not_covered(
                    claims,
                    {.what = rule.what, .commutative = one.commutative, .equal_blocks = one.equal_blocks});
                if (!why.empty())
                    refuse_rule(rule, "algorithm", name_of(rule.choice),
                                std::string("one that covers ")
                                    .append(one.commutative ? "" : "operations that are not commutative")
                                    .append(one.commutative || one.equal_blocks ? "" : " and ")
                                    .append(one.equal_blocks ? "" : "blocks of unequal length")
                                    .append("; with ")
                                    .append(std::to_string(size))
                                    .append(" ranks and root ")
                                    .append(std::to_string(root))
                                    .append(" this one ")
                                    .append(why));
            }
        }
}

inline std::string text_of(request_case one) {
    return std::string(one.commutative ? "" : ", ordered").append(one.equal_blocks ? "" : ", unequal blocks");
}

[[noreturn]] TUTTI_BODY void refuse_size_gap(const std::vector<const decision_rule*>& rules, rank_type first,
                                             rank_type last) {
    const decision_rule* after = nullptr;
    for (const decision_rule* rule : rules)
        if (rule->sizes.first > last && (after == nullptr || rule->sizes.first < after->sizes.first))
            after = rule;
    refuse_rule(*after, "size", text_of(after->sizes),
                "a range from " + std::to_string(first) + " on: no rule has "
                    + text_of(closed_range<rank_type>{first, last}));
}

TUTTI_BODY void check_lengths(const std::vector<const decision_rule*>& rules, request_case one,
                              closed_range<rank_type> sizes) {
    constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();
    const std::string of = " (" + text_of(sizes) + " ranks" + text_of(one) + ")";
    std::int64_t next = 0;
    const decision_rule* before = nullptr;
    for (const decision_rule* rule : rules) {
        if (before != nullptr && before->bytes.last == endless)
            refuse_rule(*rule, "bytes", text_of(rule->bytes) + of,
                        "nothing: all from " + std::to_string(before->bytes.first) + " on are those of "
                            + before->where);
        if (rule->bytes.first < next)
            refuse_rule(*rule, "bytes", text_of(rule->bytes) + of,
                        "a range from " + std::to_string(next) + " on: " + before->where + " has "
                            + text_of(before->bytes));
        if (rule->bytes.first > next)
            refuse_rule(*rule, "bytes", text_of(rule->bytes) + of,
                        "a range from " + std::to_string(next) + " on: no rule has "
                            + text_of(closed_range<std::int64_t>{next, rule->bytes.first - 1}));
        before = rule;
        if (rule->bytes.last != endless) next = rule->bytes.last + 1;
    }
    if (before->bytes.last != endless)
        refuse_rule(*before, "bytes", text_of(before->bytes) + of,
                    std::to_string(before->bytes.first) + "..: no rule has those from " + std::to_string(next)
                        + " on");
}
} // namespace detail
#endif

} // namespace tutti
