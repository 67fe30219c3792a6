// SPDX-License-Identifier: BSL-1.0
// expect GNU: satisfaction of [^ ]*writable<InOut>[^ ]* .with InOut = const std::vector<int
// expect Clang: const std::vector<int> &' does not satisfy 'writable'
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
