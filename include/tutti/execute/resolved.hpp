// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/reusable_list.hpp>
#include <tutti/execute/memory.hpp>

namespace tutti {

/// One thing that a rank does for a short schedule, with everything looked up but addresses and wires.
struct resolved_step {
    /// What is done with which of the members below.
    enum class act : std::uint8_t {
        send,    ///< the bytes at `from` to `peer`
        collect, ///< the bytes at `from` to the end of the message that is put together
        send_collected,
        receive, ///< a message of `bytes` from `peer`; the next `parts` copy or fold what is in it
        copy,    ///< the bytes at `from` to `target`
        fold,    ///< the bytes at `from` into those of `present`; the result to `target`
    };

    act what = act::send;                    ///< decides which of the others count
    region from = region::nowhere;           ///< where it reads; message: what the last receive got
    region target = region::nowhere;         ///< where it writes
    region present = region::nowhere;        ///< where the value is that is folded into
    operand_side side = operand_side::right; ///< of what comes, where it is folded
    rank_type peer = no_rank;                ///< at the other end; no_rank of local steps
    std::uint32_t bytes = 0;                 ///< of the message, or of this part of it
    std::uint32_t at = 0;                    ///< bytes before them in `from`
    std::uint32_t offset = 0;                ///< bytes before them in `target` and `present`
    std::uint32_t parts = 0;                 ///< of a receive: steps behind it that belong to it
    std::uint32_t step = 0;                  ///< number of the step in its round
    round_index round = 0;                   ///< rounds() of what brings the result into place
};

/// One rank's part of a schedule, looked up once: what is sent and folded, from where to where, in program
/// order. It holds for any buffers of the same lengths, so a plan and a call like the one before it only run
/// it. For messages that need no waiting for memory: it is run strictly in order.
///
/// Example: recursive doubling, 5 ranks, 8 bytes, rank 4 (the extra one): send [input] to rank 0; receive
/// 8 bytes from rank 0, copy [message] to [work].
class resolved_schedule {
public:
    /// Whether it was made, or tried in vain.
    bool known() const noexcept { return known_; }
    /// Whether it can be run in order: no round sends more messages than a mailbox is sure to hold.
    bool usable() const noexcept { return usable_; }
    /// In program order, sends of a round first; only if usable().
    const reusable_list<resolved_step>& steps() const noexcept { return steps_; }

    /// Behind the last step that sends.
    std::size_t end_of_sends() const noexcept { return end_of_sends_; }

    /// Whether any plane of scratch is read or written.
    bool needs_scratch() const noexcept { return needs(region::scratch) || needs(region::scratch_1); }
    /// Whether some step reads or writes there: one that has bytes.
    bool needs(region r) const noexcept { return needs_[static_cast<std::size_t>(r)]; }

    /// Forgets what it was made of.
    void forget() noexcept { known_ = usable_ = false; }

    /// Looks everything up: all rounds; afterwards `result` lies in work, if it was the input's, and is
    /// copied to region::result if that is asked for. `most_sends`: in a round. `steps`: room to work in.
    void make(const any_generator& schedule, whereabouts blocks, const block_set& result, bool copies_result,
              std::size_t most_sends, step_list& steps);

private:
    void put(resolved_step s) {
        if (s.bytes == 0) // it lies nowhere, as the messages of a barrier do
            s.at = s.offset = 0;
        else
            for (const region r : {s.from, s.target, s.present}) needs_[static_cast<std::size_t>(r)] = true;
        steps_.push_back(s);
    }
    bool add_round(const step_list& steps, round_index round, whereabouts& blocks, std::size_t most_sends);
    std::size_t add_send(const step_list& steps, std::size_t i, resolved_step base, whereabouts& blocks);
    std::size_t add_receive(const step_list& steps, std::size_t i, resolved_step base, whereabouts& blocks);
    void add_local(const step& s, resolved_step base, whereabouts& blocks);
    void add_landing(const step& s, resolved_step base, const stretch& to);

