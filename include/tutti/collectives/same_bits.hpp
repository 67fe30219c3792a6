// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string_view>

#include <tutti/choose/chooser.hpp>
#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allreduce/binary_blocks.hpp>
#include <tutti/schedule/allreduce/canonical_doubling.hpp>
#include <tutti/schedule/exscan/recursive_doubling.hpp>
#include <tutti/schedule/reduce/binary_blocks.hpp>
#include <tutti/schedule/reduce/canonical_doubling.hpp>
#include <tutti/schedule/reduce_scatter/binary_blocks.hpp>
#include <tutti/schedule/scan/recursive_doubling.hpp>

namespace tutti {

/// In place of an algorithm: `allreduce(comm, in, out, sum{}, same_bits_for_any_size{})`, and for reduce,
/// reduce_scatter, scan and exscan.
///
/// Results are folded along one tree over the ranks, that of capabilities::canonical_tree, whatever the
/// length, the root and who lies near whom: the same floating-point bits on every machine. And for any number
/// of ranks, if each of them folds what it has itself along that tree and has a power of two of it, the last
/// one perhaps less: with 8 values of pairwise summation, 8 ranks of one, 4 of two, 2 of four and 1 of eight
/// have the same sum. What a scan or an exscan gives a rank are the bits that a reduction of the ranks up to
/// it, or before it, has: whoever comes behind makes no difference.
///
/// Cost of allreduce and reduce: up to `short_bytes`, canonical_doubling: ceil(log2 p) rounds of the whole
/// vector, which is the lower bound (measured on 2 cores that 3 to 8 threads share, where rounds count less
/// than bytes: 0.8 to 1.4 times what a binomial tree there and back takes); beyond, binary_blocks:
/// 2 floor(log2 p) + 2 rounds and at most twice the vector sent, once folded. That is what tables choose for
/// many lengths anyway; `tutti cost --same-bits-for-any-size` has prices. Cost of reduce_scatter:
/// binary_blocks, floor(log2 p) + 2 rounds and the vector sent once. Cost of scan and exscan:
/// recursive_doubling, ceil(log2 p) rounds of the whole vector, whatever its length: pipelines along trees
/// send it three times at most, but fold the parts of a result in an order of their own.
struct same_bits_for_any_size {
    /// In halves from here on: measured, halving costs as much as doubling at 20 KiB on two threads, and
    /// between 48 and 256 KiB on three, four and eight that share two cores. binary_blocks_circulant, whose
    /// tree is the same, costs a fifth more than binary_blocks at any of these lengths.
    static constexpr std::int64_t short_bytes = 16384;

    /// What `schedule` is of, as the catalogue calls it: of a collective that folds.
    static constexpr std::string_view algorithm(collective what, std::int64_t bytes) noexcept {
        if (what != collective::allreduce && what != collective::reduce)
            return scans(what) ? "recursive_doubling" : "binary_blocks";
        return bytes <= short_bytes ? "canonical_doubling" : "binary_blocks";
    }

    /// An allreduce or reduce along that tree. Templates only so that who asks for neither compiles neither.
    template <collective C>
        requires(C == collective::allreduce || C == collective::reduce)
    any_generator schedule(collective_constant<C> what, const request_facts& facts) const {
        if (facts.bytes <= short_bytes) return generate(what, canonical_doubling{}, facts.at);
        return generate(what, binary_blocks{}, facts.at);
    }
    /// A reduce_scatter along that tree.
    template <collective C>
        requires(C == collective::reduce_scatter)
    any_generator schedule(collective_constant<C> what, const request_facts& facts) const {
        return generate(what, binary_blocks{}, facts.at);
    }
    /// A scan or exscan along that tree.
    template <collective C>
        requires(scans(C))
    any_generator schedule(collective_constant<C> what, const request_facts& facts) const {
        return generate(what, recursive_doubling{}, facts.at);
    }
};

} // namespace tutti
