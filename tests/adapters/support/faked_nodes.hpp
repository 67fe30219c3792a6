// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdlib>
#include <string>

#include <tutti/mpi/node_transport.hpp>

#include "support/mpi_world.hpp"

/// Nodes that one machine is split into.
namespace support {

struct faked {
    const char* sizes;
    tutti::rank_type size;
};
inline constexpr faked fakes[]{{"2,2", 4}, {"3,5", 8}, {"1,7", 8}};

/// Runs body(node_transport&) on as many ranks, whose nodes the variable TUTTI_NODES says.
template <class Body>
std::string on_nodes(const faked& nodes, Body&& body) {
    ::setenv("TUTTI_NODES", nodes.sizes, 1);
    std::string heard = on_ranks(nodes.size, [&](MPI_Comm group) -> std::string {
        tutti::mpi::node_transport wires(group);
        return body(wires);
    });
    ::unsetenv("TUTTI_NODES");
    return heard;
}

} // namespace support
