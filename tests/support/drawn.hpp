// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include "support/xml.hpp"

namespace support {

/// A picture as text, to be compared with one that somebody has looked at: what is drawn where, a line for
/// each element, those of a group below its class. Colours are left out.
class drawn {
public:
    explicit drawn(const xml& picture) {
        for (const xml& e : picture.children) add(e, "");
    }
    const std::string& text() const noexcept { return text_; }

private:
    static std::string value(const xml& e, const char* name) { return e.has(name) ? e[name] : "0"; }
    static std::string pair(const xml& e, const char* x, const char* y) {
        return value(e, x) + "," + value(e, y);
    }

    void add(const xml& e, const std::string& indent) {
        if (e.name == "title" || e.name == "defs" || e.name == "style") return;
        if (e.has("class") && e["class"] == "sentences") return; // rounds_told_test.cpp has them
        std::string line;
        if (e.name == "g")
            line = (e.has("class") ? e["class"] : e.name) + ":";
        else if (e.name == "line")
            line = pair(e, "x1", "y1") + " to " + pair(e, "x2", "y2");
        else if (e.name == "rect")
            line = pair(e, "x", "y") + " " + e["width"] + "x" + e["height"];
        else if (e.name == "circle")
            line = "circle " + pair(e, "cx", "cy") + " " + e["r"];
        else if (e.name == "text")
            line = pair(e, "x", "y") + (e.has("font-size") ? " " + e["font-size"] : "")
                   + (e.has("text-anchor") ? " " + e["text-anchor"] : "") + " '" + e.text + "'";
        else
            line = e.name + (e.has("d") ? " " + e["d"] : "") + (e.has("points") ? " " + e["points"] : "");
        if (e.name != "g" && e.has("class")) line += " " + e["class"];
        text_ += indent + line + "\n";
        for (const xml& child : e.children) add(child, indent + "  ");
    }

    std::string text_;
};

} // namespace support
