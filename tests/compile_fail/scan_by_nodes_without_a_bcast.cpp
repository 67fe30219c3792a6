// SPDX-License-Identifier: BSL-1.0
// refused: scan inner_algorithm_has_no<collective::bcast
// refused: exscan inner_algorithm_has_no<collective::bcast
#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/collectives/scan.hpp>
#include <tutti/schedule/bcast/tree.hpp>
#include <tutti/schedule/exscan/chain.hpp>
#include <tutti/schedule/exscan/doubling_123.hpp>
#include <tutti/schedule/exscan/recursive_doubling.hpp>
#include <tutti/schedule/scan/chain.hpp>
#include <tutti/schedule/scan/recursive_doubling.hpp>
#include <tutti/schedule/scan_by_nodes.hpp>

#include <vector>

int main() {
    tutti::threads::run(4, [](tutti::communicator<tutti::threads::transport>& comm) {
        std::vector<int> v(10);
        const tutti::node_map nodes = tutti::node_map::of_sizes({2, 2});
#ifdef TUTTI_CORRECT
        const tutti::chain inside;
#else
        const tutti::recursive_doubling inside; // has both scans, and no bcast
#endif
        tutti::scan(comm, v, tutti::sum{}, tutti::by_nodes{nodes, inside, tutti::doubling_123{}});
        tutti::exscan(comm, v, tutti::sum{}, tutti::by_nodes{nodes, inside, tutti::doubling_123{}});
    });
}
