// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstring>
#include <span>
#include <string>

#include <tutti/core/any_generator.hpp>
#include <tutti/execute/action.hpp>
#include <tutti/execute/delivery.hpp>

namespace tutti {

/// The engine's short cut for small messages: where every send is complete the moment it is made, no step
/// ever has to wait for memory, so the rounds are simply run one after the other in program order, with
/// nothing to keep. Same memory, same fold and same meaning as `cursor`; only the book-keeping is missing.
template <eager_transport Transport>
class straight_run {
public:
    straight_run(Transport& wires, channel_type channel, const any_generator& schedule,
                 const fold_function& fold, memory& data, workspace<Transport>& kept)
        : wires_(wires), channel_(channel), schedule_(schedule), data_(data), delivery_(fold, data),
          steps_(kept.rounds[0].steps), message_(kept.message) {}

    /// Whether every message of a vector of so many bytes is eager, and can be folded where it lies.
    static bool suits(std::int64_t bytes, const element_shape& element) noexcept {
        return bytes <= static_cast<std::int64_t>(Transport::eager_bytes()) && element.alignment <= 16;
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
            const step* const end = steps_.end();
            for (const step* s = steps_.begin(); s != end; ++s)
                if (s->kind == step_kind::send) s = send(s);
            for (const step* s = steps_.begin(); s != end; ++s)
                if (s->is_local())
                    perform(*s);
                else if (s->kind != step_kind::send)
                    s = receive(s);
        }
        return rounds;
    }

    collective_error::location where(rank_type = no_rank) const {
        return {.rank = wires_.rank(),
                .round = round_,
                .step = current_ == nullptr ? -1 : current_ - steps_.begin(),
                .peer = current_ == nullptr ? no_rank : current_->peer};
    }

private:
    using bytes = std::span<const std::byte>;

    std::size_t sends() const noexcept {
        std::size_t count = 0;
        for (const step& s : steps_) count += s.kind == step_kind::send ? 1 : 0;
        return count;
    }

    static bytes bytes_of(const stretch& s) noexcept {
        return {s.present, static_cast<std::size_t>(s.bytes)};
    }

    /// Sends the message that begins with `s`; returns its last piece.
    const step* send(const step* s) {
        current_ = s;
        bytes whole;
        std::size_t pieces = 0;
        for (;; ++s) {
            for (const stretch& part : data_.read(s->blocks, s->buffer))
                if (pieces++ == 0)
                    whole = bytes_of(part);
                else
                    whole = joined(whole, bytes_of(part), pieces == 2);
            if (!s->continues()) break;
        }
        for (std::uint32_t turns = 0; !wires_.try_post(s->peer, channel_, whole);) wires_.idle(turns++);
        return s;
    }

    /// `head`, which is not in message_ yet if it is the first piece, with `tail` behind it.
    bytes joined(bytes head, bytes tail, bool first) {
        if (first) message_.assign(head.begin(), head.end());
        message_.insert(message_.end(), tail.begin(), tail.end());
        return message_;
    }

    /// Receives the message that begins with `s`; returns its last piece.
    const step* receive(const step* s) {
        current_ = s;
        std::int64_t expected = data_.layout().size(s->blocks);
        for (const step* piece = s; piece->continues(); ++piece)
            expected += data_.layout().size(piece[1].blocks);

        typename Transport::incoming message;
        for (std::uint32_t turns = 0; !wires_.take(s->peer, channel_, message);) wires_.idle(turns++);
        const bytes whole = message.pieces().front();
        if (whole.size() != static_cast<std::size_t>(expected)) {
            const std::size_t length = whole.size();
            wires_.release(message);
            throw detail::unexpected_length(length, static_cast<std::size_t>(expected), s->peer);
        }
        const std::byte* from = whole.data();
        for (;; ++s) {
            from = delivery_.deliver(*s, from);
            if (!s->continues()) break;
        }
        wires_.release(message);
        return s;
    }

    /// A local step: copy, or fold of one buffer into another.
    void perform(const step& s) {
        current_ = &s;
        message_.clear();
        for (const stretch& part : data_.read(s.blocks, s.source))
            message_.insert(message_.end(), part.present, part.present + part.bytes);
        delivery_.deliver(s, message_.data());
    }

    Transport& wires_;
    channel_type channel_;
    const any_generator& schedule_;
    memory& data_;
    delivery delivery_;
    step_list& steps_;
    std::vector<std::byte>& message_;
    round_index round_ = 0;
    const step* current_ = nullptr;
};

} // namespace tutti
