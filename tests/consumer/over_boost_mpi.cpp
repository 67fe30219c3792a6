// SPDX-License-Identifier: BSL-1.0
#include <tutti/boost_mpi/allgather.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include <boost/mpi/environment.hpp>
#include <boost/serialization/string.hpp>

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    const boost::mpi::communicator world;
    tutti::boost_mpi::communicator comm{world};
    const std::vector<std::string> word{std::string(static_cast<std::size_t>(comm.rank()), 'x')};
    std::vector<std::string> words(3);
    tutti::allgather(comm, word, words);
    if (words != std::vector<std::string>{"", "x", "xx"}) throw std::runtime_error("wrong");
}
