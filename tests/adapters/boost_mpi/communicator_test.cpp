// SPDX-License-Identifier: BSL-1.0
#include <tutti/boost_mpi/communicator.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>

#include <tutti/conformance.hpp>

#include "support/catch2.hpp"
#include "support/mpi_world.hpp"

using tutti::rank_type;

TEST_CASE("the transport of a Boost.MPI communicator conforms, strictly, but that MPI cannot take sends back",
          "[boost_mpi]") {
    const auto over_boost_mpi = [](rank_type size, const auto& body) {
        const std::string complaints = support::on_ranks(size, [&](MPI_Comm group) {
            const boost::mpi::communicator ranks(group, boost::mpi::comm_attach);
            tutti::boost_mpi::communicator comm(ranks);
            body(comm.transport());
            return std::string();
        });
        if (!complaints.empty()) throw std::runtime_error(complaints);
    };
    tutti::conformance::for_each_check([&](const auto& one) {
        INFO(one.name);
        if (one.name != "goes on after an abandoned send")
            CHECK(support::error_of([&] {
                      one(over_boost_mpi, {.most_ranks = 4, .longest = std::size_t{1} << 18, .repeats = 20});
                  })
                  == "");
    });
}

TEST_CASE("an empty communicator is refused", "[boost_mpi]") {
    const boost::mpi::communicator none(MPI_COMM_NULL, boost::mpi::comm_attach);
    CHECK(support::error_of([&] { tutti::boost_mpi::communicator comm(none); })
          == "tutti: communicator is MPI_COMM_NULL; allowed: one that this rank belongs to");
}
