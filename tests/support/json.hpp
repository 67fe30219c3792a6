// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cctype>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A reader of JSON, strict enough to show that what a program prints is JSON.
namespace support {

struct json_member;

struct json {
    enum class kind { null, boolean, number, string, array, object } what = kind::null;
    std::string text;                 ///< of a number or a string, or true, false
    std::vector<json_member> members; ///< of an object, or (without names) of an array

    const json& operator[](std::string_view name) const;
};

struct json_member {
    std::string name;
    json value;
};

inline const json& json::operator[](std::string_view name) const {
    for (const json_member& m : members)
        if (m.name == name) return m.value;
    throw std::runtime_error("no member " + std::string(name));
}

class json_reader {
public:
    explicit json_reader(std::string_view text) : rest_(text) {}

    json whole() {
        json value = any();
        blanks();
        if (!rest_.empty()) fail("something after the value");
        return value;
    }

private:
    [[noreturn]] void fail(const char* why) const {
        throw std::runtime_error(std::string(why) + " before: " + std::string(rest_.substr(0, 40)));
    }
    void blanks() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
    }
    bool taken(std::string_view word) {
        blanks();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    void need(std::string_view word) {
        if (!taken(word)) fail("not what must come");
    }

    json any() {
        if (taken("null")) return {};
        if (taken("true")) return {json::kind::boolean, "true", {}};
        if (taken("false")) return {json::kind::boolean, "false", {}};
        if (taken("\"")) return {json::kind::string, string(), {}};
        if (taken("[")) return list(json::kind::array, "]");
        if (taken("{")) return list(json::kind::object, "}");
        return {json::kind::number, number(), {}};
    }
    json list(json::kind what, std::string_view end) {
        json value{what, "", {}};
        if (taken(end)) return value;
        do {
            std::string name;
            if (what == json::kind::object) {
                need("\"");
                name = string();
                need(":");
            }
            value.members.push_back(json_member{std::move(name), any()});
        } while (taken(","));
        need(end);
        return value;
    }
    std::string string() { // behind the opening quote; \uXXXX is kept as it is
        std::string text;
        for (;;) {
            if (rest_.empty() || static_cast<unsigned char>(rest_.front()) < 0x20) fail("unfinished string");
            const char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '"') return text;
            if (c != '\\') {
                text += c;
                continue;
            }
            if (rest_.empty()
                || std::string_view("\"\\/bfnrtu").find(rest_.front()) == std::string_view::npos)
                fail("no such escape");
            if (rest_.front() == 'u') text += '\\';
            text += rest_.front();
            rest_.remove_prefix(1);
        }
    }
    std::size_t digits(std::size_t at) const {
        while (at < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[at]))) ++at;
        return at;
    }
    std::string number() {
        const std::size_t sign = rest_.starts_with('-') ? 1 : 0;
        std::size_t end = digits(sign);
        if (end == sign) fail("no value");
        if (end - sign > 1 && rest_[sign] == '0') fail("a number must not begin with 0");
        if (end < rest_.size() && rest_[end] == '.') {
            const std::size_t fraction = digits(end + 1);
            if (fraction == end + 1) fail("no digits after the point");
            end = fraction;
        }
        const std::string text(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return text;
    }

    std::string_view rest_;
};

inline json read_json(std::string_view text) { return json_reader(text).whole(); }

} // namespace support
