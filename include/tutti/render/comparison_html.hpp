// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/render/picture_heading.hpp>
#include <tutti/render/schedule_html.hpp>

#if TUTTI_BODIES
#include <utility>

#include <tutti/render/svg.hpp>
#endif

namespace tutti {

/// One of two schedules that are compared.
template <class G>
struct compared_schedule {
    const ensemble<G>& all;    ///< not copied: it has to outlive this
    picture_heading heading{}; ///< a short title: it heads its side, and its column of the figures
    page_extras with{};        ///< its own network and timeline, on its side
};

/// A line of the figures: {"rounds", "7", "6"}.
struct compared_figure {
    std::string what{};     ///< of which figure; a text, as both values
    std::string of_one{};   ///< of the schedule on the left
    std::string of_other{}; ///< of the one on the right
};

namespace detail {

inline void check_comparable(rank_type one, rank_type other) {
    if (one != other)
        throw_argument("ranks of the other schedule", other, std::to_string(one) + ", those of the one");
}

std::string compared_page(const picture_heading& heading, const std::vector<compared_figure>& figures,
                          const picture_heading& one, page_part of_one, const picture_heading& other,
                          page_part of_other);

} // namespace detail

/// Two schedules of one collective, on the same number of ranks, as one page: that of schedule_html() twice,
/// side by side, with one set of controls for both, which go from round to round together. Where one is done
/// before the other, it shows what ranks hold in the end. A rank that is chosen is chosen on both sides. The
/// figures stand above.
///
/// Throws argument_error for schedules of different sizes, and for each schedule as schedule_html() does.
template <class G>
std::string comparison_html(collective what, const compared_schedule<G>& one,
                            const compared_schedule<G>& other, const picture_heading& heading,
                            const std::vector<compared_figure>& figures = {}) {
    detail::check_comparable(one.all.size(), other.all.size());
    return detail::compared_page(heading, figures, one.heading, detail::part_of(what, one.all, one.with, 0),
                                 other.heading, detail::part_of(what, other.all, other.with, 1));
}

/// The same of multicasts over one relation.
template <class G>
std::string comparison_html(const relation& who, const compared_schedule<G>& one,
                            const compared_schedule<G>& other, const picture_heading& heading,
                            const std::vector<compared_figure>& figures = {}) {
    detail::check_comparable(one.all.size(), other.all.size());
    return detail::compared_page(heading, figures, one.heading, detail::part_of(who, one.all, one.with, 0),
                                 other.heading, detail::part_of(who, other.all, other.with, 1));
}

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY std::string compared_page(const picture_heading& heading,
                                     const std::vector<compared_figure>& figures, const picture_heading& one,
                                     page_part of_one, const picture_heading& other, page_part of_other) {
    std::string above;
    if (!figures.empty()) {
        const auto cell = [&](const char* begin, const std::string& words, const char* end) {
            above.append(begin).append(xml_escaped(words)).append(end);
        };
        above += "<table class=\"figures\">\n<tr><td></td>";
        cell("<th scope=\"col\">", one.title, "</th>");
        cell("<th scope=\"col\">", other.title, "</th></tr>\n");
        for (const compared_figure& f : figures) {
            cell("<tr><th scope=\"row\">", f.what, "</th>");
            cell("<td>", f.of_one, "</td>");
            cell("<td>", f.of_other, "</td></tr>\n");
        }
        above += "</table>\n";
    }
    const auto side = [](const picture_heading& of, page_part part) {
        const std::string title = xml_escaped(of.title);
        std::string begin = "<section class=\"side\" aria-label=\"" + title + "\">\n<header><h2>";
        begin.append(title).append("</h2>\n").append(facts_of(of)).append("</header>\n");
        part.elements.insert(0, begin).append("</section>\n");
        return part;
    };
    return page_of(heading, above, {side(one, std::move(of_one)), side(other, std::move(of_other))});
}
} // namespace detail
#else
extern template std::string comparison_html(collective, const compared_schedule<any_generator>&,
                                            const compared_schedule<any_generator>&, const picture_heading&,
                                            const std::vector<compared_figure>&);
extern template std::string comparison_html(const relation&, const compared_schedule<any_generator>&,
                                            const compared_schedule<any_generator>&, const picture_heading&,
                                            const std::vector<compared_figure>&);
#endif

} // namespace tutti
