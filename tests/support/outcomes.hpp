// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>
#include <string>
#include <vector>

#include <tutti/core/rank.hpp>

namespace support {

/// What went wrong on each rank. Ranks are threads and may not call the test framework: each writes its own
/// text, and the test looks at all of them afterwards. Every rank has to write, "" if nothing is wrong: one
/// that never did has not run.
class complaints {
public:
    explicit complaints(tutti::rank_type size) : said_(static_cast<std::size_t>(size)) {}

    void add(tutti::rank_type rank, const std::string& text) {
        said& mine = said_[static_cast<std::size_t>(rank)];
        mine.anything = true;
        if (!text.empty() && mine.text.size() < 2000)
            mine.text += "\nrank " + std::to_string(rank) + ": " + text;
    }

    /// All of them; "" if every rank has written, and nobody complained.
    std::string all() const {
        std::string text;
        for (std::size_t r = 0; r < said_.size(); ++r)
            text += said_[r].anything ? said_[r].text : "\nrank " + std::to_string(r) + ": never said a word";
        return text;
    }

private:
    struct said {
        bool anything = false;
        std::string text{};
    };
    std::vector<said> said_;
};

/// The text of what f throws; "" if it returns.
template <class F>
std::string error_of(F&& f) {
    try {
        f();
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "something that is no std::exception";
    }
    return "";
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace support
