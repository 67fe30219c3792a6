// SPDX-License-Identifier: BSL-1.0
// refused: allreduce operation_is_missing
// refused: iallreduce operation_is_missing
// refused: plan_allreduce operation_is_missing
// refused: reduce operation_is_missing
// refused: reduce_scatter operation_is_missing
// refused: scan operation_is_missing
// refused: exscan operation_is_missing
#include <tutti/tutti.hpp>

#include <span>
#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
    std::vector<int> v(10);
    std::vector<int> out(10);
#ifdef TUTTI_CORRECT
    tutti::allreduce(comm, std::span(v), tutti::sum{});
    (void)tutti::iallreduce(comm, v, tutti::sum{});
    tutti::plan_allreduce(comm, v, out, tutti::sum{});
    tutti::reduce(comm, v, tutti::sum{}, 0);
    tutti::reduce_scatter(comm, v, out, tutti::sum{}, tutti::ring{});
    (void)tutti::scan(comm, 3, tutti::sum{});
    (void)tutti::exscan(comm, 3, tutti::sum{});
#else
    tutti::allreduce(comm, std::span(v));
    (void)tutti::iallreduce(comm, v);
    tutti::plan_allreduce(comm, v, out);
    tutti::reduce(comm, v, 0);
    tutti::reduce_scatter(comm, v, out, tutti::ring{});
    (void)tutti::scan(comm, 3); // a value
    (void)tutti::exscan(comm, 3);
#endif
}
