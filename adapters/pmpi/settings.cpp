// SPDX-License-Identifier: BSL-1.0
#include "settings.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <vector>

#include <tutti/choose/default_choices.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/spelling.hpp>
#include <tutti/model/decision_table_file.hpp>
#include <tutti/schedule/catalogue.hpp>

namespace tutti::pmpi {

namespace {

constexpr std::array<std::string_view, mpi_calls> names{
    "barrier",   "bcast",      "reduce",   "allreduce", "reduce_scatter", "reduce_scatter_block",
    "allgather", "allgatherv", "alltoall", "exscan",    "gather",         "scatter",
    "scan",      "gatherv",    "scatterv", "alltoallv"};

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

/// The parts of a list that is written with a separator and with blanks at will; empty ones are none.
std::vector<std::string_view> parts_of(std::string_view list, char separator) {
    std::vector<std::string_view> parts;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(separator), list.size());
        if (const std::string_view one = trimmed(list.substr(0, end)); !one.empty()) parts.push_back(one);
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return parts;
}

bool is_set(const char* name, std::string_view text) {
    if (text.empty() || text == "0") return false;
    if (text == "1") return true;
    throw argument_error(name, std::string(text), "0 or 1");
}

trials trials_of(std::string_view text) {
    if (text.empty() || text == "1") return trials::same_bits;
    if (text == "0") return trials::none;
    if (text == "all") return trials::all;
    throw argument_error("TUTTI_TRIAL", std::string(text), "0, 1 or all");
}

std::string joined(const auto& list, const auto& name_it) {
    std::string text;
    for (const auto& one : list) text.append(text.empty() ? "" : ", ").append(name_it(one));
    return text;
}

/// "fnomial" or "fnomial radix=4 segments=2", for a collective.
choice choice_named(collective what, std::string_view text) {
    const std::vector<std::string_view> words = parts_of(text, ' ');
    const catalogue_entry* const entry = words.empty() ? nullptr : find_algorithm(what, words[0]);
    if (entry == nullptr) {
        std::vector<std::string_view> there;
        for (const catalogue_entry& one : catalogue_of(what)) there.push_back(one.name);
        throw argument_error("TUTTI_ALGORITHM",
                             detail::sentence({"\"", text, "\" for ", tutti::name_of(what)})
                                 + detail::did_you_mean(words.empty() ? "" : words[0], there),
                             "one of " + detail::listed(there));
    }
    parameters with = entry->defaults;
    for (std::size_t at = 1; at < words.size(); ++at) {
        const std::string_view word = words[at];
        const std::size_t equal = std::min(word.find('='), word.size());
        const std::string name(word.substr(0, equal));
        const std::string_view digits = word.substr(std::min(equal + 1, word.size()));
        int value = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (with.find(name.c_str()) == nullptr || read.ec != std::errc() || digits.empty()
            || read.ptr != digits.data() + digits.size())
            throw argument_error("TUTTI_ALGORITHM", detail::sentence({"\"", word, "\" for ", entry->name}),
                                 "options of the form name=number; it has "
                                     + (with.empty() ? "none" : joined(with, [](const option_value& o) {
                                           return std::string(o.name);
                                       })));
        for (const auto& [known, before] : entry->defaults)
            if (name == known) with.set(known, value);
    }
    try { // values that it does not allow
        static_cast<void>(entry->make({.rank = 0, .size = 2, .root = 0}, with));
    } catch (const argument_error& e) {
        throw argument_error("TUTTI_ALGORITHM: " + e.argument() + detail::sentence({" of ", entry->name}),
                             e.value(), e.allowed());
    }
    return {.algorithm = entry->name, .make = entry->make, .with = with};
}

} // namespace

std::string_view name_of(mpi_call which) noexcept { return names[static_cast<std::size_t>(which)]; }

settings settings::of(std::string_view report, std::string_view trial, std::string_view off,
                      std::string_view algorithm) {
    settings result;
    result.report = is_set("TUTTI_REPORT", report);
    result.trial = trials_of(trial);
    for (const std::string_view name : parts_of(off, ',')) {
        std::size_t found = 0;
        for (std::size_t at = 0; at < mpi_calls; ++at)
            if (name == names[at] || name == "all") {
                result.off[at] = true;
                ++found;
            }
        if (found == 0)
            throw argument_error("TUTTI_OFF", detail::sentence({"\"", name, "\""}),
                                 "all, or a list, with commas, of "
                                     + joined(names, [](std::string_view one) { return std::string(one); }));
    }
    for (const std::string_view one : parts_of(algorithm, ',')) {
        const std::size_t colon = one.find(':');
        const auto what = collective_named(trimmed(one.substr(0, colon)));
        if (colon == one.npos || !what)
            throw argument_error(
                "TUTTI_ALGORITHM", detail::sentence({"\"", one, "\""}),
                "a list, with commas, of collective:algorithm, where the collective is one of "
                    + joined(all_collectives, [](collective c) { return std::string(tutti::name_of(c)); }));
        choice& named = result.named[static_cast<std::size_t>(*what)];
        if (named.make != nullptr)
            throw argument_error("TUTTI_ALGORITHM", detail::sentence({"\"", one, "\""}),
                                 "one algorithm for each collective");
        named = choice_named(*what, one.substr(colon + 1));
    }
    return result;
}

collective collective_of(mpi_call which) noexcept {
    static constexpr std::array by{
        collective::barrier,        collective::bcast,          collective::reduce,    collective::allreduce,
        collective::reduce_scatter, collective::reduce_scatter, collective::allgather, collective::allgather,
        collective::alltoall,       collective::exscan,         collective::gather,    collective::scatter,
        collective::scan,           collective::gather,         collective::scatter,   collective::alltoall};
    static_assert(by.size() == mpi_calls);
    return by[static_cast<std::size_t>(which)];
}

std::array<bool, mpi_calls> settings::tried() const noexcept {
    std::array<bool, mpi_calls> all{};
    all.fill(trial != trials::none);
    // gatherv, scatterv and alltoallv run by what they run by, whatever is named
    for (std::size_t at = 0; at < static_cast<std::size_t>(mpi_call::gatherv); ++at)
        if (named[static_cast<std::size_t>(collective_of(static_cast<mpi_call>(at)))].make != nullptr)
            all[at] = false;
    return all;
}

decision_table table_of(const std::string& path) {
    try {
        return load_decision_table(path);
    } catch (const argument_error& e) {
        throw argument_error("TUTTI_TABLE: " + e.argument(), e.value(), e.allowed());
    }
}

const choice& chooser_of_settings::chosen(collective what, const request_facts& facts) const {
    const choice& named = those_.named[static_cast<std::size_t>(what)];
    if (named.make != nullptr) {
        try {
            const capabilities claims = named.schedule(facts.at).claims();
            if ((facts.commutative || claims.order_preserving)
                && (facts.equal_blocks || !claims.moves_blocks))
                return named;
        } catch (const argument_error&) { // not for so many ranks
        }
    }
    if (those_.table != nullptr)
        if (const choice* const listed = those_.table->find_choice(what, facts)) return *listed;
    return otherwise_->choose(what, facts);
}

} // namespace tutti::pmpi
