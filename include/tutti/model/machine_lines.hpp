// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <string_view>
#include <vector>

#include <tutti/model/quantity.hpp>
#endif

namespace tutti {

/// A machine file was refused: says where and why.
class machine_file_error : public error {
public:
    machine_file_error(std::string file, std::size_t line, std::string key, const std::string& why)
        : error(text(file, line, key, why)), file_(std::move(file)), line_(line), key_(std::move(key)) {}

    /// Its name, as it was given.
    const std::string& file() const noexcept { return file_; }
    /// From 1; where something is missing, the line that makes it necessary; 0: the file as a whole.
    std::size_t line() const noexcept { return line_; }
    /// The key of the line; empty where there is none.
    const std::string& key() const noexcept { return key_; }

private:
    static std::string text(const std::string& file, std::size_t line, const std::string& key,
                            const std::string& why);

    std::string file_;
    std::size_t line_;
    std::string key_;
};

#if TUTTI_BODIES
TUTTI_BODY std::string machine_file_error::text(const std::string& file, std::size_t line,
                                                const std::string& key, const std::string& why) {
    std::string all = file;
    if (line > 0) all.append(":").append(std::to_string(line));
    all.append(": ");
    if (!key.empty()) all.append(key).append(": ");
    return all.append(why);
}

namespace detail {
/// The lines of a file that say something.
class machine_lines {
public:
    struct entry {
        std::size_t line = 0;
        std::string key;                    ///< as it stands there: "c(float64-add, 8 B)"
        std::string name;                   ///< "c"
        std::vector<std::string> arguments; ///< "float64-add", "8 B"
        std::string value;
        bool used = false;
    };

    machine_lines(std::string_view text, std::string file) : file_(std::move(file)) {
        for (std::size_t line = 1; !text.empty(); ++line) {
            const std::string_view whole = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(text.size(), whole.size() + 1));
            const std::string_view said = trimmed(whole.substr(0, whole.find('#')));
            if (!said.empty()) entries_.push_back(parsed(said, line));
        }
    }

    std::vector<entry>& entries() noexcept { return entries_; }

    /// The value of a key without arguments; null if there is none.
    const entry* take(std::string_view name) {
        entry* found = nullptr;
        for (entry& e : entries_) {
            if (e.name != name || !e.arguments.empty()) continue;
            if (found != nullptr) refuse_repeated(e, *found);
            e.used = true;
            found = &e;
        }
        return found;
    }

    [[noreturn]] void refuse(const entry& e, const std::string& why) const {
        throw machine_file_error(file_, e.line, e.key, why);
    }
    [[noreturn]] void refuse_repeated(const entry& e, const entry& first) const {
        refuse(e, std::string("given twice; first in line ").append(std::to_string(first.line)));
    }
    [[noreturn]] void refuse_missing(std::size_t line, const std::string& key, const std::string& why) const {
        throw machine_file_error(file_, line, key, why);
    }
    void refuse_if(const std::string& fault, const entry& e) const {
        if (!fault.empty()) refuse(e, fault);
    }

private:
    entry parsed(std::string_view said, std::size_t line) const {
        entry e{.line = line, .key = {}, .name = {}, .arguments = {}, .value = {}};
        const auto equals = said.find('=');
        e.key = trimmed(said.substr(0, equals));
        e.name = e.key;
        if (equals == said.npos || e.key.empty()) refuse(e, "the line is not 'key = value'");
        e.value = trimmed(said.substr(equals + 1));
        if (e.value.empty()) refuse(e, "the value is missing");
        const auto bracket = e.key.find('(');
        if (bracket == std::string::npos) return e;
        if (e.key.back() != ')') refuse(e, "the bracket is not closed");
        e.name = trimmed(std::string_view(e.key).substr(0, bracket));
        std::string_view rest = std::string_view(e.key).substr(bracket + 1);
        rest.remove_suffix(1);
        for (;;) {
            const auto comma = rest.find(',');
            e.arguments.emplace_back(trimmed(rest.substr(0, comma)));
            if (comma == rest.npos) return e;
            rest.remove_prefix(comma + 1);
        }
    }

    std::string file_;
    std::vector<entry> entries_;
};
} // namespace detail
#endif

} // namespace tutti
