// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/compiled.hpp>

#if TUTTI_BODIES
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>
#endif

namespace tutti {

/// A length, rounded to hundredths: "3.5" for 3.499; never with a comma, whatever the user's language.
std::string svg_number(double v);

/// An attribute of an element of a picture, {"x", 3.5}; lengths by svg_number().
struct svg_attribute {
    std::string_view name; ///< not copied: it has to outlive this
    std::string value;     ///< as people read it: it is escaped when it is written

    template <std::convertible_to<std::string_view> Text>
    svg_attribute(std::string_view n, const Text& v) : name(n), value(std::string_view(v)) {}
    svg_attribute(std::string_view n, std::integral auto v) : name(n), value(std::to_string(v)) {}
    svg_attribute(std::string_view n, double v) : name(n), value(svg_number(v)) {}
};

/// A colour, and what becomes of it in a dark room.
struct room_colour {
    std::string_view light;  ///< as it is written in the picture: "#1f2933"
    std::string_view dark;   ///< likewise
    std::string_view name{}; ///< of pages' variable for it, "ink", or nothing
};

/// Text as XML wants it; characters that XML cannot have at all are left out.
std::string xml_escaped(std::string_view text);

/// Writes one picture, element after element; every element ends before the picture does, by construction.
///
///     svg_writer picture(200, 100, "a line");
///     picture.element("line", {{"x1", 10}, {"y1", 10}, {"x2", 190}, {"y2", 90}, {"stroke", "#333"}});
///     std::string text = std::move(picture).finish();
/// (Texts are appended piece by piece: GCC 12 warns of overlapping memory where literals are joined with
/// `+`.)
class svg_writer {
public:
    /// In the order in which they are written.
    using attributes = std::initializer_list<svg_attribute>;

    /// A white sheet of that size in pixels. The title is what programs show for the picture as a whole.
    svg_writer(double width, double height, std::string_view title);

    /// Wherever the picture is shown in a dark room (prefers-color-scheme), these colours of lines and areas
    /// become those for it.
    void adapt_to_room(std::span<const room_colour> colours);

    /// Elements written until the close() that belongs to it lie inside.
    void open(std::string_view name, attributes with);
    /// The head of an arrow of that size, whose point is at the line's end: drawn inside, on 10 x 10.
    void open_arrow(std::string_view id, double size);
    /// Ends the element that was opened last and is still open.
    void close();

    /// One that has nothing inside.
    void element(std::string_view name, attributes with);
    /// With words inside: <text>, <title>.
    void element(std::string_view name, attributes with, std::string_view words);
    /// Words at a place; `anchor` is which end of them is there.
    void text(double x, double y, double size, std::string_view words, std::string_view anchor,
              std::string_view colour, std::string_view weight);
    /// Something to point at: the words appear when the mouse rests on it.
    void pointed(std::string_view name, attributes with, std::string_view words);

    /// How many have been written.
    std::int64_t elements() const noexcept { return elements_; }

    /// Ends what is still open, the picture last, and gives its text away.
    std::string finish() &&;

private:
    void indent(std::size_t depth) { text_.append(depth, ' '); }
    void begin(std::string_view name, attributes with);

    std::string text_;
    std::vector<std::string> open_;
    std::int64_t elements_ = 0;
};

#if TUTTI_BODIES
TUTTI_BODY std::string svg_number(double v) {
    std::array<char, 400> buffer{}; // the longest double has 309 digits before the point
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), v, std::chars_format::fixed, 2).ptr;
    std::string text(buffer.data(), end);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

TUTTI_BODY std::string xml_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        default:
            if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') result += c;
        }
    }
    return result;
}

TUTTI_BODY svg_writer::svg_writer(double width, double height, std::string_view title) {
    open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                 {"width", width},
                 {"height", height},
                 {"viewBox", "0 0 " + svg_number(width) + " " + svg_number(height)},
                 {"font-family", "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"},
                 {"fill", "#1f2933"}});
    element("title", {}, title);
    element("rect", {{"width", width}, {"height", height}, {"fill", "#ffffff"}});
}

TUTTI_BODY void svg_writer::adapt_to_room(std::span<const room_colour> colours) {
    std::string rules = "@media screen and (prefers-color-scheme: dark) {";
    for (const room_colour& c : colours)
        for (const char* what : {"fill", "stroke"})
            rules.append(" [")
                .append(what)
                .append("='")
                .append(c.light)
                .append("'] { ")
                .append(what)
                .append(": ")
                .append(c.dark)
                .append("; }");
    element("style", {}, rules + " }");
}

TUTTI_BODY void svg_writer::open(std::string_view name, attributes with) {
    begin(name, with);
    text_ += ">\n";
    open_.emplace_back(name);
}

TUTTI_BODY void svg_writer::open_arrow(std::string_view id, double size) {
    open("marker", {{"id", id},
                    {"viewBox", "0 0 10 10"},
                    {"refX", 9},
                    {"refY", 5},
                    {"markerWidth", size},
                    {"markerHeight", size},
                    {"markerUnits", "userSpaceOnUse"},
                    {"orient", "auto"}});
}

TUTTI_BODY void svg_writer::close() {
    indent(open_.size() - 1);
    text_.append("</").append(open_.back()).append(">\n");
    open_.pop_back();
}

TUTTI_BODY void svg_writer::element(std::string_view name, attributes with) {
    begin(name, with);
    text_ += "/>\n";
}

TUTTI_BODY void svg_writer::element(std::string_view name, attributes with, std::string_view words) {
    begin(name, with);
    text_.append(">").append(xml_escaped(words)).append("</").append(name).append(">\n");
}

TUTTI_BODY void svg_writer::text(double x, double y, double size, std::string_view words,
                                 std::string_view anchor, std::string_view colour, std::string_view weight) {
    element("text",
            {{"x", x},
             {"y", y},
             {"font-size", size},
             {"text-anchor", anchor},
             {"font-weight", weight},
             {"fill", colour}},
            words);
}

TUTTI_BODY void svg_writer::pointed(std::string_view name, attributes with, std::string_view words) {
    begin(name, with);
    text_.append("><title>").append(xml_escaped(words)).append("</title></").append(name).append(">\n");
}

TUTTI_BODY std::string svg_writer::finish() && {
    while (!open_.empty()) close();
    return std::move(text_);
}

TUTTI_BODY void svg_writer::begin(std::string_view name, attributes with) {
    ++elements_;
    indent(open_.size());
    text_.append("<").append(name);
    for (const svg_attribute& a : with)
        text_.append(" ").append(a.name).append("=\"").append(xml_escaped(a.value)).append("\"");
}
#endif

} // namespace tutti
