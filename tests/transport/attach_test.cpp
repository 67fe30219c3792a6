// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/attach.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tutti/transport/shared_buffer.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

namespace {

namespace processes = tutti::processes;
using processes::transport;
using support::contains;
using support::error_of;
using tutti::rank_type;

constexpr processes::options small{.shared_bytes = 1 << 16};

/// A process of its own; true if it ended with 0 in the end, and kept what it threw to itself.
class process {
public:
    explicit process(const std::function<void()>& body) : pid_(::fork()) {
        if (pid_ != 0) return;
        try {
            body();
        } catch (const std::exception& e) {
            std::fprintf(stderr, "%s\n", e.what());
            ::_exit(1);
        }
        ::_exit(0);
    }
    pid_t pid() const { return pid_; }
    bool succeeds() const {
        int status = 0;
        return ::waitpid(pid_, &status, 0) == pid_ && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

private:
    pid_t pid_;
};

void require(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error(what);
}

/// Everybody hears of everybody, by messages of all kinds.
void greet_all(transport& t) {
    for (const std::size_t length : {std::size_t{8}, std::size_t{3000}, std::size_t{50'000}}) {
        const std::vector<std::byte> mine(length, static_cast<std::byte>(t.rank() + 1));
        const std::span<const std::byte> piece(mine);
        std::vector<transport::handle> open;
        std::vector<std::vector<std::byte>> got(static_cast<std::size_t>(t.size()),
                                                std::vector<std::byte>(length));
        std::vector<std::span<std::byte>> into(got.begin(), got.end());
        for (rank_type peer = 0; peer < t.size(); ++peer) {
            if (peer == t.rank()) continue;
            open.push_back(t.start_send(peer, 1, {&piece, 1}));
            open.push_back(t.start_recv(peer, 1, {&into[static_cast<std::size_t>(peer)], 1}));
        }
        for (auto& one : open)
            for (std::uint32_t turns = 0; !t.test(one); ++turns) {
                for (auto& other : open) t.test(other);
                t.idle(turns);
            }
        for (rank_type peer = 0; peer < t.size(); ++peer)
            require(peer == t.rank()
                        || got[static_cast<std::size_t>(peer)]
                               == std::vector<std::byte>(length, static_cast<std::byte>(peer + 1)),
                    "wrong content from rank " + std::to_string(peer));
    }
}

bool exists(const std::string& name) {
    const int file = ::shm_open(name.c_str(), O_RDWR, 0);
    if (file >= 0) ::close(file);
    return file >= 0;
}

/// Of a rank: from now on it is not told of processes by descriptors, nor when they began, as where the
/// kernel is older and shows no /proc.
void forgo_descriptors(processes::world& group) {
    while (!group.is_complete()) std::this_thread::yield(); // all have said when they began
    for (rank_type r = 0; r < group.size(); ++r) group.process(r).begun = 0;
    std::array<sock_filter, 4> calls{{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
                                      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                                      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
    const sock_fprog filter{static_cast<unsigned short>(calls.size()), calls.data()};
    require(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
                && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0,
            "the kernel filters no calls");
}

/// Runs body(transport&, rank) on ranks that have found each other by a name, and greeted; before they greet,
/// begin(world&).
template <class Body>
std::vector<process> attached(
    rank_type size, const Body& body, const std::function<void(processes::world&)>& begin = [](auto&) {}) {
    const std::string name = processes::new_name();
    std::vector<process> ranks;
    for (rank_type r = 0; r < size; ++r)
        ranks.emplace_back([&] {
            const auto group = processes::attach(name, r, size, small);
            begin(*group);
            transport wires(*group, r);
            greet_all(wires);
            body(wires, r);
        });
    return ranks;
}

} // namespace

TEST_CASE("processes find each other by a name, which is gone when all have come", "[transport][processes]") {
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 5);
    const std::string name = processes::new_name();
    CHECK(name.size() == 39);
    CHECK(name != processes::new_name());
    std::vector<process> ranks;
    for (rank_type r = size; r-- > 0;)
        ranks.emplace_back([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(5 * r));
            const auto group = processes::attach(name, r, size, small);
            transport wires(*group, r);
            greet_all(wires);
            require(!exists(name), "the name is still there");
        });
    for (const process& one : ranks) CHECK(one.succeeds());
    CHECK(!exists(name));
}

TEST_CASE("processes find each other by a descriptor that they have inherited", "[transport][processes]") {
    const int file = ::memfd_create("ranks", 0);
    std::vector<process> ranks;
    for (rank_type r = 0; r < 3; ++r)
        ranks.emplace_back([&] {
            const auto group = processes::attach(file, r, 3, small);
            ::close(file);
            transport wires(*group, r);
            greet_all(wires);
        });
    for (const process& one : ranks) CHECK(one.succeeds());
    ::close(file);
}

TEST_CASE("who has the descriptor cannot take memory away from the ranks", "[transport][processes]") {
    const int file = ::memfd_create("ranks", MFD_ALLOW_SEALING);
    REQUIRE(::ftruncate(file, 100) == 0);
    CHECK(contains(error_of([&] { processes::attach(file, 0, 2, small); }), "it has another length"));
    REQUIRE(::ftruncate(file, 0) == 0); // it is not ours to seal
    std::vector<process> ranks;
    for (rank_type r = 0; r < 2; ++r)
        ranks.emplace_back([&] {
            const auto group = processes::attach(file, r, 2, small);
            for (const off_t length : {0, 4096}) {
                require(::ftruncate(file, length) != 0, "it became shorter");
                require(errno == EPERM, "another error");
            }
            transport wires(*group, r);
            greet_all(wires);
        });
    for (const process& one : ranks) CHECK(one.succeeds());
    ::close(file);
}

TEST_CASE("a process that has ended is told from one that runs, though its parent does not ask",
          "[transport][processes]") {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) ::_exit(0);
    siginfo_t end{};
    REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOWAIT) == 0); // not reaped
    CHECK(::kill(child, 0) == 0);
    CHECK(tutti::processes::begin_of(child) == 0);
    CHECK(tutti::processes::begin_of(::getpid()) > std::uint64_t{0});
    ::waitpid(child, nullptr, 0);
}

