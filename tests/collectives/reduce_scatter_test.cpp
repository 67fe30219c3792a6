// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/reduce_scatter.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/outcomes.hpp"
#include "support/running.hpp"

namespace {

using counts_type = std::vector<std::int64_t>;
using tutti::rank_type;

const std::vector<counts_type> ways{{1},
                                    {0},
                                    {3, 0},
                                    {0, 4},
                                    {2, 5, 1},
                                    {0, 0, 0},
                                    {0, 9, 0},
                                    {1, 0, 2},
                                    {4, 4, 4},
                                    {0, 0, 0, 0, 7},
                                    {1000, 0, 3, 1, 512},
                                    {0, 1, 2, 3, 4, 5, 6}};

template <class Communicator>
void all_algorithms(Communicator& comm, const counts_type& counts, support::complaints& heard) {
    for (const char* name : {"circulant", "pairwise", "direct"})
        heard.add(comm.rank(),
                  support::run_reduce_scatter<int>(comm, counts, tutti::sum{}, tutti::named{name}));
    heard.add(comm.rank(), support::run_reduce_scatter<support::matrix>(comm, counts, support::multiply{},
                                                                        tutti::direct{}));
    heard.add(comm.rank(), support::run_reduce_scatter<support::matrix>(comm, counts, support::multiply{},
                                                                        tutti::automatic{}));
    heard.add(comm.rank(), support::run_reduce_scatter<int>(comm, counts, tutti::sum{}, tutti::automatic{}));
}

std::string text(const counts_type& counts) {
    std::string t;
    for (const std::int64_t c : counts) t += std::to_string(c) + " ";
    return t;
}

} // namespace

TEST_CASE("blocks may have any lengths, also none", "[execute][reduce_scatter]") {
    for (const counts_type& counts : ways) {
        const auto size = static_cast<rank_type>(counts.size());
        INFO("counts " << text(counts));
        support::complaints heard(size);
        tutti::threads::run(size, [&](auto& comm) { all_algorithms(comm, counts, heard); });
        CHECK(heard.all() == "");
        for (const bool rendezvous : {true, false}) {
            support::complaints over_mock(size);
            tutti::mock::run(size, {.rendezvous = rendezvous, .log = false},
                             [&](auto& comm) { all_algorithms(comm, counts, over_mock); });
            CHECK(over_mock.all() == "");
        }
    }
}
