// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cctype>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A reader of XML, strict enough to show that a picture is well-formed: elements, attributes, text and the
/// five entities; no comments, no declarations, for the pictures have none.
namespace support {

struct xml {
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes;
    std::string text; ///< directly inside, all of it
    std::vector<xml> children;

    bool has(std::string_view attribute) const {
        for (const auto& a : attributes)
            if (a.first == attribute) return true;
        return false;
    }
    const std::string& operator[](std::string_view attribute) const {
        for (const auto& a : attributes)
            if (a.first == attribute) return a.second;
        throw std::runtime_error("<" + name + "> has no attribute " + std::string(attribute));
    }
    double number(std::string_view attribute) const { return std::stod((*this)[attribute]); }

    /// This element and all below it with that class.
    std::vector<const xml*> of_class(std::string_view wanted) const {
        std::vector<const xml*> found;
        collect(wanted, found);
        return found;
    }

private:
    void collect(std::string_view wanted, std::vector<const xml*>& found) const {
        if (has("class") && (*this)["class"] == wanted) found.push_back(this);
        for (const xml& child : children) child.collect(wanted, found);
    }
};

class xml_reader {
public:
    explicit xml_reader(std::string_view text) : rest_(text) {}

    xml whole() {
        need("<");
        xml root = element();
        blanks();
        if (!rest_.empty()) fail("something after the root element");
        return root;
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw std::runtime_error(why + " before: " + std::string(rest_.substr(0, 40)));
    }
    void blanks() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
    }
    bool taken(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    void need(std::string_view word) {
        if (!taken(word)) fail("no " + std::string(word));
    }

    std::string name() {
        std::size_t end = 0;
        while (end < rest_.size()
               && (std::isalnum(static_cast<unsigned char>(rest_[end])) || rest_[end] == '-'
                   || rest_[end] == '_'))
            ++end;
        if (end == 0 || !std::isalpha(static_cast<unsigned char>(rest_.front()))) fail("no name");
        std::string result(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return result;
    }
    /// Up to the character `end`, which stays.
    std::string characters(char end) {
        std::string result;
        while (!rest_.empty() && rest_.front() != end) {
            const char c = rest_.front();
            if (c == '<') fail("< in text");
            if (c == '&') {
                result += entity();
                continue;
            }
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') fail("control character");
            result += c;
            rest_.remove_prefix(1);
        }
        return result;
    }
    char entity() {
        if (taken("&amp;")) return '&';
        if (taken("&lt;")) return '<';
        if (taken("&gt;")) return '>';
        if (taken("&quot;")) return '"';
        if (taken("&apos;")) return '\'';
        fail("unknown entity");
    }
    /// Behind its "<".
    xml element() {
        xml e;
        e.name = name();
        for (;;) {
            const std::size_t before = rest_.size();
            blanks();
            if (taken("/>")) return e;
            if (taken(">")) break;
            if (rest_.size() == before) fail("attributes without a blank between them");
            std::string key = name();
            if (e.has(key)) fail("attribute " + key + " twice");
            need("=\"");
            std::string value = characters('"');
            need("\"");
            e.attributes.emplace_back(std::move(key), std::move(value));
        }
        for (;;) {
            e.text += characters('<');
            if (taken("</")) {
                if (name() != e.name) fail("the end of another element than " + e.name);
                need(">");
                return e;
            }
            need("<");
            e.children.push_back(element());
        }
    }

    std::string_view rest_;
};

inline xml read_xml(std::string_view text) { return xml_reader(text).whole(); }

} // namespace support
