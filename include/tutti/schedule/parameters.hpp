// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/spelling.hpp>

namespace tutti {

/// An option of an algorithm: its name, which has to outlive whoever keeps it, and a value.
struct option_value {
    const char* name;   ///< of the option
    std::int64_t value; ///< what it is
};

/// Options of an algorithm by name, in the order in which they are given: `{{"radix", 4}, {"segments", 8}}`.
/// Which there are the algorithm says: see `configured`.
class parameters {
public:
    /// No algorithm has more options, nor have two that are parts of one.
    static constexpr std::size_t most = 6;

    constexpr parameters() = default;
    /// Throws argument_error for a value that is no int, and for too many options.
    constexpr parameters(std::initializer_list<option_value> given) {
        for (const auto& [name, value] : given) set(name, value);
    }

    /// Of an option that is there already, it changes the value alone.
    constexpr void set(const char* name, std::int64_t value) {
        std::size_t at = 0;
        while (at < most && names_[at] != nullptr && !same(names_[at], name)) ++at;
        if (at == most) detail::throw_argument(name, value, "nothing, there are 6 options already");
        if (!std::in_range<int>(value)) detail::throw_argument(name, value, "a number of 32 bits");
        if (names_[at] == nullptr) names_[at] = name;
        values_[at] = static_cast<int>(value);
    }

    /// Null if it is not there.
    constexpr const int* find(const char* name) const noexcept {
        for (std::size_t at = 0; at < most && names_[at] != nullptr; ++at)
            if (same(names_[at], name)) return &values_[at];
        return nullptr;
    }
    /// The value of an option; `otherwise` if it is not among them.
    constexpr int get(const char* name, int otherwise = 0) const noexcept {
        const int* const found = find(name);
        return found == nullptr ? otherwise : *found;
    }

    constexpr bool empty() const noexcept { return names_[0] == nullptr; }
    constexpr std::size_t size() const noexcept {
        std::size_t n = 0;
        while (n < most && names_[n] != nullptr) ++n;
        return n;
    }
    constexpr option_value operator[](std::size_t at) const noexcept { return {names_[at], values_[at]}; }

    /// Walks over the options, in their order.
    struct iterator {
        const parameters* of; ///< whose options
        std::size_t at;       ///< which one, from 0
        /// Name and value.
        constexpr option_value operator*() const noexcept { return (*of)[at]; }
        /// To the next option.
        constexpr iterator& operator++() noexcept { return ++at, *this; }
        friend constexpr bool operator==(const iterator&, const iterator&) = default;
    };
    constexpr iterator begin() const noexcept { return {this, 0}; }
    constexpr iterator end() const noexcept { return {this, size()}; }

    /// The same options with the same values, in whatever order.
    friend constexpr bool operator==(const parameters& a, const parameters& b) noexcept {
        if (a.size() != b.size()) return false;
        for (const auto& [name, value] : a) {
            const int* const other = b.find(name);
            if (other == nullptr || *other != value) return false;
        }
        return true;
    }

private:
    // Mostly both are the name where the algorithm has it.
    static constexpr bool same(const char* a, const char* b) noexcept {
        if (!std::is_constant_evaluated() && a == b) return true;
        for (; *a != '\0' && *a == *b; ++a) ++b;
        return *a == *b;
    }

    const char* names_[most] = {};
    int values_[most] = {};
};

namespace detail {

/// What an algorithm's options() calls for each of them: a name, the member, and the values worth trying.
/// Gives members the values that are given for them.
struct option_setter {
    const parameters& given;
    std::size_t found = 0;

    template <std::integral Value>
    constexpr void operator()(const char* name, Value& member, std::initializer_list<int> = {}) {
        const int* const value = given.find(name);
        if (value == nullptr) return;
        if (!std::in_range<Value>(*value))
            throw_argument(name, *value, "what its type in the algorithm holds");
        member = static_cast<Value>(*value);
        ++found;
    }
};

/// Collects names and values.
struct option_reader {
    parameters found{};

    template <std::integral Value>
    constexpr void operator()(const char* name, const Value& member, std::initializer_list<int> = {}) {
        found.set(name, static_cast<std::int64_t>(member));
    }
};

template <class Algorithm>
concept has_options = requires(Algorithm& a, option_reader& reader) { a.options(reader); };

/// Refuses the first of the given options that is not among `taken`, and says which are.
[[noreturn]] void refuse_unknown(const parameters& given, const parameters& taken);

} // namespace detail

/// The options that an algorithm has, with the values that it has for them.
template <class Algorithm>
constexpr parameters parameters_of([[maybe_unused]] Algorithm how) {
    detail::option_reader reader;
    if constexpr (detail::has_options<Algorithm>) how.options(reader);
    return reader.found;
}

/// The options that an algorithm has, with their defaults.
template <class Algorithm>
constexpr parameters defaults_of() {
    return parameters_of(Algorithm{});
}

/// The algorithm with the given options. An algorithm that has options names each of them once, in
///
///     void options(auto& is) { is("radix", radix), is("segments", segments, {1, 4, 16}); }
///
/// (constexpr, for those that ship), where members are integers and a list, if there is one, has the values
/// that are worth trying. Throws argument_error for an option that it lacks; what values are allowed is
/// checked where the generator is made.
template <class Algorithm>
constexpr Algorithm configured(const parameters& given) {
    Algorithm how{};
    if (given.empty()) return how;
    detail::option_setter setter{given};
    if constexpr (detail::has_options<Algorithm>) how.options(setter);
    if (setter.found != given.size()) [[unlikely]]
        detail::refuse_unknown(given, defaults_of<Algorithm>());
    return how;
}

/// `defaults`, but for those of its options that are given.
constexpr parameters overridden(parameters defaults, const parameters& given) {
    for (const auto& [name, value] : given)
        if (defaults.find(name) != nullptr) defaults.set(name, value);
    return defaults;
}

/// "fnomial radix=4 segments=1"
std::string name_with_options(std::string_view algorithm, const parameters& with);

#if TUTTI_BODIES
namespace detail {
[[noreturn]] TUTTI_BODY void refuse_unknown(const parameters& given, const parameters& taken) {
    std::size_t at = 0;
    while (taken.find(given[at].name) != nullptr) ++at;
    std::string_view known[parameters::most];
    std::size_t many = 0;
    for (const auto& [name, value] : taken) known[many++] = name;
    const std::span<const std::string_view> names(known, many);
    throw_argument(given[at].name, given[at].value,
                   names.empty() ? "nothing, this algorithm has no options"
                                 : sentence({"nothing, this algorithm has no such option; it has ",
                                             listed(names), did_you_mean(given[at].name, names)}));
}
} // namespace detail

TUTTI_BODY std::string name_with_options(std::string_view algorithm, const parameters& with) {
    std::string text(algorithm);
    for (const auto& [name, value] : with)
        text.append(" ").append(name).append("=").append(std::to_string(value));
    return text;
}
#endif

} // namespace tutti
