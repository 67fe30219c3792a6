// SPDX-License-Identifier: BSL-1.0
// refused: allreduce out_is_const_or_has_other_elements_than_in
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>

#include <vector>

int main() {
    tutti::threads::run(2, [](tutti::communicator<tutti::threads::transport>& comm) {
        const std::vector<int> in(10);
#ifdef TUTTI_CORRECT
        std::vector<int> out(10);
#else
        std::vector<long> out(10);
#endif
        tutti::allreduce(comm, in, out, tutti::sum{});
    });
}
