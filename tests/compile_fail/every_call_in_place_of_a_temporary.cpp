// SPDX-License-Identifier: BSL-1.0
// refused: {,i,plan_}allreduce result_goes_into_a_temporary
// refused: {,i,plan_}reduce result_goes_into_a_temporary
// refused: {,i,plan_}reduce_scatter result_goes_into_a_temporary
// refused: {,i,plan_}scan result_goes_into_a_temporary
// refused: {,i,plan_}exscan result_goes_into_a_temporary
// refused: {,i,plan_}bcast result_goes_into_a_temporary
// refused: {,i,plan_}allgather result_goes_into_a_temporary
// refused: {,i,plan_}gather result_goes_into_a_temporary
// refused: {,i,plan_}scatter result_goes_into_a_temporary
// refused: {,i,plan_}alltoall result_goes_into_a_temporary
// refused: {,i,plan_}allgatherv result_goes_into_a_temporary
// refused: {,i,plan_}gatherv result_goes_into_a_temporary
// refused: {,i,plan_}scatterv result_goes_into_a_temporary
// refused: {,i,plan_}alltoallv result_goes_into_a_temporary
#include <tutti/tutti.hpp>

#include <cstdint>
#include <span>
#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
    const std::vector<std::int64_t> counts(1, 10);
    std::vector<int> owned(10);
#ifdef TUTTI_CORRECT
#define inout std::span(owned)
#else
#define inout std::vector<int>(owned)
#endif
    tutti::allreduce(comm, inout, tutti::sum{});
    tutti::reduce(comm, inout, tutti::sum{}, 0);
    tutti::reduce_scatter(comm, inout, tutti::sum{});
    tutti::reduce_scatter(comm, inout, counts, tutti::sum{});
    tutti::scan(comm, inout, tutti::sum{});
    tutti::exscan(comm, inout, tutti::sum{});
    tutti::bcast(comm, inout);
    tutti::allgather(comm, inout);
    tutti::gather(comm, inout, 0);
    tutti::scatter(comm, inout, 0);
    tutti::alltoall(comm, inout);
    tutti::allgatherv(comm, inout, counts);
    tutti::gatherv(comm, inout, counts, 0);
    tutti::scatterv(comm, inout, counts, 0);
    tutti::alltoallv(comm, inout, counts);
    (void)tutti::iallreduce(comm, inout, tutti::sum{});
    (void)tutti::ireduce(comm, inout, tutti::sum{}, 0);
    (void)tutti::ireduce_scatter(comm, inout, tutti::sum{});
    (void)tutti::ireduce_scatter(comm, inout, counts, tutti::sum{});
    (void)tutti::iscan(comm, inout, tutti::sum{});
    (void)tutti::iexscan(comm, inout, tutti::sum{});
    (void)tutti::ibcast(comm, inout);
    (void)tutti::iallgather(comm, inout);
    (void)tutti::igather(comm, inout, 0);
    (void)tutti::iscatter(comm, inout, 0);
    (void)tutti::ialltoall(comm, inout);
    (void)tutti::iallgatherv(comm, inout, counts);
    (void)tutti::igatherv(comm, inout, counts, 0);
    (void)tutti::iscatterv(comm, inout, counts, 0);
    (void)tutti::ialltoallv(comm, inout, counts);
    tutti::plan_allreduce(comm, inout, tutti::sum{});
    tutti::plan_reduce(comm, inout, tutti::sum{}, 0);
    tutti::plan_reduce_scatter(comm, inout, tutti::sum{});
    tutti::plan_reduce_scatter(comm, inout, counts, tutti::sum{});
    tutti::plan_scan(comm, inout, tutti::sum{});
    tutti::plan_exscan(comm, inout, tutti::sum{});
    tutti::plan_bcast(comm, inout);
    tutti::plan_allgather(comm, inout);
    tutti::plan_gather(comm, inout, 0);
    tutti::plan_scatter(comm, inout, 0);
    tutti::plan_alltoall(comm, inout);
    tutti::plan_allgatherv(comm, inout, counts);
    tutti::plan_gatherv(comm, inout, counts, 0);
    tutti::plan_scatterv(comm, inout, counts, 0);
    tutti::plan_alltoallv(comm, inout, counts);
}
