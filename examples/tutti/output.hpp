// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <filesystem>
#include <fstream>
#include <ios>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <tutti/core/error.hpp>

#include "verbs.hpp"

namespace program {

inline constexpr option output_option{"--output", "FILE", "write there instead of to standard output"};

/// make(), whose limits (of ranks, messages, links in a picture) are followed by what to do about them.
template <class Make>
auto advised(std::string_view what_to_do, Make&& make) {
    try {
        return make();
    } catch (const tutti::argument_error& e) {
        if (!e.allowed().starts_with("at most ")) throw;
        throw tutti::argument_error(e.argument(), e.value(), e.allowed() + "; " + std::string(what_to_do));
    }
}

/// Written beside the file that is meant, whose place it takes when all of it has been made: whatever is
/// there is not lost to a mistake, and nothing has to be in memory. What is no plain file, as /dev/null, and
/// one in a folder where nothing can be added, is written at once.
class growing_file {
public:
    growing_file(std::string_view option_name, const std::string& path) : path_(path) {
        namespace fs = std::filesystem;
        std::error_code none;
        const fs::file_status there = fs::status(path, none);
        if (!fs::exists(there) || fs::is_regular_file(there)) {
            if (fs::exists(there)) path_ = fs::canonical(path, none).string(); // links stay links
            beside_ = path_ + ".part";
            for (int i = 2; fs::exists(beside_, none); ++i) beside_ = path_ + ".part" + std::to_string(i);
            file_.open(beside_, std::ios::binary);
            if (!file_)
                beside_.clear();
            else if (fs::exists(there))
                fs::permissions(beside_, there.permissions(), none);
        }
        if (beside_.empty()) {
            file_.clear();
            file_.open(path, std::ios::binary);
        }
        if (!file_)
            throw tutti::argument_error(std::string(option_name), "'" + path + "'",
                                        "a file that can be written");
    }
    growing_file(const growing_file&) = delete;
    growing_file& operator=(const growing_file&) = delete;
    ~growing_file() {
        std::error_code none;
        if (!beside_.empty()) std::filesystem::remove(beside_, none);
    }

    std::ostream& stream() { return file_; }

    /// All of it has been made.
    void finish() {
        file_.close();
        std::error_code problem;
        if (file_ && !beside_.empty()) std::filesystem::rename(beside_, path_, problem);
        if (!file_ || problem) throw std::runtime_error("'" + path_ + "' could not be written");
        beside_.clear();
    }

private:
    std::string path_;
    std::string beside_{}; // where it is now; empty: in its place
    std::ofstream file_{};
};

/// All of it, or an error that names the option whose value `path` is.
inline void write_file(std::string_view option_name, const std::string& path, const std::string& text) {
    growing_file file(option_name, path);
    file.stream() << text;
    file.finish();
}

/// print(stream) to where --output says. A file that is there already is given up only when all of it has
/// been made.
template <class Print>
void write_output(const arguments& given, surroundings& with, Print&& print) {
    if (!given.has("--output")) {
        print(with.out);
        return;
    }
    growing_file file("--output", std::string(given.value("--output", "")));
    print(file.stream());
    file.finish();
}

} // namespace program
