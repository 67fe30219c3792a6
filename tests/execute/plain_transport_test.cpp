// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/concept.hpp>

#include <cstdint>
#include <vector>

#include <tutti/conformance.hpp>
#include <tutti/execute/communicator.hpp>

#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"
#include "support/extent.hpp"
#include "support/outcomes.hpp"
#include "support/plain_transport.hpp"

// The concept is enough: what a user writes in an hour runs every collective.

namespace plain = support::plain;

static_assert(tutti::check_transport<plain::transport>());
static_assert(!tutti::folding_transport<plain::transport>);
static_assert(tutti::folding_transport<plain::folding>);
static_assert(!tutti::eager_transport<plain::folding>);

namespace {

template <class Transport>
std::string whole_catalogue(tutti::rank_type size, std::int64_t count) {
    support::complaints heard(size);
    plain::run<Transport>(size, [&](Transport& wires) {
        tutti::communicator<Transport> comm(wires);
        heard.add(comm.rank(), support::run_catalogue<int>(comm, count, tutti::sum{}));
        heard.add(comm.rank(), support::run_catalogue<support::matrix>(comm, count, support::multiply{}));
        heard.add(comm.rank(), support::run_automatic<int>(comm, count, tutti::sum{}));
    });
    return heard.all();
}

/// Lets nothing come before the rank has idled three times since the last message.
class slow : public plain::transport {
public:
    using transport::transport;
    bool test(handle& h) {
        if (!h.open) return true;
        if (since_ < 3 || !transport::test(h)) return false;
        since_ = 0;
        return true;
    }
    void idle(std::uint32_t turns) {
        ++since_;
        told.push_back(turns);
    }
    std::vector<std::uint32_t> told{};

private:
    int since_ = 0;
};

} // namespace

TEMPLATE_TEST_CASE("a transport without more than the concept asks runs every collective",
                   "[execute][transport]", plain::transport, plain::folding) {
    const tutti::rank_type size = GENERATE(from_range(support::chosen({1, 2, 3, 5, 8}, {1, 2, 5})));
    for (const std::int64_t count : {0, 1, 7, 1000}) {
        INFO("size " << size << ", " << count << " elements");
        CHECK(whole_catalogue<TestType>(size, count) == "");
    }
}

TEMPLATE_TEST_CASE("the plain transports conform", "[execute][transport]", plain::transport, plain::folding) {
    const auto run = [](tutti::rank_type size, auto&& body) { plain::run<TestType>(size, body); };
    CHECK(support::error_of([&] {
              tutti::conformance::check(run, tutti::conformance::level::strict,
                                        {.most_ranks = 4, .longest = std::size_t{1} << 16, .repeats = 50});
          })
          == "");
}

TEMPLATE_TEST_CASE("unequal counts are an error of the collective on a plain transport too",
                   "[execute][transport]", plain::transport, plain::folding) {
    const std::string what = support::error_of([] {
        plain::run<TestType>(3, [](TestType& wires) {
            tutti::communicator<TestType> comm(wires);
            std::vector<int> v(comm.rank() == 1 ? 999 : 1000, 1);
            tutti::allreduce(comm, v, tutti::sum{}, tutti::serial{});
        });
    });
    CHECK(support::contains(what, "allreduce failed on rank 0, round 0, step 0, peer 1"));
    CHECK(support::contains(what, "3996"));
    CHECK(support::contains(what, "4000"));
}

TEST_CASE("a transport is told for how many turns nothing has moved", "[execute][transport]") {
    plain::network net{.size = 2};
    for (tutti::rank_type rank : {0, 1}) { // one after the other: the root waits for nobody
        slow wires(net, rank);
        tutti::communicator<slow> comm(wires);
        std::vector<int> v(8, 5 - 5 * rank);
        tutti::bcast(comm, v, 0, tutti::chain{.segments = 2});
        CHECK(v == std::vector<int>(8, 5));
        CHECK(wires.told
              == (rank == 0 ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2}));
    }
}
