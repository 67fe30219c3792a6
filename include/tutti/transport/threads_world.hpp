// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>

#include <tutti/core/compiled.hpp>
#include <tutti/core/fixed_array.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/mailbox_transport.hpp>
#include <tutti/transport/mailbox_world.hpp>

namespace tutti::threads {

/// The endpoint of one rank that is a thread of this process.
using transport = mailbox_transport;

/// What the threads of one group of ranks share.
class world final : public mailbox_world {
public:
    [[gnu::cold]] explicit world(rank_type size);
    TUTTI_VIRTUAL ~world() override;

    /// All ranks are there (again), and number their calls alike, though some may have left the last run
    /// without those that the others made.
    void begin() {
        for (rank_type r = 0; r < size(); ++r) {
            shared(r).left.store(detail::shared_rank::present, std::memory_order_relaxed);
            own(0).counts.catch_up_with(own(r).counts);
        }
        for (rank_type r = 1; r < size(); ++r) own(r).counts.catch_up_with(own(0).counts);
    }

private:
    std::atomic<detail::mailbox*>& box(rank_type from, rank_type to) noexcept {
        return boxes_[static_cast<std::size_t>(from) * static_cast<std::size_t>(size())
                      + static_cast<std::size_t>(to)];
    }
    TUTTI_VIRTUAL detail::mailbox* open(rank_type from, rank_type to) override;
    detail::mailbox* find(rank_type from, rank_type to) noexcept override {
        return box(from, to).load(std::memory_order_acquire);
    }

    detail::fixed_array<detail::shared_rank> ranks_;
    detail::shared_news news_;
    // One per ordered pair that has ever talked: most algorithms use few of them.
    detail::fixed_array<std::atomic<detail::mailbox*>> boxes_;
};

#if TUTTI_BODIES
TUTTI_BODY world::world(rank_type size) : mailbox_world(size) {
    const auto p = static_cast<std::size_t>(size);
    ranks_ = detail::fixed_array<detail::shared_rank>(p);
    boxes_ = detail::fixed_array<std::atomic<detail::mailbox*>>(p * p);
    set_shared_state(ranks_.data(), &news_);
    for (rank_type r = 0; r < size; ++r) add_local_rank(r, true);
}

TUTTI_BODY world::~world() {
    stop_thread();
    for (rank_type from = 0; from < size(); ++from)
        for (rank_type to = 0; to < size(); ++to) delete find(from, to);
}

TUTTI_BODY detail::mailbox* world::open(rank_type from, rank_type to) {
    auto* const made = new detail::mailbox;
    box(from, to).store(made, std::memory_order_release);
    return made;
}
#endif

} // namespace tutti::threads
