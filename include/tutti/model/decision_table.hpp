// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/choose/chooser.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/model/candidates.hpp>
#include <tutti/model/decision_rule.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <limits>
#endif

namespace tutti {

/// Which algorithm for which size and bytes: choices written down, so that asking for one is a look-up in
/// ranges (some ns; two binary searches) and nothing is priced. Made by tabulate (model/tabulate.hpp), read
/// from a file (model/decision_table_file.hpp), or from rules.
class decision_table {
public:
    /// Without rules: find never finds anything.
    decision_table() = default;

    /// Throws argument_error, naming rule and reason, if a value is out of range, if rules of the same
    /// collective and case overlap or leave gaps, or if an algorithm does not cover all that its rule is for.
    explicit decision_table(std::string machine_name, std::vector<decision_rule> rules);

    bool empty() const noexcept { return rules_.empty(); }
    /// For which machine it was made; "" if nobody said.
    const std::string& machine_name() const noexcept { return machine_name_; }
    /// As they were given.
    const std::vector<decision_rule>& rules() const noexcept { return rules_; }

    /// The algorithm for a request, or null if no rule is for it: its collective, case or size is not listed.
    const candidate* find(const selection_request& request) const noexcept {
        const list& of = lists_[key(request.what, case_of(request))];
        const std::size_t at = index(of, request);
        return at == none ? nullptr : &of.candidates[at];
    }
    /// The same, for a communicator.
    const choice* find_choice(const selection_request& request) const noexcept {
        const list& of = lists_[key(request.what, case_of(request))];
        const std::size_t at = index(of, request);
        return at == none ? nullptr : &of.choices[at];
    }
    /// The choice that a rule lists for a call, or null.
    const choice* find_choice(collective what, const request_facts& facts) const noexcept {
        return find_choice(detail::request_of(what, facts));
    }

    /// The rule for a request, or null: for people, one after the other.
    const decision_rule* rule_for(const selection_request& request) const noexcept;
    /// Which of its properties no rule is for, "allreduce of 5 ranks (but for 2..4)"; "" if a rule is for it.
    std::string lacks(const selection_request& request) const;

    /// The same rules, for the same machine.
    friend bool operator==(const decision_table& a, const decision_table& b) {
        return a.machine_name_ == b.machine_name_ && a.rules_ == b.rules_;
    }

private:
    /// Sizes for which the same rules hold, and where their lengths are.
    struct size_band {
        rank_type last = 0;
        std::size_t begin = 0;
        std::size_t count = 0;
    };
    /// What is searched lies close together.
    struct list {
        std::vector<rank_type> firsts; // of the bands
        std::vector<size_band> bands;
        std::vector<std::int64_t> lengths; // bytes from here up to the next one, band by band
        std::vector<candidate> candidates; // for these
        std::vector<choice> choices;       // the same
    };

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    static std::size_t index(const list& of, const selection_request& request) noexcept {
        if (of.firsts.empty() || request.size < of.firsts.front()) return none;
        const size_band& band = of.bands[last_not_above(of.firsts.data(), of.firsts.size(), request.size)];
        if (request.size > band.last || request.bytes < 0) return none;
        // The first length of a band is 0.
        return band.begin + last_not_above(of.lengths.data() + band.begin, band.count, request.bytes);
    }

    /// The last of `count` ascending values that is not above `value`, which the first is not. Without
    /// branches that depend on the values: nobody can foretell them.
    template <class T>
    static std::size_t last_not_above(const T* values, std::size_t count, T value) noexcept {
        std::size_t at = 0;
        for (; count > 1; count -= count / 2) at += values[at + count / 2] <= value ? count / 2 : 0;
        return at;
    }

    static std::size_t key(collective what, request_case one) noexcept {
        return static_cast<std::size_t>(what) * 4 + (one.commutative ? 1U : 0U)
               + (one.equal_blocks ? 2U : 0U);
    }

    void compile(collective what, request_case one);

    std::string machine_name_;
    std::vector<decision_rule> rules_;
    std::array<list, 4 * (all_collectives.size() + 1)> lists_;
};

#if TUTTI_BODIES
TUTTI_BODY decision_table::decision_table(std::string machine_name, std::vector<decision_rule> rules)
    : machine_name_(std::move(machine_name)), rules_(std::move(rules)) {
    for (std::size_t i = 0; i < rules_.size(); ++i)
        if (rules_[i].where.empty()) rules_[i].where = "rule " + std::to_string(i + 1);
    for (const decision_rule& rule : rules_) detail::check_rule(rule);
    for (const collective c : all_collectives)
        for (const request_case one : cases_of(c)) compile(c, one);
}

TUTTI_BODY const decision_rule* decision_table::rule_for(const selection_request& request) const noexcept {
    const request_case one = case_of(request);
    for (const decision_rule& rule : rules_)
        if (rule.what == request.what && rule.covers(one) && rule.sizes.has(request.size)
            && rule.bytes.has(request.bytes))
            return &rule;
    return nullptr;
}

TUTTI_BODY std::string decision_table::lacks(const selection_request& request) const {
    if (rule_for(request) != nullptr) return {};
    const request_case one = case_of(request);
    std::string text(name_of(request.what));
    const bool listed = std::any_of(rules_.begin(), rules_.end(),
                                    [&](const decision_rule& r) { return r.what == request.what; });
    const list& of = lists_[key(request.what, one)];
    if (listed && of.firsts.empty()) {
        if (folds(request.what))
            text += one.commutative ? ", operations that commute" : ", operations that need not commute";
        if (has_unequal_blocks(request.what))
            text += one.equal_blocks ? ", equal blocks" : ", blocks of any lengths";
    } else if (listed) {
        const closed_range<rank_type> sizes{of.firsts.front(), of.bands.back().last};
        text.append(" of ").append(std::to_string(request.size)).append(" ranks (but for ");
        text.append(text_of(sizes)).append(")");
    }
    return text;
}

TUTTI_BODY void decision_table::compile(collective what, request_case one) {
    list& of = lists_[key(what, one)];
    std::vector<const decision_rule*> mine;
    std::vector<std::int64_t> cuts; // where a rule's sizes begin or have ended
    for (const decision_rule& rule : rules_)
        if (rule.what == what && rule.covers(one)) {
            mine.push_back(&rule);
            cuts.push_back(rule.sizes.first);
            cuts.push_back(std::int64_t{rule.sizes.last} + 1);
        }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::stable_sort(mine.begin(), mine.end(), [](const decision_rule* a, const decision_rule* b) {
        return a->bytes.first < b->bytes.first;
    });
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        const auto first = static_cast<rank_type>(cuts[i]);
        const auto last = static_cast<rank_type>(cuts[i + 1] - 1);
        std::vector<const decision_rule*> here;
        for (const decision_rule* rule : mine)
            if (rule->sizes.first <= first && last <= rule->sizes.last) here.push_back(rule);
        if (here.empty()) detail::refuse_size_gap(mine, first, last);
        detail::check_lengths(here, one, {first, last});
        of.firsts.push_back(first);
        of.bands.push_back({.last = last, .begin = of.lengths.size(), .count = here.size()});
        for (const decision_rule* rule : here) {
            of.lengths.push_back(rule->bytes.first);
            of.candidates.push_back(rule->choice);
            of.choices.push_back(choice_of(rule->choice));
        }
    }
}
#endif

} // namespace tutti
