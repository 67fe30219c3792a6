// SPDX-License-Identifier: BSL-1.0
//
// The collectives of the MPI that runs this program and tutti's over the same MPI's point-to-point calls, in
// turn.
#include <tutti/mpi/transport.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/alltoall.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/reduce_scatter.hpp>
#include <tutti/execute/communicator.hpp>

#include "../clock.hpp"
#include "../hand.hpp"
#include "../interleaved.hpp"
#include "../report.hpp"

namespace {

using communicator = tutti::communicator<tutti::mpi::transport>;

constexpr int batches = 30;
constexpr double batch_seconds = 2e-3;

/// The slowest rank counts.
double slowest(double seconds) {
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

double timed(int reps, const std::function<void()>& call) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = bench::now();
    for (int r = 0; r < reps; ++r) call();
    return slowest(bench::now() - start) / reps;
}

/// Microseconds of both, and how much faster ours is.
struct figures {
    double theirs;
    double ours;
    double speed;
};

figures measure(const std::function<void()>& theirs, const std::function<void()>& ours) {
    const double once = std::max(timed(3, theirs), timed(3, ours));
    const int reps = std::clamp(static_cast<int>(batch_seconds / once), 1, 2000);
    bench::samples taken{{{}, {}}};
    for (int b = 0; b < batches; ++b)
        for (const std::size_t way : {b % 2 == 0 ? 0U : 1U, b % 2 == 0 ? 1U : 0U})
            taken.ways[way].push_back(timed(reps, way == 0 ? theirs : ours));
    return {taken.median_of(0) * 1e6, taken.median_of(1) * 1e6, taken.ratio(0, 1)};
}

/// Nanoseconds for a cache line to go from rank 0's core to rank 1's; below 0 if they share no memory.
double hand_over() {
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    int ranks = 0;
    int me = 0;
    MPI_Comm_size(machine, &ranks);
    MPI_Comm_rank(machine, &me);
    MPI_Win window = MPI_WIN_NULL;
    void* mine = nullptr;
    const MPI_Aint bytes = me == 0 ? static_cast<MPI_Aint>(sizeof(bench::ping_pong) + 128) : 0;
    MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, machine, &mine, &window);
    MPI_Aint length = 0;
    int unit = 0;
    void* first = nullptr;
    MPI_Win_shared_query(window, 0, &length, &unit, &first);
    const std::uintptr_t place = (reinterpret_cast<std::uintptr_t>(first) + 127) / 128 * 128;
    auto* const line = reinterpret_cast<bench::ping_pong*>(place);
    if (me == 0) new (line) bench::ping_pong;
    MPI_Barrier(machine);
    std::vector<double> taken;
    if (ranks > 1 && me < 2)
        for (int b = 0; b < 100; ++b) {
            const double start = bench::now();
            for (int r = 0; r < 500; ++r) line->round_trip(me);
            taken.push_back((bench::now() - start) / 500 / 2 * 1e9);
        }
    MPI_Barrier(machine);
    MPI_Win_free(&window);
    MPI_Comm_free(&machine);
    double result = taken.empty() ? -1 : bench::median(taken);
    MPI_Bcast(&result, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return result;
}

class match {
public:
    explicit match(communicator& comm) : comm_(comm) {}

    void run(bench::report& out) {
        const double before = hand_over();
        compare(
            "barrier", 0, [] { MPI_Barrier(MPI_COMM_WORLD); }, [&] { tutti::barrier(comm_); });
        for (const std::size_t bytes : {std::size_t{8}, std::size_t{64}, std::size_t{1} << 10,
                                        std::size_t{16} << 10, std::size_t{256} << 10, std::size_t{4} << 20})
            compare_vectors(bytes);
        if (comm_.rank() != 0) return;
        tell(out, before);
    }

    /// For every rank: whether it saw the same results of both.
    bool right() const { return right_; }

private:
    void compare(const std::string& name, std::size_t bytes, const std::function<void()>& theirs,
                 const std::function<void()>& ours) {
        rows_.push_back({name, bytes, measure(theirs, ours)});
    }

