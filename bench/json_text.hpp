// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace bench {

/// A text as JSON has it, with its quotes.
inline std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n')
            result += "\\n";
        else if (static_cast<unsigned char>(c) >= 0x20)
            result += c;
    }
    return result + '"';
}

} // namespace bench
