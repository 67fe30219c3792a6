// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/step.hpp>
#include <tutti/render/matched_messages.hpp>

#if TUTTI_BODIES
#include <array>
#include <span>

#include <tutti/core/error.hpp>
#include <tutti/render/block_text.hpp>
#include <tutti/render/msccl_gpu.hpp>
#include <tutti/render/svg.hpp>
#endif

namespace tutti {

/// What executors ask before they take an algorithm for a call. There are two kinds. MSCCL (microsoft/msccl
/// at b23e9cd, ncclTopoGetMSCCLAlgo in src/graph/tuning.cc) takes it if its `inplace` is what the call is and
/// minBytes <= bytes < maxBytes, so never if maxBytes is 0; `outofplace` it does not read, and when it starts
/// it sets aside scratch for calls of maxBytes (src/init.cc). RCCL and the executor for NCCL
/// (mscclInternalSchedulerSelectAlgo in src/misc/msccl/msccl_lifecycle.cc of ROCm/rccl at 0088a12 and of
/// Azure/msccl-executor-nccl at c6f6b36; Azure/msccl-scheduler, too) read both attributes, take
/// minBytes <= bytes <= maxBytes, and 0 for no limit. Bytes are those of the whole vector.
struct msccl_options {
    std::string name = "tutti";      ///< of the algorithm; for people and logs
    std::string protocol = "Simple"; ///< or LL, LL128
    bool in_place = false;           ///< for calls whose input and output are the same memory, and no others
    std::int64_t min_bytes = 0;      ///< >= 0: for calls of so many bytes at least
    std::int64_t max_bytes = 0;      ///< > min_bytes: of at most so many, or fewer; 0: as many as all take
};

namespace detail {

/// The largest step in chunks: MSCCL's runtimes take less than 72.
inline constexpr std::int64_t msccl_most_chunks = 64;
/// Connections of a GPU per channel and direction: MSCCL's runtimes take 32.
inline constexpr rank_type msccl_most_connections = 32;

/// MSCCL's name for a collective, nothing for those that it lacks.
constexpr std::string_view msccl_name_of(collective what) noexcept {
    switch (what) {
    case collective::bcast: return "broadcast";
    case collective::reduce:
    case collective::allreduce:
    case collective::reduce_scatter:
    case collective::allgather:
    case collective::gather:
    case collective::scatter:
    case collective::alltoall: return name_of(what);
    case collective::barrier:
    case collective::exscan:
    case collective::scan:
    case collective::multicast: break;
    }
    return {};
}

/// Whether bytes and chunks are counted per rank, and one file serves calls in place and others: in place is
/// the root alone, in whose longer buffer its own part lies, and other ranks cannot know.
constexpr bool msccl_counts_parts(collective what) noexcept {
    return what == collective::gather || what == collective::scatter;
}

/// A schedule's steps, rank by rank, in an order that does without knowing when messages arrive: round by
/// round, sends first, for they read what was there before the round.
struct msccl_action {
    round_index round = 0;
    bool sends = false;
    std::int64_t at = 0; // which step of the round
    const matched_message* message = nullptr;
    step local{};
};

template <class G>
std::vector<std::vector<msccl_action>> msccl_actions(const ensemble<G>& all,
                                                     const std::vector<matched_message>& messages) {
    std::vector<std::vector<msccl_action>> actions(static_cast<std::size_t>(all.size()));
    const auto of = [&](rank_type r) -> auto& { return actions[static_cast<std::size_t>(r)]; };
    for (const matched_message& m : messages) {
        of(m.from).push_back({.round = m.sent_in, .sends = true, .at = m.sent_at, .message = &m});
        of(m.to).push_back({.round = m.received_in, .at = m.received_at, .message = &m});
    }
    for (rank_type r = 0; r < all.size(); ++r)
        for (round_index i = 0; i < all.rounds(); ++i) {
            std::int64_t at = 0;
            all.emit(r, i, [&](const step& s) {
                if (s.is_local()) of(r).push_back({.round = i, .at = at, .local = s});
                ++at;
            });
        }
    for (std::vector<msccl_action>& each : actions)
        std::sort(each.begin(), each.end(), [](const msccl_action& a, const msccl_action& b) {
            return std::tuple(a.round, !a.sends, a.at) < std::tuple(b.round, !b.sends, b.at);
        });
    return actions;
}

/// Which of the channels between two GPUs a message takes: both ends must say the same.
/// Example with 5 ranks, 2 connections per channel: from rank 1 to 2 and 3 channel 0, to 4 and 0 channel 1.
constexpr int msccl_channel(rank_type from, rank_type to, rank_type size,
                            rank_type connections = msccl_most_connections) noexcept {
    return (relative_rank(to, from, size) - 1) / connections;
}

/// What max_bytes 0 means. 2^27 is what MSCCL takes where a file says nothing: it has to have the scratch.
/// Where bytes are one part's, scratch is as long as `parts` of them.
constexpr std::int64_t msccl_most_bytes(bool needs_scratch, rank_type parts) noexcept {
    return (std::int64_t{1} << (needs_scratch ? 27 : 40)) / parts;
}

void check_msccl(collective what, const msccl_options& options);

std::string msccl_text(const std::vector<std::vector<msccl_action>>& actions, collective what, rank_type root,
                       block_index blocks, const msccl_options& options);

} // namespace detail

/// A schedule as an algorithm for MSCCL (Cowan, Maleki, Musuvathi, Saarikivi and Xiong 2023), which runs it
/// on GPUs: one chunk per block, ranks are GPUs. Understood by MSCCL and its successors in NCCL and RCCL;
/// RCCL spells the collective reduce_scatter "reducescatter".
///
/// Buffers: `input` is i, `work` is o, planes of scratch are s. Where a collective works on a copy of the
/// input, that copy comes first; where the result is shorter than the vector (reduce_scatter), or only the
/// root may write it (reduce), the work buffer lies in s. With `in_place` the copy is left out: allreduce and
/// reduce_scatter then work, and end, in i, allgather and bcast in o.
///
/// gather and scatter are for RCCL and its kin, written by its parser. One file serves calls in place and
/// others, for only the root can know; its longer buffer is o or i, other ranks keep in s what passes through
/// them. Bytes and nchunksperloop are of one rank's part.
///
/// Restrictions, besides those of MSCCL's runtimes (256 steps per thread block, 216 thread blocks per GPU,
/// blocks of equal size): operations must be commutative; calls must have the root of the schedule, for which
/// the format has no place. Messages without bytes are left out. Throws argument_error for what MSCCL lacks:
/// barrier, exscan, scan, multicast; for in_place where the schedule reads the input, as alltoall does; for
/// bytes out of range; for messages that do not match, or a scatter that changes the root's vector.
template <class G>
std::string msccl_xml(const ensemble<G>& all, collective what, const msccl_options& options = {}) {
    detail::check_msccl(what, options);
    const std::vector<matched_message> messages = matched_messages(all);
    return detail::msccl_text(detail::msccl_actions(all, messages), what, all.root(), all.blocks(), options);
}

#if TUTTI_BODIES
namespace detail {
/// Chunks that lie side by side at both ends of a message, or of a local step.
struct msccl_piece {
    block_run from{};
    block_run to{};
    std::int64_t count = 0;
};

inline std::vector<msccl_piece> msccl_pieces(const std::vector<block_run>& from,
                                             const std::vector<block_run>& to) {
    std::vector<msccl_piece> pieces;
    auto left = from.begin();
    auto right = to.begin();
    for (std::int64_t sent = 0, received = 0; left != from.end() && right != to.end();) {
        const std::int64_t count = std::min({left->count - sent, right->count - received, msccl_most_chunks});
        pieces.push_back({.from = {left->buffer, left->first + sent, count},
                          .to = {right->buffer, right->first + received, count},
                          .count = count});
        sent += count;
        received += count;
        if (sent == left->count) ++left, sent = 0;
        if (received == right->count) ++right, received = 0;
    }
    return pieces;
}

/// Where the blocks of a schedule lie in the buffers of a GPU.
class msccl_memory {
public:
    msccl_memory(collective what, place at, block_index blocks, bool in_place)
        : what_(what), at_(at), blocks_(blocks), in_place_(in_place && !msccl_counts_parts(what)) {
        switch (what) {
        case collective::allgather:
        case collective::bcast:
        case collective::alltoall: work_ = 'o'; break;
        case collective::gather: work_ = at.rank == at.root ? 'o' : 's'; break;
        case collective::scatter: work_ = at.rank == at.root ? 'i' : 's'; break;
        case collective::allreduce: work_ = in_place ? 'i' : 'o'; break;
        case collective::reduce_scatter: work_ = in_place ? 'i' : 's'; break;
        default: work_ = at.rank != at.root ? 's' : in_place ? 'i' : 'o'; break; // reduce
        }
        planes_ = work_ == 's' ? 1 : 0;
    }

