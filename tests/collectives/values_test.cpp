// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/values.hpp>

#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>

#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/everywhere.hpp"
#include "support/outcomes.hpp"

namespace {

using support::everywhere;
using tutti::rank_type;

std::string unless(bool right, const char* what) { return right ? "" : what; }

/// Composing is associative, but does not commute.
struct affine {
    std::int64_t factor;
    std::int64_t offset;
    friend bool operator==(const affine&, const affine&) = default;
};
struct compose {
    affine operator()(const affine& f, const affine& g) const {
        return {f.factor * g.factor, f.offset * g.factor + g.offset};
    }
};
affine map_of(std::int64_t rank) { return {rank + 2, 3 * rank + 1}; }
affine composed(std::int64_t first, std::int64_t last) {
    affine all = map_of(first);
    for (std::int64_t r = first + 1; r <= last; ++r) all = compose{}(all, map_of(r));
    return all;
}

} // namespace

TEST_CASE("one value goes in and its fold comes out", "[execute][values]") {
    everywhere([](auto& comm) {
        const std::int64_t p = comm.size();
        const double total = tutti::allreduce(comm, 1.5 * comm.rank(), tutti::sum{});
        if (total != 1.5 * static_cast<double>(p * (p - 1) / 2)) return std::string("allreduce of doubles");
        const affine all = tutti::allreduce(comm, map_of(comm.rank()), compose{});
        return unless(all == composed(0, p - 1), "allreduce, in the order of ranks");
    });
}

TEST_CASE("a value is reduced to the root, and to nobody else", "[execute][values]") {
    everywhere([](auto& comm) {
        for (rank_type root = 0; root < comm.size(); ++root) {
            const std::optional<affine> all = tutti::reduce(comm, map_of(comm.rank()), compose{}, root);
            if (all.has_value() != (comm.rank() == root))
                return "who has a result for " + std::to_string(root);
            if (all && !(*all == composed(0, comm.size() - 1))) return "root " + std::to_string(root);
        }
        return std::string();
    });
}

TEST_CASE("a value is folded over the ranks below; rank 0 has none", "[execute][values]") {
    everywhere([](auto& comm) {
        const std::optional<affine> below = tutti::exscan(comm, map_of(comm.rank()), compose{});
        if (comm.rank() == 0) return unless(!below, "rank 0 has a result");
        return unless(below && *below == composed(0, comm.rank() - 1), "exscan");
    });
}

TEST_CASE("the root's value is everybody's", "[execute][values]") {
    everywhere([](auto& comm) {
        for (rank_type root = 0; root < comm.size(); ++root)
            if (tutti::bcast(comm, 10 + comm.rank(), root) != 10 + root)
                return "root " + std::to_string(root);
        const bool yes = tutti::bcast(comm, comm.rank() == 0);
        return unless(yes, "a bool");
    });
}

TEST_CASE("values of all ranks come as a vector", "[execute][values]") {
    everywhere([](auto& comm) {
        const std::vector<int> all = tutti::allgather(comm, 7 * comm.rank());
        std::vector<int> expected;
        for (rank_type r = 0; r < comm.size(); ++r) expected.push_back(7 * r);
        if (all != expected) return std::string("allgather");
        return unless(tutti::allgather(comm, 7 * comm.rank(), tutti::ring{}) == expected, "by name");
    });
}

TEST_CASE("how many elements each rank has need not be known", "[execute][values]") {
    everywhere([](auto& comm) {
        // Rank r has 3 r % 4 elements: 0, 3, 2, 1, 0.
        const auto count = [](rank_type r) { return 3 * r % 4; };
        const auto values = [&](rank_type r) {
            std::vector<int> mine(static_cast<std::size_t>(count(r)));
            std::iota(mine.begin(), mine.end(), 100 * r);
            return mine;
        };
        tutti::gathered<int> all = tutti::allgatherv(comm, values(comm.rank()));
        for (int turn = 0; turn < 2; ++turn) {
            std::size_t total = 0;
            for (rank_type r = 0; r < comm.size(); ++r) {
                const std::span<const int> part = all.of(r);
                if (std::vector<int>(part.begin(), part.end()) != values(r))
                    return "turn " + std::to_string(turn) + ", elements of " + std::to_string(r);
                total += part.size();
            }
            if (all.values.size() != total || all.counts.size() != static_cast<std::size_t>(comm.size()))
                return std::string("too many");
            all.values.assign(1000, -1); // what is given is filled anew
            all.counts.assign(77, 5);
            tutti::allgatherv(comm, values(comm.rank()), all, tutti::ring{});
        }
        const tutti::gathered<int> by_name = tutti::allgatherv(comm, values(comm.rank()), tutti::ring{});
        return unless(by_name.values == all.values && by_name.counts == all.counts, "by name");
    });
}

