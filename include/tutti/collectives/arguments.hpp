// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/execute/buffers.hpp>

/// What the user-facing calls accept, and the checks they make before the first message.
namespace tutti {

namespace detail {

inline void check_root(rank_type root, rank_type size) {
    if (root < 0 || root >= size) throw_argument_below("root", root, size);
}

/// A result as long as the input, apart from it.
void check_alike(const input_bytes& in, const output_bytes& out);

/// "tutti::circulant" of the type, as the compiler writes it.
template <class T>
consteval std::string_view name_of_type() {
    std::string_view text =
        __PRETTY_FUNCTION__; // "... [with T = tutti::circulant; ...]", Clang's without "with"
    text.remove_prefix(text.find("T = ") + 4);
    return text.substr(0, text.find_first_of(";]"));
}

/// What an algorithm is called in the call: `named` knows, others are called as their type.
template <class Algorithm>
constexpr std::string_view name_of_algorithm(const Algorithm& how) {
    if constexpr (requires { std::string_view(how.name); })
        return how.name;
    else
        return name_of_type<Algorithm>();
}

/// "algorithm is circulant, which does what it should not; allowed: ..."
[[noreturn, gnu::cold]] void refuse_algorithm(std::string_view algorithm, std::string_view which,
                                              const char* allowed);

#if TUTTI_BODIES
TUTTI_BODY void check_alike(const input_bytes& in, const output_bytes& out) {
    check_count("out", out.count, in.count, "as many as in has");
    check_apart(in, out);
}

TUTTI_BODY void refuse_algorithm(std::string_view algorithm, std::string_view which, const char* allowed) {
    constexpr std::string_view ours = "tutti::";
    if (algorithm.substr(0, ours.size()) == ours) algorithm.remove_prefix(ours.size());
    throw argument_error("algorithm", sentence({algorithm, ", which ", which}), allowed);
}
#endif

} // namespace detail
} // namespace tutti
