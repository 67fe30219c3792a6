// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/choose/chooser.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/schedule/catalogue_entry.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cmath>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#endif

/// What there is to choose from: algorithms with values for their options.
namespace tutti {

/// What a choice may depend on: only what every rank knows and has equal, so that all choose alike.
struct selection_request {
    collective what = collective::barrier; ///< the collective
    rank_type size = 1;                    ///< ranks
    rank_type root = 0;                    ///< where there is one
    std::int64_t bytes = 0;                ///< of the whole vector; of a v-variant, of all blocks together
    std::int64_t element_bytes = 8;        ///< blocks are whole elements
    bool commutative = true;               ///< the operation, where there is one
    bool canonical_tree = false;           ///< only what folds along it: same_bits_for_any_size
    bool equal_blocks = true;              ///< every rank's block has the same length
    bool every_root = false; ///< claims must cover the request whatever the root is; prices are of `root`

    friend auto operator<=>(const selection_request&, const selection_request&) = default;
};

namespace detail {
/// Of a call.
constexpr selection_request request_of(collective what, const request_facts& facts) noexcept {
    return {.what = what,
            .size = facts.at.size,
            .root = facts.at.root,
            .bytes = facts.bytes,
            .commutative = facts.commutative,
            .equal_blocks = facts.equal_blocks};
}
} // namespace detail

/// An algorithm with the options it really uses.
struct candidate {
    const catalogue_entry* entry = nullptr; ///< the algorithm
    parameters with{};                      ///< its options
    /// Makes its schedules instead of the entry, if there is one, for nodes or for a relation; lives longer.
    const schedule_maker* maker = nullptr;

    /// The schedule of the rank at `at`.
    any_generator schedule(place at) const {
        return maker != nullptr ? maker->make(at) : entry->make(at, with);
    }
};

/// "fnomial radix=4 segments=1"
inline std::string name_of(const candidate& c) { return name_with_options(c.entry->name, c.with); }

/// As communicators take it.
inline choice choice_of(const candidate& c) {
    return {.algorithm = c.entry->name, .make = c.entry->make, .with = c.with, .maker = c.maker};
}

/// What a model says of one step of a pipeline whose message has so many bytes: how long until the next one.
struct stage_times {
    double empty_us = 0; ///< of a message without bytes
    double whole_us = 0; ///< of the whole vector
};

namespace detail {

/// Drops values that make no difference any more: a tree of 5 ranks with radix 8 is the one with radix 5.
/// Keeps the first, and those below `bound`; values ascend.
/// Example: of 2, 3, 4, 5, 8 with 5 ranks 2, 3, 4 are left, with 2 ranks 2 alone.
inline void keep_below(std::vector<int>& values, std::int64_t bound) {
    while (values.size() > 1 && values.back() >= bound) values.pop_back();
}

/// Segments about the analytic optimum of a pipeline of `depth` rounds: with n segments it takes
/// (depth - 1 + n) (a + b/n), a = empty_us, b = whole_us - empty_us, which is least for
/// n = sqrt((depth - 1) b / a). The power of two next to it, `around` powers less and more, and 1; at most
/// `most`.
std::vector<block_index> segments_to_try(round_index depth, const stage_times& stage, block_index most,
                                         int around = 1);

/// Every combination of the values of an algorithm's options that is worth trying.
std::vector<parameters> values_to_try(const catalogue_entry& entry, const selection_request& request,
                                      const stage_times& stage);

} // namespace detail

/// Refuses a request that is none.
void check_request(const selection_request& r);

namespace detail {
inline constexpr std::string_view out_of_order =
    "does not keep the order of ranks, and the operation is not commutative";
} // namespace detail

/// Why these claims do not cover the request; "" if they do.
std::string_view not_covered(const capabilities& claims, const selection_request& r) noexcept;

/// Calls f(candidate) for every algorithm of `among` with every combination of values worth trying, in the
/// order of the catalogue. What is worth trying depends on size and bytes, and for segments on `stage`.
template <class F>
void for_each_candidate(std::span<const catalogue_entry> among, const selection_request& request,
                        const stage_times& stage, F&& f) {
    for (const catalogue_entry& entry : among) {
        if (entry.what != request.what) continue;
        for (const parameters& with : detail::values_to_try(entry, request, stage))
            f(candidate{.entry = &entry, .with = with});
    }
}

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY std::vector<block_index> segments_to_try(round_index depth, const stage_times& stage,
                                                    block_index most, int around) {
    std::vector<block_index> values{1};
    const double a = stage.empty_us;
    const double b = stage.whole_us - stage.empty_us;
    if (most < 2 || depth < 2 || !(b > 0)) return values;
    const double best = a > 0 ? std::sqrt(static_cast<double>(depth - 1) * b / a) : 1e9;
    const int nearest = static_cast<int>(std::lround(std::log2(std::clamp(best, 1.0, 1e9))));
    const int power = std::min(nearest, floor_log2(most));
    for (int k = std::max(power - around, 1); k <= power + around; ++k)
        if (block_index{1} << k <= most) values.push_back(block_index{1} << k);
    return values;
}

/// Every combination of values.
class option_values {
public:
    option_values(const catalogue_entry& entry, const selection_request& request, const stage_times& stage)
        : entry_(entry), request_(request), stage_(stage) {}

