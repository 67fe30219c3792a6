// SPDX-License-Identifier: BSL-1.0
// refused: allreduce no_operation_of_two_elements
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>

#include <vector>

int main() {
    tutti::threads::run(2, [](tutti::communicator<tutti::threads::transport>& comm) {
        std::vector<int> v(10);
#ifdef TUTTI_CORRECT
        const auto op = [](int a, int b) { return a + b; };
#else
        const auto op = [](int a) { return a; };
#endif
        tutti::allreduce(comm, v, op);
    });
}
