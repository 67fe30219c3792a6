// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/block_bytes.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/math.hpp>
#include <tutti/execute/memory.hpp>
#include <tutti/render/matched_messages.hpp>
#include <tutti/verify/prover.hpp>

#include "support/catch2.hpp"

/// Parts so long that a subtree of them has more elements, and more bytes, than 32 bits count. Nothing is
/// sent: no machine has the memory.
namespace support {

/// Of rank r: more than half of 2^31, and each of its own length, so that none can stand for another.
inline std::vector<std::int64_t> long_parts(tutti::rank_type size) {
    std::vector<std::int64_t> counts;
    for (tutti::rank_type r = 0; r < size; ++r) counts.push_back((std::int64_t{1} << 30) + 1000 * r + 7);
    return counts;
}

/// What models and simulators are told of every message of a schedule with a block per rank, and where the
/// engine looks for it, is as long as the parts of the ranks that it carries. Returns the elements of the
/// longest message.
inline std::int64_t check_long_messages(const tutti::ensemble<tutti::any_generator>& all) {
    constexpr std::int64_t element = 8;
    const std::vector<std::int64_t> counts = long_parts(all.size());
    const tutti::block_bytes bytes(tutti::block_layout::by_counts(counts), element);
    const tutti::block_layout in_bytes = tutti::block_layout::by_counts(counts, element);
    std::int64_t longest = 0;
    for (const tutti::matched_message& m : tutti::matched_messages(all)) {
        std::int64_t sent = 0; // elements, part by part
        for (const tutti::step& s : m.sent)
            for (tutti::block_index i = 0; i < s.blocks.count; ++i)
                sent += counts[static_cast<std::size_t>(tutti::block_at(s.blocks, i, all.blocks()))];
        longest = sent > longest ? sent : longest;
        const auto told = [&](const std::vector<tutti::step>& steps) {
            std::int64_t sum = 0;
            for (const tutti::step& s : steps) sum += bytes(s.blocks);
            return sum;
        };
        const auto found = [&](const std::vector<tutti::step>& steps) {
            tutti::kept_memory kept;
            tutti::whereabouts engine(in_bytes, {}, kept);
            std::int64_t sum = 0;
            for (const tutti::step& s : steps)
                for (const tutti::stretch& part : engine.read(s.blocks, s.buffer)) {
                    CHECK(part.present_offset >= 0);
                    CHECK(part.present_offset + part.bytes <= in_bytes.elements());
                    sum += part.bytes;
                }
            return sum;
        };
        INFO("rank " << m.from << " to " << m.to << ", round " << m.sent_in);
        CHECK(told(m.sent) == sent * element);
        CHECK(told(m.received) == sent * element);
        CHECK(found(m.sent) == sent * element);
        CHECK(found(m.received) == sent * element);
    }
    return longest;
}

/// Of a gather or scatter along the binomial tree: the longest message is the part of the largest subtree.
inline void check_long_subtrees(const tutti::generator_factory& make) {
    for (const tutti::rank_type size : {2, 5, 8, 13})
        for (tutti::rank_type root = 0; root < size; ++root) {
            CAPTURE(size, root);
            const tutti::rank_type whole = tutti::floor_pow2(size - 1);
            const tutti::rank_type most = std::max(whole / 2, size - whole);
            const std::int64_t longest = check_long_messages(tutti::ensemble(make, size, root));
            CHECK(longest >= std::int64_t{most} << 30);
            if (size >= 8) CHECK(longest > std::int64_t{1} << 31);
        }
}

} // namespace support