    std::vector<parameters> all() const {
        std::vector<parameters> all{entry_.defaults};
        for (const auto& [name, value] : entry_.defaults) {
            std::vector<parameters> longer;
            for (const parameters& with : all)
                for (const int each : values_of(name, value, with)) {
                    longer.push_back(with);
                    longer.back().set(name, each);
                }
            all = std::move(longer);
        }
        return all;
    }

private:
    /// Those that the algorithm names; else what is known of options of this name; else the default.
    std::vector<int> values_of(const char* option, std::int64_t standard, const parameters& with) const {
        if (std::vector<int> own = entry_.worth_trying(option); !own.empty()) return own;
        const std::string_view name = option;
        if (name == "radix") return radices();
        if (name == "arity") return many() ? std::vector{2, 4, 16} : bounded({2, 3, 4, 8}, request_.size);
        if (name == "splits") return splits();
        if (name == "segments") {
            std::vector<int> values;
            for (const block_index n :
                 segments_to_try(depth_of(with), stage_, most_segments(with), many() ? 0 : 1))
                values.push_back(static_cast<int>(n));
            return values;
        }
        // An alltoall goes straight in the order that k says: without a network all orders cost the same.
        if (name == "k" && request_.what != collective::alltoall)
            return bounded({4, 8, 16, 32}, request_.size);
        if (name == "zeta") // an alltoall has as many dimensions as p can be halved
            return bounded({0, 1, 2, 3}, (request_.what == collective::alltoall
                                              ? std::countr_zero(static_cast<std::uint32_t>(request_.size))
                                              : floor_log2(request_.size))
                                             + 1);
        if (name == "outstanding") return bounded({1, 4, 16}, request_.size);
        return {static_cast<int>(standard)};
    }

    static std::vector<int> bounded(std::vector<int> values, std::int64_t bound) {
        keep_below(values, bound);
        return values;
    }

    /// So many ranks that a candidate takes milliseconds to price: only every other value is tried.
    bool many() const noexcept { return request_.size > 512; }

    std::vector<int> radices() const {
        if (entry_.defaults.find("splits") != nullptr)
            return many() ? std::vector{2, 4} : bounded({2, 3, 4, 8}, request_.size);
        if (many()) return {2, 4, 8, 16};
        return bounded({2, 3, 4, 5, 6, 8, 12, 16, 32}, request_.size);
    }

    /// As many as there are ranks and elements to share out; without any it is the plain f-nomial tree.
    std::vector<int> splits() const {
        const std::int64_t elements = std::max<std::int64_t>(request_.bytes / request_.element_bytes, 1);
        return bounded(many() ? std::vector{1, 2, 4} : std::vector{1, 2, 3, 4, 5, 6},
                       std::min(floor_log2(request_.size), floor_log2(elements)) + 1);
    }

    round_index depth_of(parameters with) const {
        with.set("segments", 1);
        return entry_.make({.rank = 0, .size = request_.size, .root = 0}, with).rounds();
    }

    /// Segments are elements at least; and so few that pricing a pipeline over many ranks stays cheap. Wide
    /// trees over many ranks are not cut: they keep their roots busy as it is.
    block_index most_segments(const parameters& with) const {
        if (many() && std::max(with.get("radix"), with.get("arity")) > 4) return 1;
        const std::int64_t elements = request_.bytes / request_.element_bytes;
        return std::min({std::int64_t{64}, (std::int64_t{1} << 14) / request_.size, elements});
    }

    const catalogue_entry& entry_;
    const selection_request& request_;
    const stage_times& stage_;
};

TUTTI_BODY std::vector<parameters> values_to_try(const catalogue_entry& entry,
                                                 const selection_request& request, const stage_times& stage) {
    return option_values(entry, request, stage).all();
}
} // namespace detail

TUTTI_BODY void check_request(const selection_request& r) {
    checked({.rank = 0, .size = r.size, .root = has_root(r.what) ? r.root : 0});
    if (r.bytes < 0) detail::throw_argument("bytes", r.bytes, "at least 0");
    if (r.element_bytes < 1) detail::throw_argument("element_bytes", r.element_bytes, "at least 1");
}

TUTTI_BODY std::string_view not_covered(const capabilities& claims, const selection_request& r) noexcept {
    if (folds(r.what) && !r.commutative && !claims.order_preserving) return detail::out_of_order;
    if (r.what == collective::allreduce && !claims.same_bits_on_all_ranks)
        return "gives ranks results whose floating-point bits differ: taken by name only";
    if (r.canonical_tree && folds(r.what) && !claims.canonical_tree)
        return "folds along another tree than that of the same bits for any size";
    if (!r.equal_blocks && claims.moves_blocks) return "needs blocks of equal length";
    return {};
}
#endif

} // namespace tutti
