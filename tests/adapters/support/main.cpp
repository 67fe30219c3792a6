// SPDX-License-Identifier: BSL-1.0
//
// The main function of the tests under mpirun. All ranks run the same test cases; only rank 0 tells of them.
#include <mpi.h>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0 && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
    const int failed = Catch::Session().run(argc, argv);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
