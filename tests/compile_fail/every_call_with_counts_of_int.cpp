// SPDX-License-Identifier: BSL-1.0
// refused: {,i,plan_}allgatherv counts_must_be_of_std_int64_t
// refused: {,i,plan_}gatherv counts_must_be_of_std_int64_t
// refused: {,i,plan_}scatterv counts_must_be_of_std_int64_t
// refused: {,i,plan_}alltoallv counts_must_be_of_std_int64_t
// refused: reduce_scatter counts_must_be_of_std_int64_t
#include <tutti/tutti.hpp>

#include <cstdint>
#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
#ifdef TUTTI_CORRECT
    const std::vector<std::int64_t> counts(1, 10);
#else
    const std::vector<int> counts(1, 10); // as MPI has them
#endif
    const std::vector<double> in(10);
    std::vector<double> out(10);
    tutti::allgatherv(comm, in, counts, out);
    tutti::gatherv(comm, in, counts, out);
    tutti::scatterv(comm, in, counts, out);
    tutti::alltoallv(comm, in, counts, out, counts);
    tutti::reduce_scatter(comm, in, out, counts, tutti::sum{});
    (void)tutti::iallgatherv(comm, in, counts, out);
    (void)tutti::igatherv(comm, in, counts, out);
    (void)tutti::iscatterv(comm, in, counts, out);
    (void)tutti::ialltoallv(comm, in, counts, out, counts);
    tutti::plan_allgatherv(comm, in, counts, out);
    tutti::plan_gatherv(comm, in, counts, out);
    tutti::plan_scatterv(comm, in, counts, out);
    tutti::plan_alltoallv(comm, in, counts, out, counts);
}
