// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/relation.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/schedule/catalogue_entry.hpp>
#include <tutti/schedule/multicast.hpp>

/// The strategies of a many-to-many multicast by name. Beside a size it needs a relation, which loops over
/// the catalogue do not have: its strategies are no part of catalogue(), but made of it, by whoever has one.
namespace tutti {

/// Every allgather of `all`, as an entry of the multicast, and `serial`, the multicast's own. Their make() is
/// the schedule of everybody to everybody, in which they carry most: rounds and volume are upper bounds.
std::vector<catalogue_entry> multicasts_of(std::span<const catalogue_entry> all);

/// The schedule by which `how`, one of multicasts_of or an allgather, carries what `who` asks for and nothing
/// else: the allgather's own, with all that it claims, where everybody asks for everything and it sends
/// nothing twice. Throws argument_error if `who` is not of at.size ranks, and what how.make throws.
any_generator make_multicast(const catalogue_entry& how, const relation& who, place at,
                             const parameters& given);

/// The same of all ranks. What is pruned looks at all of them anyway: this costs as much as two or three, not
/// p, at the price of keeping their steps. `watch` is told now and then.
std::vector<any_generator> make_multicasts(const catalogue_entry& how, const relation& who,
                                           const parameters& given, watcher watch = {});

namespace detail {
/// The multicast in one round, of everybody to everybody.
inline any_generator make_serial_multicast(place at, const parameters& given) {
    return any_generator(generate(of<collective::multicast>, configured<serial>(given),
                                  relation::all_to_all(checked(at).size), at));
}

/// Whether nothing of `whole`, made by `how`, is in vain: where everybody wants all, what straight ones send,
/// and what others send if it is no more than that.
inline bool carries_just(const catalogue_entry& how, const relation& who, const any_generator& whole) {
    const block_index each = whole.blocks() / who.size();
    return who.is_all_to_all()
           && (how.sends_only_own_block || whole.claims().sent_blocks <= (who.size() - 1) * each);
}
} // namespace detail

#if TUTTI_BODIES
TUTTI_BODY std::vector<catalogue_entry> multicasts_of(std::span<const catalogue_entry> all) {
    std::vector<catalogue_entry> list;
    for (const catalogue_entry& entry : all) {
        if (entry.what != collective::allgather) continue;
        list.push_back(entry);
        list.back().what = collective::multicast;
    }
    if (list.empty()) return list; // a catalogue without allgathers is not the whole one
    list.push_back({.what = collective::multicast,
                    .name = "serial",
                    .defaults = {},
                    .rounds = "1",
                    .volume = "sent 1-1/p",
                    .source = "Kumar and Kalé 2004, 3",
                    .make = &detail::make_serial_multicast,
                    .worth_trying = &detail::values_worth_trying<serial>,
                    .sends_only_own_block = true});
    return list;
}

TUTTI_BODY any_generator make_multicast(const catalogue_entry& how, const relation& who, place at,
                                        const parameters& given) {
    detail::checked(who, at);
    if (how.make == &detail::make_serial_multicast)
        return any_generator(generate(of<collective::multicast>, configured<serial>(given), who, at));
    any_generator whole = how.make(at, given);
    if (detail::carries_just(how, who, whole)) return whole;
    if (how.sends_only_own_block)
        return any_generator(only_wanted<any_generator>(std::move(whole), who, at.rank));
    return any_generator(pruned(who, at, [&](place there) { return how.make(there, given); }));
}

TUTTI_BODY std::vector<any_generator> make_multicasts(const catalogue_entry& how, const relation& who,
                                                      const parameters& given, watcher watch) {
    std::vector<any_generator> ranks;
    ranks.reserve(static_cast<std::size_t>(who.size()));
    if (how.sends_only_own_block || detail::carries_just(how, who, how.make({.size = who.size()}, given))) {
        // Each rank by itself.
        for (rank_type r = 0; r < who.size(); ++r) {
            ranks.push_back(make_multicast(how, who, {.rank = r, .size = who.size()}, given));
            watch(static_cast<double>(r + 1) / who.size());
        }
        return ranks;
    }
    for (schedule& one : all_pruned(
             who, [&](place at) { return how.make(at, given); }, watch))
        ranks.emplace_back(std::move(one));
    return ranks;
}
#endif

} // namespace tutti