TEST_CASE("who can open no more files takes nobody for dead for that", "[transport][processes]") {
    const process out_of_files([] {
        const rlimit none{};
        require(::setrlimit(RLIMIT_NOFILE, &none) == 0, "the limit stays");
        require(!processes::begin_of(::getpid()).has_value(),
                "it is told when a process began, or that it has ended");
    });
    CHECK(out_of_files.succeeds());
}

TEST_CASE("a rank that was attached and dies is named to the others, without a parent",
          "[transport][processes]") {
    const rank_type dies = GENERATE(as<rank_type>{}, 0, 1);
    const bool has_descriptors = GENERATE(true, false);
    const auto body = [&](transport& wires, rank_type r) {
        if (r == dies) ::raise(SIGKILL);
        std::string why;
        rank_type who = tutti::no_rank;
        try {
            greet_all(wires);
        } catch (const tutti::transport_error& e) {
            why = e.what();
            who = e.peer();
            require(e.lost(), "not lost: " + why);
        }
        require(who == dies, "rank " + std::to_string(who) + " is named: " + why);
    };
    const std::vector<process> ranks =
        has_descriptors ? attached(3, body) : attached(3, body, forgo_descriptors);
    for (rank_type k = 0; k < 3; ++k) { // its parent asks first: until then some of it is there
        const rank_type r = (dies + k) % 3;
        CHECK(ranks[static_cast<std::size_t>(r)].succeeds() == (r != dies));
    }
}

TEST_CASE("who is lost while it reads is not waited for, though another one was lost before",
          "[transport][processes]") {
    const std::vector<process> ranks = attached(3, [](transport& wires, rank_type r) {
        tutti::shared_buffer<double> data(wires, 1000);
        const auto piece = std::as_bytes(std::span<const double>(data.data(), 1000));
        if (r == 0) {
            std::vector<transport::handle> open;
            for (const rank_type peer : {1, 2}) open.push_back(wires.start_send(peer, 1, {&piece, 1}));
            std::string why;
            try {
                for (std::uint32_t turns = 0; !wires.test(open[0]) || !wires.test(open[1]); ++turns)
                    wires.idle(turns);
            } catch (const tutti::transport_error& e) {
                why = e.what();
            }
            require(contains(why, "is lost: its process has ended"), why);
            for (auto& one : open) wires.abandon(one);
        } else {
            transport::incoming message;
            for (std::uint32_t turns = 0; !wires.take(0, 1, message); ++turns) wires.idle(turns);
            ::raise(SIGKILL); // and never lets go of it
        }
    });
    CHECK(ranks[0].succeeds());
    for (std::size_t r : {1U, 2U}) CHECK(!ranks[r].succeeds());
}

TEST_CASE("a rank that has gone before the others came has its messages read", "[transport][processes]") {
    const std::string name = processes::new_name();
    const std::vector<std::byte> data(8, std::byte{5});
    const process early([&] {
        const auto group = processes::attach(name, 0, 2, small);
        transport wires(*group, 0);
        require(wires.try_post(1, 1, data), "no room");
    });
    CHECK(early.succeeds());
    const process late([&] {
        const auto group = processes::attach(name, 1, 2, small);
        transport wires(*group, 1);
        transport::incoming message;
        for (std::uint32_t turns = 0; !wires.take(0, 1, message); ++turns) wires.idle(turns);
        require(message.pieces()[0][7] == std::byte{5}, "wrong content");
        wires.release(message);
        require(!exists(name), "the name is still there");
    });
    CHECK(late.succeeds());
}

