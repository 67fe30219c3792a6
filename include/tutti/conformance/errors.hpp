// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include <tutti/conformance/participant.hpp>

/// Checks of what must be refused or reported.
namespace tutti::conformance {

namespace detail {

/// What a receive of the wrong length came to.
struct mismatch {
    std::size_t sent;
    std::size_t expected;
    bool refused; ///< by transport_error
    std::string text;
    const bytes& data;

    bool names(std::size_t length) const { return text.find(std::to_string(length)) != std::string::npos; }
};

/// Calls judge(mismatch) on the receiver for several wrong lengths.
inline void receive_wrong_lengths(const ranks& on, const std::function<void(const mismatch&)>& judge) {
    using lengths = std::pair<std::size_t, std::size_t>;
    // Sent and expected: numbers that no text contains by chance.
    for (const auto& [sent, expected] :
         {lengths{0, 573}, {573, 0}, {573, 574}, {929, 573}, {574, 70003}, {70003, 574}}) {
        if (std::max(sent, expected) > on.with.longest) continue;
        on(2, [&, sent = sent, expected = expected](participant& me) {
            if (me.rank() == 0) {
                auto& out = me.send(1, 0, pattern(sent, 1));
                try { // it may hear of it or not, but it must not hang
                    me.wait();
                } catch (const transport_error&) {
                    me.abandon(out); // as the engine does
                }
                return;
            }
            auto& in = me.receive(0, 0, expected);
            mismatch what{sent, expected, false, "no error at all", in.data};
            try {
                me.wait();
            } catch (const transport_error& e) {
                what.refused = true;
                what.text = e.what();
                me.abandon(in);
            }
            judge(what);
        });
    }
}

} // namespace detail

namespace checks {

/// A receive of another length than its message throws transport_error that names the length expected.
inline void wrong_length_is_an_error(const ranks& on) {
    detail::receive_wrong_lengths(on, [](const detail::mismatch& m) {
        expect(m.refused && m.names(m.expected),
               "a receive of " + std::to_string(m.expected) + " bytes got " + std::to_string(m.sent)
                   + ": that must give a transport_error that names the length that was expected, not '"
                   + m.text + "'");
    });
}

/// Strict: that text names the length that was sent, too.
inline void wrong_length_names_both_lengths(const ranks& on) {
    detail::receive_wrong_lengths(on, [](const detail::mismatch& m) {
        expect(m.refused && m.names(m.expected) && m.names(m.sent),
               "the error of a wrong length must name what was sent, " + std::to_string(m.sent)
                   + ", and what was expected, " + std::to_string(m.expected) + ": '" + m.text + "'");
    });
}

/// Strict: such a receive leaves its memory as it was.
inline void wrong_length_is_not_delivered(const ranks& on) {
    detail::receive_wrong_lengths(on, [](const detail::mismatch& m) {
        expect(std::all_of(m.data.begin(), m.data.end(), [](std::byte b) { return b == untouched; }),
               "a message of the wrong length was delivered");
    });
}

/// Sends and receives of peers below 0, of size() and of the largest rank_type throw tutti::error.
inline void bad_peers_are_refused(const ranks& on) {
    const auto refused = [](auto&& start) {
        try {
            start();
        } catch (const error&) {
            return true;
        }
        return false;
    };
    on(2, [&](participant& me) {
        for (const rank_type peer : {rank_type{-1}, me.size(), std::numeric_limits<rank_type>::max()}) {
            const std::string what = " rank " + std::to_string(peer) + " must be refused with a tutti::error";
            expect(refused([&] { me.wires.start_send(peer, 0, {}); }), "to send to" + what);
            expect(refused([&] { me.wires.start_recv(peer, 0, {}); }), "to receive from" + what);
        }
    });
}

} // namespace checks
} // namespace tutti::conformance
