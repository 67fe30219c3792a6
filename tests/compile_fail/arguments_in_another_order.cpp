// SPDX-License-Identifier: BSL-1.0
// refused: allreduce elements_come_first
// refused: iallreduce elements_come_first
// refused: plan_allreduce elements_come_first
// refused: reduce operation_comes_before_root_and_algorithm
// refused: scan operation_comes_before_root_and_algorithm
// refused: bcast elements_come_first
// refused: ibcast root_comes_before_algorithm
// refused: gather elements_come_first
// refused: igather root_comes_before_algorithm
// refused: scatterv elements_come_first
// refused: allgather out_is_const_or_has_other_elements_than_in
// refused: allgatherv counts_come_behind_the_first_elements
// refused: alltoall elements_come_as_a_range_no_pointer
// refused: exscan elements_come_as_a_range_no_pointer
#include <tutti/tutti.hpp>

#include <cstdint>
#include <span>
#include <vector>

void call(tutti::communicator<tutti::threads::transport>& comm) {
    const std::vector<std::int64_t> counts(1, 10);
    const std::vector<double> in(10);
    std::vector<double> out(10);
    const tutti::rank_type root = 0;
#ifdef TUTTI_CORRECT
    tutti::allreduce(comm, std::span(out), tutti::sum{});
    (void)tutti::iallreduce(comm, in, out, tutti::sum{});
    tutti::plan_allreduce(comm, out, tutti::sum{}, tutti::ring{});
    tutti::reduce(comm, out, tutti::sum{}, root);
    tutti::scan(comm, in, out, tutti::sum{}, tutti::chain{});
    tutti::bcast(comm, std::span(out), root);
    (void)tutti::ibcast(comm, out, root, tutti::chain{});
    tutti::gather(comm, in, out, root);
    (void)tutti::igather(comm, in, out, root, tutti::serial{});
    tutti::scatterv(comm, in, counts, out, root);
    tutti::allgather(comm, in, out);
    tutti::allgatherv(comm, in, counts, out);
    tutti::alltoall(comm, in, out);
    tutti::exscan(comm, std::span(out.data(), 10), tutti::sum{});
#else
    tutti::allreduce(comm, tutti::sum{}, std::span(out));
    (void)tutti::iallreduce(comm, in, tutti::sum{}, out);
    tutti::plan_allreduce(comm, tutti::ring{}, out, tutti::sum{});
    tutti::reduce(comm, out, root, tutti::sum{});
    tutti::scan(comm, in, out, tutti::chain{}, tutti::sum{});
    tutti::bcast(comm, root, std::span(out));
    (void)tutti::ibcast(comm, out, tutti::chain{});
    tutti::gather(comm, in, root, out);
    (void)tutti::igather(comm, in, out, tutti::serial{});
    tutti::scatterv(comm, root, in, counts, out);
    tutti::allgather(comm, out, in);
    tutti::allgatherv(comm, in, out, counts);
    tutti::alltoall(comm, in.data(), out.data());
    tutti::exscan(comm, out.data(), 10, tutti::sum{});
#endif
}
