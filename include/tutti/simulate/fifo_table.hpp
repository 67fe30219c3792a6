// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/core/rank.hpp>

namespace tutti::detail {

/// A queue for every pair (host, peer): what matches in the order of posting, such as messages that nobody
/// waits for yet. Push and pop in O(1), however many pairs and however long the queues. Memory: that of the
/// most entries at once.
///
/// Open addressing, linear probing, nothing left behind by what was removed.
template <class T>
class fifo_table {
public:
    fifo_table() : slots_(smallest) {}

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }

    void push(rank_type host, rank_type peer, const T& value) {
        if (2 * (pairs_ + 1) > slots_.size()) grow();
        const std::uint32_t n = new_node(value);
        ++size_;
        const std::uint64_t key = key_of(host, peer);
        slot& s = slots_[find(key)];
        if (s.key == key) {
            nodes_[s.last].next = n;
            s.last = n;
        } else {
            s = {.key = key, .first = n, .last = n};
            ++pairs_;
        }
    }

    /// Takes the oldest of the pair into `value`; false if there is none.
    bool pop(rank_type host, rank_type peer, T& value) {
        const std::uint64_t key = key_of(host, peer);
        const std::size_t at = find(key);
        slot& s = slots_[at];
        if (s.key != key) return false;
        const std::uint32_t n = s.first;
        value = nodes_[n].value;
        --size_;
        if (n == s.last)
            remove(at);
        else
            s.first = nodes_[n].next;
        nodes_[n].next = free_;
        free_ = n;
        return true;
    }

    /// Calls f(host, peer) for every pair that has entries, in no order.
    template <class F>
    void for_each_pair(F&& f) const {
        for (const slot& s : slots_)
            if (s.key != nobody)
                f(static_cast<rank_type>(s.key >> 32), static_cast<rank_type>(s.key & 0xffffffff));
    }

private:
    static constexpr std::uint64_t nobody = ~std::uint64_t{0};
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::size_t smallest = 64;

    struct node {
        T value;
        std::uint32_t next;
    };
    struct slot {
        std::uint64_t key = nobody;
        std::uint32_t first = none;
        std::uint32_t last = none;
    };

    static std::uint64_t key_of(rank_type host, rank_type peer) noexcept {
        return std::uint64_t{static_cast<std::uint32_t>(host)} << 32 | static_cast<std::uint32_t>(peer);
    }
    std::size_t home(std::uint64_t key) const noexcept {
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 20) & (slots_.size() - 1);
    }
    /// Where the key is, or the free slot where it would go.
    std::size_t find(std::uint64_t key) const noexcept {
        std::size_t at = home(key);
        while (slots_[at].key != key && slots_[at].key != nobody) at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    /// Those behind move up if their search would no longer find them.
    void remove(std::size_t hole) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = (hole + 1) & mask; slots_[at].key != nobody; at = (at + 1) & mask)
            if (((at - home(slots_[at].key)) & mask) >= ((at - hole) & mask)) {
                slots_[hole] = slots_[at];
                hole = at;
            }
        slots_[hole] = {};
        --pairs_;
    }
    void grow() {
        std::vector<slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const slot& s : old)
            if (s.key != nobody) slots_[find(s.key)] = s;
    }
    std::uint32_t new_node(const T& value) {
        if (free_ == none) {
            nodes_.push_back({value, none});
            return static_cast<std::uint32_t>(nodes_.size() - 1);
        }
        const std::uint32_t n = free_;
        free_ = nodes_[n].next;
        nodes_[n] = {value, none};
        return n;
    }

    std::vector<slot> slots_;
    std::vector<node> nodes_;
    std::uint32_t free_ = none;
    std::size_t pairs_ = 0;
    std::size_t size_ = 0;
};

} // namespace tutti::detail
