// SPDX-License-Identifier: BSL-1.0
// expect GNU: satisfaction of [^ ]*writable_like<Out, In>[^ ]* .with Out = std::vector<long
// expect Clang: writable_like<std::vector<long> &, std::vector<int> >' evaluated to false
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
