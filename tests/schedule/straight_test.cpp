// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/straight.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <tutti/schedule/allgather/direct.hpp>
#include <tutti/schedule/allgather/kprefix.hpp>
#include <tutti/schedule/allgather/kshift.hpp>
#include <tutti/schedule/allgather/prefix_send.hpp>
#include <tutti/schedule/alltoall/kprefix.hpp>
#include <tutti/schedule/alltoall/kshift.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/alltoall/prefix_send.hpp>
#include <tutti/schedule/flow_control.hpp>

#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

/// Whose block a rank gets in each round, sorted. The owner's it is that is received, or whose the sender's
/// is.
std::vector<std::vector<block_index>> got(rank_type size, const generator_factory& make) {
    std::vector<std::vector<block_index>> all;
    for (rank_type r = 0; r < size; ++r) {
        const any_generator g = make({r, size, 0});
        for (round_index i = 0; i < g.rounds(); ++i) {
            auto& here = all.emplace_back();
            g.emit(i, [&](const step& s) {
                if (s.kind == step_kind::recv) here.push_back(s.blocks.first);
            });
            std::sort(here.begin(), here.end());
        }
    }
    return all;
}

template <class Allgather, class Alltoall>
void check_same_order(rank_type size, const Allgather& one, const Alltoall& other) {
    CAPTURE(size);
    CHECK(got(size, factory_of<Allgather, collective::allgather>(one))
          == got(size, factory_of<Alltoall, collective::alltoall>(other)));
}

/// The least volume there can be, for any size, and messages as claimed, in one round or more.
template <class Strategy>
void check_alltoall(const Strategy& how) {
    for (rank_type size = 1; size <= 70; ++size) {
        const proof p =
            check_proved(collective::alltoall, size, 0, factory_of<Strategy, collective::alltoall>(how));
        CHECK(p.sent_blocks == size - 1);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.sent_messages == size - 1);
        CHECK(p.scratch_blocks == 0);
        CHECK(p.rounds
              == std::max<round_index>(generate(of<collective::alltoall>, how, {0, size, 0}).rounds(), 1));
    }
    for (const rank_type size : {1, 2, 5, 7, 13, 16, 17, 40})
        for (const std::int64_t outstanding : {2, 3, 4, 100})
            for (const std::int64_t pace : {0, 3}) {
                const flow_controlled<Strategy> paced{how, outstanding, pace};
                const auto make = factory_of<flow_controlled<Strategy>, collective::alltoall>(paced);
                const proof p = check_proved(collective::alltoall, size, 0, make);
                CHECK(p.sent_blocks == size - 1);
                if (pace == 0) CHECK(make({0, size, 0}).claims().max_outstanding == p.max_outstanding);
            }
}

} // namespace

TEST_CASE("an alltoall brings blocks in the order in which the allgather of that name does",
          "[schedule][alltoall][straight]") {
    for (rank_type size = 2; size <= 40; ++size) {
        check_same_order(size, direct{}, pairwise{});
        check_same_order(size, prefix_send{}, prefix_send{});
        for (const rank_type k : {1, 2, 3, 8, 16}) check_same_order(size, kshift{.k = k}, kshift{.k = k});
        for (const rank_type k : {1, 2, 4, 8, 64}) // else blocks pass over holes and come sooner
            if (size % k == 0 || size < k) check_same_order(size, kprefix{.k = k}, kprefix{.k = k});
    }
}

TEST_CASE("an alltoall that goes straight is proved in every order, many messages at once and in step",
          "[schedule][alltoall][straight][flow_control]") {
    check_alltoall(prefix_send{});
    for (const rank_type k : {1, 2, 4, 8, 32, 128}) check_alltoall(kprefix{.k = k});
    for (const rank_type k : {1, 2, 3, 8, 100}) check_alltoall(kshift{.k = k});
}
