// SPDX-License-Identifier: BSL-1.0
//
// contest_mpi native|adapter SIZES BATCH_MS, under mpirun: times the collectives of the MPI that it is
// compiled for, or tutti's over that MPI's point-to-point calls.
#include <tutti/mpi/run.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "loop.hpp"
#include "tutti_ranks.hpp"

namespace {

class native_ranks {
public:
    native_ranks() {
        MPI_Comm_rank(world, &rank_);
        MPI_Comm_size(world, &size_);
    }

    int rank() const { return rank_; }
    int size() const { return size_; }
    void barrier() { MPI_Barrier(world); }
    double slowest(double value) {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, world);
        return value;
    }
    std::vector<double> allocate(std::size_t length) { return std::vector<double>(length); }

    void call(tutti::collective what, const contest::vectors& v) {
        const auto n = static_cast<int>(v.count), b = static_cast<int>(v.share);
        double *const in = v.in.data(), *const out = v.out.data();
        switch (what) {
        case tutti::collective::bcast: MPI_Bcast(out, n, MPI_DOUBLE, 0, world); break;
        case tutti::collective::reduce: MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_SUM, 0, world); break;
        case tutti::collective::allreduce: MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, world); break;
        case tutti::collective::reduce_scatter:
            MPI_Reduce_scatter_block(in, out, b, MPI_DOUBLE, MPI_SUM, world);
            break;
        case tutti::collective::allgather: MPI_Allgather(in, b, MPI_DOUBLE, out, b, MPI_DOUBLE, world); break;
        case tutti::collective::gather: MPI_Gather(in, b, MPI_DOUBLE, out, b, MPI_DOUBLE, 0, world); break;
        case tutti::collective::scatter: MPI_Scatter(in, b, MPI_DOUBLE, out, b, MPI_DOUBLE, 0, world); break;
        case tutti::collective::alltoall: MPI_Alltoall(in, b, MPI_DOUBLE, out, b, MPI_DOUBLE, world); break;
        case tutti::collective::exscan: MPI_Exscan(in, out, n, MPI_DOUBLE, MPI_SUM, world); break;
        case tutti::collective::scan: MPI_Scan(in, out, n, MPI_DOUBLE, MPI_SUM, world); break;
        default: MPI_Barrier(world); break;
        }
    }

private:
    const MPI_Comm world = MPI_COMM_WORLD;
    int rank_ = 0;
    int size_ = 1;
};

/// A line "is ...": the version, as far as it names it.
void say_version(int rank) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string name(text, static_cast<std::size_t>(length));
    name.resize(std::min(name.size(), name.find_first_of(",\n")));
    std::replace(name.begin(), name.end(), '\t', ' ');
    if (rank == 0) std::printf("is %s\n", name.c_str());
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int status = 2;
    if (argc == 4) {
        const std::string_view way = argv[1];
        const std::vector<contest::cell> cells = contest::cells_of(contest::sizes_of(argv[2]));
        const double batch_seconds = std::atof(argv[3]) * 1e-3;
        if (way == "adapter") {
            status = tutti::mpi::run(argc, argv, [&](auto& comm) {
                contest::tutti_ranks<std::remove_reference_t<decltype(comm)>, contest::memory::ordinary>
                    ranks(comm);
                contest::time_cells(ranks, cells, batch_seconds);
            });
        } else if (way == "native") {
            native_ranks ranks;
            say_version(ranks.rank());
            try {
                contest::time_cells(ranks, cells, batch_seconds);
                status = 0;
            } catch (const std::exception& why) {
                std::fprintf(stderr, "rank %d: %s\n", ranks.rank(), why.what());
                status = 1;
            }
        }
    }
    if (status == 2) std::fputs("contest_mpi native|adapter SIZES BATCH_MS\n", stderr);
    MPI_Finalize();
    return status;
}
