// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: what schedules, networks and simulations look like.
#define TUTTI_COMPILING
#include <tutti/render/chrome_trace.hpp>
#include <tutti/render/comparison_html.hpp>
#include <tutti/render/dot.hpp>
#include <tutti/render/fat_tree_svg.hpp>
#include <tutti/render/goal.hpp>
#include <tutti/render/msccl_xml.hpp>
#include <tutti/render/network_svg.hpp>
#include <tutti/render/schedule_html.hpp>
#include <tutti/render/schedule_svg.hpp>
#include <tutti/render/schedule_text.hpp>
#include <tutti/render/timeline_svg.hpp>

namespace tutti {

using schedule = ensemble<any_generator>;

template symbolic_run::symbolic_run(collective, const schedule&);
template symbolic_run::symbolic_run(const relation&, const schedule&);
template std::vector<matched_message> matched_messages(const schedule&);
template round_words words_of_rounds(collective, const schedule&, const std::optional<block_bytes>&);
template round_words words_of_rounds(const relation&, const schedule&, const std::optional<block_bytes>&);
template std::string schedule_text(const schedule&, const schedule_window&);
template std::string schedule_text(collective, const schedule&, const schedule_window&,
                                   const std::optional<block_bytes>&);
template std::string schedule_text(const relation&, const schedule&, const schedule_window&,
                                   const std::optional<block_bytes>&);
template std::string schedule_text(const schedule&, rank_type, const schedule_window&);
template std::string schedule_html(collective, const schedule&, const picture_heading&, const page_extras&);
template std::string schedule_html(const relation&, const schedule&, const picture_heading&,
                                   const page_extras&);
template std::string comparison_html(collective, const compared_schedule<any_generator>&,
                                     const compared_schedule<any_generator>&, const picture_heading&,
                                     const std::vector<compared_figure>&);
template std::string comparison_html(const relation&, const compared_schedule<any_generator>&,
                                     const compared_schedule<any_generator>&, const picture_heading&,
                                     const std::vector<compared_figure>&);
template std::string schedule_svg(collective, const schedule&, const picture_heading&, schedule_picture,
                                  const schedule_window&, const std::optional<block_bytes>&);
template std::string schedule_svg(const relation&, const schedule&, const picture_heading&, schedule_picture,
                                  const schedule_window&, const std::optional<block_bytes>&);
template std::string msccl_xml(const schedule&, collective, const msccl_options&);
template std::string goal_text(const schedule&, const block_bytes&, const simulation_options&,
                               std::string_view);

} // namespace tutti
