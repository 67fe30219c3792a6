// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/communicator.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/schedule/allreduce/recursive_doubling.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"
#include "support/plain_transport.hpp"

namespace {

using support::plain::transport;

/// Tells a failure to whoever asks, as a transport that can would tell the other ranks.
class announcing : public transport {
public:
    using transport::transport;

    void announce_failure(const std::string& why) { said += why; }
    void abandon(handle& h) {
        if (h.open && said.empty()) said = "abandoned before anything was said: ";
        transport::abandon(h);
    }

    std::string said{};
};

static_assert(tutti::announcing_transport<announcing> && !tutti::announcing_transport<transport>);

std::string refusal_of_context(std::uint32_t context) {
    support::plain::network net{.size = 1};
    transport wires(net, 0);
    return support::error_of([&] { tutti::communicator<transport> comm(wires, context); });
}

} // namespace

TEST_CASE("a failure on the way is announced once, before anything is abandoned", "[execute]") {
    support::complaints heard(2);
    const std::string thrown = support::error_of([&] {
        support::plain::run<announcing>(2, [&](announcing& wires) {
            tutti::communicator<announcing> comm(wires);
            std::vector<int> fine(10, 1);
            tutti::allreduce(comm, fine, tutti::sum{}, tutti::recursive_doubling{});
            heard.add(comm.rank(), wires.said.empty() ? "" : "announced without a failure");
            std::vector<int> v(comm.rank() == 0 ? 10 : 11);
            const std::string text = support::error_of(
                [&] { tutti::allreduce(comm, v, tutti::sum{}, tutti::recursive_doubling{}); });
            heard.add(comm.rank(), text.empty() ? "no failure" : "");
            heard.add(comm.rank(), wires.said == text ? "" : "said " + wires.said + ", threw " + text);
        });
    });
    CHECK(thrown == "");
    CHECK(heard.all() == "");
}

TEST_CASE("a context that channels cannot tell apart is refused", "[execute]") {
    CHECK(refusal_of_context(4095) == "");
    CHECK(refusal_of_context(4096) == "tutti: context is 4096; allowed: 0..4095");
}
