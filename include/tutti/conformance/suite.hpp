// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string_view>

#include <tutti/conformance/any_run.hpp>
#include <tutti/conformance/settings.hpp>
#include <tutti/core/compiled.hpp>

#if TUTTI_BODIES
#include <exception>
#include <string>

#include <tutti/conformance/abandoning.hpp>
#include <tutti/conformance/channels.hpp>
#include <tutti/conformance/contents.hpp>
#include <tutti/conformance/errands.hpp>
#include <tutti/conformance/errors.hpp>
#include <tutti/conformance/participant.hpp>
#include <tutti/conformance/ranks.hpp>
#include <tutti/conformance/refinements.hpp>
#endif

namespace tutti::conformance {

struct ranks;

/// One check: one(run, settings) throws failure if the transport does not pass it.
struct named_check {
    std::string_view name;      ///< in words, which no other has
    level at;                   ///< who has to pass it
    void (*body)(const ranks&); ///< what checks

    /// Throws failure if the transport does not pass it; `run` starts ranks.
    void operator()(const any_run& run, const settings& with = {}) const;
};

/// All of them, the simplest first.
std::span<const named_check> all_checks();

/// Calls f(named_check) for every check, the simplest first.
template <class F>
void for_each_check(F&& f) {
    for (const named_check& one : all_checks()) f(one);
}

/// Runs all checks up to a level. Throws failure that names the first one that failed.
void check(const any_run& run, level up_to = level::required, const settings& with = {});

#if TUTTI_BODIES

TUTTI_BODY void named_check::operator()(const any_run& run, const settings& with) const {
    if (with.most_ranks < 2)
        tutti::detail::throw_argument("settings.most_ranks", with.most_ranks, "2 or more");
    try {
        body(ranks{run, with, name});
    } catch (const std::exception& e) {
        throw failure(std::string(name) + ": " + e.what());
    }
}

TUTTI_BODY std::span<const named_check> all_checks() {
    using enum level;
    static constexpr named_check all[] = {
        {"a rank's failure comes out of run", required, checks::failure_of_a_rank_comes_out_of_run},
        {"ranks and size", required, checks::ranks_and_size},
        {"handles not started are complete", required, checks::handles_not_started_are_complete},
        {"order within a channel", required, checks::order_within_a_channel},
        {"many messages outstanding", required, checks::many_messages_outstanding},
        {"channels do not mix and may wrap", required, checks::channels_do_not_mix_and_may_wrap},
        {"unreceived messages block no other", required, checks::unreceived_messages_block_no_other},
        {"empty messages", required, checks::empty_messages},
        {"pieces may be cut differently", required, checks::pieces_may_be_cut_differently},
        {"lists of many pieces", required, checks::lists_of_many_pieces},
        {"all lengths", required, checks::all_lengths},
        {"exchange at once", required, checks::exchange_at_once},
        {"all-to-all storm", required, checks::all_to_all_storm},
        {"bad peers are refused", required, checks::bad_peers_are_refused},
        {"wrong length is an error", required, checks::wrong_length_is_an_error},
        {"goes on after an abandoned receive", required, checks::goes_on_after_an_abandoned_receive},
        {"abandoned receives are not written to", required, checks::abandoned_receives_are_not_written_to},
        {"abandoned sends are not read", required, checks::abandoned_sends_are_not_read},
        {"take and release", required, checks::take_and_release},
        {"eager posts", required, checks::eager_posts},
        {"calls are told apart", required, checks::calls_are_told_apart},
        {"calls are counted by context", required, checks::calls_are_counted_by_context},
        {"clean channels close", required, checks::clean_channels_close},
        {"errands of a rank that is away", required, checks::errands_of_a_rank_that_is_away},
        {"errands left to a thread", required, checks::errands_left_to_a_thread},
        {"errands of a rank that is there", required, checks::errands_of_a_rank_that_is_there},
        {"wrong length names both lengths", strict, checks::wrong_length_names_both_lengths},
        {"wrong length is not delivered", strict, checks::wrong_length_is_not_delivered},
        {"goes on after an abandoned send", strict, checks::goes_on_after_an_abandoned_send},
    };
    return all;
}

TUTTI_BODY void check(const any_run& run, level up_to, const settings& with) {
    for (const named_check& one : all_checks())
        if (one.at <= up_to) one(run, with);
}

#endif

} // namespace tutti::conformance
