// SPDX-License-Identifier: BSL-1.0
// refused: allreduce result_goes_into_what_is_const
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>

#include <vector>

int main() {
    tutti::threads::run(2, [](tutti::communicator<tutti::threads::transport>& comm) {
#ifdef TUTTI_CORRECT
        std::vector<int> v(10);
#else
        const std::vector<int> v(10);
#endif
        tutti::allreduce(comm, v, tutti::sum{});
    });
}
