// SPDX-License-Identifier: BSL-1.0
// labels: processes
#include <tutti/collectives/run_processes.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <new>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/alltoall.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/transport/shared_buffer.hpp>
#include <tutti/transport/shared_text.hpp>

#include "support/catalogue_over_processes.hpp"
#include "support/catch2.hpp"
#include "support/entries.hpp"
#include "support/how_many.hpp"
#include "support/partial_rounds.hpp"

namespace {

namespace processes = tutti::processes;
using processes::way;
using tutti::rank_type;

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// What the ranks of a run in which one is killed tell the test.
struct told {
    tutti::detail::shared_text<400> wrong; ///< ranks that fail of a loss are not asked
    std::atomic<std::int64_t> killed_at{0};
    std::atomic<std::int64_t> longest{0}; ///< until the last survivor had its error, ns
};

} // namespace

TEST_CASE("every algorithm gives the right result over processes", "[execute][processes]") {
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16);
    for (const std::int64_t count : {0, 1, 7, 1000}) {
        INFO("size " << size << ", " << count << " elements");
        CHECK(support::all_elements_over_processes(size, count) == "");
    }
}

TEST_CASE("every algorithm gives the right result over processes, of messages read from the sender and not",
          "[execute][processes]") {
    const rank_type size = GENERATE(as<rank_type>{}, 2, 5);
    for (const std::int64_t count : {7, 3000})
        CHECK(support::all_elements_over_processes(size, count, {.long_messages = way::through_segment})
              == "");
    CHECK(support::all_elements_over_processes(size, 3000, {.long_messages = way::read_from_sender}) == "");
}

TEST_CASE("many rounds of a partial_allreduce over processes, everybody late now and then",
          "[execute][processes]") {
    const auto kind = GENERATE(tutti::partial_kind::solo, tutti::partial_kind::majority);
    for (const rank_type size : {2, 5})
        for (const std::size_t count : {1U, 2000U}) {
            INFO(size << " processes, " << count << " elements");
            CHECK(support::over_processes(size,
                                          [&](auto& comm) {
                                              std::vector<std::uint32_t> who;
                                              return support::partial_rounds(comm, count, kind, 9, 60, who);
                                          })
                  == "");
        }
}

TEST_CASE("long vectors, in shared memory or not, give the right result over processes",
          "[execute][processes]") {
    const rank_type size = GENERATE(as<rank_type>{}, 2, 3, 4);
    const way long_messages = GENERATE(way::by_length, way::read_from_sender, way::through_segment);
    const auto wrong =
        support::over_processes(size,
                                [](auto& comm) -> std::string {
                                    const std::size_t length = 300'007;
                                    const auto value = [](rank_type r, std::size_t i) {
                                        return static_cast<double>(i % 1000) + static_cast<double>(r);
                                    };
                                    const auto sum = [&](std::size_t i) {
                                        double s = 0;
                                        for (rank_type r = 0; r < comm.size(); ++r) s += value(r, i);
                                        return s;
                                    };
                                    const auto check = [&](auto& in, auto& out) {
                                        for (std::size_t i = 0; i < length; ++i)
                                            in[i] = value(comm.rank(), i);
                                        tutti::allreduce(comm, in, out, tutti::sum{});
                                        for (std::size_t i = 0; i < length; ++i)
                                            if (out[i] != sum(i)) return false;
                                        tutti::bcast(comm, in, comm.size() - 1);
                                        for (std::size_t i = 0; i < length; ++i)
                                            if (in[i] != value(comm.size() - 1, i)) return false;
                                        return true;
                                    };
                                    std::vector<double> own(length), own_too(length);
                                    tutti::shared_buffer<double> shared(comm.transport(), length),
                                        shared_too(comm.transport(), length);
                                    if (!check(own, own_too)) return "wrong with memory of its own";
                                    if (!check(shared, shared_too)) return "wrong with shared memory";
                                    if (!check(shared, own)) return "wrong with both";
                                    return "";
                                },
                                {.long_messages = long_messages});
    CHECK(wrong == "");
}

TEST_CASE("requests and every kind of progress work over processes", "[execute][processes]") {
    using tutti::progress_mode;
    const auto mode = GENERATE(progress_mode::own_calls, progress_mode::on_arrival, progress_mode::by_thread);
    const auto wrong = support::over_processes(4, [mode](auto& comm) -> std::string {
        comm.set_progress(mode);
        const std::size_t length = 5000;
        std::vector<std::int64_t> a(length, comm.rank()), b(length), c(length, 1), d(length);
        for (int k = 0; k < 20; ++k) {
            std::vector<tutti::request> open;
            open.push_back(tutti::iallreduce(comm, a, b, tutti::sum{}));
            open.push_back(tutti::iallreduce(comm, c, d, tutti::sum{}));
            open.push_back(tutti::ibarrier(comm));
            tutti::wait_all(open);
            if (b[length - 1] != 6 || d[0] != 4) return "wrong sum";
        }
        return "";
    });
    CHECK(wrong == "");
}

