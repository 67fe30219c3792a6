// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "arguments.hpp"
#include "collective_words.hpp"
#include "node_choice.hpp"

/// Which algorithms, with which parameters, for which sizes and roots: the options that most verbs share.
namespace program {

using algorithms = std::span<const tutti::catalogue_entry>;

/// An algorithm with the parameters it really uses.
struct candidate {
    const tutti::catalogue_entry* entry;
    tutti::parameters with;
    /// Of what takes more than numbers, nodes or a relation: makes the schedules instead of the entry.
    std::shared_ptr<const tutti::schedule_maker> maker{};
    std::string_view relation{}; ///< of a multicast: see relation_choice.hpp

    tutti::any_generator make(tutti::place at) const {
        return maker != nullptr ? maker->make(at) : entry->make(at, with);
    }
};

/// What to try where the user has not named the value of a parameter.
enum class untold {
    defaults, ///< the algorithm's default
    useful,   ///< several values of each, so that "all" means something
};

inline constexpr option collective_option{"--collective", "all|NAME,...",
                                          "which collectives; all by default"};

inline constexpr option allreduce_option{"--collective", "all|NAME,...",
                                         "which collectives; allreduce by default"};

inline constexpr option algorithm_option{"--algorithm", "all|NAME,...", "which algorithms; all by default"};

inline constexpr option sizes_option{"--size", "LIST", "numbers of ranks, as in 16,1K,1M; 16 by default"};

inline constexpr option root_option{"--root", "N", "of bcast, reduce, gather and scatter; 0 by default"};

inline constexpr option lengths_option{"--bytes", "LIST",
                                       "bytes of the whole vector, as in 8,64K,1M; 8 by default"};

inline constexpr option element_bytes_option{"--element-bytes", "N",
                                             "bytes of an element, which is never cut; 8 by default"};

inline constexpr option ordered_option{"--ordered", "", "the operation is not commutative"};

inline constexpr option same_bits_option{"--same-bits-for-any-size", "",
                                         "only what folds along the one tree that depends on nothing else"};

/// By --collective, or those that `usual` names; with a `multicast` only where it is known what that is for,
/// and by its name: "all" are those of the catalogue.
inline std::vector<tutti::collective> named_collectives(const arguments& given, std::string_view usual,
                                                        bool multicast = false) {
    std::vector<std::string_view> names;
    for (const tutti::collective c : tutti::all_collectives) names.push_back(tutti::name_of(c));
    const std::string_view text = given.value("--collective", usual);
    if (multicast && text != "all") names.push_back(tutti::name_of(tutti::collective::multicast));
    std::vector<tutti::collective> named;
    for (const std::string_view name : collective_words(text, names))
        named.push_back(tutti::collective_named(name).value_or(tutti::collective::multicast));
    return named;
}

/// The options of the algorithms that ship.
inline constexpr std::array algorithm_options{
    option{"--radix", "LIST", "radix of those that have one, from 2"},
    option{"--arity", "LIST", "arity of those that have one, from 1"},
    option{"--splits", "LIST", "splits of those that have them, 0..30"},
    option{"--segments", "LIST", "segments of those that have them, from 1"},
    option{"--k", "LIST", "k of kprefix (a power of two) and kshift"},
    option{"--zeta", "LIST", "dimensions that hypercube serves directly, 0..30"},
    option{"--outstanding", "LIST", "messages that direct strategies send in one round, from 1"},
    option{"--pace", "LIST", "messages after which direct strategies come into step; 0: never"},
    option{"--message_blocks", "LIST",
           "most blocks in a message of circulant and sparbit; 0: half of all, in the fewest rounds"},
};

/// `before`, the options of the algorithms and of nodes, `after`: what a verb takes that lets its user name
/// algorithms.
template <std::size_t Before, std::size_t After>
constexpr auto around_algorithm_options(const option (&before)[Before], const option (&after)[After]) {
    std::array<option, Before + algorithm_options.size() + node_options.size() + After> all{};
    auto end = std::copy(std::begin(before), std::end(before), all.begin());
    end = std::copy(algorithm_options.begin(), algorithm_options.end(), end);
    end = std::copy(node_options.begin(), node_options.end(), end);
    std::copy(std::begin(after), std::end(after), end);
    return all;
}

/// The options of these algorithms: those above, and what algorithms of other programs have.
std::vector<option> options_of(algorithms all);

/// These, and behind them what multicasts can be made of them: for verbs that have relations.
std::vector<tutti::catalogue_entry> with_multicasts(algorithms all);

/// By --collective, or those that are `usual`, --algorithm (or another option that names algorithms), the
/// options of the algorithms, and --nodes. They point into `all`.
std::vector<candidate> candidates(const arguments& given, algorithms all, untold parameters,
                                  std::string_view usual = "all", std::string_view named_by = "--algorithm",
                                  all_is told = all_is::told);

/// --root: "all", or a list of "last" and numbers below every size.
class root_choice {
public:
    root_choice(std::string_view text, std::span<const std::int64_t> sizes);

    bool all() const { return all_; }
    /// The roots for a size, ascending and each once; 0 alone for collectives without.
    std::vector<tutti::rank_type> of(tutti::collective what, tutti::rank_type size) const;

private:
    bool all_ = false;
    bool last_ = false;
    std::vector<std::int64_t> listed_;
};

} // namespace program
