// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/step.hpp>

namespace tutti {

/// A message of a schedule with what both its ends do. A message of many block sets is one.
struct matched_message {
    rank_type from = 0;           ///< who sends it
    rank_type to = 0;             ///< who receives it
    round_index sent_in = 0;      ///< the sender's round
    round_index received_in = 0;  ///< the receiver's round: the same in nearly every schedule
    std::int64_t sent_at = 0;     ///< which step of the sender in that round
    std::int64_t received_at = 0; ///< which step of the receiver in that round
    std::vector<step> sent{};     ///< the steps that send it: at least one
    std::vector<step> received{}; ///< the steps that receive it: at least one

    /// Whether the receiver folds it into what it has, instead of overwriting that.
    bool folded() const noexcept { return received.front().folds(); }
};

/// All messages of a schedule, by round of sending, sender, and the order in which it sends. As everywhere,
/// the messages of one rank to another match in the order of sending and receiving.
/// Throws argument_error if one is sent and not received, or the other way round.
///
/// Memory: that of all steps; for pictures, not for a million ranks.
/// Example with 5 ranks, bcast by fnomial: 0 to 4 in round 0; 0 to 2 in round 1; 0 to 1 and 2 to 3 in
/// round 2.
template <class G>
std::vector<matched_message> matched_messages(const ensemble<G>& all) {
    std::vector<matched_message> messages;
    struct queue {
        std::size_t first, last;
    };
    std::map<std::pair<rank_type, rank_type>, queue> under_way; // (from, to): sent, and not yet received
    std::vector<std::size_t> behind;                            // of each message: the next one in its queue
    for (round_index i = 0; i < all.rounds(); ++i)
        for (rank_type r = 0; r < all.size(); ++r) {
            bool joined = false;
            std::int64_t at = -1;
            all.emit(r, i, [&](const step& s) {
                ++at;
                if (s.kind != step_kind::send) return;
                if (!joined) {
                    const std::size_t number = messages.size();
                    const auto [at_end, is_first] = under_way.try_emplace({r, s.peer}, queue{number, number});
                    if (!is_first) behind[std::exchange(at_end->second.last, number)] = number;
                    behind.push_back(number);
                    messages.push_back({.from = r, .to = s.peer, .sent_in = i, .sent_at = at});
                }
                messages.back().sent.push_back(s);
                joined = s.continues();
            });
        }

    const auto refuse = [](const char* what, rank_type from, rank_type to, round_index i) {
        throw argument_error("schedule",
                             std::string("one with a message from rank ")
                                 .append(std::to_string(from))
                                 .append(" to ")
                                 .append(std::to_string(to))
                                 .append(" that is only ")
                                 .append(what)
                                 .append(", in round ")
                                 .append(std::to_string(i)),
                             "one whose messages are both sent and received");
    };
    for (rank_type r = 0; r < all.size(); ++r)
        for (round_index i = 0; i < all.rounds(); ++i) {
            matched_message* joined = nullptr;
            std::int64_t at = -1;
            all.emit(r, i, [&](const step& s) {
                ++at;
                if (s.kind != step_kind::recv && s.kind != step_kind::recv_reduce) return;
                if (joined == nullptr) {
                    const auto sent = under_way.find({s.peer, r});
                    if (sent == under_way.end()) refuse("received", s.peer, r, i);
                    auto& [first, last] = sent->second;
                    joined = &messages[first];
                    joined->received_in = i;
                    joined->received_at = at;
                    if (first == last)
                        under_way.erase(sent);
                    else
                        first = behind[first];
                }
                joined->received.push_back(s);
                if (!s.continues()) joined = nullptr;
            });
        }
    if (!under_way.empty()) {
        const auto& [pair, sent] = *under_way.begin();
        refuse("sent", pair.first, pair.second, messages[sent.first].sent_in);
    }
    return messages;
}

#if !TUTTI_BODIES
extern template std::vector<matched_message> matched_messages(const ensemble<any_generator>&);
#endif

} // namespace tutti
