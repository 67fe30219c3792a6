// SPDX-License-Identifier: BSL-1.0
// labels: sequential
#include <tutti/collectives/make_plan.hpp>

#include <memory>
#include <stdexcept>
#include <string>

#include <tutti/mock.hpp>
#include <tutti/tutti.hpp>

#include "support/catch2.hpp"

namespace {

/// Says what it is asked to explain, and chooses nothing.
class says_what_it_hears final : public tutti::chooser {
public:
    const tutti::choice& choose(tutti::collective, const tutti::request_facts&) const override {
        throw std::logic_error("an explanation needs no choice");
    }
    std::string explain(tutti::collective what, const tutti::request_facts& facts) const override {
        return std::string(tutti::name_of(what)) + " of rank " + std::to_string(facts.at.rank) + " of "
               + std::to_string(facts.at.size) + ", root " + std::to_string(facts.at.root) + ", "
               + std::to_string(facts.bytes) + " bytes, " + (facts.commutative ? "any order" : "in order");
    }
};

} // namespace

TEST_CASE("who explains what a call takes hears of that call, commutative and to root 0 if nothing is said",
          "[collectives][make_plan]") {
    tutti::mock::run(3, {}, [](auto& comm) {
        comm.choose_by(std::make_shared<const says_what_it_hears>());
        const std::string here = " of rank " + std::to_string(comm.rank()) + " of 3, root ";
        CHECK(tutti::explain<tutti::collective::allreduce>(comm, 4096)
              == "allreduce" + here + "0, 4096 bytes, any order");
        CHECK(tutti::explain<tutti::collective::reduce>(comm, 8, false, 2)
              == "reduce" + here + "2, 8 bytes, in order");
    });
}
