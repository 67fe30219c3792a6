// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

#include <tutti/render/svg.hpp>

namespace tutti::detail {

/// How a page begins that needs nothing else, and forbids its browser all connections: to the end of its
/// head.
inline std::string page_head(std::string_view title, std::string_view style) {
    std::string text = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>";
    text.append(xml_escaped(title)).append("</title>\n<style>").append(style);
    return text.append("</style>\n</head>\n");
}

} // namespace tutti::detail
