// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <vector>

#include <tutti/choose/chooser.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>

#if TUTTI_BODIES
#include <cstddef>
#include <span>
#include <utility>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/core/layout.hpp>
#include <tutti/tune/any_call.hpp>
#endif

/// In which order choices fold: whoever wants the same bits from another algorithm has to ask.
namespace tutti {

/// Whether two choices for a collective that folds bracket the contributions to every element alike, on all
/// ranks: then they give the same bits for any operation of this kind. Root 0; `elements` in the whole
/// vector. Runs both over the mock: for some dozens of ranks.
bool same_order_of_folds(collective what, rank_type size, std::int64_t elements, bool commutative,
                         const choice& one, const choice& other);

/// The same for all calls of a kind: at whatever length, of whatever elements, and to every root but 0 if
/// `kind` has another root. How the blocks of two schedules overlap varies with the length, and where there
/// are fewer elements than blocks only the first few blocks count: so block by block where both have as many,
/// else all blocks of both have to be bracketed alike. That can be more than each length by itself would ask
/// for, never less.
bool same_order_of_folds(collective what, const request_facts& kind, const choice& one, const choice& other);

#if TUTTI_BODIES
namespace detail {

/// A contribution, or a bracket of two: as a number that no other has, but by accident. Not associative; the
/// sides of a bracket count only where the operation does not commute.
struct bracket {
    std::uint64_t number;
};
constexpr std::uint64_t scattered(std::uint64_t n) noexcept {
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9U;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebU;
    return n ^ (n >> 31);
}
struct put_in_brackets {
    bool sides_count;
    bracket operator()(bracket a, bracket b) const noexcept {
        if (!sides_count && b.number < a.number) std::swap(a, b);
        return {scattered(3 * scattered(a.number) + scattered(b.number + 1))};
    }
};

/// How each block of the result is bracketed, rank after rank.
inline std::vector<std::vector<bracket>> brackets(collective what, rank_type size, bool commutative,
                                                  const choice& c, rank_type root = 0) {
    const auto blocks = static_cast<std::size_t>(c.schedule({0, size, root}).blocks());
    std::vector<std::vector<bracket>> all(static_cast<std::size_t>(size));
    mock::run(size, {}, [&](auto& comm) {
        any_call<bracket> call(what, blocks, size, {scattered(static_cast<std::uint64_t>(comm.rank()) + 1)},
                               root);
        if (commutative)
            call.planned(comm, tutti::commutative(put_in_brackets{false}), c).run();
        else
            call.planned(comm, put_in_brackets{true}, c).run();
        all[static_cast<std::size_t>(comm.rank())] = call.out();
    });
    return all;
}

/// Whether rank r has a result that counts.
constexpr bool has_folded(collective what, rank_type r, rank_type root = 0) noexcept {
    return what == collective::reduce ? r == root : what != collective::exscan || r != 0;
}
/// How many parts the vector and the blocks have of which every rank gets one.
constexpr rank_type parts_of_result(collective what, rank_type size) noexcept {
    return what == collective::reduce_scatter ? size : 1;
}

/// For one root, at any length.
inline bool same_order_at(rank_type root, collective what, const request_facts& kind, const choice& one,
                          const choice& other) {
    const rank_type size = kind.at.size;
    const auto a = brackets(what, size, kind.commutative, one, root);
    const auto b = brackets(what, size, kind.commutative, other, root);
    const auto parts = static_cast<std::size_t>(parts_of_result(what, size));
    for (rank_type r = 0; r < size; ++r) {
        if (!has_folded(what, r, root)) continue;
        const auto rank = static_cast<std::size_t>(r);
        const std::span in_a = std::span(a[rank]).first(a[rank].size() / parts);
        const std::span in_b = std::span(b[rank]).first(b[rank].size() / parts);
        const bool in_pairs = in_a.size() == in_b.size();
        for (std::size_t i = 0; i < in_a.size(); ++i)
            if (in_a[i].number != in_b[in_pairs ? i : 0].number) return false;
        for (std::size_t j = 0; j < in_b.size() && !in_pairs; ++j)
            if (in_b[j].number != in_a[0].number) return false;
    }
    return true;
}

} // namespace detail

TUTTI_BODY bool same_order_of_folds(collective what, rank_type size, std::int64_t elements, bool commutative,
                                    const choice& one, const choice& other) {
    if (one == other) return true;
    const auto a = detail::brackets(what, size, commutative, one);
    const auto b = detail::brackets(what, size, commutative, other);
    const rank_type parts = detail::parts_of_result(what, size);
    const auto in_a = static_cast<block_index>(a.front().size()) / parts;
    const auto in_b = static_cast<block_index>(b.front().size()) / parts;
    const block_layout of_a = block_layout::even(elements / parts, in_a);
    const block_layout of_b = block_layout::even(elements / parts, in_b);
    for (rank_type r = 0; r < size; ++r) {
        if (!detail::has_folded(what, r)) continue;
        for (block_index i = 0, j = 0; i < in_a && j < in_b;) { // through the blocks of both, side by side
            if (of_a.size(i) > 0 && of_b.size(j) > 0
                && a[static_cast<std::size_t>(r)][static_cast<std::size_t>(i)].number
                       != b[static_cast<std::size_t>(r)][static_cast<std::size_t>(j)].number)
                return false;
            const std::int64_t end_a = of_a.offset(i + 1);
            const std::int64_t end_b = of_b.offset(j + 1);
            if (end_a <= end_b) ++i;
            if (end_b <= end_a) ++j;
        }
    }
    return true;
}

TUTTI_BODY bool same_order_of_folds(collective what, const request_facts& kind, const choice& one,
                                    const choice& other) {
    if (one == other) return true;
    if (kind.at.root == 0) return detail::same_order_at(0, what, kind, one, other);
    for (rank_type root = 1; root < kind.at.size; ++root)
        if (!detail::same_order_at(root, what, kind, one, other)) return false;
    return true;
}
#endif

} // namespace tutti
