// SPDX-License-Identifier: BSL-1.0
// expect GNU: is_trivially_copyable_v<T> .with T = .*basic_string<char.*evaluated to
// expect Clang: is_trivially_copyable_v<std::basic_string<char> >' evaluated to false
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