TEST_CASE("ranks that make different calls are told so over processes", "[execute][processes]") {
    const auto wrong = support::over_processes(3, [](auto& comm) {
        std::vector<int> x(100), y(100);
        std::string why = "nothing was thrown";
        try {
            comm.rank() == 1 ? tutti::barrier(comm) : tutti::allreduce(comm, x, y, tutti::sum{});
        } catch (const tutti::collective_error& e) {
            why = e.what();
        }
        if (why.find("barrier") == std::string::npos
            || why.find("allreduce of 100 elements") == std::string::npos)
            return why;
        x.assign(100, 1);
        tutti::allreduce(comm, x, y, tutti::sum{}); // and the next call is right
        return y[99] == 3 ? std::string{} : std::string("a wrong sum afterwards");
    });
    CHECK(wrong == "");
}

TEST_CASE("a process that is stopped is not taken for dead, but a deadline ends the wait for it",
          "[execute][processes]") {
    const auto wrong = support::over_processes(3, [](auto& comm) {
        const std::vector<std::int64_t> mine{::getpid()};
        std::vector<std::int64_t> all(3), x(1, 1), y(1);
        tutti::allgather(comm, mine, all);
        if (comm.rank() == 1) ::raise(SIGSTOP);
        comm.set_deadline(0.1);
        std::string why = "nothing was thrown";
        try {
            // Rank 1 gets the result from rank 0. Where all send each other all, as recursive_multiplying on
            // 3 ranks does, it would find whatever it needs when it goes on, and be through.
            tutti::allreduce(comm, x, y, tutti::sum{}, tutti::recursive_doubling{});
        } catch (const tutti::peer_lost& e) {
            return std::string("taken for dead: ") + e.what();
        } catch (const tutti::collective_error& e) {
            why = e.what();
        }
        if (comm.rank() == 0) ::kill(static_cast<pid_t>(all[1]), SIGCONT);
        if (why.find("nothing has come for 0.1") == std::string::npos) return why;
        comm.set_deadline(0);
        tutti::allreduce(comm, x, y, tutti::sum{});
        return y[0] == 3 ? std::string{} : std::string("a wrong sum afterwards");
    });
    CHECK(wrong == "");
}

TEST_CASE("a rank that is killed at any moment is named to all others, in a second", "[execute][processes]") {
    const auto kills = static_cast<unsigned>(support::how_many("TUTTI_KILLS", 60));
    const unsigned seed = GENERATE_COPY(range(0U, kills));
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto size = static_cast<rank_type>(2 + random() % 4);
    const auto victim = static_cast<rank_type>(random() % static_cast<unsigned>(size));
    const auto calls = random() % 30;
    const auto moment = random() % 300; // us after that call begins
    const std::size_t length = std::size_t{1} << (random() % 16);
    const auto descriptors = support::open_descriptors();
    const auto memories = support::entries("/dev/shm");
    void* const common =
        ::mmap(nullptr, sizeof(told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(common != MAP_FAILED);
    told& here = *new (common) told;
    rank_type failed = tutti::no_rank;
    std::string what;
    try {
        processes::run(size, [&](auto& comm) {
            std::vector<double> x(length, 1), y(length), z(length * static_cast<std::size_t>(size));
            for (unsigned k = 0;; ++k) {
                if (comm.rank() == victim && k == calls) {
                    // From another thread: at any step of the call, not before or after it.
                    std::thread([moment, &here] {
                        std::this_thread::sleep_for(std::chrono::microseconds(moment));
                        here.killed_at = now_ns();
                        ::kill(::getpid(), SIGKILL);
                    }).detach();
                }
                try {
                    tutti::allreduce(comm, x, y, tutti::sum{});
                    tutti::allgather(comm, x, z);
                } catch (const tutti::collective_error& e) {
                    const std::int64_t took = now_ns() - here.killed_at;
                    for (std::int64_t most = here.longest; most < took;)
                        if (here.longest.compare_exchange_weak(most, took)) break;
                    if (dynamic_cast<const tutti::peer_lost*>(&e) == nullptr || e.where().peer != victim)
                        here.wrong.write(e.what());
                    throw;
                }
            }
        });
    } catch (const processes::rank_failed& e) {
        failed = e.rank();
        what = e.what();
    }
    CAPTURE(what);
    CHECK(failed == victim);
    CHECK(here.wrong.read() == "");
    static std::vector<std::int64_t> took;
    took.push_back(here.longest);
    ::munmap(common, sizeof(told));
    CHECK(what.find("killed by signal 9") != std::string::npos);
    CHECK(support::open_descriptors() == descriptors);
    CHECK(support::entries("/dev/shm") == memories);
    if (seed + 1 < kills) return;
    std::sort(took.begin(), took.end());
    std::printf("%zu kills: the last survivor's error after %.2f ms (median), %.2f (the longest)\n",
                took.size(), 1e-6 * static_cast<double>(took[took.size() / 2]),
                1e-6 * static_cast<double>(took.back()));
}