    reusable_list<resolved_step> steps_;
    std::array<bool, static_cast<std::size_t>(region::nowhere) + 1> needs_{};
    std::size_t end_of_sends_ = 0;
    bool known_ = false;
    bool usable_ = false;
};

#if TUTTI_BODIES
TUTTI_BODY void resolved_schedule::make(const any_generator& schedule, whereabouts blocks,
                                        const block_set& result, bool copies_result, std::size_t most_sends,
                                        step_list& steps) {
    steps_.clear();
    end_of_sends_ = 0;
    needs_ = {};
    known_ = usable_ = false; // as long as something may throw
    bool usable = true;
    for (round_index i = 0; i < schedule.rounds() && usable; ++i) {
        steps.clear();
        schedule.append(i, steps);
        usable = add_round(steps, i, blocks, most_sends);
    }
    const resolved_step last{.what = resolved_step::act::copy, .round = schedule.rounds()};
    const auto copy = [&](const stretch& s, region to, std::int64_t offset) {
        resolved_step one = last;
        one.from = s.present;
        one.target = to;
        one.bytes = static_cast<std::uint32_t>(s.bytes);
        one.at = static_cast<std::uint32_t>(s.present_offset);
        one.offset = static_cast<std::uint32_t>(offset);
        put(one);
    };
    if (copies_result) {
        std::int64_t offset = 0;
        for (const stretch& s : blocks.read(result, buffer_name::work)) {
            copy(s, region::result, offset);
            offset += s.bytes;
        }
    } else if (blocks.unsettled()) {
        for (const stretch& s : blocks.write(result, buffer_name::work))
            if (s.present != s.target) copy(s, s.target, s.offset);
    }
    known_ = true;
    usable_ = usable;
}

/// Sends read the values from before the round, wherever they are listed: they come first.
TUTTI_BODY bool resolved_schedule::add_round(const step_list& steps, round_index round, whereabouts& blocks,
                                             std::size_t most_sends) {
    std::size_t sends = 0;
    for (const bool sending : {true, false})
        for (std::size_t i = 0; i < steps.size();) {
            const step& s = steps[i];
            const resolved_step base{.peer = s.peer, .step = static_cast<std::uint32_t>(i), .round = round};
            const bool sends_here = s.kind == step_kind::send;
            if (sends_here != sending)
                ++i;
            else if (s.is_local()) {
                add_local(s, base, blocks);
                ++i;
            } else if (sending) {
                i = add_send(steps, i, base, blocks);
                if (++sends > most_sends) return false;
            } else {
                i = add_receive(steps, i, base, blocks);
            }
        }
    return true;
}

TUTTI_BODY std::size_t resolved_schedule::add_send(const step_list& steps, std::size_t i, resolved_step base,
                                                   whereabouts& blocks) {
    const std::size_t first = steps_.size();
    const auto collect = [&](const block_set& which, buffer_name buffer) {
        for (const stretch& s : blocks.read(which, buffer)) {
            base.what = resolved_step::act::collect;
            base.from = s.present;
            base.bytes = static_cast<std::uint32_t>(s.bytes);
            base.at = static_cast<std::uint32_t>(s.present_offset);
            put(base);
        }
    };
    for (;; ++i) {
        collect(steps[i].blocks, steps[i].buffer);
        if (!steps[i].continues()) break;
    }
    if (steps_.size() == first + 1) {
        steps_.back().what = resolved_step::act::send; // from where it lies
    } else {
        base.what = resolved_step::act::send_collected;
        put(base);
    }
    end_of_sends_ = steps_.size();
    return i + 1;
}

TUTTI_BODY std::size_t resolved_schedule::add_receive(const step_list& steps, std::size_t i,
                                                      resolved_step base, whereabouts& blocks) {
    const std::size_t head = steps_.size();
    base.what = resolved_step::act::receive;
    put(base);
    base.from = region::message;
    for (;; ++i) {
        for (const stretch& to : blocks.write(steps[i].blocks, steps[i].buffer)) {
            add_landing(steps[i], base, to);
            base.at += static_cast<std::uint32_t>(to.bytes);
        }
        if (!steps[i].continues()) break;
    }
    steps_[head].parts = static_cast<std::uint32_t>(steps_.size() - head - 1);
    steps_[head].bytes = base.at;
    return i + 1;
}

/// The same blocks of two buffers: what is whole in one may be in parts in the other.
TUTTI_BODY void resolved_schedule::add_local(const step& s, resolved_step base, whereabouts& blocks) {
    const auto read = blocks.read(s.blocks, s.source);
    reusable_list<stretch> sources;
    sources.append(read.data(), read.size());
    const stretch* source = sources.begin();
    std::int64_t used = 0; // bytes of that source
    for (stretch to : blocks.write(s.blocks, s.buffer))
        while (to.bytes > 0) {
            if (used == source->bytes) {
                ++source;
                used = 0;
                continue;
            }
            stretch part = to;
            part.bytes = std::min(to.bytes, source->bytes - used);
            base.from = source->present;
            base.at = static_cast<std::uint32_t>(source->present_offset + used);
            add_landing(s, base, part);
            to.skip(part.bytes);
            used += part.bytes;
        }
}

/// What is folded lies at the same offset in both: only calls that move have parts in places of their own.
TUTTI_BODY void resolved_schedule::add_landing(const step& s, resolved_step base, const stretch& to) {
    base.what = s.folds() ? resolved_step::act::fold : resolved_step::act::copy;
    base.target = to.target;
    base.present = to.present;
    base.side = s.side();
    base.bytes = static_cast<std::uint32_t>(to.bytes);
    base.offset = static_cast<std::uint32_t>(to.offset);
    put(base);
}
#endif

} // namespace tutti
