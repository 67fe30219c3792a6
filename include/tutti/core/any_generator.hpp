// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/core/step.hpp>

namespace tutti {

/// Any generator behind one type, so that engine, prover and tables are compiled once and not per algorithm.
/// Generators of up to `inline_bytes` live inside: no allocation. One indirect call hands out a whole round.
class any_generator {
public:
    /// A generator of up to so many bytes lies inside, longer ones on the heap.
    static constexpr std::size_t inline_bytes = 160;

    /// Takes any generator.
    template <class G>
        requires(!std::same_as<G, any_generator>) && generator<G>
    any_generator(G g) // NOLINT(google-explicit-constructor): every generator is one
        : rounds_(g.rounds()), blocks_(g.blocks()), table_(&table_for<G>) {
        if constexpr (fits<G>)
            ::new (static_cast<void*>(storage_)) held<G>(std::move(g));
        else
            ::new (static_cast<void*>(storage_)) held<G>(std::make_shared<const G>(std::move(g)));
    }

    /// Holds what make() returns, made in its final place: moving a generator there right after it was made
    /// costs as much as making it.
    template <class Make>
        requires generator<std::invoke_result_t<const Make&>>
    static any_generator made_by(const Make& make) {
        return any_generator(in_place{}, make);
    }

    any_generator(const any_generator& other)
        : rounds_(other.rounds_), blocks_(other.blocks_), table_(other.table_) {
        copy_from(other);
    }
    /// A copy of its own.
    any_generator& operator=(const any_generator& other) {
        if (this != &other) {
            // Copying a generator does not throw: they are plain values or shared pointers.
            destroy();
            rounds_ = other.rounds_;
            blocks_ = other.blocks_;
            table_ = other.table_;
            copy_from(other);
        }
        return *this;
    }
    ~any_generator() { destroy(); }

    round_index rounds() const noexcept { return rounds_; }
    block_index blocks() const noexcept { return blocks_; }
    capabilities claims() const { return table_->claims(storage_); }
    /// Differs, but for a chance of one in 2^32, where the types of generators do; the same in all programs
    /// of one compiler.
    std::uint32_t type_hash() const noexcept { return table_->type_hash; }
    /// See active_rounds().
    round_range active() const noexcept { return table_->active(storage_); }
    /// See busiest_rank().
    rank_type busiest(round_index i) const noexcept { return table_->busiest(storage_, i); }

    /// Appends the steps of round i to `steps`.
    void append(round_index i, step_list& steps) const { table_->append(storage_, i, steps); }
    /// Appends the steps of round i to those that are there.
    void append(round_index i, std::vector<step>& steps) const {
        emit(i, [&steps](const step& s) TUTTI_INLINE { steps.push_back(s); });
    }

    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        step_list steps;
        append(i, steps);
        for (const step& s : steps) sink(s);
    }

private:
    struct in_place {};

    template <class Make>
    any_generator(in_place, const Make& make) : table_(&table_for<std::invoke_result_t<const Make&>>) {
        using G = std::invoke_result_t<const Make&>;
        if constexpr (fits<G>)
            ::new (static_cast<void*>(storage_)) held<G>(make());
        else
            ::new (static_cast<void*>(storage_)) held<G>(std::make_shared<const G>(make()));
        rounds_ = get<G>(storage_).rounds();
        blocks_ = get<G>(storage_).blocks();
    }

    template <class G>
    static constexpr bool fits = sizeof(G) <= inline_bytes && alignof(G) <= alignof(std::max_align_t)
                                 && std::is_nothrow_copy_constructible_v<G>;

    /// What lies in the storage: the generator, or where it is.
    template <class G>
    using held = std::conditional_t<fits<G>, G, std::shared_ptr<const G>>;

    template <class G>
    static const held<G>& held_in(const std::byte* storage) noexcept {
        return *std::launder(reinterpret_cast<const held<G>*>(storage));
    }

    struct table {
        void (*append)(const std::byte*, round_index, step_list&);
        capabilities (*claims)(const std::byte*);
        round_range (*active)(const std::byte*);
        rank_type (*busiest)(const std::byte*, round_index);
        void (*copy)(std::byte*, const std::byte*);
        void (*destroy)(std::byte*);
        std::uint32_t type_hash;
    };

    template <class G>
    static consteval std::uint32_t hash_of_name() { // FNV-1a
        std::uint32_t h = 2166136261U;
        for (const char* c = __PRETTY_FUNCTION__; *c != 0; ++c)
            h = (h ^ static_cast<unsigned char>(*c)) * 16777619U;
        return h;
    }

    // Most generators are plain bytes: no call to copy or to end them.
    template <class G>
    static constexpr bool plain =
        std::is_trivially_copyable_v<held<G>> && std::is_trivially_destructible_v<held<G>>;

    void copy_from(const any_generator& other) noexcept {
        if (table_->copy == nullptr)
            std::memcpy(storage_, other.storage_, inline_bytes);
        else
            table_->copy(storage_, other.storage_);
    }
    void destroy() noexcept {
        if (table_->destroy != nullptr) table_->destroy(storage_);
    }

    template <class G>
    static void copy_one(std::byte* to, const std::byte* from) {
        ::new (static_cast<void*>(to)) held<G>(held_in<G>(from));
    }
    template <class G>
    static void destroy_one(std::byte* storage) {
        std::destroy_at(&held_in<G>(storage));
    }

    template <class G>
    static const G& get(const std::byte* storage) noexcept {
        if constexpr (fits<G>)
            return held_in<G>(storage);
        else
            return *held_in<G>(storage);
    }

    template <class G>
    static constexpr table table_for{
        [](const std::byte* from, round_index i, step_list& steps) {
            get<G>(from).emit(i, [&steps](const step& s) TUTTI_INLINE { steps.push_back(s); });
        },
        [](const std::byte* from) { return capabilities(get<G>(from).claims()); },
        [](const std::byte* from) { return active_rounds(get<G>(from)); },
        [](const std::byte* from, round_index i) { return busiest_rank(get<G>(from), i); },
        plain<G> ? nullptr : &copy_one<G>,
        plain<G> ? nullptr : &destroy_one<G>,
        hash_of_name<G>(),
    };

    round_index rounds_;
    block_index blocks_;
    const table* table_;
    alignas(std::max_align_t) std::byte storage_[inline_bytes];
};

static_assert(generator<any_generator>);

} // namespace tutti
