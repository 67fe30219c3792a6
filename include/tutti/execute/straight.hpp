// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/core/copy_bytes.hpp>
#include <tutti/execute/action.hpp>
#include <tutti/execute/delivery.hpp>
#include <tutti/execute/resolved.hpp>
#include <tutti/transport/pieces.hpp>

namespace tutti {

/// The engine's short cut for small messages: where every send is complete the moment it is made, no step
/// ever has to wait for memory, so a resolved schedule is simply run from its first step to its last. Same
/// meaning as `cursor`; only the book-keeping is missing.
template <eager_transport Transport>
class straight_run {
public:
    /// `any_order`: fold what several peers send into the same place in the order in which it comes.
    straight_run(Transport& wires, channel_type channel, const resolved_schedule& schedule,
                 const fold_function& fold, const call_label& label = {}, bool any_order = false)
        : wires_(wires), channel_(channel), label_(label), any_order_(any_order), fold_(fold),
          at_(schedule.steps().data()), end_of_sends_(at_ + schedule.end_of_sends()),
          end_(at_ + schedule.steps().size()) {}

    /// Whether every message of a vector of so many bytes is eager, and can be folded where it lies.
    static bool suits(std::int64_t bytes, const element_shape& element) noexcept {
        return bytes <= static_cast<std::int64_t>(Transport::eager_bytes()) && element.alignment <= 16;
    }

    /// Says where a region is. That of the input is not written.
    void place(region r, std::byte* where) noexcept { regions_[static_cast<std::size_t>(r)] = where; }

    /// ... those of the caller.
    void place_callers(const binding& bound, std::byte* result) noexcept {
        place(region::input, const_cast<std::byte*>(bound.input)); // not written
        place(region::work, bound.work);
        place(region::result, bound.part_at != nullptr ? bound.part_at : result);
    }

    /// Goes on until the end, or until something has to be waited for. False if nothing has moved.
    bool advance() {
        const resolved_step* const begin = at_;
        for (; at_ != end_; ++at_) {
            switch (at_->what) {
            case act::send:
                if (!post({in(at_->from) + at_->at, at_->bytes})) return at_ != begin;
                break;
            case act::collect:
                copy_bytes(collected_.data() + length_, in(at_->from) + at_->at, at_->bytes);
                length_ += at_->bytes;
                break;
            case act::send_collected:
                if (!post({collected_.data(), length_})) return at_ != begin;
                length_ = 0;
                break;
            case act::receive:
                if (!(any_order_ ? receive_any() : receive(at_->peer))) return at_ != begin;
                break;
            default: land(*at_);
            }
        }
        return at_ != begin;
    }

    /// Whether this rank's last step is done; others may still be at it.
    bool done() const noexcept { return at_ == end_; }

    /// Whether others still wait for something from this rank.
    bool sends_later() const noexcept { return at_ < end_of_sends_; }
    /// The one peer without which it cannot go on; no_rank if there are several.
    rank_type awaited() const noexcept { return done() || row_ != row_end_ ? no_rank : at_->peer; }

    /// The step that is next, for messages to people; not if done(). Whom is suspected does not matter here.
    collective_error::location where(rank_type = no_rank) const {
        return {.rank = wires_.rank(), .round = at_->round, .step = at_->step, .peer = at_->peer};
    }

private:
    using act = resolved_step::act;

    std::byte* in(region r) const noexcept { return regions_[static_cast<std::size_t>(r)]; }

    bool post(std::span<const std::byte> message) {
        if constexpr (labelling_transport<Transport>)
            return wires_.try_post(at_->peer, channel_, message, label_);
        else
            return wires_.try_post(at_->peer, channel_, message);
    }
    bool take(rank_type peer, typename Transport::incoming& message) {
        if constexpr (labelling_transport<Transport>)
            return wires_.take(peer, channel_, message, label_);
        else
            return wires_.take(peer, channel_, message);
    }

    struct taken_message {
        Transport& wires;
        typename Transport::incoming& message;
        ~taken_message() { wires.release(message); }
    };

    /// The message that comes next in the listed order, from `peer`; false if it has not come.
    bool receive(rank_type peer) {
        typename Transport::incoming message;
        if (!take(peer, message)) return false;
        const taken_message held{wires_, message};     // let go, whatever the operation throws
        if constexpr (requires { message.is_away(); }) // none of a call that is as short
            if (message.is_away()) [[unlikely]]
                throw detail::wrong_length(peer, wires_.rank(), message.bytes(), at_->bytes);
        const std::span<const std::byte> whole = message.pieces().front();
        if (whole.size() != at_->bytes) [[unlikely]]
            throw detail::wrong_length(peer, wires_.rank(), whole.size(), at_->bytes);
        const resolved_step* const last = at_ + at_->parts;
        for (const resolved_step* s = at_ + 1; s <= last; ++s) land(*s, whole.data() + s->at);
        at_ = last;
        return true;
    }

    static const resolved_step* behind(const resolved_step* s) noexcept { return s + s->parts + 1; }

    /// In a row of receives that are folded into the same bytes, that of another peer will do as well: the
    /// steps stay in their order, and only the peers change places.
    bool receive_any() {
        if (row_ == nullptr || at_ >= row_end_) {
            row_ = at_;
            heard_ = 0;
            int length = 0;
            for (row_end_ = at_; row_end_ != end_ && length < 64 && folds_alike(*row_end_); ++length)
                row_end_ = behind(row_end_);
        }
        if (row_ == row_end_) return receive(at_->peer); // not folded
        std::uint64_t bit = 1;
        for (const resolved_step* s = row_; s != row_end_; s = behind(s), bit *= 2)
            if ((heard_ & bit) == 0 && receive(s->peer)) {
                heard_ |= bit;
                return true;
            }
        return false;
    }

    /// Whether s receives one piece that is folded to where that of the row's first one is.
    bool folds_alike(const resolved_step& s) const noexcept {
        return s.what == act::receive && s.parts == 1 && (&s)[1].what == act::fold
               && (&s)[1].target == row_[1].target && (&s)[1].offset == row_[1].offset
               && s.bytes == row_->bytes;
    }

    void land(const resolved_step& s) { land(s, in(s.from) + s.at); }

    void land(const resolved_step& s, const std::byte* from) {
        if (s.what == act::copy)
            copy_bytes(in(s.target) + s.offset, from, s.bytes);
        else if (fold_)
            fold_(in(s.target) + s.offset, in(s.present) + s.offset, {from, s.side}, s.bytes);
        else
            detail::throw_no_operation();
    }

    Transport& wires_;
    channel_type channel_;
    call_label label_;
    std::uint32_t length_ = 0; // of what is collected
    const bool any_order_;
    const fold_function& fold_;
    const resolved_step* at_;
    const resolved_step* end_of_sends_;
    const resolved_step* end_;
    const resolved_step* row_ = nullptr; // any order: the receives that may change places
    const resolved_step* row_end_ = nullptr;
    std::uint64_t heard_ = 0; // bit k: that of the k-th peer of the row has come
    std::array<std::byte*, static_cast<std::size_t>(region::nowhere)> regions_{};
    alignas(16) std::array<std::byte, Transport::eager_bytes()> collected_;
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
