// SPDX-License-Identifier: BSL-1.0
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )allreduce\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )reduce\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )reduce_scatter\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )scan\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )exscan\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )bcast\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )allgather\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )gather\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )scatter\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )alltoall\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )allgatherv\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )gatherv\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )scatterv\(
// expect: elements_must_be_trivially_copyable_no_bits( tutti::| )alltoallv\(
#include <tutti/tutti.hpp>

#include <cstdint>
#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
    const std::vector<std::int64_t> counts(1, 10);
#ifdef TUTTI_CORRECT
    const std::vector<char> in(10);
    std::vector<char> out(10);
#else
    const std::vector<bool> in(10);
    std::vector<bool> out(10);
#endif
#include "every_call.inc"
}
