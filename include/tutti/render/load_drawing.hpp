// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/render/load_scale.hpp>
#include <tutti/render/message_way.hpp>
#include <tutti/render/picture_heading.hpp>
#include <tutti/render/schedule_colours.hpp>
#include <tutti/render/svg.hpp>

/// What pictures of networks under load have in common: heading, legends, arrows, and the ways of messages.
namespace tutti::detail {

/// A sheet with links on it. `scale`: how much larger than usual is written what is to be read on the whole.
class load_drawing {
public:
    load_drawing(svg_writer& svg, double width, double scale) : svg_(svg), width_(width), s_(scale) {}

    /// All links, the busy ones last: on top of the others.
    static std::vector<std::size_t> order_of(const std::vector<std::int64_t>& loads) {
        std::vector<std::size_t> order(loads.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return loads[a] < loads[b]; });
        return order;
    }

    static std::string arrow_id(std::size_t c) { return std::string("arrow-").append(std::to_string(c)); }

    /// Only where two messages meet is it worth knowing which way they go.
    void define_arrows(double size) const {
        svg_.open("defs", {});
        for (std::size_t c = 2; c < load_classes; ++c) {
            svg_.open_arrow(arrow_id(c), size);
            svg_.element("path", {{"d", "M0,0 L10,5 L0,10 z"}, {"fill", stroke_of(c).colour}});
            svg_.close();
        }
        svg_.close();
    }

    void text(double x, double y, double size, std::string_view words, std::string_view anchor = "start",
              std::string_view weight = "normal", std::string_view colour = colours::ink) const {
        svg_.text(x, y, size, words, anchor, colour, weight);
    }

    void draw_heading(const picture_heading& heading) const {
        svg_.adapt_to_room(colours::in_rooms);
        // A long title is written smaller: it must not end at the border.
        const auto fitting = [&](double size, const std::string& words) {
            return std::min(size * s_, (width_ - 48 * s_) / (0.7 * static_cast<double>(words.size() + 1)));
        };
        text(24 * s_, 34 * s_, fitting(19, heading.title), heading.title, "start", "bold");
        double y = 34 * s_;
        for (const std::string& line : heading.lines)
            text(24 * s_, y += 20 * s_, fitting(13, line), line, "start", "normal", colours::quiet);
    }

    /// How many links have which load, at that height; `holes`: some nodes have no rank.
    void draw_loads(double y, const std::vector<std::int64_t>& loads, bool holes) const {
        double x = 24 * s_;
        std::map<std::int64_t, std::int64_t> distribution;
        for (const std::int64_t load : loads) ++distribution[load];
        svg_.open("g", {{"class", "legend"}});
        text(x, y, 12 * s_, "links by load:");
        x += 98 * s_;
        for (const legend_entry& e : legend_of(distribution)) {
            svg_.element("line", {{"x1", x},
                                  {"y1", y - 4 * s_},
                                  {"x2", x + 26 * s_},
                                  {"y2", y - 4 * s_},
                                  {"stroke", e.stroke.colour},
                                  {"stroke-width", std::max(e.stroke.width, 1.5) * s_},
                                  {"stroke-dasharray", e.stroke.dashes}});
            std::string words = std::to_string(e.loads.low);
            if (e.loads.high > e.loads.low) words += ".." + std::to_string(e.loads.high);
            words += ": " + std::to_string(e.links);
            text(x + 32 * s_, y, 12 * s_, words);
            x += (46 + 7.4 * static_cast<double>(words.size())) * s_;
        }
        if (holes) {
            draw_node(x + 8 * s_, y - 4 * s_, 6 * s_, false, "");
            text(x + 20 * s_, y, 12 * s_, "node without a rank");
        }
        svg_.close();
    }

    void draw_node(double x, double y, double radius, bool present, std::string_view words) const {
        svg_.pointed("circle",
                     {{"class", words.empty() ? "sample"
                                : present     ? "node"
                                              : "hole"},
                      {"cx", x},
                      {"cy", y},
                      {"r", radius},
                      {"fill", present ? "#3e4c59" : "#ffffff"},
                      {"stroke", present ? "#3e4c59" : colours::quiet},
                      {"stroke-width", present ? 1.0 : 1.5},
                      {"stroke-dasharray", present ? "none" : "2.5 2"}},
                     words);
    }

    /// Which messages meet, each in the colour of its way: as many as have room, and how many more.
    void draw_meeting(double y, const std::vector<message_way>& ways) const {
        if (ways.empty()) return;
        double x = 24 * s_;
        svg_.open("g", {{"class", "meeting"}});
        const auto words = [&](const std::string& of) {
            text(x, y, 12 * s_, of);
            x += (7.4 * static_cast<double>(of.size()) + 8) * s_;
        };
        words("share the worst link:");
        for (std::size_t k = 0; k < ways.size(); ++k) {
            if (x > width_ - 190 * s_) {
                words(std::string("and ").append(std::to_string(ways.size() - k)).append(" more"));
                break;
            }
            svg_.element("line", {{"x1", x},
                                  {"y1", y - 4 * s_},
                                  {"x2", x + 20 * s_},
                                  {"y2", y - 4 * s_},
                                  {"stroke", colour_of(k, ways)},
                                  {"stroke-width", 3 * s_}});
            x += 25 * s_;
            words(ways[k].text());
        }
        svg_.close();
    }

    /// The whole ways, side by side where they meet; `path_of(link)` is the data of a path.
    template <class PathOf>
    void draw_ways(const std::vector<message_way>& ways, PathOf&& path_of) const {
        svg_.open("g", {{"class", "ways"}, {"fill", "none"}, {"stroke-linecap", "round"}});
        const double apart = std::min(2.4, 9.0 / static_cast<double>(std::max<std::size_t>(ways.size(), 1)));
        for (std::size_t k = 0; k < ways.size(); ++k) {
            std::string whole;
            for (const link_index l : ways[k].links)
                whole.append(whole.empty() ? "" : " ").append(path_of(l));
            const double aside =
                apart * (static_cast<double>(k) - 0.5 * static_cast<double>(ways.size() - 1)) * s_;
            std::string shift = "translate(";
            shift.append(svg_number(aside)).append(" ").append(svg_number(aside));
            svg_.pointed("path",
                         {{"class", "way"},
                          {"d", whole},
                          {"transform", shift.append(")")},
                          {"stroke", colour_of(k, ways)},
                          {"stroke-width", 2 * s_}},
                         std::string("rank ")
                             .append(std::to_string(ways[k].from))
                             .append(" to rank ")
                             .append(std::to_string(ways[k].to)));
        }
        svg_.close();
    }

private:
    static std::string colour_of(std::size_t k, const std::vector<message_way>& ways) {
        const std::size_t many = ways.size() + ways.size() / 3 + 1; // the lightest would not be seen
        return colours::of_rank(static_cast<rank_type>(k), static_cast<rank_type>(many));
    }

    svg_writer& svg_;
    double width_;
    double s_;
};

} // namespace tutti::detail
