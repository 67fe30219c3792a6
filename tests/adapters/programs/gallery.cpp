// SPDX-License-Identifier: BSL-1.0
//
// The examples that name no transport, over MPI: the same functions that their main() runs on threads. First
// all that they include; then each, with its main(), in a namespace of its own.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numbers>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/mpi.hpp>
#include <tutti/tutti.hpp>

// Only the real main() may end without a return; nobody calls these.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wreturn-type"
namespace kmeans {
#include "examples/kmeans.cpp"
}
namespace sample_sort {
#include "examples/sample_sort.cpp"
}
namespace fft_2d {
#include "examples/fft_2d.cpp"
}
namespace gradient_descent {
#include "examples/gradient_descent.cpp"
}
namespace statistics {
#include "examples/statistics.cpp"
}
#pragma GCC diagnostic pop

int main(int argc, char** argv) {
    const std::string_view asked = argc > 1 ? argv[1] : "nothing";
    return tutti::mpi::run(argc, argv, [asked](auto& comm) {
        if (asked == "kmeans")
            kmeans::on_each_rank(comm);
        else if (asked == "sample_sort")
            sample_sort::on_each_rank(comm);
        else if (asked == "fft_2d")
            fft_2d::on_each_rank(comm);
        else if (asked == "gradient_descent")
            gradient_descent::on_each_rank(comm);
        else if (asked == "statistics")
            statistics::on_each_rank(comm, "/bin/sh"); // as its main() does
        else
            throw std::invalid_argument("no example is called " + std::string(asked));
    });
}
