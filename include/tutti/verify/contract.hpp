// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/block.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/relation.hpp>

namespace tutti {

/// What a cell has to hold in the end: the contributions of ranks first..last to block `origin`; anything if
/// not `required`.
struct obligation {
    bool required = false;  ///< whether anything is demanded of it
    block_index origin = 0; ///< the block whose contributions it holds
    rank_type first = 0;    ///< the lowest rank of whom it holds one
    rank_type last = 0;     ///< the highest; all between, too

    friend constexpr bool operator==(const obligation&, const obligation&) = default;
};

/// The pre- and post-conditions of a collective on a vector of `blocks` blocks: which cells are defined at
/// first (with the rank's own contribution to that block), and what `work` holds in the end.
struct contract {
    collective what = collective::barrier; ///< the collective
    rank_type size = 1;                    ///< ranks
    rank_type root = 0;                    ///< where there is one
    block_index blocks = 1;                ///< of the whole vector
    const relation* who = nullptr;         ///< of a multicast

    /// Whether every rank has its share of the blocks.
    constexpr bool shared() const noexcept { return has_parts(what); }
    /// Where every rank has its share.
    constexpr block_index blocks_per_rank() const noexcept { return blocks / size; }

    /// The rank that block b belongs to.  Example with 5 ranks and 10 blocks: block 7 is rank 3's.
    constexpr rank_type owner(block_index b) const noexcept {
        return static_cast<rank_type>(b / blocks_per_rank());
    }

    /// Whether `input` holds the rank's contribution, all blocks of it.
    constexpr bool input_given() const noexcept { return folds(what) || what == collective::alltoall; }

    /// Whether `work` holds the rank's contribution to block b at first.
    constexpr bool work_given(rank_type rank, block_index b) const noexcept {
        switch (what) {
        case collective::bcast:
        case collective::scatter: return rank == root;
        case collective::reduce:
        case collective::allreduce:
        case collective::reduce_scatter:
        case collective::scan: return true;
        case collective::allgather:
        case collective::gather:
        case collective::multicast: return owner(b) == rank;
        case collective::barrier:
        case collective::alltoall:
        case collective::exscan: return false;
        }
        return false;
    }

    /// What block b of `work` has to hold in the end.
    constexpr obligation required(rank_type rank, block_index b) const noexcept {
        const obligation everything{.required = true, .origin = b, .first = 0, .last = size - 1};
        const auto from = [b](rank_type r) {
            return obligation{.required = true, .origin = b, .first = r, .last = r};
        };
        switch (what) {
        case collective::barrier: return {};
        case collective::bcast: return from(root);
        case collective::reduce: return rank == root ? everything : obligation{};
        case collective::allreduce: return everything;
        case collective::reduce_scatter: return owner(b) == rank ? everything : obligation{};
        case collective::allgather: return from(owner(b));
        case collective::gather: return rank == root ? from(owner(b)) : obligation{};
        case collective::scatter: return owner(b) == rank ? from(root) : obligation{};
        case collective::alltoall: {
            // Example with 5 ranks and 5 blocks: block 3 of rank 1 is rank 3's block 1.
            const block_index k = blocks_per_rank();
            return {.required = true, .origin = rank * k + b % k, .first = owner(b), .last = owner(b)};
        }
        case collective::exscan:
            return rank == 0 ? obligation{}
                             : obligation{.required = true, .origin = b, .first = 0, .last = rank - 1};
        case collective::scan: return {.required = true, .origin = b, .first = 0, .last = rank};
        case collective::multicast: // everybody keeps its own message
            if (owner(b) != rank && !who->wants(rank, owner(b))) return {};
            return from(owner(b));
        }
        return {};
    }
};

} // namespace tutti
