// SPDX-License-Identifier: BSL-1.0
// expect: this_algorithm_has_no<(tutti::)?collective::allreduce>( tutti::| )allreduce\(
// expect: this_algorithm_has_no<(tutti::)?collective::reduce>( tutti::| )reduce\(
// expect: this_algorithm_has_no<(tutti::)?collective::reduce_scatter>( tutti::| )reduce_scatter\(
// expect: this_algorithm_has_no<(tutti::)?collective::scan>( tutti::| )scan\(
// expect: this_algorithm_has_no<(tutti::)?collective::exscan>( tutti::| )exscan\(
// expect: this_algorithm_has_no<(tutti::)?collective::bcast>( tutti::| )bcast\(
// expect: this_algorithm_has_no<(tutti::)?collective::allgather>( tutti::| )allgather\(
// expect: this_algorithm_has_no<(tutti::)?collective::gather>( tutti::| )gather\(
// expect: this_algorithm_has_no<(tutti::)?collective::scatter>( tutti::| )scatter\(
// expect: this_algorithm_has_no<(tutti::)?collective::alltoall>( tutti::| )alltoall\(
// expect: this_algorithm_has_no<(tutti::)?collective::allgather>( tutti::| )allgatherv\(
// expect: this_algorithm_has_no<(tutti::)?collective::gather>( tutti::| )gatherv\(
// expect: this_algorithm_has_no<(tutti::)?collective::scatter>( tutti::| )scatterv\(
// expect: this_algorithm_has_no<(tutti::)?collective::alltoall>( tutti::| )alltoallv\(
#include <tutti/tutti.hpp>

#include <cstdint>
#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
    const std::vector<std::int64_t> counts(1, 10);
    const std::vector<int> in(10);
    std::vector<int> out(10);
#ifdef TUTTI_CORRECT
    const tutti::automatic how;
#else
    const tutti::dissemination how; // of barriers alone
#endif
    tutti::allreduce(comm, in, out, tutti::sum{}, how);
    tutti::reduce(comm, in, out, tutti::sum{}, 0, how);
    tutti::reduce_scatter(comm, in, out, tutti::sum{}, how);
    tutti::scan(comm, in, out, tutti::sum{}, how);
    tutti::exscan(comm, in, out, tutti::sum{}, how);
    tutti::bcast(comm, out, 0, how);
    tutti::allgather(comm, in, out, how);
    tutti::gather(comm, in, out, 0, how);
    tutti::scatter(comm, in, out, 0, how);
    tutti::alltoall(comm, in, out, how);
    tutti::allgatherv(comm, in, counts, out, how);
    tutti::gatherv(comm, in, counts, out, 0, how);
    tutti::scatterv(comm, in, counts, out, 0, how);
    tutti::alltoallv(comm, in, counts, out, counts, how);
}
