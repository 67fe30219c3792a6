// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include <tutti/conformance/watchdog.hpp>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <tutti/conformance/suite.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"
#include "support/plain_transport.hpp"

// How long it takes until somebody is reported is of no interest here: only that they are, and how.

namespace {

namespace plain = support::plain;
using tutti::channel_type;
using tutti::rank_type;

// Long enough for a rank that the machine forgets for a while: its watchdog waits twice as long.
const tutti::conformance::settings hasty{.most_ranks = 2, .deadline = std::chrono::milliseconds(500)};

/// Its receives never complete.
struct silent : plain::transport {
    using plain::transport::transport;
    bool test(handle& h) { return !h.open; }
};

/// The commonest mistake: a send that waits for its receiver, here for ever.
struct blocking : plain::transport {
    using plain::transport::transport;
    handle start_send(rank_type, channel_type, tutti::gather_list) {
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
};

template <class Transport>
void check(const char* name) {
    const auto run = [](rank_type size, auto&& body) { plain::run<Transport>(size, body); };
    tutti::conformance::for_each_check([&](const auto& one) {
        if (one.name == name) one(run, hasty);
    });
}

struct ended {
    std::string errors;
    int status = 0;
};

/// What f says on stderr and how it ends, in a process of its own.
template <class F>
ended in_child(F&& f) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        f();
        std::_Exit(EXIT_SUCCESS);
    }
    close(ends[1]);
    ended result;
    char part[256];
    for (ssize_t n = 0; (n = read(ends[0], part, sizeof part)) > 0;)
        result.errors.append(part, static_cast<std::size_t>(n));
    close(ends[0]);
    waitpid(child, &result.status, 0);
    return result;
}

} // namespace

TEST_CASE("who waits in vain says what for", "[conformance][watchdog]") {
    CHECK(support::error_of([] { check<silent>("order within a channel"); })
          == "order within a channel: rank 1 has waited 0.5 s for a message of 0 bytes from rank 0 on "
             "channel 4");
    CHECK(support::contains(support::error_of([] { check<silent>("ranks and size"); }),
                            "has waited 0.5 s for a message of 4 bytes from rank "));
}

TEST_CASE("a transport that blocks ends its process, and the check is named", "[conformance][watchdog]") {
    const ended blocked = in_child([] { check<blocking>("order within a channel"); });
    CHECK(WIFEXITED(blocked.status));
    CHECK(WEXITSTATUS(blocked.status) == EXIT_FAILURE);
    CHECK(support::contains(
        blocked.errors, "tutti conformance: order within a channel: rank 0: start_send has not returned for "
                        "1 s; the process ends\n"));
}

TEST_CASE("a watchdog leaves those alone who show signs of life", "[conformance][watchdog]") {
    const ended lively = in_child([] {
        tutti::conformance::detail::pulse pulse;
        const tutti::conformance::detail::watchdog dog(pulse, std::chrono::hours(1), "nobody");
        pulse.beat("test");
    });
    CHECK(lively.errors == "");
    CHECK(lively.status == 0);
}
