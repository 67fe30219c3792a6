// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <limits>
#include <utility>

namespace tutti::detail {

/// Things that stay where they were made, in a row; each names its `next`. Those that are taken out are kept
/// and come again, with what they hold. A std::list that allocates nothing once it has grown.
template <class T>
class linked_list {
public:
    linked_list() = default;
    linked_list(linked_list&& other) noexcept { *this = std::move(other); }
    linked_list& operator=(linked_list&& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(last_, other.last_);
        std::swap(spare_, other.spare_);
        std::swap(spares_, other.spares_);
        return *this;
    }
    ~linked_list() {
        delete_all(first_);
        delete_all(spare_);
    }

    /// The first one, which leads to the others; null if there is none.
    T* first() const noexcept { return first_; }

    T& push_front() { return put_front(spare_ != nullptr ? *take_spare() : *new T); }
    /// One that was taken out, in front; null if there is none.
    T* push_front_spare() noexcept { return spare_ != nullptr ? &put_front(*take_spare()) : nullptr; }
    /// `one` was made by new, and is the list's from now on.
    T& put_front(T& one) noexcept {
        if (first_ == nullptr) last_ = &one;
        one.next = first_;
        first_ = &one;
        return one;
    }
    T& push_back() {
        T* const one = spare_ != nullptr ? take_spare() : new T;
        (first_ == nullptr ? first_ : last_->next) = one;
        one->next = nullptr;
        last_ = one;
        return *one;
    }
    /// Takes out one of these, which is looked for from the front. Allocates nothing. Keeps it, unless as
    /// many as `most_kept` are kept already.
    void remove(T& one, std::size_t most_kept = std::numeric_limits<std::size_t>::max()) noexcept {
        T* before = nullptr;
        for (T* at = first_; at != &one; at = at->next) before = at;
        (before == nullptr ? first_ : before->next) = one.next;
        if (last_ == &one) last_ = before;
        if (spares_ >= most_kept) {
            delete &one;
            return;
        }
        one.next = spare_;
        spare_ = &one;
        ++spares_;
    }

private:
    T* take_spare() noexcept {
        T* const one = spare_;
        spare_ = one->next;
        --spares_;
        return one;
    }
    static void delete_all(T* one) noexcept {
        while (one != nullptr) {
            T* const next = one->next;
            delete one;
            one = next;
        }
    }

    T* first_ = nullptr;
    T* last_ = nullptr; // if there is a first one
    T* spare_ = nullptr;
    std::size_t spares_ = 0;
};

} // namespace tutti::detail
