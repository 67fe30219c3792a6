// SPDX-License-Identifier: BSL-1.0
// refused: {,i,plan_}allreduce this_algorithm_has_no<collective::allreduce
// refused: {,i,plan_}reduce this_algorithm_has_no<collective::reduce
// refused: {,i,plan_}reduce_scatter this_algorithm_has_no<collective::reduce_scatter
// refused: {,i,plan_}scan this_algorithm_has_no<collective::scan
// refused: {,i,plan_}exscan this_algorithm_has_no<collective::exscan
// refused: {,i,plan_}bcast this_algorithm_has_no<collective::bcast
// refused: {,i,plan_}allgather this_algorithm_has_no<collective::allgather
// refused: {,i,plan_}gather this_algorithm_has_no<collective::gather
// refused: {,i,plan_}scatter this_algorithm_has_no<collective::scatter
// refused: {,i,plan_}alltoall this_algorithm_has_no<collective::alltoall
// refused: {,i,plan_}allgatherv this_algorithm_has_no<collective::allgather
// refused: {,i,plan_}gatherv this_algorithm_has_no<collective::gather
// refused: {,i,plan_}scatterv this_algorithm_has_no<collective::scatter
// refused: {,i,plan_}alltoallv this_algorithm_has_no<collective::alltoall
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
#include "every_call.inc"
}
