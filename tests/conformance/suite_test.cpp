// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include <tutti/conformance/suite.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/transport/mock.hpp>
#include <tutti/transport/threads.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

// A check that cannot fail checks nothing: each is failed by a transport that does one thing wrong.

namespace {

using tutti::channel_type;
using tutti::rank_type;
using tutti::conformance::any_run;
using tutti::conformance::level;
using tutti::conformance::settings;

const settings small{.most_ranks = 3, .longest = 4096, .repeats = 20};

enum class flaw {
    none,
    lies_about_size,      // where it is 1
    opens_null_handles,   // test(handle{}) is false
    wears_out,            // spoils the 20th message of a channel
    limits_outstanding,   // to 18 sends at a time, and loses those beyond
    mixes_channels,       // in the lowest bit
    queues_sends,         // the next one starts when the one before it to the same rank has completed
    swallows_empty,       // at both ends
    mixes_pieces,         // of a list of six
    cuts_lists,           // after 1024 pieces
    forgets_last_byte,    // of messages of 257 bytes
    loses_left,           // receives from one's left in a ring of 3, on channel 7
    mixes_senders,        // of 3
    accepts_bad_peers,    // and forgets about it
    hides_length,         // its errors tell no numbers
    hides_sent_length,    // its errors tell only what was expected
    delivers_any_length,  // as far as it fits
    keeps_abandoned_open, // test() is false after abandon()
    fills_abandoned,      // its receives go on
    reads_abandoned,      // its sends go on
    ends_with_abandoned,  // after an abandoned receive nothing works any more
    ends_with_abandoned_send,
    loses_complete,  // the first send on channel 6
    drops_abandoned, // sends that were looked at but once: that is none
};

class flawed {
    using real = tutti::mock::transport;

public:
    struct handle {
        real::handle kept{};
        bool given = false;
        bool sends = false;
        bool counted = false; // among those outstanding
        bool open = false;    // for ever
        bool looked_at = false;
        rank_type peer = tutti::no_rank;
        std::uint64_t number = 0; // of a send that is queued
        tutti::scatter_list into{};
    };

    flawed(real& wires, flaw which) : wires_(&wires), which_(which) {}
    rank_type rank() const { return wires_->rank(); }
    rank_type size() const { return is(flaw::lies_about_size) && wires_->size() == 1 ? 2 : wires_->size(); }

    handle start_send(rank_type peer, channel_type channel, tutti::gather_list data) {
        use();
        handle h{.given = true, .sends = true, .peer = peer};
        const std::size_t length = tutti::detail::total_bytes(data);
        const bool bad = peer < 0 || peer >= size();
        if (is(flaw::accepts_bad_peers) && bad) return h;
        if (is(flaw::swallows_empty) && length == 0 && !bad) return h;
        if (is(flaw::limits_outstanding) && outstanding_ >= 18) return h;
        if (is(flaw::loses_complete) && channel == 6 && ++sent_[channel] == 1) return h;
        h.counted = !bad;
        if (h.counted) ++outstanding_;
        if (is(flaw::queues_sends) || (is(flaw::drops_abandoned) && !bad)) {
            auto& queue = queues_[peer];
            queue.push_back({++sends_, channel, data, std::nullopt});
            h.number = sends_;
            if (is(flaw::queues_sends)) pump(peer);
            return h;
        }
        if (is(flaw::cuts_lists)) data = data.first(std::min<std::size_t>(data.size(), 1024));
        const bool spoils = is(flaw::forgets_last_byte) ? rank() == 0 && length == 257
                                                        : is(flaw::wears_out) && ++sent_[channel] == 20;
        if (spoils && length > 0) data = spoil(data);
        h.kept = wires_->start_send(peer, lane(channel), data);
        return h;
    }
    handle start_recv(rank_type peer, channel_type channel, tutti::scatter_list into) {
        use();
        handle h{.given = true, .peer = peer, .into = into};
        const bool bad = peer < 0 || peer >= size();
        if (is(flaw::accepts_bad_peers) && bad) return h;
        if (is(flaw::swallows_empty) && tutti::detail::total_bytes(into) == 0 && !bad) return h;
        if (is(flaw::mixes_pieces) && into.size() == 6) {
            auto& list = lists_.emplace_back(into.begin(), into.end());
            std::swap(list[0], list[5]);
            into = list;
        }
        if (is(flaw::loses_left) && size() == 3 && channel == 7 && (peer + 1) % 3 == rank()) channel = 1007;
        if (is(flaw::mixes_senders) && size() == 3 && channel > 0) peer = 3 - rank() - peer;
        h.kept = wires_->start_recv(peer, lane(channel), into);
        return h;
    }
    bool test(handle& h) {
        use();
        if (!h.given && is(flaw::opens_null_handles)) return false;
        if (h.open) return false;
        if (is(flaw::drops_abandoned) && h.number != 0 && !std::exchange(h.looked_at, true)) return false;
        if (h.number != 0) return queued_is_complete(h);
        try {
            if (!wires_->test(h.kept)) return false;
        } catch (const tutti::transport_error& e) {
            if (!support::contains(e.what(), "receive expects")) throw;
            if (is(flaw::hides_length)) throw tutti::transport_error("wrong length");
            if (is(flaw::delivers_any_length))
                for (auto& piece : h.into) std::fill(piece.begin(), piece.end(), std::byte{1});
            if (is(flaw::hides_sent_length))
                throw tutti::transport_error(std::to_string(tutti::detail::total_bytes(h.into))
                                             + " expected");
            throw;
        }
        if (std::exchange(h.counted, false)) --outstanding_;
        return true;
    }
    void idle(std::uint32_t turns) { wires_->idle(turns); }
    void abandon(handle& h) {
        if (is(flaw::drops_abandoned))
            std::erase_if(queues_[h.peer], [&](const queued& q) { return q.number == h.number; });
        h.number = 0;
        h.open = is(flaw::keeps_abandoned_open) && h.given;
        if (h.given && !h.sends && is(flaw::ends_with_abandoned)) spent_ = true;
        if (h.given && h.sends && is(flaw::ends_with_abandoned_send)) spent_ = true;
        if (h.given && is(h.sends ? flaw::reads_abandoned : flaw::fills_abandoned)) {
            h.kept = {};
            return;
        }
        wires_->abandon(h.kept);
    }

private:
    struct queued {
        std::uint64_t number;
        channel_type channel;
        tutti::gather_list data;
        std::optional<real::handle> started;
    };

