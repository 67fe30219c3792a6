// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/mock_options.hpp>

#include "support/catch2.hpp"

using tutti::mock::fault;
using tutti::mock::fault_kind;

TEST_CASE("a fault says what was to happen, and to whom", "[transport][mock]") {
    CHECK(told(fault::kill(3, 7)) == "rank 3 was to be killed at step 7");
    CHECK(told(fault::at_step(fault_kind::drop, 1, 3))
          == "the message that rank 1 sends at its step 3 was to be dropped");
    CHECK(told(fault::message(fault_kind::duplicate, 0, 2, 4))
          == "message 4 from rank 0 to rank 2 was to be duplicated");
    CHECK(name_of(fault_kind::truncate) == "truncated");
    CHECK(name_of(fault_kind::corrupt) == "corrupted");
    CHECK(name_of(fault_kind::kill) == "killed");
}

TEST_CASE("a mock of which nothing is asked has one seed, no faults, and makes nothing easy",
          "[transport][mock]") {
    const tutti::mock::options how;
    CHECK(how.seed == 1);
    CHECK(how.rendezvous);
    CHECK(how.switch_at_start);
    CHECK(!how.faults_may_miss);
    CHECK(!how.first_choice);
    CHECK(!how.every_look);
    CHECK(how.log);
    CHECK(how.watched == tutti::no_rank);
    CHECK(how.decides == tutti::mock::freedom::all);
    CHECK(how.matches == tutti::mock::matching::none);
    CHECK(fault{}.number == 0);
    CHECK(fault{}.to == tutti::no_rank);
}
