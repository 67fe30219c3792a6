// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <tutti/render/load_scale.hpp>

#include "support/catch2.hpp"

namespace {

/// Of a colour "#rrggbb", 0..255, weighted as the eye does.
double brightness(std::string_view colour) {
    const auto part = [&](std::size_t at) {
        return std::stoi(std::string(colour.substr(at, 2)), nullptr, 16);
    };
    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

} // namespace

TEST_CASE("more load is never in a lower class, and few loads have one of their own",
          "[render][load_scale]") {
    for (std::int64_t load = 0; load <= 4; ++load)
        CHECK(tutti::load_class_of(load) == static_cast<std::size_t>(load));
    CHECK(tutti::load_class_of(5) == 5);
    CHECK(tutti::load_class_of(8) == 5);
    CHECK(tutti::load_class_of(9) == 6);
    CHECK(tutti::load_class_of(16) == 6);
    CHECK(tutti::load_class_of(17) == 7);
    CHECK(tutti::load_class_of(std::numeric_limits<std::int64_t>::max()) == tutti::load_classes - 1);
    for (std::int64_t load = 1; load < 100; ++load)
        CHECK(tutti::load_class_of(load) >= tutti::load_class_of(load - 1));
}

TEST_CASE("more load is darker and thicker, and none is dashed", "[render][load_scale]") {
    CHECK(tutti::stroke_of(0).dashes == "2 4");
    for (std::size_t c = 1; c < tutti::load_classes; ++c) {
        CAPTURE(c);
        const tutti::link_stroke less = tutti::stroke_of(c - 1);
        const tutti::link_stroke more = tutti::stroke_of(c);
        CHECK(more.width > less.width);
        CHECK(more.dashes == "none");
        CHECK(brightness(more.colour) < brightness(less.colour));
    }
}

TEST_CASE("a legend counts every link once, under the loads that occur", "[render][load_scale]") {
    const std::map<std::int64_t, std::int64_t> distribution{{0, 100}, {1, 50}, {3, 7},
                                                            {6, 2},   {8, 1},  {40, 1}};
    const std::vector<tutti::legend_entry> legend = tutti::legend_of(distribution);
    REQUIRE(legend.size() == 5);
    CHECK(legend[0].loads == tutti::load_class{0, 0});
    CHECK(legend[2].loads == tutti::load_class{3, 3});
    CHECK(legend[3].loads == tutti::load_class{6, 8});
    CHECK(legend[3].links == 3);
    CHECK(legend[4].stroke == tutti::stroke_of(7));
    std::int64_t links = 0;
    for (const tutti::legend_entry& e : legend) links += e.links;
    CHECK(links == 161);
    CHECK(tutti::legend_of({}).empty());
}
