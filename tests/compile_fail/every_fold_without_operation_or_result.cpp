// SPDX-License-Identifier: BSL-1.0
// refused: allreduce no_operation_of_two_elements
// refused: allreduce result_goes_into_what_is_const
// refused: reduce no_operation_of_two_elements
// refused: reduce result_goes_into_what_is_const
// refused: reduce_scatter no_operation_of_two_elements
// refused: reduce_scatter result_goes_into_what_is_const
// refused: scan no_operation_of_two_elements
// refused: scan result_goes_into_what_is_const
// refused: exscan no_operation_of_two_elements
// refused: exscan result_goes_into_what_is_const
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
