// SPDX-License-Identifier: BSL-1.0
// refused: allreduce this_algorithm_has_no<collective::allreduce, .*"serial, kary, fnomial
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/allreduce/ring.hpp>
#include <tutti/schedule/alltoall/bruck.hpp>

#include <vector>

int main() {
    tutti::threads::run(2, [](tutti::communicator<tutti::threads::transport>& comm) {
        std::vector<int> v(10);
#ifdef TUTTI_CORRECT
        tutti::allreduce(comm, v, tutti::sum{}, tutti::ring{});
#else
        tutti::allreduce(comm, v, tutti::sum{}, tutti::bruck{});
#endif
    });
}
