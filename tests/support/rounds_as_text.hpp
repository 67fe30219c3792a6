// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <tutti/core/rank.hpp>
#include <tutti/core/step.hpp>

#include "support/told_schedule.hpp"

/// Rounds of messages, short enough to write many of them by hand.
namespace support {

struct short_message {
    tutti::rank_type from = 0;
    tutti::rank_type to = 0;
    tutti::block_index blocks = 1;
    bool folded = false;
};

/// A round by its messages: "1>0" is a block that rank 1 sends to 0, who copies it; "1+0" one that 0 folds;
/// "1>0*4" are 4 blocks. "shift2>" is a message of every rank to the one 2 further on, "xor1+" to the one
/// whose number differs in bit 0, "xor1/4+" the same among the ranks below 4. By sender, as everywhere.
inline std::vector<short_message> round_as_text(const std::string& text, tutti::rank_type size) {
    std::vector<short_message> list;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t op = word.find_first_of(">+");
        const std::size_t star = word.find('*');
        const std::string who = word.substr(0, op);
        const bool folded = word.at(op) == '+';
        const tutti::block_index blocks = star == std::string::npos ? 1 : std::stol(word.substr(star + 1));
        const std::size_t limit = who.find('/');
        const auto among = limit == std::string::npos ? size : std::stoi(who.substr(limit + 1));
        if (who.starts_with("shift")) {
            const int k = std::stoi(who.substr(5));
            for (int r = 0; r < among; ++r) list.push_back({r, (r + k) % among, blocks, folded});
        } else if (who.starts_with("xor")) {
            const int k = std::stoi(who.substr(3));
            for (int r = 0; r < among; ++r)
                if ((r ^ k) < among) list.push_back({r, r ^ k, blocks, folded});
        } else {
            list.push_back({std::stoi(who), std::stoi(word.substr(op + 1)), blocks, folded});
        }
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const short_message& a, const short_message& b) { return a.from < b.from; });
    return list;
}

/// The schedule that does so; the blocks of a message are the first ones.
inline told_schedule schedule_as_text(tutti::rank_type size, const std::vector<std::string>& rounds) {
    std::vector<told> ranks(static_cast<std::size_t>(size), told(rounds.size()));
    for (std::size_t i = 0; i < rounds.size(); ++i)
        for (const short_message& m : round_as_text(rounds[i], size)) {
            const tutti::block_set blocks{.first = 0, .count = m.blocks};
            ranks[static_cast<std::size_t>(m.from)][i].push_back(tutti::step::send(m.to, blocks));
            ranks[static_cast<std::size_t>(m.to)][i].push_back(
                m.folded ? tutti::step::recv_reduce(m.from, blocks, tutti::operand_side::right)
                         : tutti::step::recv(m.from, blocks));
        }
    return told_schedule(std::move(ranks));
}

} // namespace support
