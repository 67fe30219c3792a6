// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/compiled.hpp>
#include <tutti/core/linked_list.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/doorbell.hpp>

namespace tutti::detail {

/// How many calls a rank has made over its wires, in each context: what makes a transport a counting one.
class call_counts {
public:
    /// Stays where it is, whatever contexts come later.
    [[gnu::cold]] channel_type& of(std::uint32_t context);

    /// Goes on at least where another rank does, in all its contexts.
    [[gnu::cold]] void catch_up_with(const call_counts& other) {
        for (const count* one = other.all_.first(); one != nullptr; one = one->next) {
            channel_type& own = of(one->context);
            own = std::max(own, one->calls);
        }
    }

private:
    struct alignas(cache_line) count { // written for every call, by this rank alone
        std::uint32_t context = 0;
        channel_type calls = 0;
        count* next = nullptr;
    };
    linked_list<count> all_;
};

#if TUTTI_BODIES
TUTTI_BODY channel_type& call_counts::of(std::uint32_t context) {
    for (count* one = all_.first(); one != nullptr; one = one->next)
        if (one->context == context) return one->calls;
    count& made = all_.push_front();
    made.context = context;
    return made.calls;
}
#endif

} // namespace tutti::detail
