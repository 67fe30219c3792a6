// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/choose/chooser.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "arguments.hpp"

/// Ranks on nodes, and the algorithms that are made of two others for them: one inside the nodes and one
/// between them. They are no part of the catalogue, whose algorithms need nothing but numbers.
namespace program {

inline constexpr std::array node_options{
    option{"--nodes", "N,N,...",
           "ranks of each node, as in 4,4 or 8x4 (8 of 4), instead of --size: algorithms for nodes, too"},
    option{"--inner", "all|NAME,...", "of by_nodes and multi_lane: by which algorithms inside the nodes"},
    option{"--outer", "all|NAME,...", "of these two: by which algorithms between the nodes"},
};

/// What --nodes says, and that it agrees with --size; nothing without it.
std::optional<tutti::node_map> chosen_nodes(const arguments& given);

/// --size, which need not be given with --nodes; `usual` without both.
std::string sizes_text(const arguments& given, std::string_view usual);

/// An algorithm made of two, as an entry of the catalogue, but for its `make`.
struct node_algorithm {
    std::string name; ///< "by_nodes(4+4: fnomial/ring)"
    tutti::catalogue_entry entry{};
    std::span<const tutti::catalogue_entry> parts{}; ///< what it is made of is one of these
    std::string_view inner{};
    std::string_view outer{};
    tutti::node_map nodes{};
    std::size_t kind = 0; ///< number of it among those that there are
};
using node_algorithms = std::vector<std::shared_ptr<const node_algorithm>>;

/// What algorithms on these nodes can be called: by_nodes, and multi_lane and three_step if the nodes are
/// alike.
std::vector<std::string_view> node_algorithm_names(const tutti::node_map& nodes);

/// What is typed for an algorithm of this name: of one made of two without its parts.
constexpr std::string_view typed_name(std::string_view name) { return name.substr(0, name.find('(')); }

/// Refuses such names where nodes are not given, or are not as they must be.
void check_named(const arguments& given, std::string_view option_name, const tutti::node_map* nodes);

/// Those of these names, by --inner and --outer, for each of these collectives that they serve. Their parts
/// are algorithms of `all`, in which those of a collective lie side by side. An option that both parts have
/// is for both, and is by default what it is inside.
node_algorithms chosen_on_nodes(const arguments& given, std::span<const tutti::catalogue_entry> all,
                                const tutti::node_map& nodes, const std::vector<tutti::collective>& of,
                                const std::vector<std::string_view>& names, all_is told);

/// Makes its schedules with these options.
std::shared_ptr<const tutti::schedule_maker> maker_of(std::shared_ptr<const node_algorithm> how,
                                                      const tutti::parameters& with);

} // namespace program
