// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <tutti/core/block.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/reusable_list.hpp>

namespace tutti {

/// What a step does.
enum class step_kind : std::uint8_t {
    send,        ///< blocks of `buffer` go to `peer`
    recv,        ///< a message from `peer` replaces blocks of `buffer`
    recv_reduce, ///< a message from `peer` is folded into blocks of `buffer`
    copy,        ///< blocks of `source` replace the same blocks of `buffer`; local
    reduce,      ///< blocks of `source` are folded into the same blocks of `buffer`; local
};

/// Every buffer has the same blocks: block b of one is as long as block b of another.
enum class buffer_name : std::uint8_t {
    work,    ///< holds the result in the end; starts as the input where the collective says so
    input,   ///< the caller's input, never written
    scratch, ///< undefined at first; planes of it are scratch, scratch_1, ...
    scratch_1,
};

inline constexpr int buffer_count = 4; ///< how many names of buffers there are

/// Which operand an incoming (or source) value is. Lower ranks belong on the left.
enum class operand_side : std::uint8_t { right, left };

/// The side on which a contribution of ranks around `peer` is folded into that of ranks around `rank`.
/// Example with 5 ranks: rank 2 folds from rank 4 on the right, from rank 1 on the left.
constexpr operand_side side_of(rank_type peer, rank_type rank) noexcept {
    return peer < rank ? operand_side::left : operand_side::right;
}

/// One action of one rank. Names blocks, not addresses: a schedule is reusable over buffers, counts and
/// types.
struct step {
    block_set blocks{};                     ///< which blocks
    rank_type peer = no_rank;               ///< the other rank; no_rank for copy and reduce
    step_kind kind = step_kind::send;       ///< what happens
    buffer_name buffer = buffer_name::work; ///< read by send, written by all others
    buffer_name source = buffer_name::work; ///< read by copy and reduce
    std::uint8_t flags = 0;                 ///< see side() and continues()

    friend constexpr bool operator==(const step&, const step&) = default;

    /// Blocks go to rank `to`.
    static constexpr step send(rank_type to, block_set what, buffer_name from = buffer_name::work) noexcept {
        return {.blocks = what, .peer = to, .kind = step_kind::send, .buffer = from};
    }
    /// Blocks come from rank `from`, and replace what is there.
    static constexpr step recv(rank_type from, block_set what,
                               buffer_name into = buffer_name::work) noexcept {
        return {.blocks = what, .peer = from, .kind = step_kind::recv, .buffer = into};
    }
    /// Blocks come from rank `from`, and are folded into what is there, on that side.
    static constexpr step recv_reduce(rank_type from, block_set what, operand_side side,
                                      buffer_name into = buffer_name::work) noexcept {
        return {.blocks = what,
                .peer = from,
                .kind = step_kind::recv_reduce,
                .buffer = into,
                .flags = static_cast<std::uint8_t>(side)};
    }
    /// Blocks are copied from one buffer into another.
    static constexpr step copy(block_set what, buffer_name from, buffer_name into) noexcept {
        return {.blocks = what, .kind = step_kind::copy, .buffer = into, .source = from};
    }
    /// Blocks of one buffer are folded into another's, on that side.
    static constexpr step reduce(block_set what, buffer_name from, buffer_name into,
                                 operand_side side) noexcept {
        return {.blocks = what,
                .kind = step_kind::reduce,
                .buffer = into,
                .source = from,
                .flags = static_cast<std::uint8_t>(side)};
    }

    /// Whether another rank takes part.
    constexpr bool is_message() const noexcept { return peer != no_rank; }
    /// Whether none does.
    constexpr bool is_local() const noexcept { return !is_message(); }
    /// Whether the operation is applied.
    constexpr bool folds() const noexcept {
        return kind == step_kind::recv_reduce || kind == step_kind::reduce;
    }

    /// Which operand the incoming value is; meaningful for folds only.
    constexpr operand_side side() const noexcept { return static_cast<operand_side>(flags & 1U); }

    /// Whether the message goes on with the next step (same kind, peer and side): a list of block sets, one
    /// message.
    constexpr bool continues() const noexcept { return (flags & continues_flag) != 0; }

    /// This step as a part of a message that the next step continues.
    constexpr step and_next() const noexcept {
        step s = *this;
        s.flags |= continues_flag;
        return s;
    }

    static constexpr std::uint8_t continues_flag = 2; ///< of `flags`: see continues()
};

static_assert(sizeof(step) <= 32, "a step must stay half a cache line");
static_assert(std::is_trivially_copyable_v<step>, "schedules are copied and sent as bytes");

/// Steps in a row, kept and refilled round after round.
using step_list = reusable_list<step>;

} // namespace tutti
