// SPDX-License-Identifier: BSL-1.0
// refused: allreduce result_goes_into_a_temporary
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>

#include <vector>

int main() {
    tutti::threads::run(2, [](tutti::communicator<tutti::threads::transport>& comm) {
#ifdef TUTTI_CORRECT
        std::vector<int> v{comm.rank()};
        tutti::allreduce(comm, v, tutti::sum{});
#else
        tutti::allreduce(comm, std::vector{comm.rank()}, tutti::sum{});
#endif
    });
}