    /// The chunks of blocks. Throws argument_error for the input of a call that is in place: it is
    /// overwritten.
    msccl_chunks operator()(const block_run& run) {
        switch (run.buffer) {
        case buffer_name::work: return {work_, run.first};
        case buffer_name::input:
            if (in_place_) throw argument_error("in_place", "true", "false: this schedule reads the input");
            return {'i', run.first};
        case buffer_name::scratch:
        case buffer_name::scratch_1: break;
        }
        const int plane = (run.buffer == buffer_name::scratch ? 0 : 1) + (work_ == 's' ? 1 : 0);
        planes_ = std::max(planes_, plane + 1);
        return {'s', plane * blocks_ + run.first};
    }

    /// Likewise, to be written. Throws argument_error for the vector of a scatter's root, the caller's input.
    msccl_chunks target(const block_run& run) {
        const msccl_chunks chunks = (*this)(run);
        if (chunks.buffer == 'i' && what_ == collective::scatter)
            throw argument_error("schedule", "a scatter that changes the root's vector", "one that reads it");
        return chunks;
    }

    /// What must be in the work buffer before the schedule begins and lies in the input instead.
    void bring_in(msccl_gpu& gpu) {
        const bool given =
            folds(what_) || gives_part() || (what_ == collective::bcast && at_.rank == at_.root);
        const bool is_there = in_place_ && work_ != 's';
        if (!given || is_there) return;
        const std::int64_t first = gives_part() ? own() : 0;
        for (std::int64_t c = 0; c < input_chunks(); c += msccl_most_chunks)
            gpu.local({'i', c}, {work_, first + c}, std::min(msccl_most_chunks, input_chunks() - c), false);
    }
    /// What the schedule leaves elsewhere than in the output.
    void bring_out(msccl_gpu& gpu) {
        if (!gets_part() || in_place_) return;
        for (std::int64_t c = 0; c < output_chunks(); c += msccl_most_chunks)
            gpu.local({work_, own() + c}, {'o', c}, std::min(msccl_most_chunks, output_chunks() - c), false);
    }

