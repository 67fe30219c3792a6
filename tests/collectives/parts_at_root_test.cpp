// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/parts_at_root.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <tutti/collectives/gather.hpp>
#include <tutti/collectives/gatherv.hpp>
#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/collectives/scatter.hpp>
#include <tutti/collectives/scatterv.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"
#include "support/refusals.hpp"

namespace {

using counts_type = std::vector<std::int64_t>;
using support::check_refused;
using support::ranks;
using tutti::rank_type;
using vec = std::vector<int>;

/// Refused by the root, which alone can know; the others hear of it or need nothing from it.
void refused_on_root(const std::string& argument, const std::string& value, const support::rank_call& call) {
    support::complaints heard(3);
    tutti::mock::world group(3);
    const std::string first = support::error_of([&] {
        tutti::mock::run(group, [&](auto& comm) {
            heard.add(comm.rank(), "");
            try {
                call(comm);
                if (comm.rank() == 1) heard.add(comm.rank(), "was not refused");
            } catch (const tutti::argument_error& e) {
                const bool due = comm.rank() == 1 && e.argument() == argument && e.value() == value;
                heard.add(comm.rank(), due ? "" : e.what());
            } catch (const tutti::collective_error& e) {
                heard.add(comm.rank(),
                          support::contains(e.what(), argument + " is " + value) ? "" : e.what());
            }
        });
    });
    CHECK(heard.all() == "");
    CHECK(first == "");
    CHECK(!support::contains(group.log(), "rank 1 sends"));
}

} // namespace

TEST_CASE("a gather has a root that is a rank", "[execute][gather][arguments]") {
    const rank_type root = GENERATE(as<rank_type>{}, -1, 3);
    const std::string value = std::to_string(root);
    check_refused(3, "root", value, "0..2", [&](ranks& comm) {
        vec in(2), out(6);
        tutti::gather(comm, in, out, root);
    });
    check_refused(3, "root", value, "0..2", [&](ranks& comm) {
        vec inout(6);
        tutti::gather(comm, inout, root, tutti::serial{});
    });
    check_refused(3, "root", value, "0..2", [&](ranks& comm) {
        vec in(2), out(6);
        tutti::igatherv(comm, in, counts_type{2, 2, 2}, out, root).wait();
    });
    check_refused(3, "root", value, "0..2", [&](ranks& comm) {
        vec in(6), out(2);
        tutti::plan_scatter(comm, in, out, root).run();
    });
    check_refused(3, "root", value, "0..2", [&](ranks& comm) {
        vec inout(6);
        tutti::scatterv(comm, inout, counts_type{2, 2, 2}, root);
    });
}

TEST_CASE("only the root's whole vector is checked", "[execute][gather][arguments]") {
    const counts_type counts{2, 2, 2};
    refused_on_root("out", "5 elements", [&](ranks& comm) {
        vec in(2), out(comm.rank() == 1 ? 5 : 0);
        tutti::gather(comm, in, out, 1, tutti::serial{});
    });
    refused_on_root("out", "7 elements", [&](ranks& comm) {
        vec in(2), out(comm.rank() == 1 ? 7 : 0);
        tutti::gatherv(comm, in, counts, out, 1);
    });
    refused_on_root("inout", "5 elements", [&](ranks& comm) {
        vec inout(comm.rank() == 1 ? 5 : 2);
        tutti::gather(comm, inout, 1);
    });
    refused_on_root("out", "memory that overlaps in", [&](ranks& comm) {
        vec out(6);
        tutti::gather(comm, std::span(out).subspan(2, 2), out, 1);
    });
    refused_on_root("in", "5 elements", [&](ranks& comm) {
        vec out(2), in(comm.rank() == 1 ? 5 : 0);
        tutti::scatter(comm, in, out, 1);
    });
    refused_on_root("in", "7 elements", [&](ranks& comm) {
        vec out(2), in(comm.rank() == 1 ? 7 : 0);
        tutti::scatterv(comm, in, counts, out, 1, tutti::fnomial{});
    });
    refused_on_root("out", "memory that overlaps in", [&](ranks& comm) {
        vec in(6);
        tutti::scatter(comm, in, std::span(in).subspan(2, 2), 1);
    });
}

TEST_CASE("a rank's own part has as many elements as its count", "[execute][gather][arguments]") {
    const counts_type counts{2, 2, 2};
    check_refused(3, "in", "3 elements", "2 elements, this rank's count", [&](ranks& comm) {
        vec in(3), out(6);
        tutti::gatherv(comm, in, counts, out);
    });
    check_refused(3, "out", "3 elements", "2 elements, this rank's count", [&](ranks& comm) {
        vec in(6), out(3);
        tutti::scatterv(comm, in, counts, out);
    });
}

TEST_CASE("parts whose bytes do not fit 64 bits are refused where there is no vector of them",
          "[execute][gather][arguments]") {
    constexpr std::int64_t many = std::numeric_limits<std::int64_t>::max() / 4;
    const counts_type counts{many, 2, 0};
    support::complaints heard(3);
    tutti::mock::run(3, {}, [&](auto& comm) {
        const auto own =
            static_cast<std::size_t>(comm.rank() == 0 ? 0 : counts[static_cast<std::size_t>(comm.rank())]);
        const vec in(own);
        vec out;
        const std::string why = support::error_of([&] { tutti::gatherv(comm, in, counts, out); });
        const bool told = comm.rank() == 0
                              ? support::contains(why, "in is 0 elements")
                              : support::contains(why, "counts is") && support::contains(why, "64 bits");
        heard.add(comm.rank(), told ? "" : why);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a gather along a tree and back by a scatter is what it was, over all roots", "[execute][gather]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 0, 1, 5, 700, 20000);
    constexpr rank_type size = 6;
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) {
        for (rank_type root = 0; root < size; ++root) {
            vec in(count, comm.rank() + 1), back(count), all(comm.rank() == root ? count * size : 0);
            tutti::gather(comm, in, all, root, tutti::fnomial{});
            tutti::scatter(comm, all, back, root, tutti::fnomial{.radix = 3});
            heard.add(comm.rank(), back == in ? "" : "root " + std::to_string(root));
        }
    });
    CHECK(heard.all() == "");
}

TEST_CASE("only ranks inside the tree take memory for a gather and a scatter", "[execute][gather][plan]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 3, 5000);
    constexpr rank_type size = 5; // of root 0 only rank 2 has a child
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) {
        vec part(count), all(comm.rank() == 0 ? count * size : 0);
        const auto check = [&](const char* name, auto plan, bool takes) {
            const std::int64_t bytes = plan.extra_bytes();
            if (count == 3) // a short one: exactly
                heard.add(comm.rank(),
                          bytes == (takes ? 3 * size * 4 : 0) ? "" : name + std::to_string(bytes));
            else // a long one: also room for what comes before its place is free
                heard.add(comm.rank(),
                          takes || bytes <= static_cast<std::int64_t>(all.size() + part.size()) * 4
                              ? ""
                              : name + std::to_string(bytes));
        };
        const bool inner = comm.rank() == 2;
        check("gather ", tutti::plan_gather(comm, part, all, 0, tutti::fnomial{}), inner);
        check("scatter ", tutti::plan_scatter(comm, all, part, 0, tutti::fnomial{}), inner);
        check("serial gather ", tutti::plan_gather(comm, part, all, 0, tutti::serial{}), false);
        check("serial scatter ", tutti::plan_scatter(comm, all, part, 0, tutti::serial{}), false);
    });
    CHECK(heard.all() == "");
}