namespace {
/// Rank r has 3 r % 4 elements for rank `to`, and `to` more.
std::vector<int> from_to(rank_type r, rank_type to) {
    std::vector<int> all(static_cast<std::size_t>(3 * r % 4 + to));
    std::iota(all.begin(), all.end(), 1000 * r + 100 * to);
    return all;
}
void add(tutti::gathered<int>& all, const std::vector<int>& part) {
    all.values.insert(all.values.end(), part.begin(), part.end());
    all.counts.push_back(static_cast<std::int64_t>(part.size()));
}
} // namespace

TEST_CASE("values are folded over the ranks up to this one, and gathered at a root", "[execute][values]") {
    everywhere([](auto& comm) {
        if (!(tutti::scan(comm, map_of(comm.rank()), compose{}) == composed(0, comm.rank())))
            return std::string("scan");
        for (rank_type root = 0; root < comm.size(); ++root) {
            std::vector<int> expected;
            for (rank_type r = 0; comm.rank() == root && r < comm.size(); ++r) expected.push_back(7 * r);
            if (tutti::gather(comm, 7 * comm.rank(), root) != expected) return "root " + std::to_string(root);
        }
        return std::string();
    });
}

TEST_CASE("parts of any length go to a root, from a root and between all", "[execute][values]") {
    everywhere([](auto& comm) {
        const rank_type me = comm.rank();
        tutti::gathered<int> sent;
        tutti::gathered<int> expected;
        for (rank_type r = 0; r < comm.size(); ++r) {
            add(sent, from_to(me, r));
            add(expected, from_to(r, me));
        }
        const tutti::gathered<int> came = tutti::alltoallv(comm, sent);
        if (came.values != expected.values || came.counts != expected.counts) return std::string("alltoallv");
        for (const rank_type radix : {2, 3, 5, 100}) {
            const tutti::gathered<int> by_few = tutti::alltoallv(comm, sent, tutti::bruck{.radix = radix});
            if (by_few.values != expected.values || by_few.counts != expected.counts)
                return "alltoallv by bruck of radix " + std::to_string(radix);
        }
        tutti::gathered<int> again{std::vector<int>(1000, -1), std::vector<std::int64_t>(77, 5)};
        tutti::alltoallv(comm, sent, again, tutti::pairwise{}); // what is given is filled anew
        if (again.values != expected.values || again.counts != expected.counts)
            return std::string("alltoallv into what is there");
        std::vector<int> given(1000, -1);
        for (rank_type root = 0; root < comm.size(); ++root) {
            const tutti::gathered<int> parts = me == root ? sent : tutti::gathered<int>{};
            const std::vector<int> mine = tutti::scatterv(comm, parts, root);
            if (mine != from_to(root, me)) return "scatterv from " + std::to_string(root);
            tutti::scatterv(comm, parts, given, root, tutti::serial{});
            if (given != mine) return "scatterv into what is there, from " + std::to_string(root);
            const tutti::gathered<int> back = tutti::gatherv(comm, mine, root);
            if (back.values != (me == root ? sent.values : std::vector<int>{}))
                return "gatherv to " + std::to_string(root);
            tutti::gatherv(comm, mine, again, root, tutti::serial{});
            if (again.values != back.values || again.counts != back.counts)
                return "gatherv into what is there, to " + std::to_string(root);
            if (back.counts.size() != static_cast<std::size_t>(comm.size())
                || back.counts[static_cast<std::size_t>(me)] != static_cast<std::int64_t>(mine.size()))
                return std::string("counts");
        }
        return std::string();
    });
}

