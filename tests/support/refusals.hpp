// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <functional>
#include <string>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/core/error.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

namespace support {

using ranks = tutti::communicator<tutti::mock::transport>;
using rank_call = std::function<void(ranks&)>;

/// Runs a call that every one of `size` ranks must refuse: each with an argument_error that names `argument`,
/// `value` and (a part of) what is `allowed`, and before any message. All but what no call has yet, as a
/// relation that is made for one, names call and rank, too.
inline void check_refused(tutti::rank_type size, const std::string& argument, const std::string& value,
                          const std::string& allowed, const rank_call& call, bool by_a_call = true) {
    support::complaints heard(size);
    tutti::mock::world group(size);
    tutti::mock::run(group, [&](auto& comm) {
        try {
            call(comm);
            heard.add(comm.rank(), "was not refused");
        } catch (const tutti::argument_error& e) {
            const bool told = e.argument() == argument && e.value() == value && contains(e.allowed(), allowed)
                              && contains(e.what(), ": " + argument + " is " + value);
            const bool named = contains(e.what(), "tutti: " + e.call() + " on rank ") && !e.call().empty()
                               && e.rank() == comm.rank();
            heard.add(comm.rank(), told && named == by_a_call ? "" : e.what());
        }
    });
    CHECK(heard.all() == "");
    INFO(group.log());
    CHECK(!contains(group.log(), "sends"));
    CHECK(!contains(group.log(), "waits for a message"));
}

} // namespace support