TEST_CASE("a rank that has left in good order is not taken for lost", "[transport][processes]") {
    const std::vector<process> ranks = attached(2, [](transport& wires, rank_type r) {
        if (r == 1) return;
        std::string why;
        try {
            transport::incoming message;
            for (std::uint32_t turns = 0; !wires.take(1, 7, message); ++turns) wires.idle(turns);
        } catch (const tutti::transport_error& e) {
            why = e.what();
        }
        require(contains(why, "rank 1, which has returned"), why);
    });
    for (const process& one : ranks) CHECK(one.succeeds());
}

TEST_CASE("where shared memory is short that is an error, and nobody dies of it", "[transport][processes]") {
    enum : int { fine, wrong, not_allowed };
    const pid_t pid = ::fork();
    if (pid == 0) { // in a /dev/shm of its own
        if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
            || ::mount("none", "/dev/shm", "tmpfs", 0, nullptr) != 0)
            ::_exit(not_allowed);
        std::string seen; // how it ended, with more and more memory
        for (int kib = 8; kib <= 512; kib += 8) {
            const std::string size = "size=" + std::to_string(kib) + "k";
            if (::mount("none", "/dev/shm", "tmpfs", 0, size.c_str()) != 0) ::_exit(not_allowed);
            const std::string what = error_of([] {
                const auto group = processes::attach(processes::new_name(), 0, 2, small);
                transport wires(*group, 0);
                const std::byte one{};
                wires.try_post(1, 0, {&one, 1});
            });
            const char end =
                contains(what, "tutti: where the shared memory of 2 processes lies, none is left") ? 'a'
                : contains(what, "rank 0 has no shared memory for messages to rank 1")             ? 'b'
                : what.empty()                                                                     ? 'c'
                                                                                                   : '?';
            if (seen.empty() || seen.back() != end) seen += end;
        }
        ::_exit(seen == "abc" ? fine : wrong);
    }
    int status = 0;
    REQUIRE(::waitpid(pid, &status, 0) == pid);
    REQUIRE(WIFEXITED(status));
    if (WEXITSTATUS(status) == not_allowed) WARN("this user may not mount a file system that is small");
    CHECK(WEXITSTATUS(status) != wrong);
}

TEST_CASE("memory of other ranks, users, versions or programs is refused", "[transport][processes]") {
    const std::string name = processes::new_name();
    {
        const auto first = processes::attach(name, 0, 2, small);
        CHECK(exists(name));
        CHECK(contains(error_of([&] { processes::attach(name, 0, 2, small); }), "rank 0 has joined already"));
        CHECK(contains(error_of([&] { processes::attach(name, 1, 3, small); }), "it has another length"));
        CHECK(contains(error_of([&] { processes::attach(name, 1, 2, {.shared_bytes = 1 << 20}); }),
                       "it has another length"));
        CHECK(contains(error_of([&] { processes::attach(name, 2, 2, small); }), "rank is 2; allowed: 0..1"));
    }
    CHECK(!exists(name)); // who made it has gone, and not all had come
    CHECK(contains(error_of([&] { processes::attach("/no/such/name", 0, 2, small); }), "/no/such/name"));

    const std::string open_to_all = processes::new_name();
    const int file = ::shm_open(open_to_all.c_str(), O_RDWR | O_CREAT, 0600);
    REQUIRE(::fchmod(file, 0666) == 0);
    CHECK(contains(error_of([&] { processes::attach(file, 0, 2, small); }), "other users may open it"));
    CHECK(
        contains(error_of([&] { processes::attach(open_to_all, 0, 2, small); }), "other users may open it"));
    REQUIRE(::fchmod(file, 0600) == 0);
    ::shm_unlink(open_to_all.c_str());
    if (::geteuid() == 0) {
        REQUIRE(::fchown(file, 12345, 0) == 0);
        CHECK(contains(error_of([&] { processes::attach(file, 0, 2, small); }), "belongs to another user"));
        REQUIRE(::fchown(file, 0, 0) == 0);
    }
    REQUIRE(::ftruncate(file, 100) == 0);
    CHECK(contains(error_of([&] { processes::attach(file, 0, 2, small); }), "it has another length"));
    REQUIRE(::ftruncate(file, 0) == 0);
    { const auto first = processes::attach(file, 0, 2, small); }
    auto* const head = static_cast<tutti::detail::shared_head*>(
        ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    REQUIRE(head != MAP_FAILED);
    const auto refused_with = [&](auto& field, auto value) {
        const auto was = field.exchange(value);
        const std::string why = error_of([&] { processes::attach(file, 1, 2, small); });
        field.store(was);
        return why;
    };
    CHECK(contains(refused_with(head->magic, 42U), "it was not made by tutti"));
    CHECK(contains(refused_with(head->layout, 42U), "it was made by another version"));
    CHECK(contains(refused_with(head->size, 42U), "another number of ranks"));
    CHECK(contains(refused_with(head->bytes, 42U), "other options"));
    CHECK(contains(refused_with(head->state, 1U), "whoever made it has not finished"));
    CHECK(error_of([&] { processes::attach(file, 1, 2, small); }) == "");
    ::munmap(head, 4096);
    ::close(file);
}
