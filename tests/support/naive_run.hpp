// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/rank.hpp>

namespace tutti::testing {

/// A block as the list of (rank, block) contributions in it, in the order of operands; empty while undefined.
using contributions = std::vector<std::pair<rank_type, block_index>>;

/// Runs schedules of all ranks round by round in the plainest way, to look at what every rank holds in
/// between. No checks: those are the prover's. Work and input start as the rank's own contribution.
class naive_run {
public:
    template <class Factory>
    naive_run(rank_type size, rank_type root, const Factory& make) {
        for (rank_type r = 0; r < size; ++r) ranks_.push_back(make(place{r, size, root}));
        blocks_ = ranks_[0].blocks();
        state_.resize(ranks_.size());
        for (rank_type r = 0; r < size; ++r)
            for (block_index b = 0; b < blocks_; ++b) {
                cell(r, buffer_name::work, b) = {{r, b}};
                cell(r, buffer_name::input, b) = {{r, b}};
            }
    }

    round_index rounds() const { return ranks_[0].rounds(); }
    block_index blocks() const { return blocks_; }

    const contributions& at(rank_type rank, block_index block, buffer_name buffer = buffer_name::work) {
        return cell(rank, buffer, block);
    }

    /// Runs the next round; returns the ranks whose buffers changed.
    std::vector<rank_type> next_round() {
        std::map<std::pair<rank_type, rank_type>, std::vector<contributions>> wires;
        std::vector<std::vector<step>> steps(ranks_.size());
        for (rank_type r = 0; r < size(); ++r) {
            auto& own = steps[static_cast<std::size_t>(r)];
            ranks_[static_cast<std::size_t>(r)].append(round_, own);
            for (const step& s : own)
                if (s.kind == step_kind::send)
                    for (block_index i = 0; i < s.blocks.count; ++i)
                        wires[{r, s.peer}].push_back(cell(r, s.buffer, block_at(s.blocks, i, blocks_)));
        }
        std::map<std::pair<rank_type, rank_type>, std::size_t> read;
        std::vector<rank_type> changed;
        for (rank_type r = 0; r < size(); ++r) {
            for (const step& s : steps[static_cast<std::size_t>(r)]) {
                if (s.kind == step_kind::send) continue;
                if (changed.empty() || changed.back() != r) changed.push_back(r);
                for (block_index i = 0; i < s.blocks.count; ++i) {
                    const block_index b = block_at(s.blocks, i, blocks_);
                    const std::pair wire{s.peer, r};
                    const contributions incoming =
                        s.is_message() ? wires.at(wire).at(read[wire]++) : cell(r, s.source, b);
                    apply(s, incoming, cell(r, s.buffer, b));
                }
            }
        }
        ++round_;
        return changed;
    }

    /// The blocks of `rank` that have the most contributions, as in the figures of Rabenseifner and Adamidis:
    /// "P0 A-D_0-3" for the first four blocks of ranks 0 to 3. Blocks must be neighbours, contributions in
    /// order.
    std::string figure(rank_type rank) {
        std::size_t most = 0;
        for (block_index b = 0; b < blocks_; ++b) most = std::max(most, at(rank, b).size());
        block_index first = blocks_;
        block_index last = -1;
        block_index count = 0;
        for (block_index b = 0; b < blocks_; ++b) {
            if (at(rank, b).size() != most || (count > 0 && at(rank, b)[0].first != at(rank, first)[0].first))
                continue;
            first = std::min(first, b);
            last = b;
            ++count;
        }
        const auto letter = [](block_index b) { return std::string(1, static_cast<char>('A' + b)); };
        std::string text = "P" + std::to_string(rank) + " " + letter(first);
        if (last > first) text += "-" + letter(last);
        if (last - first + 1 != count) text += " with gaps";
        const contributions& held = at(rank, first);
        text += "_" + std::to_string(held.front().first);
        if (held.size() > 1) text += "-" + std::to_string(held.back().first);
        for (std::size_t i = 1; i < held.size(); ++i)
            if (held[i].first != held[i - 1].first + 1) text += " out of order";
        return text;
    }

private:
    rank_type size() const { return static_cast<rank_type>(ranks_.size()); }

    contributions& cell(rank_type rank, buffer_name buffer, block_index block) {
        return state_[static_cast<std::size_t>(rank)][{buffer, block}];
    }

    static void apply(const step& s, const contributions& incoming, contributions& target) {
        if (!s.folds())
            target = incoming;
        else
            target.insert(s.side() == tutti::operand_side::left ? target.begin() : target.end(),
                          incoming.begin(), incoming.end());
    }

    std::vector<any_generator> ranks_;
    std::vector<std::map<std::pair<buffer_name, block_index>, contributions>> state_;
    block_index blocks_ = 1;
    round_index round_ = 0;
};

/// Runs all rounds; one line per round: what every rank that received something holds.
inline std::vector<std::string> figure_of(naive_run run) {
    std::vector<std::string> lines;
    for (round_index i = 0; i < run.rounds(); ++i) {
        std::string line;
        for (const rank_type r : run.next_round()) line += (line.empty() ? "" : " ") + run.figure(r);
        lines.push_back(line);
    }
    return lines;
}

} // namespace tutti::testing