    bool is(flaw which) const { return which_ == which; }

    void use() const {
        if (spent_) throw tutti::transport_error("spent");
    }

    channel_type lane(channel_type channel) const {
        return is(flaw::mixes_channels) ? channel | 1U : channel;
    }

    tutti::gather_list spoil(tutti::gather_list data) {
        spoilt_ = tutti::detail::joined(data);
        spoilt_.back() ^= std::byte{1};
        piece_ = spoilt_;
        return {&piece_, 1};
    }

    void pump(rank_type peer) {
        auto& queue = queues_[peer];
        while (!queue.empty()) {
            queued& first = queue.front();
            if (!first.started) first.started = wires_->start_send(peer, first.channel, first.data);
            if (!wires_->test(*first.started)) return;
            queue.pop_front();
        }
    }
    bool queued_is_complete(handle& h) {
        pump(h.peer);
        const auto& queue = queues_[h.peer];
        return std::none_of(queue.begin(), queue.end(),
                            [&](const queued& q) { return q.number == h.number; });
    }

    real* wires_;
    flaw which_;
    bool spent_ = false;
    int outstanding_ = 0;
    std::uint64_t sends_ = 0;
    std::map<channel_type, int> sent_{};
    std::map<rank_type, std::deque<queued>> queues_{};
    std::deque<std::vector<std::span<std::byte>>> lists_{};
    std::vector<std::byte> spoilt_{};
    std::span<const std::byte> piece_{};
};

/// The names of the checks that fail, in one line.
std::string failing(const any_run& run) {
    std::string names;
    tutti::conformance::for_each_check([&](const auto& one) {
        const std::string what = support::error_of([&] { one(run, small); });
        if (what.empty()) return;
        if (!support::contains(what, std::string(one.name) + ": ")) names += "[not named] ";
        names += (names.empty() ? "" : ", ") + std::string(one.name);
    });
    return names;
}

/// Of transports over the mock's, made of that and of what is given.
template <class Transport, class... Args>
auto over_mock(const tutti::mock::options& how, Args... args) {
    return [=](rank_type size, const auto& body) {
        tutti::mock::run_transports(size, how, [&](tutti::mock::transport& wires) {
            Transport t{wires, args...};
            body(t);
        });
    };
}

std::string failing_with(flaw which, const tutti::mock::options& how = {.log = false}) {
    return failing(over_mock<flawed>(how, which));
}

// --- what is wrong with a refinement ---

enum class lapse {
    none,
    refuses_the_tenth, // whether the receiver keeps pace or not
    shows_first_piece,
    forgets_labels,
    mixes_contexts, // in the lowest bit
    nobody_to_bring,
    lacks_a_thread,
    leaves_at_once,
    leaves_again,
    keeps_errands,
};

/// Of all ranks of the world that runs: what is shown of a message has no way to its transport.
lapse now = lapse::none;

struct lapsing : tutti::threads::transport {
    using real = tutti::threads::transport;
    struct incoming : real::incoming {
        tutti::gather_list pieces() const {
            const tutti::gather_list all = real::incoming::pieces();
            return now == lapse::shows_first_piece ? all.first(1) : all;
        }
    };
    int asked = 0;

