// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <type_traits>

#include <tutti/conformance/abandoning.hpp>
#include <tutti/conformance/channels.hpp>
#include <tutti/conformance/contents.hpp>
#include <tutti/conformance/errands.hpp>
#include <tutti/conformance/errors.hpp>
#include <tutti/conformance/participant.hpp>
#include <tutti/conformance/ranks.hpp>
#include <tutti/conformance/refinements.hpp>
#include <tutti/conformance/settings.hpp>

namespace tutti::conformance {

/// One check: one(run, settings) throws failure if the transport does not pass it.
template <class Body>
struct named_check {
    std::string_view name; ///< as for_each_check takes it
    level at;              ///< who has to pass it
    Body body;             ///< what checks

    /// Throws failure if the transport does not pass it; `run` starts ranks.
    template <class Run>
    void operator()(const Run& run, const settings& with = {}) const {
        if (with.most_ranks < 2)
            tutti::detail::throw_argument("settings.most_ranks", with.most_ranks, "2 or more");
        try {
            body(ranks<Run>{run, with, name});
        } catch (const std::exception& e) {
            throw failure(std::string(name) + ": " + e.what());
        }
    }
};

/// Calls f(named_check) for every check, the simplest first.
template <class F>
void for_each_check(F&& f) {
    const auto one = [&f](level at, std::string_view name, const auto& body) {
        f(named_check<std::remove_cvref_t<decltype(body)>>{name, at, body});
    };
    using enum level;
    one(required, "a rank's failure comes out of run", checks::failure_of_a_rank_comes_out_of_run);
    one(required, "ranks and size", checks::ranks_and_size);
    one(required, "handles not started are complete", checks::handles_not_started_are_complete);
    one(required, "order within a channel", checks::order_within_a_channel);
    one(required, "many messages outstanding", checks::many_messages_outstanding);
    one(required, "channels do not mix and may wrap", checks::channels_do_not_mix_and_may_wrap);
    one(required, "unreceived messages block no other", checks::unreceived_messages_block_no_other);
    one(required, "empty messages", checks::empty_messages);
    one(required, "pieces may be cut differently", checks::pieces_may_be_cut_differently);
    one(required, "lists of many pieces", checks::lists_of_many_pieces);
    one(required, "all lengths", checks::all_lengths);
    one(required, "exchange at once", checks::exchange_at_once);
    one(required, "all-to-all storm", checks::all_to_all_storm);
    one(required, "bad peers are refused", checks::bad_peers_are_refused);
    one(required, "wrong length is an error", checks::wrong_length_is_an_error);
    one(required, "goes on after an abandoned receive", checks::goes_on_after_an_abandoned_receive);
    one(required, "abandoned receives are not written to", checks::abandoned_receives_are_not_written_to);
    one(required, "abandoned sends are not read", checks::abandoned_sends_are_not_read);
    one(required, "take and release", checks::take_and_release);
    one(required, "eager posts", checks::eager_posts);
    one(required, "calls are told apart", checks::calls_are_told_apart);
    one(required, "clean channels close", checks::clean_channels_close);
    one(required, "errands of a rank that is away", checks::errands_of_a_rank_that_is_away);
    one(required, "errands left to a thread", checks::errands_left_to_a_thread);
    one(required, "errands of a rank that is there", checks::errands_of_a_rank_that_is_there);
    one(strict, "wrong length names both lengths", checks::wrong_length_names_both_lengths);
    one(strict, "wrong length is not delivered", checks::wrong_length_is_not_delivered);
    one(strict, "goes on after an abandoned send", checks::goes_on_after_an_abandoned_send);
}

/// Runs all checks up to a level. Throws failure that names the first one that failed.
template <class Run>
void check(const Run& run, level up_to = level::required, const settings& with = {}) {
    for_each_check([&](const auto& one) {
        if (one.at <= up_to) one(run, with);
    });
}

} // namespace tutti::conformance
