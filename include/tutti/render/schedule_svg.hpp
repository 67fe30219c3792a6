// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/block_bytes.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/render/round_words.hpp>
#include <tutti/render/schedule_drawing.hpp>
#include <tutti/render/schedule_window.hpp>

#if TUTTI_BODIES
#include <tutti/core/error.hpp>
#include <tutti/render/message_tree.hpp>
#include <tutti/render/schedule_rounds_svg.hpp>
#include <tutti/render/schedule_sideways_tree_svg.hpp>
#include <tutti/render/schedule_tree_svg.hpp>
#endif

namespace tutti {

namespace detail {

std::string picture_of(const symbolic_run& run, const round_words& words, const picture_heading& heading,
                       schedule_picture how, const schedule_window& shown);

} // namespace detail

/// A schedule as a picture on a white sheet. `heading` stands above it. Where rounds are columns, brackets
/// above them are the phases. What every round does is said below, and where the mouse rests on its number:
/// see words_of_rounds(), which has `bytes`, too.
///
/// Of a part of the schedule it is drawn round by round; arrows to and from other ranks end beside the
/// arrow's rank, with the number of the other one, or how many they are.
///
/// Throws argument_error for a part too large to be looked at, more than 256 ranks, 20000 messages or 2^17
/// elements (some 16 MB: a vector may lie in as many pieces as it has blocks, in every column), for a
/// schedule of more than 2^20 messages or blocks of all ranks (see symbolic_run for what else it refuses),
/// for a part without rounds or ranks, and for schedule_picture::tree of what is no tree, or of a part.
/// Source of the tree: Moody, Fernandez, Petrini and Panda 2003, Figure 5; of the rounds: Rabenseifner and
/// Adamidis 2004, Figure 2.
template <class G>
std::string schedule_svg(collective what, const ensemble<G>& all, const picture_heading& heading,
                         schedule_picture how = schedule_picture::fitting, const schedule_window& shown = {},
                         const std::optional<block_bytes>& bytes = {}) {
    detail::check_drawable(all, shown);
    const symbolic_run run(what, all);
    return detail::picture_of(run, words_of_rounds(what, all, bytes), heading, how, shown);
}

/// The same of a multicast.
template <class G>
std::string schedule_svg(const relation& who, const ensemble<G>& all, const picture_heading& heading,
                         schedule_picture how = schedule_picture::fitting, const schedule_window& shown = {},
                         const std::optional<block_bytes>& bytes = {}) {
    detail::check_drawable(all, shown);
    const symbolic_run run(who, all);
    return detail::picture_of(run, words_of_rounds(who, all, bytes), heading, how, shown);
}

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY std::string picture_of(const symbolic_run& run, const round_words& words,
                                  const picture_heading& heading, schedule_picture how,
                                  const schedule_window& shown) {
    constexpr rank_type sideways_from = 64; // ranks; of fewer the root is on top, as in papers
    const schedule_window part = shown.within(run.size(), run.rounds());
    if (part.whole(run.size(), run.rounds())) {
        const message_tree tree = tree_of(run);
        if (drawn_as_tree(tree, how))
            return run.size() < sideways_from ? tree_drawing(run, tree, words, heading).finish()
                                              : sideways_tree_drawing(run, tree, words, heading).finish();
    } else if (how == schedule_picture::tree) {
        throw argument_error("picture", "tree of a part of the schedule", "rounds");
    }
    return rounds_drawing(run, words, heading, part).finish();
}
} // namespace detail
#else
extern template std::string schedule_svg(collective, const ensemble<any_generator>&, const picture_heading&,
                                         schedule_picture, const schedule_window&,
                                         const std::optional<block_bytes>&);
extern template std::string schedule_svg(const relation&, const ensemble<any_generator>&,
                                         const picture_heading&, schedule_picture, const schedule_window&,
                                         const std::optional<block_bytes>&);
#endif

} // namespace tutti
