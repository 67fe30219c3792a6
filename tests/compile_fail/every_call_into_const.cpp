// SPDX-License-Identifier: BSL-1.0
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )allreduce\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )reduce\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )reduce_scatter\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )scan\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )exscan\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )allgather\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )gather\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )scatter\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )alltoall\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )allgatherv\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )gatherv\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )scatterv\(
// expect: out_is_const_or_has_other_elements_than_in( tutti::| )alltoallv\(
// expect: result_goes_into_what_is_const( tutti::| )bcast\(
#include <tutti/tutti.hpp>

#include <cstdint>
#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
    const std::vector<std::int64_t> counts(1, 10);
    const std::vector<int> in(10);
#ifdef TUTTI_CORRECT
    std::vector<int> out(10);
#else
    const std::vector<int> out(10);
#endif
#include "every_call.inc"
}
