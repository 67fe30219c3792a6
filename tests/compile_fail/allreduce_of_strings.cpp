// SPDX-License-Identifier: BSL-1.0
// refused: allreduce elements_must_be_trivially_copyable_no_bits
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>

#include <string>
#include <vector>

int main() {
    tutti::threads::run(2, [](tutti::communicator<tutti::threads::transport>& comm) {
#ifdef TUTTI_CORRECT
        std::vector<int> v(10);
#else
        std::vector<std::string> v(10); // its bytes are not the value
#endif
        tutti::allreduce(comm, v, tutti::sum{});
    });
}