TEST_CASE("vectors of equal length go in, and vectors come out", "[execute][values]") {
    everywhere([](auto& comm) {
        const rank_type me = comm.rank();
        const rank_type size = comm.size();
        for (const rank_type length : {0, 1, 3}) {
            // Of rank r for rank `to`: 100 r + 10 to, and so on.
            const auto block = [&](rank_type r, rank_type to) {
                std::vector<int> some(static_cast<std::size_t>(length));
                std::iota(some.begin(), some.end(), 100 * r + 10 * to);
                return some;
            };
            const auto blocks = [&](auto&& of_rank) {
                std::vector<int> all;
                for (rank_type r = 0; r < size; ++r) {
                    const std::vector<int> some = of_rank(r);
                    all.insert(all.end(), some.begin(), some.end());
                }
                return all;
            };
            std::vector<int> mine = block(me, me); // which could be worked on in place, and is not
            const std::vector<int> sent = blocks([&](rank_type to) { return block(me, to); });
            const std::vector<int> own_of_all = blocks([&](rank_type r) { return block(r, r); });
            if (tutti::allgather_values(comm, mine) != own_of_all
                || tutti::allgather_values(comm, std::span<const int>(mine), tutti::ring{}) != own_of_all)
                return std::string("allgather_values");
            if (tutti::alltoall_values(comm, sent) != blocks([&](rank_type r) { return block(r, me); }))
                return std::string("alltoall_values");
            std::vector<int> folded = block(0, me);
            for (rank_type r = 1; r < size; ++r)
                for (std::size_t k = 0; k < folded.size(); ++k) folded[k] += block(r, me)[k];
            if (tutti::reduce_scatter_values(comm, sent, tutti::sum{}) != folded
                || tutti::reduce_scatter_values(comm, sent, tutti::sum{}, tutti::ring{}) != folded)
                return std::string("reduce_scatter_values");
            std::vector<int> given(1000, -1);
            for (rank_type root = 0; root < size; ++root) {
                if (tutti::gather_values(comm, mine, root) != (me == root ? own_of_all : std::vector<int>{}))
                    return "gather_values to " + std::to_string(root);
                const std::vector<int> from_root = me == root ? sent : std::vector<int>(7);
                if (tutti::scatter_values(comm, from_root, root) != block(root, me))
                    return "scatter_values from " + std::to_string(root);
                tutti::scatter_values(comm, from_root, given, root, tutti::serial{});
                if (given != block(root, me)) return "into what is there, from " + std::to_string(root);
            }
            tutti::scatter_values(comm, me == 0 ? sent : std::vector<int>(), given);
            if (given != block(0, me)) return std::string("scatter_values from rank 0, which is not named");
            if (mine != block(me, me)) return std::string("what went in was written");
        }
        return std::string();
    });
}

TEST_CASE("vectors that are no equal blocks are an error on all ranks that need them", "[execute][values]") {
    // Rank 1 has 7 elements where it takes a multiple of 3, or has 7 and others 6, or names another root.
    const std::vector<std::string> calls{"scatter", "alltoall",       "reduce_scatter", "allgather",
                                         "gather",  "root of gather", "root of scatter"};
    for (const std::string& call : calls) {
        INFO(call);
        support::complaints heard(3);
        tutti::threads::run(3, [&](auto& comm) {
            const bool slips = comm.rank() == 1;
            const std::vector<int> mine(slips && call.find("root") == std::string::npos ? 7U : 6U);
            const rank_type root = call.find("root") == std::string::npos ? 1 : slips ? 3 : 0;
            try {
                if (call == "scatter" || call == "root of scatter")
                    (void)tutti::scatter_values(comm, mine, root);
                else if (call == "alltoall")
                    (void)tutti::alltoall_values(comm, mine);
                else if (call == "reduce_scatter")
                    (void)tutti::reduce_scatter_values(comm, mine, tutti::sum{});
                else if (call == "allgather")
                    (void)tutti::allgather_values(comm, mine);
                else
                    (void)tutti::gather_values(comm, mine, root);
                // Who only sends to the root, or gets nothing through rank 1, need not hear of it.
                const bool needed = call.find("gather") != 0 && call.find("root") == std::string::npos;
                heard.add(comm.rank(), unless(!slips && !needed, "no error"));
            } catch (const tutti::argument_error& e) { // the rank itself, or one that has heard of it
                const bool told = std::string(e.what()).find("the root's in") != std::string::npos;
                heard.add(comm.rank(), unless(slips || (told && call == "scatter"), e.what()));
            } catch (const tutti::collective_error& e) {
                // Only by a message of another length does one see that ranks differ.
                const bool by_message = call == "allgather" || call == "gather";
                heard.add(comm.rank(), unless(by_message || !slips, e.what()));
            }
        });
        CHECK(heard.all() == "");
    }
}

