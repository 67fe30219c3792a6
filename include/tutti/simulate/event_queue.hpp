// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <tutti/simulate/event.hpp>

namespace tutti::detail {

/// Events by (time, order). Monotone: none is inserted before the time of the one taken last.
///
/// A radix heap (Ahuja, Mehlhorn, Orlin and Tarjan 1990) with digits of 8 bits: an event lies in the drawer
/// given by the highest digit in which its time differs from now, and by that digit. When the present time
/// has no more events, the first drawer that has some is spread over lower ones, or simply becomes the
/// present if all its events are at one time, as is usual where ranks go in lockstep. Events of equal times
/// never overtake each other on the way, so they come in the order of insertion, which is that of `order` but
/// for events that were put back: only drawers with such a disorder are sorted, and only when their time has
/// come.
///
/// O(1) per event where times are few, O(number of digits) = O(1) where all differ. Memory: that of the most
/// events at once.
class event_queue {
public:
    event_queue() : drawers_(digits * radix) {}
    event_queue(const event_queue&) = delete;
    event_queue& operator=(const event_queue&) = delete;

    void push(const event& e) {
        const std::uint64_t difference = key(e) ^ now_;
        if (difference == 0) [[unlikely]]
            return push_now(e);
        const int digit = (63 - std::countl_zero(difference)) >> 3;
        const auto slot = static_cast<std::size_t>(key(e) >> (8 * digit) & (radix - 1));
        used_[static_cast<std::size_t>(digit)][slot >> 6] |= std::uint64_t{1} << (slot & 63);
        append(drawers_[static_cast<std::size_t>(digit) * radix + slot], e);
    }

    /// Moves the next event to `e`; false if there is none. Calls soon(event) for events that will come
    /// before long, so that what they need can be fetched.
    template <class Soon>
    bool pop(event& e, const Soon& soon) {
        for (;;) {
            if (present_.first != nullptr) {
                const event& next = present_.first->events[taken_];
                if (!late_.empty() && late_.front().order() < next.order()) [[unlikely]]
                    return pop_late(e);
                e = next;
                if (const event* ahead = peek(fetched_ahead)) soon(*ahead);
                if (++taken_ == count(present_, present_.first)) drop_first();
                return true;
            }
            if (!late_.empty()) return pop_late(e);
            if (!advance(soon)) return false;
        }
    }

private:
    static constexpr std::size_t radix = 256;
    static constexpr std::size_t digits = 8;
    static constexpr std::size_t chunk_events = 63;
    static constexpr std::size_t fetched_ahead = 6;
    static constexpr std::size_t near = 2; // digits: within 2^24 ticks, 16 us

    struct chunk {
        chunk* next = nullptr;
        std::array<event, chunk_events> events;
    };
    /// A list of events in chunks; all chunks but the last are full.
    struct drawer {
        chunk* first = nullptr;
        chunk* last = nullptr;
        std::size_t in_last = 0;
        ticks earliest = 0;
        std::uint64_t last_order = 0;
        bool one_time = true;
        bool sorted = true; // by order
    };

    static std::uint64_t key(const event& e) noexcept { return static_cast<std::uint64_t>(e.time); }
    static bool later(const event& a, const event& b) noexcept { return a.order() > b.order(); }
    static std::size_t count(const drawer& d, const chunk* c) noexcept {
        return c == d.last ? d.in_last : chunk_events;
    }

    void append(drawer& d, const event& e) {
        if (d.last == nullptr) {
            d = {.first = new_chunk(), .earliest = e.time, .last_order = e.order()};
            d.last = d.first;
        } else {
            if (d.in_last == chunk_events) [[unlikely]] {
                d.last->next = new_chunk();
                d.last = d.last->next;
                d.in_last = 0;
            }
            d.one_time &= e.time == d.earliest;
            d.earliest = std::min(d.earliest, e.time);
            d.sorted &= d.last_order < e.order();
            d.last_order = e.order();
        }
        d.last->events[d.in_last++] = e;
    }