    bool try_post(rank_type peer, channel_type channel, std::span<const std::byte> bytes,
                  const tutti::call_label& label = {}) {
        if (now == lapse::refuses_the_tenth && ++asked % 10 == 0) return false;
        return real::try_post(peer, channel, bytes, label);
    }
    handle start_send(rank_type peer, channel_type channel, tutti::gather_list data,
                      const tutti::call_label& label = {}) {
        return real::start_send(peer, channel, data, now == lapse::forgets_labels ? no_label : label);
    }
    handle start_recv(rank_type peer, channel_type channel, tutti::scatter_list into,
                      const tutti::call_label& label = {}) {
        return real::start_recv(peer, channel, into, now == lapse::forgets_labels ? no_label : label);
    }
    channel_type& calls_made(std::uint32_t context) {
        return real::calls_made(now == lapse::mixes_contexts ? context / 2 : context);
    }
    void add(tutti::errand& what) {
        real::add(what);
        if (now == lapse::leaves_at_once) real::leave(tutti::left_to::bringers);
    }
    void remove(tutti::errand& what) {
        if (now != lapse::keeps_errands) real::remove(what);
    }
    void leave(tutti::left_to whom) {
        const bool to_thread = whom == tutti::left_to::thread;
        if (now == lapse::lacks_a_thread && to_thread) throw tutti::transport_error("no thread");
        if (now == lapse::nobody_to_bring && !to_thread) return;
        if (now == lapse::leaves_at_once) real::come_back();
        real::leave(whom);
    }
    void come_back() {
        real::come_back();
        if (now == lapse::leaves_again) real::leave(tutti::left_to::bringers);
    }

private:
    static inline const tutti::call_label no_label{};
};
struct never_closes : tutti::mock::transport {
    void close(channel_type) { throw tutti::transport_error("never"); }
};
static_assert(tutti::labelling_transport<lapsing> && tutti::helping_transport<lapsing>);
static_assert(tutti::eager_transport<lapsing> && tutti::folding_transport<lapsing>);
static_assert(tutti::counting_transport<lapsing>);
static_assert(tutti::closing_transport<never_closes>);

std::string failing_over_threads(lapse which) {
    now = which;
    return failing([](rank_type size, const auto& body) {
        tutti::threads::run_transports(size, [&](tutti::threads::transport& wires) {
            lapsing t{wires};
            body(t);
        });
    });
}

void over_threads(rank_type size, const std::function<void(tutti::threads::transport&)>& body) {
    tutti::threads::run_transports(size, body);
}

} // namespace

TEST_CASE("each check fails for a transport that does one thing wrong, and says its name", "[conformance]") {
    CHECK(failing_with(flaw::none) == "");
    CHECK(failing_with(flaw::lies_about_size) == "ranks and size");
    CHECK(failing_with(flaw::opens_null_handles) == "handles not started are complete");
    CHECK(failing_with(flaw::wears_out)
          == "order within a channel, many messages outstanding, unreceived messages block no other, pieces "
             "may be "
             "cut differently, goes on after an abandoned receive, goes on after an abandoned send");
    CHECK(failing_with(flaw::limits_outstanding)
          == "many messages outstanding, channels do not mix and may wrap");
    CHECK(failing_with(flaw::mixes_channels) == "channels do not mix and may wrap");
    CHECK(failing_with(flaw::queues_sends)
          == "channels do not mix and may wrap, unreceived messages block no other, abandoned sends are not "
             "read, "
             "goes on after an abandoned send");
    CHECK(failing_with(flaw::swallows_empty)
          == "empty messages, wrong length is an error, wrong length names both lengths");
    CHECK(failing_with(flaw::mixes_pieces) == "pieces may be cut differently");
    CHECK(failing_with(flaw::cuts_lists) == "lists of many pieces");
    CHECK(failing_with(flaw::forgets_last_byte) == "all lengths");
    CHECK(failing_with(flaw::loses_left) == "exchange at once");
    CHECK(failing_with(flaw::mixes_senders) == "exchange at once, all-to-all storm");
    CHECK(failing_with(flaw::accepts_bad_peers) == "bad peers are refused");
    CHECK(failing_with(flaw::hides_length) == "wrong length is an error, wrong length names both lengths");
}

