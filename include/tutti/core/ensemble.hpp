// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/block_bytes.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/step.hpp>

namespace tutti {

/// What makes the generator of a place: a function of `place`, as `catalogue_entry::make` with its parameters
/// bound. Any type of generator; any_generator where it is not known.
template <class Make>
concept makes_generators = std::invocable<const Make&, place>
                           && generator<std::remove_cvref_t<std::invoke_result_t<const Make&, place>>>;

/// A whole message of a round, as its sender sees it.
struct message {
    rank_type from = 0;     ///< its sender
    rank_type to = 0;       ///< its receiver
    std::int64_t bytes = 0; ///< in whole elements
    block_index blocks = 0; ///< of the vector, or of scratch

    friend constexpr bool operator==(const message&, const message&) = default;
};

/// The generators of all ranks of one collective, for whoever looks at a schedule as a whole: congestion,
/// prices, simulation, pictures. Takes as much memory as the generators do and stores no step.
///
/// Reading is not for several threads at once where the generators are any_generator: they share one list.
template <generator G>
class ensemble {
public:
    using generator_type = G; ///< of every rank

    /// Throws argument_error if size < 1, root is no rank, or ranks disagree about rounds or blocks.
    template <makes_generators Make>
    ensemble(const Make& make, rank_type size, rank_type root = 0) {
        make_anew(make, size, root);
    }

    /// Other generators where these were: for whoever looks at many schedules, as getting memory for
    /// thousands of ranks takes time. Where it throws, nothing but another of its kind may follow.
    template <makes_generators Make>
    void make_anew(const Make& make, rank_type size, rank_type root = 0) {
        generators_.clear();
        root_ = root;
        checked({.rank = 0, .size = size, .root = root});
        generators_.reserve(static_cast<std::size_t>(size));
        for (rank_type r = 0; r < size; ++r) {
            generators_.push_back(make(place{.rank = r, .size = size, .root = root}));
            check_agrees("rounds()", r, generators_.back().rounds(), rounds());
            check_agrees("blocks()", r, generators_.back().blocks(), blocks());
        }
    }

    rank_type size() const noexcept { return static_cast<rank_type>(generators_.size()); }
    /// 0 where there is none.
    rank_type root() const noexcept { return root_; }
    round_index rounds() const noexcept { return generators_.front().rounds(); }
    block_index blocks() const noexcept { return generators_.front().blocks(); }
    capabilities claims() const { return generators_.front().claims(); }
    const G& operator[](rank_type r) const noexcept { return generators_[static_cast<std::size_t>(r)]; }

    /// Outside these rounds rank r is idle.
    round_range active(rank_type r) const noexcept { return active_rounds((*this)[r]); }

    /// See busiest_rank().
    rank_type busiest(round_index i) const noexcept { return busiest_rank(generators_.front(), i); }

    /// Hands the steps of rank r in round i to `sink`, as emit does.
    template <class Sink>
    TUTTI_INLINE void emit(rank_type r, round_index i, Sink&& sink) const {
        if constexpr (std::same_as<G, any_generator>) { // one list for all: its emit would make a new one
            steps_.clear();
            (*this)[r].append(i, steps_);
            for (const step& s : steps_) sink(s);
        } else {
            (*this)[r].emit(i, sink);
        }
    }

private:
    static void check_agrees(const char* what, rank_type r, std::int64_t given, std::int64_t expected) {
        if (given != expected) [[unlikely]]
            detail::throw_argument((std::string(what) + " of rank " + std::to_string(r)).c_str(), given,
                                   std::to_string(expected) + ", as on rank 0");
    }

    std::vector<G> generators_;
    rank_type root_ = 0;
    mutable step_list steps_; // of the rank at hand
};

/// Deduces the type of the generators.
template <makes_generators Make>
ensemble(const Make&, rank_type) -> ensemble<std::remove_cvref_t<std::invoke_result_t<const Make&, place>>>;
/// Likewise.
template <makes_generators Make>
ensemble(const Make&, rank_type, rank_type)
    -> ensemble<std::remove_cvref_t<std::invoke_result_t<const Make&, place>>>;

/// Calls f(message) for every message of round i, by sender and in the order in which it sends. A message is
/// whole: a list of block sets is one. bytes(block_set) is how long blocks are: a block_bytes.
/// Example with 5 ranks, round 0 of the allgather round a ring: 0 to 1, 1 to 2, 2 to 3, 3 to 4, 4 to 0.
template <class G, class Bytes, class F>
void for_each_message(const ensemble<G>& all, round_index i, const Bytes& bytes, F&& f) {
    for (rank_type r = 0; r < all.size(); ++r) {
        message m{.from = r};
        all.emit(r, i, [&](const step& s) TUTTI_INLINE {
            if (s.kind != step_kind::send) return;
            m.bytes += bytes(s.blocks);
            m.blocks += s.blocks.count;
            if (s.continues()) return;
            m.to = s.peer;
            f(std::as_const(m));
            m.bytes = 0;
            m.blocks = 0;
        });
    }
}

} // namespace tutti