TEST_CASE("parts find their way by Bruck's digits whatever ranks and radix", "[execute][values]") {
    for (rank_type size = 1; size <= 13; ++size)
        for (const rank_type radix : {2, 3, 4}) {
            INFO(size << " ranks, radix " << radix);
            support::complaints heard(size);
            tutti::mock::run(size, {.log = false}, [&](auto& comm) {
                tutti::gathered<int> sent;
                tutti::gathered<int> expected;
                for (rank_type r = 0; r < size; ++r) {
                    add(sent, from_to(comm.rank(), r));
                    add(expected, from_to(r, comm.rank()));
                }
                const tutti::gathered<int> came = tutti::alltoallv(comm, sent, tutti::bruck{.radix = radix});
                heard.add(
                    comm.rank(),
                    unless(came.values == expected.values && came.counts == expected.counts, "differs"));
            });
            CHECK(heard.all() == "");
        }
}

TEST_CASE("parts that are not whole are an error on all ranks", "[execute][values]") {
    const std::int64_t huge = std::int64_t{1} << 60;
    // As many values as counts say, but not one part per rank; parts that are negative, too long, or too
    // short.
    for (const tutti::gathered<int>& slip : std::vector<tutti::gathered<int>>{{{1, 1}, {1, 1}},
                                                                              {{1, 1, 1, 1}, {1, 1, 1, 1}},
                                                                              {{}, {}},
                                                                              {{1}, {-1, 1, 1}},
                                                                              {{1, 1}, {0, 0, huge}},
                                                                              {{1, 1}, {huge, huge, huge}},
                                                                              {{1, 1, 1, 1}, {1, 1, 1}}})
        for (const std::string call : {"alltoallv", "alltoallv by bruck", "scatterv"}) {
            INFO(slip.values.size() << " values, " << slip.counts.size() << " counts, " << call);
            support::complaints heard(3);
            tutti::threads::run(3, [&](auto& comm) {
                const tutti::gathered<int> right{{1, 2, 3}, {1, 1, 1}};
                const tutti::gathered<int>& mine = comm.rank() == 1 ? slip : right;
                try {
                    if (call == "alltoallv")
                        (void)tutti::alltoallv(comm, mine);
                    else if (call == "alltoallv by bruck")
                        (void)tutti::alltoallv(comm, mine, tutti::bruck{});
                    else
                        (void)tutti::scatterv(comm, mine, 1);
                    heard.add(comm.rank(), "no error");
                } catch (const tutti::argument_error& e) { // the rank itself, or one that has heard of it
                    const std::string text = e.what();
                    const bool own = text.find("the root's") == std::string::npos
                                     && text.find("recv_counts") == std::string::npos;
                    heard.add(comm.rank(), unless(own == (comm.rank() == 1), e.what()));
                } catch (const tutti::collective_error& e) { // of who began to wait for rank 1
                    heard.add(comm.rank(), e.what());
                }
            });
            CHECK(heard.all() == "");
        }
}

TEST_CASE("a radix that is none is an error on all ranks of an alltoallv by Bruck", "[execute][values]") {
    for (const rank_type radix : {1, 0, -3}) {
        support::complaints heard(3);
        tutti::threads::run(3, [&](auto& comm) {
            const tutti::gathered<int> mine{{1, 2, 3}, {1, 1, 1}};
            try {
                (void)tutti::alltoallv(comm, mine, tutti::bruck{.radix = comm.rank() == 1 ? radix : 2});
                heard.add(comm.rank(), "no error");
            } catch (const tutti::argument_error& e) {
                const std::string text = e.what();
                heard.add(comm.rank(),
                          unless(comm.rank() == 1 && text.find("radix") != std::string::npos, e.what()));
            } catch (const tutti::collective_error& e) {
                heard.add(comm.rank(), unless(comm.rank() != 1, e.what()));
            }
        });
        CHECK(heard.all() == "");
    }
}

TEST_CASE("what is no single value is none", "[execute][values]") {
    STATIC_REQUIRE(tutti::single_value<double>);
    STATIC_REQUIRE(tutti::single_value<affine>);
    STATIC_REQUIRE(!tutti::single_value<std::vector<int>>);
    STATIC_REQUIRE(!tutti::single_value<std::span<int>>); // a range, which is worked on in place
    STATIC_REQUIRE(!tutti::single_value<int[3]>);
    STATIC_REQUIRE(!tutti::single_value<const char*>);
    STATIC_REQUIRE(tutti::readable_values<std::vector<int>>);
    STATIC_REQUIRE(!tutti::readable_values<std::span<bool>>); // no vector of which could receive
    STATIC_REQUIRE(!tutti::readable_values<int>);
}