TEST_CASE("handles that are given up are looked after", "[conformance]") {
    const std::string receives = "goes on after an abandoned receive, abandoned receives are not written to, "
                                 "abandoned sends are not read";
    CHECK(failing_with(flaw::keeps_abandoned_open)
          == "wrong length is an error, " + receives
                 + ", wrong length names both lengths, wrong length is not delivered, goes on after an "
                   "abandoned "
                   "send");
    CHECK(failing_with(flaw::fills_abandoned) == receives);
    CHECK(failing_with(flaw::reads_abandoned)
          == "abandoned sends are not read, goes on after an abandoned send");
    CHECK(failing_with(flaw::ends_with_abandoned)
          == "wrong length is an error, goes on after an abandoned receive, abandoned receives are not "
             "written to, "
             "wrong length names both lengths, wrong length is not delivered");
    CHECK(failing_with(flaw::loses_complete)
          == "exchange at once, abandoned receives are not written to, abandoned sends are not read, "
             "goes on after an abandoned send");
    CHECK(failing_with(flaw::drops_abandoned, {.rendezvous = false, .log = false}) == "");
}

TEST_CASE("the engine can do without what only the strict checks ask", "[conformance]") {
    CHECK(failing_with(flaw::hides_sent_length) == "wrong length names both lengths");
    CHECK(failing_with(flaw::delivers_any_length) == "wrong length is not delivered");
    CHECK(failing_with(flaw::ends_with_abandoned_send) == "goes on after an abandoned send");
    const auto spent = over_mock<flawed>({.log = false}, flaw::ends_with_abandoned_send);
    CHECK(support::error_of([&] { tutti::conformance::check(spent, level::required, small); }) == "");
    CHECK(
        support::contains(support::error_of([&] { tutti::conformance::check(spent, level::strict, small); }),
                          "goes on after an abandoned send: "));
}

TEST_CASE("refinements have to be right where there are any", "[conformance]") {
    CHECK(failing_over_threads(lapse::none) == "");
    CHECK(failing_over_threads(lapse::refuses_the_tenth) == "eager posts");
    CHECK(failing_over_threads(lapse::shows_first_piece) == "take and release");
    CHECK(failing_over_threads(lapse::forgets_labels) == "calls are told apart");
    CHECK(failing_over_threads(lapse::mixes_contexts) == "calls are counted by context");
    CHECK(failing_over_threads(lapse::nobody_to_bring) == "errands of a rank that is away");
    CHECK(failing_over_threads(lapse::lacks_a_thread) == "errands left to a thread");
    CHECK(failing_over_threads(lapse::leaves_at_once) == "errands of a rank that is there");
    CHECK(failing_over_threads(lapse::leaves_again) == "errands of a rank that is there");
    CHECK(failing_over_threads(lapse::keeps_errands) == "errands of a rank that is there");
    CHECK(failing(over_mock<never_closes>({.log = false})) == "clean channels close");
}

TEST_CASE("a run that keeps failures to itself does not make a transport pass", "[conformance]") {
    const auto silent = [](rank_type size, const auto& body) {
        try {
            over_threads(size, body);
        } catch (const std::exception&) {
        }
    };
    CHECK(failing(silent) == "a rank's failure comes out of run");
    CHECK(failing([](rank_type, const auto&) {}) == "a rank's failure comes out of run");
}

TEST_CASE("the checks are bounded by the settings", "[conformance]") {
    const auto run = [](rank_type size, const auto& body) {
        CHECK(size <= 2);
        over_threads(size, body);
    };
    tutti::conformance::check(run, level::strict,
                              {.most_ranks = 2, .longest = 100, .most_pieces = 2, .repeats = 1});
    CHECK(support::contains(
        support::error_of([&] { tutti::conformance::check(run, level::strict, {.most_ranks = 1}); }),
        "settings.most_ranks is 1; allowed: 2 or more"));
}
