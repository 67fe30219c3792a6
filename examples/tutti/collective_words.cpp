// SPDX-License-Identifier: BSL-1.0
#include "collective_words.hpp"

#include <algorithm>
#include <string>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>

namespace program {

namespace {

/// What is to be asked for in place of this, which is the name of a call or of a multicast; "" of others.
std::string in_place_of(std::string_view call) {
    constexpr std::string_view multicast = tutti::name_of(tutti::collective::multicast);
    if (call == multicast)
        return "which tables do not decide; tutti cost, simulate, bench and run have it, with --relation";
    if (call == "bypass_reduce" || call == "ibypass_reduce" || call == "bypass")
        return "which runs the schedules of reduce; tutti simulate --progress bypass says what leaving early "
               "does";
    if (call == "partial_allreduce")
        return "which runs the schedules of allreduce; tutti simulate --skew says what late ranks do";
    std::string_view own = call;
    const bool of_any_lengths = call.ends_with("v");
    if (own.starts_with("plan_")) own.remove_prefix(5);
    if (own.starts_with("i")) own.remove_prefix(1);
    if (of_any_lengths) own.remove_suffix(1);
    if (own == call || (!tutti::collective_named(own) && own != multicast)) return {};
    return "which runs the schedules of " + std::string(own)
           + (of_any_lengths ? "; tutti run runs these with blocks of different lengths, too" : "");
}

} // namespace

std::vector<std::string_view> collective_words(std::string_view text, std::span<const std::string_view> known,
                                               all_is told) {
    try {
        return words("--collective", text, known, told);
    } catch (const tutti::argument_error& e) { // of the first word that is not known
        for (std::string_view rest = text;;) {
            const std::string_view word = rest.substr(0, rest.find(','));
            if (std::find(known.begin(), known.end(), word) == known.end()) {
                const std::string instead = in_place_of(word);
                if (instead.empty()) throw;
                throw tutti::argument_error(
                    e.argument(), tutti::detail::sentence({"'", word, "', ", instead}), e.allowed());
            }
            if (word.size() == rest.size()) throw;
            rest.remove_prefix(word.size() + 1);
        }
    }
}

} // namespace program
