// SPDX-License-Identifier: BSL-1.0
#include <tutti/tutti.hpp>

#include <atomic>
#include <vector>

int main() {
    std::atomic<int> wrong = 0;
    tutti::threads::run(3, [&wrong](auto& comm) {
        std::vector<int> v(100, comm.rank());
        tutti::allreduce(comm, v, tutti::sum{});
        for (int x : v) wrong += x != 0 + 1 + 2;
    });
    return wrong == 0 ? 0 : 1;
}