    void compare_vectors(std::size_t bytes) {
        const std::size_t count = bytes / sizeof(double);
        const auto p = static_cast<std::size_t>(comm_.size());
        const std::size_t share = (count + p - 1) / p; // where there is a block per rank
        const auto n = static_cast<int>(count);
        const auto b = static_cast<int>(share);
        std::vector<double> in(std::max(count, share * p));
        for (std::size_t i = 0; i < in.size(); ++i)
            in[i] = static_cast<double>(comm_.rank() + 1) + static_cast<double>(i % 11);
        std::vector<double> theirs(in.size());
        std::vector<double> ours(in.size());
        const std::span<const double> all(in.data(), share * p);
        const std::span<const double> whole(in.data(), count);
        const std::span<const double> block(in.data(), share);
        const std::span<double> whole_out(ours.data(), count);
        const std::span<double> all_out(ours.data(), share * p);
        const std::span<double> block_out(ours.data(), share);
        const MPI_Comm world = MPI_COMM_WORLD;
        const auto versus = [&](const char* name, const std::function<void()>& a,
                                const std::function<void()>& c) {
            theirs = comm_.rank() == 0 ? in : std::vector<double>(in.size());
            ours = theirs;
            compare(name, bytes, a, c);
            // The root of a bcast has what it had, and rank 0 nothing of an exscan: equal in any case.
            right_ = right_ && theirs == ours;
        };
        versus(
            "bcast", [&] { MPI_Bcast(theirs.data(), n, MPI_DOUBLE, 0, world); },
            [&] { tutti::bcast(comm_, whole_out); });
        versus(
            "reduce", [&] { MPI_Reduce(in.data(), theirs.data(), n, MPI_DOUBLE, MPI_SUM, 0, world); },
            [&] { tutti::reduce(comm_, whole, whole_out, tutti::sum{}); });
        versus(
            "allreduce", [&] { MPI_Allreduce(in.data(), theirs.data(), n, MPI_DOUBLE, MPI_SUM, world); },
            [&] { tutti::allreduce(comm_, whole, whole_out, tutti::sum{}); });
        versus(
            "reduce_scatter",
            [&] { MPI_Reduce_scatter_block(in.data(), theirs.data(), b, MPI_DOUBLE, MPI_SUM, world); },
            [&] { tutti::reduce_scatter(comm_, all, block_out, tutti::sum{}); });
        versus(
            "allgather",
            [&] { MPI_Allgather(in.data(), b, MPI_DOUBLE, theirs.data(), b, MPI_DOUBLE, world); },
            [&] { tutti::allgather(comm_, block, all_out); });
        versus(
            "alltoall", [&] { MPI_Alltoall(in.data(), b, MPI_DOUBLE, theirs.data(), b, MPI_DOUBLE, world); },
            [&] { tutti::alltoall(comm_, all, all_out); });
        versus(
            "exscan", [&] { MPI_Exscan(in.data(), theirs.data(), n, MPI_DOUBLE, MPI_SUM, world); },
            [&] { tutti::exscan(comm_, whole, whole_out, tutti::sum{}); });
    }

    void tell(bench::report& out, double hand_over_ns) const {
        char version[MPI_MAX_LIBRARY_VERSION_STRING];
        int length = 0;
        MPI_Get_library_version(version, &length);
        std::string name(version, static_cast<std::size_t>(length));
        name.resize(std::min(name.size(), name.find_first_of(",\n")));
        std::replace(name.begin(), name.end(), '\t', ' ');
        bench::table t{
            "over_mpi",
            name + ", " + std::to_string(comm_.size()) + " ranks: us, medians of " + std::to_string(batches)
                + " batches, the slowest rank; speed is its own time through ours, median of batches",
            {"collective", "size", "its own us", "tutti us", "speed"}};
        double logarithms = 0;
        const row* worst = &rows_.front();
        for (const row& r : rows_) {
            t.row({r.name, r.bytes == 0 ? "" : bench::size_text(r.bytes), bench::measured{r.is.theirs},
                   bench::measured{r.is.ours}, bench::measured{r.is.speed}});
            logarithms += std::log(r.is.speed);
            if (r.is.speed < worst->is.speed) worst = &r;
        }
        out.add(std::move(t));
        std::printf(
            "\nspeed: geometric mean %.2f of %zu cells; worst %.2f, %s %s; a cache line is handed over in "
            "%.0f ns\n",
            std::exp(logarithms / static_cast<double>(rows_.size())), rows_.size(), worst->is.speed,
            worst->name.c_str(), bench::size_text(worst->bytes).c_str(), hand_over_ns);
    }

    struct row {
        std::string name;
        std::size_t bytes;
        figures is;
    };

    communicator& comm_;
    std::vector<row> rows_;
    bool right_ = true;
};

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    bench::report out;
    bool is_right = true;
    {
        tutti::mpi::transport wires(MPI_COMM_WORLD);
        communicator comm(wires);
        match all(comm);
        all.run(out);
        is_right = slowest(all.right() ? 0 : 1) == 0;
        if (comm.rank() == 0 && !is_right) out.wrong("the results of a rank differ");
        if (comm.rank() == 0 && argc > 2 && std::string_view(argv[1]) == "--json")
            is_right &= out.write_json(argv[2]);
    }
    MPI_Finalize();
    return is_right ? 0 : 1;
}
