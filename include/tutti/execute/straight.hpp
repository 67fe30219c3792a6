// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstring>
#include <span>
#include <string>

#include <tutti/core/any_generator.hpp>
#include <tutti/execute/action.hpp>

namespace tutti {

/// The engine's short cut for small messages: where every send is complete the moment it is made, no step
/// ever has to wait for memory, so the rounds are simply run one after the other in program order, with
/// nothing to keep. Same memory, same kernel and same meaning as `cursor`; only the book-keeping is missing.
template <eager_transport Transport, class Kernel>
class straight_run {
public:
    using value_type = typename Kernel::value_type;

    straight_run(Transport& wires, channel_type channel, const any_generator& schedule, const Kernel& kernel,
                 memory<value_type>& data, workspace<Transport>& kept)
        : wires_(wires), channel_(channel), schedule_(schedule), kernel_(kernel), data_(data),
          steps_(kept.rounds[0].steps), message_(kept.message) {}

    /// Whether every message of a vector of so many elements is eager.
    static bool suits(std::int64_t elements) noexcept {
        return elements <= static_cast<std::int64_t>(Transport::eager_bytes() / sizeof(value_type))
               && alignof(value_type) <= 16;
    }

    /// Runs rounds until the end or until one that sends more messages than a mailbox is sure to hold;
    /// returns the first round not run.
    round_index run() {
        const round_index rounds = schedule_.rounds();
        for (round_ = 0; round_ < rounds; ++round_) {
            steps_.clear();
            schedule_.append(round_, steps_);
            if (steps_.size() > Transport::eager_depth() && sends() > Transport::eager_depth()) return round_;
            // Sends read the values from before the round, wherever they are listed.
            for (at_ = 0; at_ < steps_.size(); ++at_)
                if (steps_[at_].kind == step_kind::send) send();
            for (at_ = 0; at_ < steps_.size(); ++at_)
                if (steps_[at_].kind != step_kind::send) receive_or_perform();
        }
        return rounds;
    }

    collective_error::location where(rank_type = no_rank) const {
        const bool inside = at_ < steps_.size();
        return {.rank = wires_.rank(),
                .round = round_,
                .step = static_cast<std::int64_t>(at_),
                .peer = inside ? steps_[at_].peer : no_rank};
    }

private:
    using bytes = std::span<const std::byte>;

    std::size_t sends() const noexcept {
        std::size_t count = 0;
        for (const step& s : steps_) count += s.kind == step_kind::send ? 1 : 0;
        return count;
    }

    void send() {
        const step& head = steps_[at_];
        bytes whole;
        bool gathered = false;
        for (;; ++at_) {
            const step& part = steps_[at_];
            data_.read(part.blocks, part.buffer, [&](const value_type* from, std::int64_t count) {
                const bytes piece = std::as_bytes(std::span(from, static_cast<std::size_t>(count)));
                if (whole.empty() && !gathered)
                    whole = piece;
                else if (!piece.empty()) {
                    if (!gathered) message_.assign(whole.begin(), whole.end());
                    gathered = true;
                    message_.insert(message_.end(), piece.begin(), piece.end());
                }
            });
            if (!part.continues()) break;
        }
        if (gathered) whole = message_;
        for (std::uint32_t turns = 0; !wires_.try_post(head.peer, channel_, whole); ++turns)
            wires_.idle(turns);
    }

    void receive_or_perform() {
        const step& head = steps_[at_];
        if (head.is_local()) {
            message_.clear();
            data_.read(head.blocks, head.source, [&](const value_type* from, std::int64_t count) {
                const bytes piece = std::as_bytes(std::span(from, static_cast<std::size_t>(count)));
                message_.insert(message_.end(), piece.begin(), piece.end());
            });
            land(head, reinterpret_cast<const value_type*>(message_.data()));
            return;
        }
        typename Transport::incoming message;
        for (std::uint32_t turns = 0; !wires_.take(head.peer, channel_, message); ++turns) wires_.idle(turns);
        const bytes whole = message.pieces().empty() ? bytes{} : message.pieces().front();
        const auto* from = reinterpret_cast<const value_type*>(whole.data());
        std::int64_t expected = 0;
        for (std::size_t k = at_;; ++k) {
            expected += data_.layout().size(steps_[k].blocks);
            if (!steps_[k].continues()) break;
        }
        if (whole.size() != static_cast<std::size_t>(expected) * sizeof(value_type)) {
            wires_.release(message);
            throw transport_error(
                "a message of " + std::to_string(whole.size()) + " bytes came where "
                    + std::to_string(expected * static_cast<std::int64_t>(sizeof(value_type)))
                    + " were expected: do all ranks pass equal counts?",
                head.peer);
        }
        for (;; ++at_) {
            from = land(steps_[at_], from);
            if (!steps_[at_].continues()) break;
        }
        wires_.release(message);
    }

    /// Folds or copies elements into the blocks of `s`; returns where the next ones are.
    const value_type* land(const step& s, const value_type* from) {
        data_.write(s.blocks, s.buffer,
                    [&](value_type* target, const value_type* present, std::int64_t count) {
                        if (!s.folds())
                            copy_elements(target, from, count);
                        else if constexpr (Kernel::folds)
                            kernel_.fold(target, present, {from, s.side()}, count);
                        else
                            throw transport_error("the schedule folds, but the collective has no operation");
                        from += count;
                    });
        return from;
    }

    Transport& wires_;
    channel_type channel_;
    const any_generator& schedule_;
    const Kernel& kernel_;
    memory<value_type>& data_;
    step_list& steps_;
    std::vector<std::byte>& message_;
    round_index round_ = 0;
    std::size_t at_ = 0;
};

} // namespace tutti
