// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tutti/core/compiled.hpp>
#include <tutti/transport/failure.hpp>
#include <tutti/transport/processes_world.hpp>
#include <tutti/transport/rank_body.hpp>

namespace tutti::processes {

/// A rank that is a process has failed: by an exception, whose text this has, or by its death.
class rank_failed : public error {
public:
    rank_failed(rank_type rank, const std::string& why)
        : error(detail::sentence({"tutti: rank ", rank, ", a process, failed: ", why})), rank_(rank) {}

    rank_type rank() const noexcept { return rank_; }

private:
    rank_type rank_;
};

} // namespace tutti::processes

namespace tutti::detail {

[[gnu::cold]] void fork_each_rank(processes::world& group, const rank_body& body);

#if TUTTI_BODIES
/// All there is of the process of a rank.
[[noreturn]] TUTTI_BODY void live_as_rank(processes::world& group, rank_type rank, const rank_body& body,
                                          pid_t launcher) noexcept {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != launcher) ::_exit(EXIT_FAILURE); // which has died before it could be heard
    int status = EXIT_SUCCESS;
    try {
        group.join(rank);
        mailbox_transport wires(group, rank);
        body(wires);
    } catch (...) {
        const std::string why = text_of(std::current_exception());
        group.leave_with(rank, why);
        group.fail(rank, sentence({"rank ", rank, " left with an exception: ", why}), true);
        status = EXIT_FAILURE;
    }
    group.leave(rank);
    std::fflush(nullptr);
    ::_exit(status); // what was made before the fork is its maker's to destroy
}

/// How a process ended without saying goodbye.
TUTTI_BODY std::string end_of(int status) {
    if (WIFSIGNALED(status))
        return sentence(
            {"it was killed by signal ", WTERMSIG(status), " (", ::strsignal(WTERMSIG(status)), ")"});
    return sentence({"it ended without returning, with status ", WEXITSTATUS(status)});
}

/// Waits for all, and tells the others at once when one has died.
class children {
public:
    explicit children(processes::world& group) : group_(group) {}

    void add(rank_type rank, pid_t pid) { alive_.push_back({rank, pid, -1}); }

    /// Throws what the first rank that failed has left with.
    void wait() {
        std::vector<pollfd> ends;
        for (child& one : alive_) one.ends = static_cast<int>(::syscall(SYS_pidfd_open, one.pid, 0));
        while (!alive_.empty()) {
            ends.clear();
            for (const child& one : alive_) ends.push_back({one.ends, POLLIN, 0});
            // Without descriptors of processes (Linux before 5.3) they are asked one after the other.
            const bool all_tell =
                std::all_of(ends.begin(), ends.end(), [](const pollfd& one) { return one.fd >= 0; });
            ::poll(ends.data(), ends.size(), all_tell ? -1 : 1);
            std::erase_if(alive_, [this](const child& one) { return has_ended(one); });
        }
        if (first_.has_value()) throw processes::rank_failed(first_->rank, first_->why);
    }

private:
    struct child {
        rank_type rank;
        pid_t pid;
        int ends;
    };
    struct failure {
        bool struck;
        std::uint32_t when;
        rank_type rank;
        std::string why;
    };

    bool has_ended(const child& one) {
        int status = 0;
        const pid_t ended = ::waitpid(one.pid, &status, WNOHANG);
        const bool taken = ended < 0 && errno == ECHILD; // by somebody else, who heard how it ended
        if (ended != one.pid && !taken) return false;
        const std::string how = taken ? "its process has ended" : end_of(status);
        if (one.ends >= 0) ::close(one.ends);
        const shared_process& it = group_.process(one.rank);
        const std::uint32_t outcome = it.outcome.load(std::memory_order_acquire);
        const bool ended_well = !taken && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
        if (ended_well && group_.has_left_in_order(one.rank)) return true;
        if (outcome != shared_process::running) {
            note({outcome == shared_process::struck, it.when.load(std::memory_order_relaxed), one.rank,
                  it.why.read()});
        } else if (!group_.has_left_in_order(one.rank)) {
            note({false, group_.count_failure(), one.rank, how});
        }
        if (!group_.has_left(one.rank)) {
            group_.lose(one.rank, how);
        }
        return true;
    }
    // A cause before its consequences, and of causes the first.
    void note(failure what) {
        if (!first_.has_value()
            || std::pair(what.struck, what.when) < std::pair(first_->struck, first_->when))
            first_ = std::move(what);
    }

    processes::world& group_;
    std::vector<child> alive_;
    std::optional<failure> first_;
};

TUTTI_BODY void fork_each_rank(processes::world& group, const rank_body& body) {
    std::fflush(nullptr); // or each would print again what has not been printed yet
    const pid_t launcher = ::getpid();
    children ranks(group);
    for (rank_type rank = 0; rank < group.size(); ++rank) {
        const pid_t pid = ::fork();
        if (pid == 0) live_as_rank(group, rank, body, launcher);
        if (pid < 0) {
            const std::string why =
                sentence({"the process of rank ", rank, " could not be started: ", std::strerror(errno)});
            group.fail(rank, why, true);
            for (; rank < group.size(); ++rank) group.leave(rank);
            try {
                ranks.wait();
            } catch (const processes::rank_failed&) { // a consequence
            }
            throw error("tutti: " + why);
        }
        ranks.add(rank, pid);
    }
    ranks.wait();
}
#endif

} // namespace tutti::detail

namespace tutti::processes {

/// Runs f(transport&) once for every rank of `group`, each in a process of its own that is forked off, so all
/// begin with what there is now. Returns when all have ended; nothing that they do to memory is seen here.
/// If one leaves with an exception or dies, the others get peer_lost instead of waiting for it, and the one
/// that failed first is named by the rank_failed that is thrown here. For a group once.
template <class F>
void for_each_rank(world& group, F&& f) {
    detail::fork_each_rank(group, detail::rank_body(f));
}

/// for_each_rank on a world of its own.
template <class F>
void run_transports(rank_type size, F&& f, const options& how = {}) {
    world group(size, how);
    for_each_rank(group, f);
}

} // namespace tutti::processes