    std::int64_t input_chunks() const noexcept { return gives_part() ? share() : blocks_; }
    std::int64_t output_chunks() const noexcept { return gets_part() ? share() : blocks_; }
    /// Those of the bytes that a call is said to have.
    std::int64_t counted_chunks() const noexcept { return msccl_counts_parts(what_) ? share() : blocks_; }
    std::int64_t scratch_chunks() const noexcept { return planes_ * blocks_; }

private:
    bool gives_part() const noexcept { return what_ == collective::allgather || what_ == collective::gather; }
    bool gets_part() const noexcept {
        return what_ == collective::reduce_scatter || what_ == collective::scatter;
    }
    std::int64_t share() const noexcept { return blocks_ / at_.size; }
    std::int64_t own() const noexcept { return at_.rank * share(); }

    collective what_;
    place at_;
    block_index blocks_;
    bool in_place_;
    char work_ = 'o';
    int planes_ = 0;
};

/// What `at` has to do.
inline msccl_gpu msccl_gpu_of(const std::vector<msccl_action>& actions, place at, block_index blocks,
                              msccl_memory& memory) {
    msccl_gpu gpu;
    memory.bring_in(gpu);
    for (const msccl_action& a : actions) {
        step source = a.local; // a local step is a message from one buffer to another
        source.buffer = a.local.source;
        const bool is_local = a.message == nullptr;
        const auto from = is_local ? block_runs({&source, 1}, blocks) : block_runs(a.message->sent, blocks);
        const auto to =
            is_local ? block_runs({&a.local, 1}, blocks) : block_runs(a.message->received, blocks);
        for (const auto& [there, here, count] : msccl_pieces(from, to)) {
            if (is_local)
                gpu.local(memory(there), memory.target(here), count, a.local.folds());
            else if (a.sends)
                gpu.send(a.message->to, msccl_channel(at.rank, a.message->to, at.size), memory(there), count);
            else
                gpu.receive(a.message->from, msccl_channel(a.message->from, at.rank, at.size),
                            memory.target(here), count, a.message->folded());
        }
    }
    memory.bring_out(gpu);
    return gpu;
}

/// The numbers that thread blocks get: MSCCL wants them sorted by send peer, receive peer and channel.
inline std::vector<std::size_t> msccl_order(const msccl_gpu& gpu) {
    std::vector<std::size_t> order(gpu.blocks().size());
    for (std::size_t b = 0; b < order.size(); ++b) order[b] = b;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto key = [&](std::size_t k) {
            const msccl_thread_block& block = gpu.blocks()[k];
            return std::tuple(block.send, block.recv, block.channel);
        };
        return key(a) < key(b);
    });
    return order;
}

