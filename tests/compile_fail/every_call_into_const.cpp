// SPDX-License-Identifier: BSL-1.0
// refused: {,i,plan_}allreduce out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}reduce out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}reduce_scatter out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}scan out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}exscan out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}allgather out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}gather out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}scatter out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}alltoall out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}allgatherv out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}gatherv out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}scatterv out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}alltoallv out_is_const_or_has_other_elements_than_in
// refused: {,i,plan_}bcast result_goes_into_what_is_const
#include <tutti/tutti.hpp>

#include <cstdint>
#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
    const std::vector<std::int64_t> counts(1, 10);
    const tutti::automatic how;
    const std::vector<int> in(10);
#ifdef TUTTI_CORRECT
    std::vector<int> out(10);
#else
    const std::vector<int> out(10);
#endif
#include "every_call.inc"
}
