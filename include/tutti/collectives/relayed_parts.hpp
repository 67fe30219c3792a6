// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <tutti/collectives/by_pairs.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/copy_bytes.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/layout.hpp>
#include <tutti/execute/memory.hpp>
#include <tutti/schedule/alltoall/messages.hpp>

/// Parts of any lengths by an alltoall that passes blocks on through other ranks, which do not know how long
/// they are: so every round of it is two calls, of lengths and of elements (Fan, Gilray, Pascucci, Huang,
/// Micinski and Kumar 2022 (HPDC), who do so for Bruck's).
namespace tutti::detail {

/// Whether an alltoall passes blocks on, or does not say that it does not: what all ranks agree in.
constexpr bool passes_on(const capabilities& alltoall, rank_type size) noexcept {
    return alltoall.sent_blocks != size - 1;
}

/// The parts that one rank has, by buffer and block of an alltoall's schedule, whose rounds are gone through
/// one by one: as long as any_left(), next_call() has to be made.
class relayed_parts {
public:
    /// One rank's part of `way`, an alltoall; what travels are elements of that shape.
    relayed_parts(const place& at, any_generator way, const element_shape& element);

    /// What this rank has for each, one's behind the other's. Who puts nothing sends no parts, with lengths
    /// of -1.
    void put(const per_rank_counts& counts, const std::byte* values);

    /// Whether there are calls after those that were made.
    bool any_left() const noexcept { return calls_ < 2 * way_.rounds(); }
    /// The next one, of two in a round, once those before it are over. They are one call to the others: all
    /// on one channel.
    task next_call();

    /// Once all calls are over: what has come lies where it belongs.
    void land();
    /// How long the part from every rank is; -1: it put none.
    std::vector<std::int64_t> counts() const;
    /// All parts, in the order of ranks.
    void take(std::byte* out) const;
    /// Throws collective_error unless counts() are those.
    void check(const per_rank_counts& expected) const;

private:
    struct part {
        std::int64_t count = -1; ///< elements
        std::vector<std::byte> bytes{};
    };
    /// By rank: how much its message has, and where in the memory of all of them the next piece is.
    struct messages {
        std::vector<std::int64_t> counts{};
        std::vector<std::size_t> next{};
        std::vector<rank_type> peers{}; ///< those with a message, which may have no elements

        void clear() { std::fill(counts.begin(), counts.end(), 0); }
        std::size_t lay_out();
    };

    part& at(buffer_name buffer, block_index block) {
        return parts_[static_cast<std::size_t>(block) * buffer_count + static_cast<std::size_t>(buffer)];
    }
    const part& result(block_index block) const {
        return parts_[static_cast<std::size_t>(block) * buffer_count];
    }
    /// f(peer, part) for all blocks that leave, or come, in this round, as its steps list them.
    template <class F>
    void each(step_kind kind, const F& f) {
        for (const step& s : steps_)
            for (block_index i = 0; s.kind == kind && i < s.blocks.count; ++i)
                f(static_cast<std::size_t>(s.peer), at(s.buffer, block_at(s.blocks, i, way_.blocks())));
    }
    void tell(round_index i); ///< what leaves in round i, and comes
    task telling();           ///< the call for lengths
    void pack();              ///< once they are known
    task moving();            ///< the call for elements
    void list_peers(step_kind kind, messages& of);
    static std::int64_t elements(std::int64_t count) noexcept { return count < 0 ? 0 : count; }
    task make(const input_bytes& in, const output_bytes& out) const;

