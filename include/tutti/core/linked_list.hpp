// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tutti::detail {

/// Things that stay where they were made, in a row; each names its `next`. Those that are taken out are kept
/// and come again, with what they hold. A std::list that allocates nothing once it has grown.
template <class T>
class linked_list {
public:
    linked_list() = default;
    linked_list(linked_list&& other) noexcept : first_(other.first_), spare_(other.spare_) {
        other.first_ = other.spare_ = nullptr;
    }
    linked_list& operator=(linked_list&& other) noexcept {
        T* const first = first_;
        T* const spare = spare_;
        first_ = other.first_;
        spare_ = other.spare_;
        other.first_ = first;
        other.spare_ = spare;
        return *this;
    }
    ~linked_list() {
        end(first_);
        end(spare_);
    }

    /// The first one, which leads to the others; null if there is none.
    T* first() const noexcept { return first_; }

    T& push_front() { return put_front(spare_ != nullptr ? *take_spare() : *new T); }
    /// One that was taken out, in front; null if there is none.
    T* again() noexcept { return spare_ != nullptr ? &put_front(*take_spare()) : nullptr; }
    /// `one` was made by new, and is the list's from now on.
    T& put_front(T& one) noexcept {
        one.next = first_;
        first_ = &one;
        return one;
    }
    T& push_back() {
        T* const one = spare_ != nullptr ? take_spare() : new T;
        T** place = &first_;
        while (*place != nullptr) place = &(*place)->next;
        *place = one;
        one->next = nullptr;
        return *one;
    }
    /// Takes out one of these. Allocates nothing.
    void remove(T& one) noexcept {
        T** place = &first_;
        while (*place != &one) place = &(*place)->next;
        *place = one.next;
        one.next = spare_;
        spare_ = &one;
    }

private:
    T* take_spare() noexcept {
        T* const one = spare_;
        spare_ = one->next;
        return one;
    }
    static void end(T* one) noexcept {
        while (one != nullptr) {
            T* const next = one->next;
            delete one;
            one = next;
        }
    }

    T* first_ = nullptr;
    T* spare_ = nullptr;
};

} // namespace tutti::detail
