// SPDX-License-Identifier: BSL-1.0
#include <tutti/choose/by_default_on.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/tutti.hpp>

#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"
#include "support/nodes.hpp"
#include "support/outcomes.hpp"

using namespace tutti;

namespace {

std::string chosen(const node_map& nodes, collective what, const request_facts& facts) {
    return std::string(by_default_on(nodes)->choose(what, facts).algorithm);
}

} // namespace

TEST_CASE("what is chosen on nodes gives the right result", "[choose][nodes]") {
    for (const node_map& nodes : {node_map::of_sizes({2, 2}), node_map::of_sizes({3, 5}),
                                  node_map::of_sizes({1, 7}), support::dealt_out({2, 2}),
                                  support::dealt_out({3, 5}), node_map::of_sizes({4}), node_map({0, 1, 2})}) {
        support::complaints heard(nodes.ranks());
        const auto by = by_default_on(nodes);
        mock::run(nodes.ranks(), {.seed = 7}, [&](auto& comm) {
            comm.choose_by(by);
            std::string troubles;
            for (const std::int64_t count : {0, 1, 7, 1000, 20000}) {
                troubles += support::run_automatic<double>(comm, count, sum{});
                troubles += support::run_automatic<support::moments>(comm, count,
                                                                     commutative(support::merge_moments{}));
                if (count <= 1000)
                    troubles += support::run_automatic<support::matrix>(comm, count, support::multiply{});
            }
            heard.add(comm.rank(), troubles);
        });
        INFO(support::text_of(nodes));
        CHECK(heard.all() == "");
    }
}

TEST_CASE("leaders speak for nodes, lanes for long vectors where nodes are alike", "[choose][nodes]") {
    const node_map alike = node_map::of_sizes({4, 4});
    const node_map other = node_map::of_sizes({3, 5});
    const request_facts brief{.at = {1, 8, 0}, .bytes = 64};
    const request_facts lengthy{.at = {1, 8, 0}, .bytes = 1 << 20};
    CHECK(chosen(alike, collective::allreduce, brief) == "by_nodes");
    CHECK(chosen(alike, collective::allreduce, lengthy) == "multi_lane");
    CHECK(chosen(alike, collective::allreduce, {.at = {1, 8, 0}, .bytes = 64 << 10}) == "multi_lane");
    CHECK(chosen(alike, collective::allreduce, {.at = {1, 8, 0}, .bytes = 32 << 10}) == "by_nodes");
    CHECK(chosen(other, collective::allreduce, lengthy) == "by_nodes");
    CHECK(chosen(alike, collective::bcast, lengthy) == "by_nodes");
    CHECK(chosen(alike, collective::allgather, brief) == "multi_lane");
    CHECK(chosen(alike, collective::alltoall, brief) == "multi_lane");
    CHECK(chosen(other, collective::alltoall, brief) == "by_nodes");
    CHECK(chosen(other, collective::barrier, {.at = {1, 8, 0}}) == "by_nodes");
    for (const node_map& nodes : {alike, other, node_map::of_sizes({3, 3, 2})})
        for (const collective what : {collective::scan, collective::exscan}) {
            const bool few_rounds = what == collective::exscan && nodes.nodes() > 2;
            for (const bool commutative : {false, true})
                for (const std::int64_t bytes : {64, 1023, 1024, 16384, 1 << 20}) {
                    const request_facts facts{.at = {1, 8, 0}, .bytes = bytes, .commutative = commutative};
                    const bool whole = bytes <= 16384; // by the tables
                    CHECK((chosen(nodes, what, facts) == "by_nodes")
                          == (whole && (few_rounds || bytes >= 1024)));
                }
        }
}

TEST_CASE("where neither covers a request, it is as on ranks without nodes", "[choose][nodes]") {
    const auto is_plain = [](const node_map& nodes, collective what, const request_facts& facts) {
        return by_default_on(nodes)->choose(what, facts).maker == nullptr;
    };
    const request_facts in_order{.at = {1, 8, 0}, .bytes = 64, .commutative = false};
    CHECK(is_plain(support::dealt_out({3, 5}), collective::allreduce, in_order));
    CHECK_FALSE(is_plain(node_map::of_sizes({3, 5}), collective::allreduce, in_order));
    CHECK_FALSE(is_plain(node_map::of_sizes({3, 5}), collective::reduce, in_order));
    for (const rank_type root : {1, 4})
        CHECK(is_plain(node_map::of_sizes({3, 5}), collective::reduce,
                       {.at = {1, 8, root}, .bytes = 64, .commutative = false}));
    for (const collective what : {collective::scan, collective::exscan})
        CHECK(is_plain(support::dealt_out({3, 5}), what, {.at = {1, 8, 0}, .bytes = 4096}));
    CHECK(is_plain(node_map::of_sizes({4, 4}), collective::gather, {.at = {1, 8, 0}, .bytes = 64}));
    for (const node_map& nodes : {node_map::of_sizes({4, 4}), node_map::of_sizes({3, 5})}) {
        CHECK(is_plain(nodes, collective::alltoall, {.at = {1, 8, 0}, .bytes = 8 * 8192}));
        CHECK_FALSE(is_plain(nodes, collective::alltoall, {.at = {1, 8, 0}, .bytes = 8 * 4096}));
    }
    CHECK(is_plain(node_map::of_sizes({3, 5}), collective::allgather, {.at = {1, 8, 0}, .bytes = 64}));
    CHECK(is_plain(node_map::of_sizes({8}), collective::bcast, {.at = {1, 8, 0}, .bytes = 64}));
    CHECK(is_plain(node_map({0, 1, 2, 3, 4, 5, 6, 7}), collective::bcast, {.at = {1, 8, 0}, .bytes = 64}));
}

TEST_CASE("a choice by nodes says on how many", "[choose][nodes]") {
    const auto by = by_default_on(node_map::of_sizes({4, 4}));
    CHECK(by->explain(collective::bcast, {.at = {1, 8, 0}, .bytes = 64})
          == "by_nodes: on 2 nodes, by the tables inside and between them\n");
    CHECK(support::contains(by->explain(collective::gather, {.at = {1, 8, 0}, .bytes = 64}),
                            ": by the table, as if all were on one node\n"));
}
