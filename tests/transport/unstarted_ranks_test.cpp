// SPDX-License-Identifier: BSL-1.0
// labels: alone, processes
//
// Ranks whose thread or process cannot be started.

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tutti/transport/mock.hpp>
#include <tutti/transport/processes.hpp>
#include <tutti/transport/threads.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"
#include "support/own_new.hpp"

namespace {

using support::contains;
using support::error_of;
using tutti::rank_type;

constexpr std::int64_t unlimited = -1;
thread_local std::int64_t allocations_left = unlimited; // then one fails
std::int64_t forks_left = unlimited;                    // likewise

/// Whether this one may still be; the one that may not be is the only one.
bool take_one(std::int64_t& left) noexcept { return left == unlimited || left-- > 0; }

} // namespace

void support::allocates(std::size_t, std::size_t) {
    if (!take_one(allocations_left)) throw std::bad_alloc();
}

// Stands before that of the C library.
extern "C" pid_t fork() noexcept {
    using function = pid_t (*)();
    static const auto of_the_library = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "fork"));
    if (take_one(forks_left)) return of_the_library();
    errno = EAGAIN;
    return -1;
}

TEST_CASE("a thread that cannot be started is the cause that is told, whatever comes of it",
          "[transport][threads]") {
    int one_alone = 0;
    bool all = false;
    for (std::int64_t n = 0; !all; ++n) { // the n-th allocation fails: sooner or later that of a thread
        tutti::threads::world group(3);
        std::atomic<bool> one{false};
        const std::string what = error_of([&] {
            const auto body = [&](auto& wires) {
                if (wires.rank() == 0) { // in this thread
                    allocations_left = unlimited;
                    all = true;
                } else if (wires.rank() == 1) {
                    one = true;
                    while (!group.has_left(2)) std::this_thread::yield();
                    throw std::runtime_error("a consequence");
                }
            };
            allocations_left = n;
            tutti::threads::for_each_rank(group, body);
        });
        allocations_left = unlimited;
        CHECK(what == (all ? "a consequence" : std::bad_alloc().what()));
        if (one && !all) ++one_alone;
    }
    CHECK(one_alone > 0);
}

TEST_CASE("where a thread of a mock world cannot be started no rank begins", "[transport][mock]") {
    bool all = false;
    for (std::int64_t n = 0; !all; ++n) {
        tutti::mock::world group(3);
        int begun = 0; // one after the other
        const std::string what = error_of([&] {
            const auto body = [&](auto& wires) {
                allocations_left = unlimited; // of this thread
                all = ++begun == wires.size();
            };
            allocations_left = n;
            tutti::mock::for_each_rank(group, body);
        });
        allocations_left = unlimited;
        CHECK(what == (all ? "" : std::bad_alloc().what()));
        CHECK(begun == (all ? 3 : 0));
    }
}

TEST_CASE("a process that cannot be started is lost to those that were, and is told",
          "[transport][processes]") {
    const rank_type missing = GENERATE(as<rank_type>{}, 0, 1, 2);
    auto* const told = static_cast<std::atomic<rank_type>*>(
        ::mmap(nullptr, sizeof(rank_type), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    REQUIRE(told != MAP_FAILED);
    forks_left = missing;
    const std::string what = error_of([&] {
        tutti::processes::run_transports(3, [&](auto& wires) {
            tutti::processes::transport::incoming message;
            try {
                for (std::uint32_t turns = 0; !wires.take(missing, 0, message); ++turns) wires.idle(turns);
            } catch (const tutti::transport_error& e) {
                if (e.peer() == missing && e.lost() && contains(e.what(), "could not be started")) ++*told;
                throw;
            }
        });
    });
    CHECK(what
          == "tutti: the process of rank " + std::to_string(missing)
                 + " could not be started: Resource temporarily unavailable");
    CHECK(told->load() == missing);
    CHECK((::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD)); // nobody is left behind
    ::munmap(told, sizeof(rank_type));
}
