// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

/// Text for people in lines that fit where they read it.
namespace program {

/// How wide the lines of a stream may be, in characters: of a terminal, or as COLUMNS asks; 0: any width, as
/// programs like it that read what comes through a pipe.
long& line_width(std::ostream& out);

/// Whether the best rows stand out on a stream: 1 for terminals that may be told so, 0 for all else.
long& may_be_bold(std::ostream& out);

/// Characters of UTF-8; what makes text bold is none.
std::size_t width_of(std::string_view text);

/// `text` in lines of at most `most` > 0 characters, broken at blanks; a longer word behind a comma, if it
/// has one, or wherever the line ends.
std::vector<std::string> wrapped(std::string_view text, std::size_t most);

/// Lines of at most `most` characters; 0: of any length. What goes on below does so where the last column of
/// its line begins, or further in by `hang` if it has no columns. Of an example command no word is broken:
/// its lines may be as long as the longest takes.
std::string fitted(std::string_view text, std::size_t most, std::size_t hang = 0);

/// Lines as a source file has them become paragraphs of one line each, which end at empty lines. An indented
/// line stays apart, unless it goes on with the text beside a word: "  dot    for" and "         Graphviz".
std::string paragraphs(std::string_view text);

/// A stream for people, which hands on what it got as lines that fit the stream `to`; or `usual` characters,
/// if any width is right there. Where there is no memory to break lines, as they are.
class flowing : public std::ostringstream {
public:
    explicit flowing(std::ostream& to, std::size_t hang = 0, long usual = 0);
    flowing(const flowing&) = delete;
    flowing& operator=(const flowing&) = delete;
    ~flowing() override;

private:
    std::ostream& to_;
    const std::size_t hang_;
};

/// Of help that is read elsewhere than on a terminal.
inline constexpr long usual_width = 80;

} // namespace program
