// SPDX-License-Identifier: BSL-1.0
// refused: {,i,plan_}allreduce elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}reduce elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}reduce_scatter elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}scan elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}exscan elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}bcast elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}allgather elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}gather elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}scatter elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}alltoall elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}allgatherv elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}gatherv elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}scatterv elements_must_be_trivially_copyable_no_bits
// refused: {,i,plan_}alltoallv elements_must_be_trivially_copyable_no_bits
#include <tutti/tutti.hpp>

#include <cstdint>
#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
    const std::vector<std::int64_t> counts(1, 10);
    const tutti::automatic how;
#ifdef TUTTI_CORRECT
    const std::vector<char> in(10);
    std::vector<char> out(10);
#else
    const std::vector<bool> in(10);
    std::vector<bool> out(10);
#endif
#include "every_call.inc"
}
