// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
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
          steps_(kept.rounds[0].steps), message_(kept.message), rounds_(schedule.rounds()) {}

    /// Whether every message of a vector of so many bytes is eager, and can be folded where it lies.
    static bool suits(std::int64_t bytes, const element_shape& element) noexcept {
        return bytes <= static_cast<std::int64_t>(Transport::eager_bytes()) && element.alignment <= 16;
    }

    /// Goes on until the end, until something has to be waited for, or to a round that sends more messages
    /// than a mailbox is sure to hold, which is not begun. False if nothing has moved.
    bool advance() {
        bool moved = false;
        for (;; moved = true) {
            if (stage_ == stage::between) {
                if (round_ == rounds_) return moved;
                steps_.clear();
                schedule_.append(round_, steps_);
                if (steps_.size() > Transport::eager_depth() && sends() > Transport::eager_depth()) {
                    too_many_ = true;
                    return moved;
                }
                at_ = steps_.begin();
                stage_ = stage::sending;
            }
            const step* const end = steps_.end();
            if (stage_ == stage::sending) {
                // Sends read the values from before the round, wherever they are listed.
                for (; at_ != end; ++at_, moved = true)
                    if (at_->kind == step_kind::send && !send()) return moved;
                at_ = steps_.begin();
                stage_ = stage::landing;
            }
            for (; at_ != end; ++at_, moved = true)
                if (at_->is_local())
                    perform(*at_);
                else if (at_->kind != step_kind::send && !receive())
                    return moved;
            stage_ = stage::between;
            ++round_;
        }
    }

    bool done() const noexcept { return stage_ == stage::between && round_ == rounds_; }
    bool sends_too_many() const noexcept { return too_many_; }
    round_index round() const noexcept { return round_; }

    collective_error::location where(rank_type = no_rank) const {
        return {.rank = wires_.rank(),
                .round = round_,
                .step = current_ == nullptr ? -1 : current_ - steps_.begin(),
                .peer = current_ == nullptr ? no_rank : current_->peer};
    }

private:
    enum class stage : std::uint8_t { between, sending, landing };
    using bytes = std::span<const std::byte>;

    std::size_t sends() const noexcept {
        std::size_t count = 0;
        for (const step& s : steps_) count += s.kind == step_kind::send ? 1 : 0;
        return count;
    }

    static bytes bytes_of(const stretch& s) noexcept {
        return {s.present, static_cast<std::size_t>(s.bytes)};
    }

    /// Sends the message that begins at at_, and goes to its last piece; false if there is no room.
    bool send() {
        current_ = at_;
        bytes whole;
        std::size_t pieces = 0;
        const step* s = at_;
        for (;; ++s) {
            for (const stretch& part : data_.read(s->blocks, s->buffer))
                if (pieces++ == 0)
                    whole = bytes_of(part);
                else
                    whole = joined(whole, bytes_of(part), pieces == 2);
            if (!s->continues()) break;
        }
        if (!wires_.try_post(at_->peer, channel_, whole)) return false;
        at_ = s;
        return true;
    }

    /// `head`, which is not in message_ yet if it is the first piece, with `tail` behind it.
    bytes joined(bytes head, bytes tail, bool first) {
        if (first) message_.assign(head.begin(), head.end());
        message_.insert(message_.end(), tail.begin(), tail.end());
        return message_;
    }

    /// Receives the message that begins at at_, and goes to its last piece; false if it has not come.
    bool receive() {
        current_ = at_;
        typename Transport::incoming message;
        if (!wires_.take(at_->peer, channel_, message)) return false;
        std::int64_t expected = data_.layout().size(at_->blocks);
        for (const step* piece = at_; piece->continues(); ++piece)
            expected += data_.layout().size(piece[1].blocks);
        const bytes whole = message.pieces().front();
        if (whole.size() != static_cast<std::size_t>(expected)) {
            const std::size_t length = whole.size();
            wires_.release(message);
            throw detail::unexpected_length(length, static_cast<std::size_t>(expected), at_->peer);
        }
        const std::byte* from = whole.data();
        for (;; ++at_) {
            from = delivery_.deliver(*at_, from);
            if (!at_->continues()) break;
        }
        wires_.release(message);
        return true;
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
    round_index rounds_;
    round_index round_ = 0;
    stage stage_ = stage::between;
    bool too_many_ = false;
    const step* at_ = nullptr; // of this round, where it goes on
    const step* current_ = nullptr;
};

namespace detail {
template <class Transport>
struct short_cut_of {
    struct type {};
};
template <eager_transport Transport>
struct short_cut_of<Transport> {
    using type = straight_run<Transport>;
};
/// straight_run, for transports that it is for.
template <class Transport>
using short_cut = typename short_cut_of<Transport>::type;
} // namespace detail

} // namespace tutti
