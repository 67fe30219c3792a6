// SPDX-License-Identifier: BSL-1.0
// expect: counts_must_be_of_std_int64_t( tutti::| )allgatherv\(
// expect: counts_must_be_of_std_int64_t( tutti::| )gatherv\(
// expect: counts_must_be_of_std_int64_t( tutti::| )scatterv\(
// expect: counts_must_be_of_std_int64_t( tutti::| )alltoallv\(
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
}