    place at_;
    any_generator way_;
    element_shape element_;
    std::vector<part> parts_; ///< by block and buffer; of the result's, work's, see result()
    round_index calls_ = 0;   ///< that were made
    step_list steps_{};       ///< of this round
    call_label label_{};      ///< of all rounds the same, as of one call
    messages sent_{};
    messages received_{};
    std::vector<std::int64_t> told_{};
    std::vector<std::int64_t> heard_{};   ///< message by message
    std::vector<std::int64_t> lengths_{}; ///< the same in the order of steps
    std::size_t sent_elements_ = 0;
    std::size_t received_elements_ = 0;
    reusable_bytes going_{};
    reusable_bytes come_{};
};

/// Goes through all rounds of what make() makes, which may throw: the others hear of it. All on one channel,
/// as one call: who is refused, or fails early, has made as many calls as those that go on.
template <class Transport, class Make>
relayed_parts relay(communicator<Transport>& comm, const Make& make) {
    const channel_type channel = comm.next_channel();
    std::optional<relayed_parts> parts;
    do {
        run_anew(comm, channel, "alltoallv", [&] {
            if (!parts) parts.emplace(make());
            return parts->next_call();
        });
    } while (parts->any_left());
    parts->land();
    return std::move(*parts);
}

#if TUTTI_BODIES
TUTTI_BODY relayed_parts::relayed_parts(const place& at, any_generator way, const element_shape& element)
    : at_(at), way_(std::move(way)), element_(element),
      parts_(static_cast<std::size_t>(way_.blocks()) * buffer_count) {
    for (messages* of : {&sent_, &received_}) {
        of->counts.resize(static_cast<std::size_t>(at.size));
        of->next.resize(static_cast<std::size_t>(at.size));
    }
    label_ = label_by_pairs({.what = collective::alltoall, .schedule = way_}, {.element = element});
}

TUTTI_BODY void relayed_parts::put(const per_rank_counts& counts, const std::byte* values) {
    const block_layout each = counts.layout(way_.blocks());
    for (block_index b = 0; b < way_.blocks(); ++b) {
        part& mine = at(buffer_name::input, b);
        mine.count = each.size(b);
        const auto bytes = static_cast<std::size_t>(mine.count) * element_.bytes;
        if (bytes > 0) mine.bytes.assign(values, values + bytes);
        values += bytes;
    }
}

TUTTI_BODY std::size_t relayed_parts::messages::lay_out() {
    std::size_t all = 0;
    for (const rank_type peer : peers) {
        next[static_cast<std::size_t>(peer)] = all;
        all += static_cast<std::size_t>(counts[static_cast<std::size_t>(peer)]);
    }
    return all;
}

TUTTI_BODY void relayed_parts::list_peers(step_kind kind, messages& of) {
    of.clear();
    of.peers.clear();
    each(kind, [&](std::size_t peer, const part&) {
        if (of.counts[peer]++ == 0) of.peers.push_back(static_cast<rank_type>(peer));
    });
    std::sort(of.peers.begin(), of.peers.end()); // a call has its parts in the order of ranks
}

TUTTI_BODY void relayed_parts::tell(round_index i) {
    steps_.clear();
    way_.append(i, steps_);
    list_peers(step_kind::send, sent_);
    list_peers(step_kind::recv, received_);
    told_.resize(sent_.lay_out());
    heard_.resize(received_.lay_out());
    each(step_kind::send,
         [&](std::size_t peer, const part& leaving) { told_[sent_.next[peer]++] = leaving.count; });
}

TUTTI_BODY task relayed_parts::make(const input_bytes& in, const output_bytes& out) const {
    task t =
        make_task_by_pairs(at_, {in, sent_.counts, out, received_.counts},
                           any_generator(alltoall_messages(at_, sent_.peers, received_.peers)), "relayed");
    t.label = label_;
    t.goes_on = true;
    return t;
}

TUTTI_BODY task relayed_parts::next_call() {
    const round_index i = calls_ / 2;
    if (calls_++ % 2 == 0) {
        if (i > 0) land();
        tell(i);
        return telling();
    }
    pack();
    task t = moving();
    t.goes_on = any_left();
    return t;
}

TUTTI_BODY task relayed_parts::telling() { return make(input_of(told_), output_of(heard_)); }

TUTTI_BODY void relayed_parts::pack() {
    lengths_.clear();
    each(step_kind::recv,
         [&](std::size_t peer, const part&) { lengths_.push_back(heard_[received_.next[peer]++]); });

    sent_.clear();
    received_.clear();
    std::size_t k = 0;
    each(step_kind::send, [&](std::size_t peer, const part& p) { sent_.counts[peer] += elements(p.count); });
    each(step_kind::recv,
         [&](std::size_t peer, const part&) { received_.counts[peer] += elements(lengths_[k++]); });
    sent_elements_ = sent_.lay_out();
    received_elements_ = received_.lay_out();
    std::byte* const going = going_.at_least(sent_elements_ * element_.bytes);
    come_.at_least(received_elements_ * element_.bytes);
    each(step_kind::send, [&](std::size_t peer, const part& p) {
        copy_bytes(going + sent_.next[peer] * element_.bytes, p.bytes.data(), p.bytes.size());
        sent_.next[peer] += static_cast<std::size_t>(elements(p.count));
    });
}

TUTTI_BODY task relayed_parts::moving() {
    return make({going_.at_least(0), sent_elements_, element_, &place_of_type<relayed_parts>},
                {come_.at_least(0), received_elements_, element_, &place_of_type<relayed_parts>});
}

TUTTI_BODY void relayed_parts::land() {
    const std::byte* const come = come_.at_least(0);
    auto length = lengths_.begin();
    // Rule 3 of generator.hpp: in the order listed.
    for (const step& s : steps_)
        for (block_index i = 0; s.kind != step_kind::send && i < s.blocks.count; ++i) {
            const block_index b = block_at(s.blocks, i, way_.blocks());
            part& into = at(s.buffer, b);
            if (s.is_local()) {
                into = at(s.source, b);
                continue;
            }
            std::size_t& next = received_.next[static_cast<std::size_t>(s.peer)];
            into.count = *length++;
            const auto count = static_cast<std::size_t>(elements(into.count));
            into.bytes.assign(come + next * element_.bytes, come + (next + count) * element_.bytes);
            next += count;
        }
}

TUTTI_BODY std::vector<std::int64_t> relayed_parts::counts() const {
    const block_index each = way_.blocks() / at_.size;
    std::vector<std::int64_t> all(static_cast<std::size_t>(at_.size), 0);
    for (block_index b = 0; b < way_.blocks(); ++b) {
        std::int64_t& sum = all[static_cast<std::size_t>(b / each)];
        sum = result(b).count < 0 ? -1 : sum + result(b).count;
    }
    return all;
}

TUTTI_BODY void relayed_parts::take(std::byte* out) const {
    for (block_index b = 0; b < way_.blocks(); ++b) {
        const std::vector<std::byte>& bytes = result(b).bytes;
        copy_bytes(out, bytes.data(), bytes.size());
        out += bytes.size();
    }
}

TUTTI_BODY void relayed_parts::check(const per_rank_counts& expected) const {
    const std::vector<std::int64_t> have = counts();
    for (rank_type from = 0; from < at_.size; ++from) {
        const auto r = static_cast<std::size_t>(from);
        if (have[r] != expected.of(from))
            throw collective_error({.collective = "alltoallv", .rank = at_.rank, .peer = from},
                                   sentence({"has sent ", have[r], " elements, recv_counts[", from, "] is ",
                                             expected.of(from)}));
    }
}
#endif

} // namespace tutti::detail
