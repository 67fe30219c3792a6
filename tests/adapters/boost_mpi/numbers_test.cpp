// SPDX-License-Identifier: BSL-1.0
// labels: alone (it adds to Boost's namespaces)
#include <tutti/boost_mpi.hpp>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/mpi/communicator.hpp>

#include "adapters/support/mpi_world.hpp"
#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"

namespace {

struct join {
    std::string operator()(const std::string& a, const std::string& b) const { return a + b; }
};
struct longer {
    std::string operator()(const std::string& a, const std::string& b) const {
        return a.size() < b.size() || (a.size() == b.size() && a < b) ? b : a;
    }
};

} // namespace

template <>
struct boost::mpi::is_commutative<longer, std::string> : boost::mpl::true_ {};

// Boost's operations on numbers, and what Boost was told of a user's.
static_assert(tutti::is_commutative<boost::mpi::maximum<int>, int>);
static_assert(tutti::is_commutative<boost::mpi::minimum<double>, double>);
static_assert(tutti::is_commutative<boost::mpi::bitwise_and<std::uint8_t>, std::uint8_t>);
static_assert(tutti::is_commutative<boost::mpi::bitwise_or<unsigned>, unsigned>);
static_assert(tutti::is_commutative<boost::mpi::bitwise_xor<std::int64_t>, std::int64_t>);
static_assert(tutti::is_commutative<boost::mpi::logical_xor<bool>, bool>);
static_assert(tutti::is_commutative<longer, std::string>);
static_assert(!tutti::is_commutative<join, std::string>);
static_assert(!tutti::is_commutative<longer, std::vector<std::string>>);
static_assert(!tutti::is_commutative<boost::mpi::maximum<support::moments>, support::moments>);
// What tutti knew before it still knows.
static_assert(tutti::is_commutative<std::plus<>, std::complex<float>>);
static_assert(tutti::is_commutative<tutti::commutative<join>, std::string>);
static_assert(tutti::is_commutative<tutti::min_location, tutti::located<int>>);
static_assert(!tutti::is_commutative<support::multiply, support::matrix>);

TEST_CASE("numbers go through a Boost.MPI communicator by every algorithm, folded by its operations") {
    for (const tutti::rank_type size : {1, 3, 8})
        CHECK(support::on_ranks(size,
                                [&](MPI_Comm group) {
                                    tutti::boost_mpi::communicator comm{
                                        boost::mpi::communicator(group, boost::mpi::comm_attach)};
                                    return support::run_catalogue<int>(comm, 11, boost::mpi::maximum<int>())
                                           + support::run_catalogue<std::int64_t>(
                                               comm, 5, boost::mpi::bitwise_xor<std::int64_t>())
                                           + support::run_catalogue<support::matrix>(comm, 3,
                                                                                     support::multiply{});
                                })
              == "");
}

TEST_CASE("plans and every other call take a Boost.MPI communicator as well") {
    CHECK(
        support::on_ranks(5,
                          [](MPI_Comm group) -> std::string {
                              tutti::boost_mpi::communicator comm{
                                  boost::mpi::communicator(group, boost::mpi::comm_attach)};
                              const std::int64_t me = comm.rank();
                              const std::vector<std::int64_t> counts(5, 1);
                              const std::vector<std::int64_t> all{0, 1, 2, 3, 4};
                              const std::vector<std::int64_t> in{me};
                              std::vector<std::int64_t> one(1);
                              std::vector<std::int64_t> five(5);
                              const boost::mpi::maximum<std::int64_t> largest;

                              tutti::plan_barrier(comm).run();
                              auto again = tutti::plan_allreduce(comm, in, one, largest);
                              again();
                              again();
                              if (one[0] != 4) return "allreduce";
                              tutti::plan_reduce(comm, in, one, boost::mpi::minimum<std::int64_t>(), 2).run();
                              if (me == 2 && one[0] != 0) return "reduce";
                              one = in;
                              tutti::plan_bcast(comm, one, 3).run();
                              if (one[0] != 3) return "bcast";
                              tutti::plan_reduce_scatter(comm, all, one, largest).run();
                              if (one[0] != me) return "reduce_scatter";
                              tutti::plan_exscan(comm, in, one, largest).run();
                              if (me > 0 && one[0] != me - 1) return "exscan";
                              tutti::plan_allgather(comm, in, five).run();
                              if (five != all) return "allgather";
                              tutti::plan_allgatherv(comm, in, counts, five).run();
                              if (five != all) return "allgatherv";
                              tutti::plan_gather(comm, in, five, 2).run();
                              if (me == 2 && five != all) return "gather";
                              tutti::plan_gatherv(comm, in, counts, five, 4).run();
                              if (me == 4 && five != all) return "gatherv";
                              tutti::plan_scatter(comm, all, one, 2).run();
                              if (one[0] != me) return "scatter";
                              tutti::plan_scatterv(comm, all, counts, one, 4).run();
                              if (one[0] != me) return "scatterv";
                              tutti::plan_alltoall(comm, all, five).run();
                              if (five != std::vector<std::int64_t>(5, me)) return "alltoall";
                              if (tutti::explain<tutti::collective::allreduce>(comm, 64).empty())
                                  return "explain";
                              return "";
                          })
        == "");
}

TEST_CASE("a communicator that is empty is refused") {
    const boost::mpi::communicator none(MPI_COMM_NULL, boost::mpi::comm_attach);
    CHECK_THROWS_AS(tutti::boost_mpi::communicator(none), tutti::argument_error);
}
