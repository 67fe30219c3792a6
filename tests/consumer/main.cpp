// SPDX-License-Identifier: BSL-1.0
#include <tutti/tutti.hpp>

#include <atomic>
#include <vector>

// Who has the archive and not its definition compiles all bodies once more, and links all the same.
#if defined(TUTTI_COMPILED) != WANT_COMPILED
#error "TUTTI_COMPILED is not defined where the archive is linked, or is where it is not"
#endif

int main() {
    std::atomic<int> wrong = 0;
    tutti::threads::run(3, [&wrong](auto& comm) {
        std::vector<int> v(100, comm.rank());
        tutti::allreduce(comm, v, tutti::sum{});
        for (int x : v) wrong += x != 0 + 1 + 2;
    });
    return wrong == 0 ? 0 : 1;
}
