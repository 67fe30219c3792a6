// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <tutti/processes.hpp>
#include <tutti/tutti.hpp>

#include "../examples/tutti/slate.hpp"
#include "clock.hpp"

/// Ranks that are processes, against the same ranks as threads.
namespace bench {
namespace {

struct cell {
    tutti::collective what;
    std::size_t bytes; ///< of the whole vector
};

template <class Communicator, class Buffer>
void call(Communicator& comm, tutti::collective what, std::size_t length, Buffer& in, Buffer& out) {
    const std::size_t p = static_cast<std::size_t>(comm.size());
    const std::span<double> x(in.data(), length), y(out.data(), length);
    switch (what) {
    case tutti::collective::bcast: tutti::bcast(comm, x, 0); break;
    case tutti::collective::reduce: tutti::reduce(comm, x, y, tutti::sum{}, 0); break;
    case tutti::collective::reduce_scatter:
        tutti::reduce_scatter(comm, x, y.first(length / p), tutti::sum{});
        break;
    case tutti::collective::allgather: tutti::allgather(comm, x.first(length / p), y); break;
    case tutti::collective::gather: tutti::gather(comm, x.first(length / p), y); break;
    case tutti::collective::scatter: tutti::scatter(comm, x, y.first(length / p)); break;
    case tutti::collective::alltoall: tutti::alltoall(comm, x, y); break;
    case tutti::collective::exscan: tutti::exscan(comm, x, y, tutti::sum{}); break;
    case tutti::collective::scan: tutti::scan(comm, x, y, tutti::sum{}); break;
    default: tutti::allreduce(comm, x, y, tutti::sum{}); break;
    }
}

/// Seconds per call, of each rank, to the slate. As many calls before it: threads and processes begin on
/// whatever core there is, and with memory that has not been touched.
template <class Communicator, class Buffer>
void time_calls(Communicator& comm, const cell& one, int reps, Buffer& in, Buffer& out,
                const program::slate& times) {
    using clock = std::chrono::steady_clock;
    const std::size_t length = one.bytes / sizeof(double);
    std::fill(in.data(), in.data() + length, 1.0);
    std::fill(out.data(), out.data() + length, 0.0);
    for (int k = 0; k < reps; ++k) call(comm, one.what, length, in, out);
    tutti::barrier(comm);
    const auto begin = clock::now();
    for (int k = 0; k < reps; ++k) call(comm, one.what, length, in, out);
    times.numbers()[static_cast<std::size_t>(comm.rank())] =
        std::chrono::duration<double>(clock::now() - begin).count() / reps;
}

double slowest(const program::slate& times) {
    return *std::max_element(times.numbers().begin(), times.numbers().end());
}

struct ways {
    double threads, shared, own, read, copied;
};

ways measure(const cell& one, tutti::rank_type size) {
    const auto length = std::max<std::size_t>(one.bytes / sizeof(double), 1);
    const program::slate times(static_cast<std::size_t>(size));
    int reps = 20;
    const auto with_own = [&](auto& comm) {
        std::vector<double> in(length), out(length);
        time_calls(comm, one, reps, in, out, times);
    };
    const auto with_shared = [&](auto& comm) {
        tutti::shared_buffer<double> in(comm.transport(), length), out(comm.transport(), length);
        time_calls(comm, one, reps, in, out, times);
    };
    using tutti::processes::way;
    tutti::threads::run(size, with_own);
    reps = static_cast<int>(std::clamp(10e-3 / slowest(times), 3.0, 20'000.0)); // in 10 ms or so
    std::vector<double> threads, shared, own, read, copied;
    for (int round = 0; round < 7; ++round) {
        tutti::threads::run(size, with_own);
        threads.push_back(slowest(times));
        tutti::processes::run(size, with_shared);
        shared.push_back(slowest(times));
        tutti::processes::run(size, with_own);
        own.push_back(slowest(times));
        tutti::processes::run(size, with_own, {.long_messages = way::read_from_sender});
        read.push_back(slowest(times));
        tutti::processes::run(size, with_own, {.long_messages = way::through_segment});
        copied.push_back(slowest(times));
    }
    // The least: two ranks that the kernel has put on one core say nothing of either way.
    const double base = minimum(threads);
    return {base, minimum(shared) / base, minimum(own) / base, minimum(read) / base, minimum(copied) / base};
}

} // namespace

void measure_processes(report& out) {
    table t{"processes",
            "Ranks as processes: µs of threads, and times as multiples of that, the least of 7 in turn",
            {"collective", "ranks", "size", "µs threads", "shared_buffer", "own memory", "all long ones read",
             "all copied"}};
    double worst = 0;
    double log_sum = 0;
    int cells = 0;
    using tutti::collective;
    for (const tutti::rank_type size : {2, 8})
        for (const collective what : {collective::bcast, collective::reduce, collective::allreduce,
                                      collective::reduce_scatter, collective::allgather, collective::gather,
                                      collective::scatter, collective::alltoall, collective::exscan})
            for (const std::size_t bytes :
                 {std::size_t{64}, std::size_t{1} << 10, std::size_t{16} << 10, std::size_t{256} << 10,
                  std::size_t{4} << 20, std::size_t{64} << 20}) {
                if (size > 2 && bytes > 4U << 20) continue;
                const ways w = measure({what, bytes}, size);
                t.row({std::string(tutti::name_of(what)), std::to_string(size), size_text(bytes),
                       measured{w.threads * 1e6, 2}, measured{w.shared}, measured{w.own}, measured{w.read},
                       measured{w.copied}});
                if (size > 2) continue;
                worst = std::max(worst, w.shared);
                log_sum += std::log(w.shared);
                ++cells;
            }
    out.add(t);
    out.at_most("2 processes with shared_buffer, geometric mean of time over threads",
                std::exp(log_sum / cells), 1.1);
    out.at_most("2 processes with shared_buffer, worst cell", worst, 1.1);
}

} // namespace bench
