// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>
#include <string>
#include <vector>

#include <tutti/core/rank.hpp>

namespace support {

/// What went wrong on each rank. Ranks are threads and may not call the test framework: each writes its own
/// text, and the test looks at all of them afterwards.
class complaints {
public:
    explicit complaints(tutti::rank_type size) : texts_(static_cast<std::size_t>(size)) {}

    void add(tutti::rank_type rank, const std::string& text) {
        std::string& mine = texts_[static_cast<std::size_t>(rank)];
        if (!text.empty() && mine.size() < 2000) mine += "\nrank " + std::to_string(rank) + ": " + text;
    }

    /// All of them, "" if nobody complained.
    std::string all() const {
        std::string text;
        for (const std::string& t : texts_) text += t;
        return text;
    }

private:
    std::vector<std::string> texts_;
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
