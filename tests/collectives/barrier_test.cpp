// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/barrier.hpp>

#include <atomic>
#include <cstdint>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"
#include "support/plain_transport.hpp"

namespace {

using tutti::rank_type;

// Counts who has come; complains of whoever leaves before all have.
template <class Communicator>
void come_and_leave(Communicator& comm, std::atomic<int>& come, support::complaints& heard) {
    for (int lap = 1; lap <= 20; ++lap) {
        ++come;
        tutti::barrier(comm);
        heard.add(comm.rank(), come >= lap * comm.size() ? "" : "left a barrier before all had come");
    }
}

} // namespace

TEST_CASE("nobody leaves a barrier before everybody has come, over threads", "[execute][barrier]") {
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 3, 5, 8);
    support::complaints heard(size);
    std::atomic<int> come{0};
    tutti::threads::run(size, [&](auto& comm) { come_and_leave(comm, come, heard); });
    CHECK(heard.all() == "");
}

TEST_CASE("nobody leaves a barrier before everybody has come, over a transport without refinements",
          "[execute][barrier]") {
    using wires_type = support::plain::transport;
    const rank_type size = GENERATE(as<rank_type>{}, 2, 5);
    support::complaints heard(size);
    std::atomic<int> come{0};
    support::plain::run<wires_type>(size, [&](wires_type& wires) {
        tutti::communicator<wires_type> comm(wires);
        come_and_leave(comm, come, heard);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("nobody leaves a barrier before the last one has come, whoever that is", "[execute][barrier]") {
    const bool rendezvous = GENERATE(true, false);
    for (rank_type size = 2; size <= 9; ++size)
        for (rank_type late = 0; late < size; ++late) {
            support::complaints heard(size);
            std::atomic<int> come{0};
            tutti::mock::run(size, {.rendezvous = rendezvous, .late = {late}, .log = false}, [&](auto& comm) {
                ++come;
                tutti::barrier(comm);
                heard.add(comm.rank(), come == size ? "" : "left before all had come");
            });
            INFO("size " << size << ", rank " << late << " is late");
            CHECK(heard.all() == "");
        }
}
