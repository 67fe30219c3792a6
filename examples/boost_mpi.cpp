// SPDX-License-Identifier: BSL-1.0
//
// Numbers and strings among the ranks of a Boost.MPI program: mpirun -n 2 boost_mpi
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <tutti/boost_mpi.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/string.hpp>

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    const boost::mpi::communicator world;
    tutti::boost_mpi::communicator comm{world};

    // Numbers travel as bytes, and Boost's operations are known.
    std::vector<int> squares{world.rank(), world.rank() * world.rank()};
    tutti::allreduce(comm, squares, boost::mpi::maximum<int>());

    // Strings are serialised; joining them keeps the order of ranks.
    const std::vector<std::string> word{"<" + std::string(static_cast<std::size_t>(world.rank()), '=') + ">"};
    std::vector<std::string> joined(1);
    tutti::reduce(comm, word, joined, std::plus<>{}, 0, tutti::binary_tree{});

    std::vector<std::string> words(static_cast<std::size_t>(world.size()));
    tutti::allgather(comm, word, words);

    if (world.rank() != 0) return 0;
    std::printf("largest rank %d, its square %d\n", squares[0], squares[1]);
    std::printf("in one: %s\nand one by one:", joined[0].c_str());
    for (const std::string& one : words) std::printf(" %s", one.c_str());
    std::printf("\n");
}
