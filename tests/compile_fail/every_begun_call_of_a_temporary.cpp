// SPDX-License-Identifier: BSL-1.0
// refused: iallreduce input_is_gone_when_it_is_read
// refused: plan_allreduce input_is_gone_when_it_is_read
// refused: ireduce input_is_gone_when_it_is_read
// refused: plan_reduce input_is_gone_when_it_is_read
// refused: ireduce_scatter input_is_gone_when_it_is_read
// refused: plan_reduce_scatter input_is_gone_when_it_is_read
// refused: iscan input_is_gone_when_it_is_read
// refused: plan_scan input_is_gone_when_it_is_read
// refused: iexscan input_is_gone_when_it_is_read
// refused: plan_exscan input_is_gone_when_it_is_read
// refused: iallgather input_is_gone_when_it_is_read
// refused: plan_allgather input_is_gone_when_it_is_read
// refused: igather input_is_gone_when_it_is_read
// refused: plan_gather input_is_gone_when_it_is_read
// refused: iscatter input_is_gone_when_it_is_read
// refused: plan_scatter input_is_gone_when_it_is_read
// refused: ialltoall input_is_gone_when_it_is_read
// refused: plan_alltoall input_is_gone_when_it_is_read
// refused: iallgatherv input_is_gone_when_it_is_read
// refused: plan_allgatherv input_is_gone_when_it_is_read
// refused: igatherv input_is_gone_when_it_is_read
// refused: plan_gatherv input_is_gone_when_it_is_read
// refused: iscatterv input_is_gone_when_it_is_read
// refused: plan_scatterv input_is_gone_when_it_is_read
// refused: ialltoallv input_is_gone_when_it_is_read
// refused: plan_alltoallv input_is_gone_when_it_is_read
#include <tutti/tutti.hpp>

#include <cstdint>
#include <span>
#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
    const std::vector<std::int64_t> counts(1, 10);
    const tutti::automatic how;
    std::vector<int> owned(10), result(10);
    const std::span<int> out(result);
#ifdef TUTTI_CORRECT
#define in std::span(owned)
#else
#define in std::vector<int>(owned)
#endif
#include "every_call.inc"
}
