// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/node_transport.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <tutti/choose/by_default_on.hpp>
#include <tutti/schedule/alltoall/three_step.hpp>
#include <tutti/tutti.hpp>

#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"
#include "support/faked_nodes.hpp"

using namespace tutti;

TEST_CASE("every algorithm gives the right result over nodes", "[mpi]") {
    for (const support::faked& one : support::fakes)
        CHECK(support::on_nodes(one,
                                [](mpi::node_transport& wires) {
                                    communicator comm(wires);
                                    std::string troubles;
                                    for (const std::int64_t count : {0, 1, 7, 20000})
                                        troubles += support::run_catalogue<int>(comm, count, sum{});
                                    return troubles
                                           + support::run_catalogue<support::matrix>(comm, 100,
                                                                                     support::multiply{});
                                })
              == "");
}

TEST_CASE("algorithms by nodes give the right result over nodes", "[mpi]") {
    for (const support::faked& one : support::fakes)
        CHECK(support::on_nodes(
                  one,
                  [](mpi::node_transport& wires) -> std::string {
                      communicator comm(wires);
                      const node_map& nodes = wires.nodes();
                      for (const std::size_t count : {0U, 1U, 7U, 1000U, 100000U}) {
                          std::vector<std::int64_t> mine(count);
                          std::iota(mine.begin(), mine.end(), std::int64_t{comm.rank()});
                          std::vector<std::int64_t> expected(count);
                          for (std::size_t i = 0; i < count; ++i)
                              expected[i] = comm.size() * static_cast<std::int64_t>(i)
                                            + comm.size() * (comm.size() - 1) / 2;
                          std::vector<std::int64_t> out(count);
                          allreduce(comm, mine, out, sum{}, by_nodes{nodes, fnomial{}, ring{}});
                          if (out != expected) return "allreduce";
                          if (nodes.all_alike()) {
                              out.assign(count, 0);
                              allreduce(comm, mine, out, sum{}, multi_lane{nodes, circulant{}, ring{}});
                              if (out != expected) return "allreduce in lanes";
                          }
                          for (rank_type root = 0; root < comm.size(); ++root) {
                              out.assign(count, 0);
                              reduce(comm, mine, out, sum{}, root, by_nodes{nodes, serial{}, fnomial{}});
                              if (comm.rank() == root && out != expected) return "reduce";
                              out = comm.rank() == root ? expected : mine;
                              bcast(comm, out, root, by_nodes{nodes, fnomial{}, fnomial{}});
                              if (out != expected) return "bcast";
                              if (!nodes.all_alike()) continue;
                              out.assign(count, 0);
                              reduce(comm, mine, out, sum{}, root,
                                     multi_lane{nodes, reduce_scatter_gather<>{}, fnomial{}});
                              if (comm.rank() == root && out != expected) return "reduce in lanes";
                              out = comm.rank() == root ? expected : mine;
                              bcast(comm, out, root, multi_lane{nodes, scatter_allgather<>{}, fnomial{}});
                              if (out != expected) return "bcast in lanes";
                          }
                          for (const std::int64_t with_own : {0, 1}) { // the fold of so many ranks
                              const std::int64_t ranks = comm.rank() + with_own;
                              out.assign(count, 0);
                              for (std::size_t i = 0; i < count; ++i)
                                  expected[i] =
                                      ranks * static_cast<std::int64_t>(i) + ranks * (ranks - 1) / 2;
                              const by_nodes along{nodes, binary_tree{}, doubling_123{}};
                              with_own == 1 ? scan(comm, mine, out, sum{}, along)
                                            : exscan(comm, mine, out, sum{}, along);
                              if (ranks > 0 && out != expected) return "scan";
                              out = mine;
                              with_own == 1 ? scan(comm, out, sum{}, along) : exscan(comm, out, sum{}, along);
                              if (out != (ranks > 0 ? expected : mine)) return "scan in place";
                          }
                          const auto size = static_cast<std::size_t>(comm.size());
                          std::vector<std::int64_t> parts(count * size); // of rank r for q: r p + q
                          std::vector<std::int64_t> all(parts.size());
                          std::vector<std::int64_t> wanted(parts.size());
                          for (std::size_t i = 0; i < parts.size(); ++i) {
                              const auto other = static_cast<std::int64_t>(i / count);
                              parts[i] = std::int64_t{comm.rank()} * comm.size() + other;
                              wanted[i] = other * comm.size() + comm.rank();
                          }
                          alltoall(comm, parts, all, by_nodes<pairwise>{nodes, {}, {}});
                          if (all != wanted) return "alltoall";
                          if (nodes.all_alike()) {
                              all.assign(all.size(), 0);
                              alltoall(comm, parts, all, multi_lane{nodes, bruck{}, pairwise{}});
                              if (all != wanted) return "alltoall in lanes";
                              all.assign(all.size(), 0);
                              alltoall(comm, parts, all, three_step{nodes});
                              if (all != wanted) return "alltoall in three steps";
                          }
                          barrier(comm, by_nodes{nodes, fnomial{}, dissemination{}});
                      }
                      return "";
                  })
              == "");
}

TEST_CASE("blocks of any lengths come by nodes to where they should", "[mpi]") {
    for (const support::faked& one : support::fakes)
        CHECK(support::on_nodes(
                  one,
                  [](mpi::node_transport& wires) {
                      using element = std::int64_t;
                      communicator comm(wires);
                      const by_nodes<> tree{wires.nodes(), {}, {}};
                      const by_nodes leaders{wires.nodes(), fnomial{}, circulant{}};
                      const multi_lane<fnomial> lanes{wires.nodes(), {}, {}};
                      std::string wrong;
                      for (const std::int64_t longest : {0, 1, 1000, 100000}) {
                          std::vector<std::int64_t> counts;
                          for (rank_type r = 0; r < comm.size(); ++r)
                              counts.push_back(r % 3 == 1 ? 0 : longest / (r + 1));
                          wrong += support::run_reduce_scatter<element>(comm, counts, sum{}, leaders);
                          for (const bool in_place : {false, true}) {
                              wrong += support::run_allgatherv<element>(comm, counts, leaders, in_place);
                              for (rank_type root = 0; root < comm.size(); ++root) {
                                  wrong +=
                                      support::run_gatherv<element>(comm, counts, root, tree, in_place)
                                      + support::run_scatterv<element>(comm, counts, root, tree, in_place);
                                  if (!wires.nodes().all_alike()) continue;
                                  wrong +=
                                      support::run_gatherv<element>(comm, counts, root, lanes, in_place)
                                      + support::run_scatterv<element>(comm, counts, root, lanes, in_place);
                              }
                          }
                      }
                      return wrong;
                  })
              == "");
}

TEST_CASE("what is chosen for the nodes gives the right result over them", "[mpi]") {
    for (const support::faked& one : support::fakes)
        CHECK(support::on_nodes(one,
                                [](mpi::node_transport& wires) {
                                    communicator comm(wires);
                                    comm.choose_by(by_default_on(wires.nodes()));
                                    std::string troubles;
                                    for (const std::int64_t count : {0, 1, 7, 1000, 100000})
                                        troubles += support::run_automatic<double>(comm, count, sum{});
                                    return troubles
                                           + support::run_automatic<support::matrix>(comm, 100,
                                                                                     support::multiply{});
                                })
              == "");
}
