// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/model/default_machine.hpp>
#include <tutti/model/rank_algorithms.hpp>
#include <tutti/schedule/catalogue_entry.hpp>

/// Which algorithm a call takes unless it names one.
namespace tutti {

/// What a choice may depend on: only what every rank knows and has equal, so that all choose alike.
struct request_facts {
    place at;                 ///< rank, size and root
    std::int64_t bytes = 0;   ///< of the whole vector
    bool commutative = true;  ///< of the operation, where there is one
    bool equal_blocks = true; ///< every rank's block has the same length
};

namespace detail {

/// Lengths for which one choice serves: 0, 1, and those from 2^k or 3 * 2^k to the next of these.
inline constexpr std::size_t choice_lengths = 126;

constexpr std::size_t choice_length_of(std::int64_t bytes) noexcept {
    const auto n = static_cast<std::uint64_t>(bytes);
    const auto width = static_cast<int>(std::bit_width(n)); // 0..63
    return width < 2 ? n : static_cast<std::size_t>(2 * width - 2) + (n >> (width - 2) & 1U);
}

/// The shortest of the lengths that share a choice with `bytes`.
/// Example: 5 bytes are rounded to 4, 7 to 6, 100 to 96, powers of two to themselves.
constexpr std::int64_t rounded_length(std::int64_t bytes) noexcept {
    if (bytes < 2) return bytes;
    const auto n = static_cast<std::uint64_t>(bytes);
    const int below = static_cast<int>(std::bit_width(n)) - 2; // all bits but the two highest
    return static_cast<std::int64_t>(n >> below << below);
}

/// A choice with what makes its schedule at hand: a short call is not to look for it.
struct decision {
    explicit decision(const candidate& chosen) : what(chosen), make(chosen.entry->make) {}

    candidate what;
    any_generator (*make)(place, const parameters&);
};

/// The choices for one collective and one number of ranks, filled as they are asked for.
class choices {
public:
    using slot = std::atomic<const decision*>;

    choices(collective what, rank_type size) : what_(what), size_(size) {}

    bool are_for(collective what, rank_type size) const noexcept { return what_ == what && size_ == size; }

    /// The choice, null if it has not been made yet.
    const decision* find(const request_facts& facts) noexcept {
        return at(facts).load(std::memory_order_acquire);
    }

    slot& at(const request_facts& facts) noexcept {
        const std::size_t kind =
            (facts.commutative ? 1U : 0U) + (facts.equal_blocks ? 2U : 0U) + (facts.at.root == 0 ? 4U : 0U);
        return slots_[kind * choice_lengths + choice_length_of(facts.bytes)];
    }

private:
    collective what_;
    rank_type size_;
    std::array<slot, 8 * choice_lengths> slots_{};
};

/// Where a communicator has found the choices of each collective.
using known_choices = std::array<choices*, all_collectives.size() + 1>;

/// The request that decides for all requests with the same choice. Those with another root than 0 share one,
/// which has to serve every root.
inline selection_request deciding_request(collective what, const request_facts& facts) noexcept {
    const std::int64_t bytes = rounded_length(facts.bytes);
    return {.what = what,
            .size = facts.at.size,
            .root = facts.at.root == 0 ? 0 : 1,
            .bytes = bytes,
            .element_bytes = bytes >= 8   ? 8
                             : bytes >= 4 ? 4
                                          : 1,
            .commutative = facts.commutative,
            .equal_blocks = facts.equal_blocks,
            .every_root = facts.at.root != 0};
}

} // namespace detail

/// Chooses algorithms for the collectives of a communicator.
///
/// Choosing is a pure function of collective, size, root, bytes, commutativity and of what the chooser is
/// made from, so all ranks choose alike without talking. The first choice for a length prices the candidates
/// (0.2 ms for 16 ranks, tens of ms for thousands), all later ones look it up. Several threads may use one at
/// the same time: ranks that are threads of a process share one, and only one of them prices.
///
/// Made by by_machine and by_table (execute/choosers.hpp); the one that communicators have if nobody tells
/// them of another prices on default_machine() and is shared by the whole process.
class chooser {
public:
    chooser() = default;
    chooser(const chooser&) = delete;
    chooser& operator=(const chooser&) = delete;
    virtual ~chooser() = default;

    /// The choice for collective C. Leaves in `known` where it is found the next time, unless it is that of a
    /// table. Throws argument_error if no algorithm covers the request.
    template <collective C>
    const candidate& choose(const request_facts& facts, detail::known_choices& known) const {
        if (has_list_)
            if (const candidate* found = listed(C, facts)) return *found;
        detail::choices* const mine = &choices_for(C, facts.at.size);
        if (!has_list_) known[static_cast<std::size_t>(C)] = mine;
        const detail::decision* chosen = mine->find(facts);
        if (chosen == nullptr) [[unlikely]]
            chosen = &decide(detail::deciding_request(C, facts), catalogue_of<C>(), mine->at(facts));
        return chosen->what;
    }

    /// Says what is chosen for collective C and why, with a line for each candidate.
    template <collective C>
    std::string explain(const request_facts& facts) const {
        if (const candidate* found = has_list_ ? listed(C, facts) : nullptr)
            return name_of(*found).append(": as listed in the table\n");
        return rank(detail::deciding_request(C, facts), catalogue_of<C>()).explain();
    }

protected:
    /// For one whose listed() finds something.
    explicit chooser(bool has_list) : has_list_(has_list) {}

private:
    /// All candidates of `among`, the one to take first.
    virtual ranking rank(const selection_request& request, std::span<const catalogue_entry> among) const = 0;
    /// The choice that is written down for exactly this request; null if none is.
    virtual const candidate* listed(collective, const request_facts&) const { return nullptr; }

    [[gnu::noinline]] detail::choices& choices_for(collective what, rank_type size) const {
        const std::lock_guard lock(guard_);
        for (const auto& one : choices_)
            if (one->are_for(what, size)) return *one;
        choices_.push_back(std::make_unique<detail::choices>(what, size));
        return *choices_.back();
    }

    [[gnu::noinline]] const detail::decision& decide(const selection_request& request,
                                                     std::span<const catalogue_entry> among,
                                                     detail::choices::slot& slot) const {
        const std::lock_guard lock(guard_);
        if (const detail::decision* by_another = slot.load(std::memory_order_acquire)) return *by_another;
        const ranking all = rank(request, among);
        if (!all.any())
            throw argument_error("algorithm", "not to be found for such a request",
                                 "one that an algorithm of the catalogue covers:\n" + all.explain());
        decided_.push_back(std::make_unique<detail::decision>(all.best().what));
        slot.store(decided_.back().get(), std::memory_order_release);
        return *decided_.back();
    }

    bool has_list_ = false;
    mutable std::mutex guard_;
    mutable std::vector<std::unique_ptr<detail::choices>> choices_; // by pointer: communicators know them
    mutable std::vector<std::unique_ptr<detail::decision>> decided_;
};

namespace detail {

/// Knows one model only: who never asks for another machine need not compile the others.
template <class Model>
class default_chooser final : public chooser {
    ranking rank(const selection_request& request, std::span<const catalogue_entry> among) const override {
        return rank_algorithms(std::get<Model>(default_machine().model), default_machine().name, request,
                               among);
    }
};

template <class Model = measured>
const chooser& standard_chooser() {
    static const default_chooser<Model> one;
    return one;
}

} // namespace detail
} // namespace tutti
