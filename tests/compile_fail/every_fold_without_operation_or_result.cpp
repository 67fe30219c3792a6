// SPDX-License-Identifier: BSL-1.0
// expect: no_operation_of_two_elements( tutti::| )allreduce\(
// expect: result_goes_into_what_is_const( tutti::| )allreduce\(
// expect: no_operation_of_two_elements( tutti::| )reduce\(
// expect: result_goes_into_what_is_const( tutti::| )reduce\(
// expect: no_operation_of_two_elements( tutti::| )reduce_scatter\(
// expect: result_goes_into_what_is_const( tutti::| )reduce_scatter\(
// expect: no_operation_of_two_elements( tutti::| )scan\(
// expect: result_goes_into_what_is_const( tutti::| )scan\(
// expect: no_operation_of_two_elements( tutti::| )exscan\(
// expect: result_goes_into_what_is_const( tutti::| )exscan\(
#include <tutti/tutti.hpp>

#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
    std::vector<int> inout(10);
#ifdef TUTTI_CORRECT
    const tutti::sum op;
    std::vector<int> result(10);
#else
    const auto op = [](int a) { return a; };
    const std::vector<int> result(10);
#endif
    tutti::allreduce(comm, inout, op);
    tutti::allreduce(comm, result, tutti::sum{});
    tutti::reduce(comm, inout, op);
    tutti::reduce(comm, result, tutti::sum{});
    tutti::reduce_scatter(comm, inout, op);
    tutti::reduce_scatter(comm, result, tutti::sum{});
    tutti::scan(comm, inout, op);
    tutti::scan(comm, result, tutti::sum{});
    tutti::exscan(comm, inout, op);
    tutti::exscan(comm, result, tutti::sum{});
}