    /// At the present time: behind the others, or before them if it is older.
    void push_now(const event& e) {
        if (present_.first == nullptr) taken_ = 0;
        if (present_.first == nullptr || present_.last_order < e.order())
            append(present_, e);
        else {
            late_.push_back(e);
            std::push_heap(late_.begin(), late_.end(), later);
        }
    }
    bool pop_late(event& e) {
        std::pop_heap(late_.begin(), late_.end(), later);
        e = late_.back();
        late_.pop_back();
        return true;
    }

    /// The event that will come after `ahead` others if nothing else happens, or null: to fetch what it
    /// needs.
    const event* peek(std::size_t ahead) const noexcept {
        if (present_.first == nullptr || taken_ + ahead >= count(present_, present_.first)) return nullptr;
        return &present_.first->events[taken_ + ahead];
    }
    void drop_first() {
        chunk* const used = present_.first;
        present_.first = used == present_.last ? nullptr : used->next;
        if (present_.first == nullptr) present_.last = nullptr;
        taken_ = 0;
        free_chunk(used);
    }

    /// Goes on to the next time that has events.
    template <class Soon>
    bool advance(const Soon& soon) {
        for (std::size_t digit = 0; digit < digits; ++digit)
            for (std::size_t word = 0; word < radix / 64; ++word) {
                std::uint64_t& bits = used_[digit][word];
                if (bits == 0) continue;
                const auto slot = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                bits &= bits - 1;
                open(drawers_[digit * radix + slot], digit <= near, soon);
                return true;
            }
        return false;
    }

    template <class Soon>
    void open(drawer& opened, bool soon_taken, const Soon& soon) {
        const drawer d = opened;
        opened = {};
        now_ = static_cast<std::uint64_t>(d.earliest);
        taken_ = 0;
        if (d.one_time) {
            present_ = d;
        } else {
            for (chunk* c = d.first; c != nullptr;) {
                const std::size_t n = count(d, c);
                for (std::size_t i = 0; i < n; ++i) {
                    if (soon_taken) soon(c->events[i]);
                    if (c->events[i].time == d.earliest)
                        append(present_, c->events[i]);
                    else
                        push(c->events[i]);
                }
                chunk* const next = c == d.last ? nullptr : c->next;
                free_chunk(c);
                c = next;
            }
        }
        if (!present_.sorted) sort_present();
    }

    void sort_present() {
        sorting_.clear();
        for (const chunk* c = present_.first; c != nullptr; c = c == present_.last ? nullptr : c->next)
            sorting_.insert(sorting_.end(), c->events.begin(),
                            c->events.begin() + static_cast<std::ptrdiff_t>(count(present_, c)));
        std::sort(sorting_.begin(), sorting_.end(),
                  [](const event& a, const event& b) { return later(b, a); });
        std::size_t i = 0;
        for (chunk* c = present_.first; i < sorting_.size(); c = c->next)
            for (std::size_t j = 0; j < chunk_events && i < sorting_.size(); ++j)
                c->events[j] = sorting_[i++];
        present_.sorted = true;
        present_.last_order = sorting_.back().order();
    }

    chunk* new_chunk() {
        if (free_ == nullptr) {
            constexpr std::size_t at_once = 32;
            blocks_.push_back(std::make_unique_for_overwrite<chunk[]>(at_once));
            for (std::size_t i = 0; i < at_once; ++i) free_chunk(&blocks_.back()[i]);
        }
        chunk* const c = free_;
        free_ = c->next;
        c->next = nullptr;
        return c;
    }
    void free_chunk(chunk* c) noexcept {
        c->next = free_;
        free_ = c;
    }

    std::uint64_t now_ = 0;
    drawer present_{};        // all events at `now_`...
    std::size_t taken_ = 0;   // ...of its first chunk so many are gone
    std::vector<event> late_; // at `now_`, too, but inserted out of order: a heap
    std::array<std::array<std::uint64_t, radix / 64>, digits> used_{};
    std::vector<drawer> drawers_;
    std::vector<event> sorting_;
    std::vector<std::unique_ptr<chunk[]>> blocks_;
    chunk* free_ = nullptr;
};

} // namespace tutti::detail
