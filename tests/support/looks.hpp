// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "support/xml.hpp"

namespace support {

/// What drawn.hpp leaves out of a picture, as text: colours, thicknesses and the like, a line for each kind
/// of elements that look alike, sorted.
class looks {
public:
    explicit looks(const xml& picture) {
        for (const xml& e : picture.children) add(e);
        for (const std::string& line : lines_) text_ += line + "\n";
    }
    const std::string& text() const noexcept { return text_; }

private:
    void add(const xml& e) {
        static constexpr std::array<std::string_view, 19> places{
            "class",     "x",         "y",           "x1",         "y1",          "x2",    "y2",
            "cx",        "cy",        "r",           "d",          "points",      "width", "height",
            "transform", "font-size", "text-anchor", "data-round", "data-message"};
        std::string line = e.name + (e.has("class") ? "." + e["class"] : "");
        const std::size_t bare = line.size();
        for (const auto& [name, value] : e.attributes)
            if ((name == "d" && inside_marker_)
                || std::find(places.begin(), places.end(), name) == places.end())
                line.append(" ").append(name).append("=").append(value);
        if (line.size() > bare) lines_.insert(line);
        const bool outer = inside_marker_;
        inside_marker_ = outer || e.name == "marker";
        for (const xml& child : e.children) add(child);
        inside_marker_ = outer;
    }

    bool inside_marker_ = false;
    std::set<std::string> lines_{};
    std::string text_{};
};

} // namespace support
