// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The command line of a verb. Whatever is wrong with it is a tutti::argument_error that says which option,
/// its value and what is allowed; the program ends with 2 then.
namespace program {

struct option {
    std::string_view name;  ///< "--size"
    std::string_view value; ///< what the help calls its value; "" for a switch
    std::string_view help;
};

/// The lines of a help, one for each.
std::string text_of(std::span<const option> options);

class arguments {
public:
    /// Takes "--name value", "--name=value" and switches.
    arguments(std::span<const option> known, std::span<const std::string> given);

    bool has(std::string_view name) const { return find(name) != nullptr; }
    /// The value of an option, or `otherwise` if it was not given.
    std::string_view value(std::string_view name, std::string_view otherwise) const;

private:
    using given_option = std::pair<std::string_view, std::string>;
    const given_option* find(std::string_view name) const;

    std::vector<given_option> given_;
};

/// What a list of numbers may contain.
struct number_range {
    std::int64_t low = 0;
    std::int64_t high = 0;
    bool units = false;      ///< K, M and G (powers of 1024) may follow a number
    const char* beyond = ""; ///< what to do above `high`, if there is something
};

/// "1..9,13,16": the numbers, in the order given, each once.
std::vector<std::int64_t> numbers(std::string_view option_name, std::string_view text, number_range allowed);

/// The only number of such a list.
std::int64_t one_number(std::string_view option_name, std::string_view text, number_range allowed);
std::int64_t one_number(const arguments& given, std::string_view option_name, std::string_view otherwise,
                        number_range allowed);

/// "2..7": the first and the last number of such a list, which has no gaps; "5" is 5..5.
std::pair<std::int64_t, std::int64_t> one_range(std::string_view option_name, std::string_view text,
                                                number_range allowed);

/// "0.5": a number of seconds, above 0 and up to an hour.
double seconds(std::string_view option_name, std::string_view text);

/// Whether who names what there is not is told of "all", too: not by verbs that do one thing alone.
enum class all_is { told, hidden };

/// "int,double": the words, each once and each among `allowed`; all of those for "all".
std::vector<std::string_view> words(std::string_view option_name, std::string_view text,
                                    std::span<const std::string_view> allowed, all_is all = all_is::told);

/// "svg": the one of `allowed` that it is.
std::string_view one_word(std::string_view option_name, std::string_view text,
                          std::span<const std::string_view> allowed);

/// "a, b, c"
std::string joined(std::span<const std::string_view> names, std::string_view separator = ", ");

} // namespace program
