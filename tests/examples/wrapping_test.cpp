// SPDX-License-Identifier: BSL-1.0
// labels: alone
#include "examples/tutti/wrapping.hpp"

#include <cstddef>
#include <new>
#include <ostream>
#include <streambuf>
#include <string_view>

#include "support/catch2.hpp"
#include "support/own_new.hpp"

namespace {
thread_local bool is_out_of_memory = false;
} // namespace

void support::allocates(std::size_t, std::size_t) {
    if (is_out_of_memory) throw std::bad_alloc();
}

namespace {

/// Has its memory from the beginning.
class short_text : public std::streambuf {
public:
    short_text() { setp(text_, text_ + sizeof text_); }
    std::string_view view() const { return {pbase(), static_cast<std::size_t>(pptr() - pbase())}; }

private:
    char text_[100];
};

} // namespace

TEST_CASE("lines that no memory is left to break come as they are", "[examples][program][terminal]") {
    const std::string_view line = "tutti: more than twenty characters\n";
    short_text text;
    std::ostream to(&text);
    program::line_width(to) = 20;
    program::flowing(to) << line;
    const std::string_view broken = "tutti: more than\ntwenty characters\n";
    CHECK(text.view() == broken);
    {
        program::flowing out(to);
        out << line;
        is_out_of_memory = true;
    }
    is_out_of_memory = false;
    CHECK(text.view().substr(broken.size()) == line);
}
