// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tutti/core/step.hpp>
#include <tutti/verify/report.hpp>

namespace tutti::detail {

/// Whether the steps of one rank in one round are legal by themselves: peers, blocks, buffers, joined
/// messages, hazards.
class round_check {
public:
    round_check(rank_type size, block_index blocks)
        : size_(size), blocks_(blocks), written_(static_cast<std::size_t>(blocks) * buffer_count) {}

    std::optional<finding> operator()(rank_type rank, round_index round, std::span<const step> steps) {
        ++now_;
        for (std::size_t k = 0; k < steps.size(); ++k) {
            const step& s = steps[k];
            location at{.rank = rank,
                        .round = round,
                        .step = static_cast<std::int64_t>(k),
                        .block = s.blocks.count > 0 ? s.blocks.first : -1,
                        .peer = s.peer >= 0 ? s.peer : no_rank};
            if (const char* fault = shape(s, rank)) return find(at, fault);
            if (const char* fault = joint(s, k + 1 < steps.size() ? &steps[k + 1] : nullptr))
                return find(at, fault);
            if (s.blocks.first < 0 || s.blocks.first >= blocks_ || s.blocks.count < 0
                || s.blocks.count > blocks_ || s.blocks.run < 0)
                return find(at, "names " + std::to_string(s.blocks.count) + " blocks from "
                                    + std::to_string(s.blocks.first) + " on, but the vector has "
                                    + std::to_string(blocks_));
            if (const char* fault = hazard(s, at)) return find(at, fault);
        }
        return std::nullopt;
    }

    /// The first send that reads an input block whose place in the result an earlier step of its round
    /// writes.
    const std::optional<location>& late_input() const noexcept { return late_input_; }

private:
    const char* shape(const step& s, rank_type rank) const noexcept {
        const bool local = s.kind == step_kind::copy || s.kind == step_kind::reduce;
        if (local && s.peer != no_rank) return "a local step names a peer";
        if (!local && (s.peer < 0 || s.peer >= size_)) return "the peer is no rank";
        if (!local && s.peer == rank) return "a message to itself";
        if (s.kind != step_kind::send && s.buffer == buffer_name::input) return "writes the input";
        if (static_cast<int>(s.buffer) >= buffer_count || static_cast<int>(s.source) >= buffer_count)
            return "names no buffer";
        if (local && s.source == s.buffer) return "source and target are the same buffer";
        return nullptr;
    }

    static const char* joint(const step& s, const step* next) noexcept {
        if (!s.continues()) return nullptr;
        if (s.is_local()) return "a local step is joined to the next as if it were a message";
        if (next == nullptr) return "the message goes on, but the round ends";
        if (next->kind != s.kind || next->peer != s.peer || next->side() != s.side())
            return "the message goes on with a step of another kind, peer or side";
        return nullptr;
    }

    /// Sends read values from before the round, so they may not follow a write of the round; and a block that
    /// is written twice in a round, the second time without a fold, was written for nothing.
    const char* hazard(const step& s, location& at) {
        const char* fault = nullptr;
        const bool fold = s.folds();
        for_each_run(s.blocks, blocks_, [&](block_index first, block_index count) {
            for (block_index b = first; b < first + count; ++b) {
                std::uint32_t& stamp = written_[place_of(s.buffer, b)];
                if (s.kind == step_kind::send) {
                    if (s.buffer == buffer_name::input && !late_input_
                        && written_[place_of(buffer_name::work, b)] == now_) {
                        late_input_ = at;
                        late_input_->block = b;
                    }
                    if (stamp != now_ || fault != nullptr) continue;
                    fault = "hazard: sends a block that an earlier step of the round writes";
                    at.block = b;
                } else {
                    if (stamp == now_ && !fold && fault == nullptr) {
                        fault = "hazard: overwrites a block that an earlier step of the round writes";
                        at.block = b;
                    }
                    stamp = now_;
                }
            }
        });
        return fault;
    }

    std::size_t place_of(buffer_name buffer, block_index b) const noexcept {
        return static_cast<std::size_t>(buffer) * static_cast<std::size_t>(blocks_)
               + static_cast<std::size_t>(b);
    }

    rank_type size_;
    block_index blocks_;
    std::vector<std::uint32_t> written_; // the check in which a cell was written last
    std::uint32_t now_ = 0;
    std::optional<location> late_input_{};
};

} // namespace tutti::detail