/// ` name="value"`, again and again.
class xml_attributes {
public:
    explicit xml_attributes(std::string& text) : text_(text) {}
    xml_attributes& operator()(std::string_view name, std::string_view value) {
        text_.append(" ").append(name).append("=\"").append(xml_escaped(value)).append("\"");
        return *this;
    }
    xml_attributes& operator()(std::string_view name, std::int64_t value) {
        return (*this)(name, std::string_view(std::to_string(value)));
    }

private:
    std::string& text_;
};

inline void append_msccl_gpu(std::string& text, const msccl_gpu& gpu, rank_type rank,
                             const msccl_memory& memory) {
    const std::vector<std::size_t> order = msccl_order(gpu);
    std::vector<std::int64_t> number(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) number[order[k]] = static_cast<std::int64_t>(k);

    text += "  <gpu";
    xml_attributes{text}("id", rank)("i_chunks", memory.input_chunks())("o_chunks", memory.output_chunks())(
        "s_chunks", memory.scratch_chunks());
    text += ">\n";
    for (const std::size_t b : order) {
        const msccl_thread_block& block = gpu.blocks()[b];
        text += "    <tb";
        xml_attributes{text}("id", number[b])("send", block.send)("recv", block.recv)("chan", block.channel);
        text += ">\n";
        for (std::size_t k = 0; k < block.steps.size(); ++k) {
            const msccl_step& s = block.steps[k];
            const bool waits = s.depends_block >= 0;
            text += "      <step";
            xml_attributes{text}("s", static_cast<std::int64_t>(k))("type", s.type)(
                "srcbuf", std::string_view(&s.source.buffer, 1))("srcoff", s.source.first)(
                "dstbuf", std::string_view(&s.target.buffer, 1))("dstoff", s.target.first)("cnt", s.count)(
                "depid", waits ? number[static_cast<std::size_t>(s.depends_block)]
                               : -1)("deps", s.depends_step)("hasdep", s.depended_on ? 1 : 0);
            text += "/>\n";
        }
        text += "    </tb>\n";
    }
    text += "  </gpu>\n";
}

TUTTI_BODY void check_msccl(collective what, const msccl_options& options) {
    if (msccl_name_of(what).empty())
        throw argument_error(
            "collective", std::string(name_of(what)),
            "bcast, reduce, allreduce, reduce_scatter, allgather, gather, scatter, alltoall");
    constexpr std::array<std::string_view, 3> protocols{"Simple", "LL", "LL128"};
    if (std::find(protocols.begin(), protocols.end(), options.protocol) == protocols.end())
        throw argument_error("protocol", options.protocol, "Simple, LL, LL128");
    if (options.min_bytes < 0 || options.min_bytes > std::int64_t{1} << 60)
        throw argument_error("min_bytes", std::to_string(options.min_bytes), "0..2^60");
    if (options.max_bytes != 0 && options.max_bytes <= options.min_bytes)
        throw argument_error("max_bytes", std::to_string(options.max_bytes),
                             "0, or more than min_bytes, " + std::to_string(options.min_bytes));
}

TUTTI_BODY std::string msccl_text(const std::vector<std::vector<msccl_action>>& actions, collective what,
                                  rank_type root, block_index blocks, const msccl_options& options) {
    const auto size = static_cast<rank_type>(actions.size());
    std::string gpus;
    int channels = 1;
    bool needs_scratch = false;
    std::int64_t chunks = 0;
    for (rank_type r = 0; r < size; ++r) {
        const place at{.rank = r, .size = size, .root = root};
        msccl_memory memory(what, at, blocks, options.in_place);
        const msccl_gpu gpu = msccl_gpu_of(actions[static_cast<std::size_t>(r)], at, blocks, memory);
        for (const msccl_thread_block& b : gpu.blocks()) channels = std::max(channels, b.channel + 1);
        chunks = memory.counted_chunks();
        needs_scratch = needs_scratch || memory.scratch_chunks() > 0;
        append_msccl_gpu(gpus, gpu, r, memory);
    }
    const bool both = msccl_counts_parts(what);
    const std::int64_t most =
        std::max(msccl_most_bytes(needs_scratch, both ? size : 1), 2 * options.min_bytes);
    std::string text = "<algo";
    xml_attributes{text}("name", options.name)("proto", options.protocol)("nchannels", channels)(
        "nchunksperloop", chunks)("ngpus", size)("coll", msccl_name_of(what))(
        "inplace", options.in_place || both ? 1 : 0)("outofplace", !options.in_place || both ? 1 : 0)(
        "minBytes", options.min_bytes)("maxBytes", options.max_bytes == 0 ? most : options.max_bytes);
    return text.append(">\n").append(gpus).append("</algo>\n");
}
} // namespace detail
#else
extern template std::string msccl_xml(const ensemble<any_generator>&, collective, const msccl_options&);
#endif

} // namespace tutti
