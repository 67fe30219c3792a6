// SPDX-License-Identifier: BSL-1.0
// refused: {,i,plan_}allreduce result_goes_into_a_temporary
// refused: {,i,plan_}reduce result_goes_into_a_temporary
// refused: {,i,plan_}reduce_scatter result_goes_into_a_temporary
// refused: {,i,plan_}scan result_goes_into_a_temporary
// refused: {,i,plan_}exscan result_goes_into_a_temporary
// refused: {,i,plan_}allgather result_goes_into_a_temporary
// refused: {,i,plan_}gather result_goes_into_a_temporary
// refused: {,i,plan_}scatter result_goes_into_a_temporary
// refused: {,i,plan_}alltoall result_goes_into_a_temporary
// refused: {,i,plan_}allgatherv result_goes_into_a_temporary
// refused: {,i,plan_}gatherv result_goes_into_a_temporary
// refused: {,i,plan_}scatterv result_goes_into_a_temporary
// refused: {,i,plan_}alltoallv result_goes_into_a_temporary
// refused: {,i,plan_}bcast result_goes_into_a_temporary
#include <tutti/tutti.hpp>

#include <cstdint>
#include <span>
#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
    const std::vector<std::int64_t> counts(1, 10);
    const tutti::automatic how;
    const std::vector<int> in(10);
    std::vector<int> owned(10);
#ifdef TUTTI_CORRECT
#define out std::span(owned)
#else
#define out std::vector<int>(owned)
#endif
#include "every_call.inc"
}
