// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/alltoallv.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/alltoall.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/alltoall/by_nodes.hpp>
#include <tutti/schedule/alltoall/three_step.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catalogue_over_processes.hpp"
#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/outcomes.hpp"
#include "support/refusals.hpp"

namespace {

using counts_type = std::vector<std::int64_t>;
using table = std::vector<counts_type>; // [i][j]: so many elements go from rank i to rank j
using support::check_refused;
using support::contains;
using support::ranks;
using tutti::rank_type;
using vec = std::vector<int>;

counts_type column(const table& all, rank_type j) {
    counts_type counts;
    for (const counts_type& row : all) counts.push_back(row[static_cast<std::size_t>(j)]);
    return counts;
}

/// What rank i sends to rank j, behind what is there.
template <class T>
void append(std::vector<T>& to, const table& all, rank_type i, rank_type j) {
    const std::int64_t count = all[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    for (std::int64_t k = 0; k < count; ++k) to.push_back(support::sample<T>(17 * i + 3 * j, k));
}
template <class T>
std::vector<T> sent_by(const table& all, rank_type i) {
    std::vector<T> in;
    for (rank_type j = 0; j < static_cast<rank_type>(all.size()); ++j) append(in, all, i, j);
    return in;
}
template <class T>
std::vector<T> due_to(const table& all, rank_type j) {
    std::vector<T> out;
    for (rank_type i = 0; i < static_cast<rank_type>(all.size()); ++i) append(out, all, i, j);
    return out;
}

bool symmetric(const table& all) {
    for (rank_type r = 0; r < static_cast<rank_type>(all.size()); ++r)
        if (column(all, r) != all[static_cast<std::size_t>(r)]) return false;
    return true;
}

/// "" if the call, planned, begun and at once, brings what is due and leaves its input as it was.
template <class T, class Communicator, class Algorithm>
std::string run_alltoallv(Communicator& comm, const table& all, const Algorithm& how) {
    const rank_type me = comm.rank();
    const counts_type& send = all[static_cast<std::size_t>(me)];
    const counts_type receive = column(all, me);
    const std::vector<T> before = sent_by<T>(all, me);
    const std::vector<T> due = due_to<T>(all, me);
    std::vector<T> in = before;
    std::vector<T> out(due.size());
    tutti::alltoallv(comm, in, send, out, receive, how);
    if (in != before) return "the input was written";
    if (out != due) return "wrong";
    out.assign(due.size(), T{});
    tutti::ialltoallv(comm, in, send, out, receive, how).wait();
    if (out != due) return "wrong when begun";
    auto plan = tutti::plan_alltoallv(comm, in, send, out, receive, how);
    for (int turn = 0; turn < 3; ++turn) {
        out.assign(due.size(), T{});
        plan.run();
        if (out != due) return "wrong by a plan";
    }
    if (in != before) return "the input was written later";
    if (!symmetric(all)) return "";
    tutti::alltoallv(comm, in, send, how);
    if (in != due) return "wrong in place";
    in = before;
    tutti::ialltoallv(comm, in, send, how).wait();
    if (in != due) return "wrong in place when begun";
    in = before;
    tutti::plan_alltoallv(comm, in, send, how).run();
    return in == due ? "" : "wrong in place by a plan";
}

/// Ranks dealt out to two nodes, of different sizes where there is an odd number of them.
tutti::node_map two_nodes(rank_type size) {
    std::vector<rank_type> node;
    for (rank_type r = 0; r < size; ++r) node.push_back(size == 1 ? 0 : r % 2);
    return tutti::node_map(node);
}

/// Ranks dealt out to nodes of two or three, or one if neither can be.
tutti::node_map nodes_alike(rank_type size) {
    const rank_type each = size % 2 == 0 ? 2 : size % 3 == 0 ? 3 : 1;
    std::vector<rank_type> node;
    for (rank_type r = 0; r < size; ++r) node.push_back(r % (size / each));
    return tutti::node_map(node);
}

/// The same by an algorithm that passes blocks on, for calls that are not planned.
template <class T, class Communicator, class Algorithm>
std::string run_relayed(Communicator& comm, const table& all, const Algorithm& how) {
    const rank_type me = comm.rank();
    const counts_type& send = all[static_cast<std::size_t>(me)];
    const std::vector<T> before = sent_by<T>(all, me);
    const std::vector<T> due = due_to<T>(all, me);
    std::vector<T> in = before;
    std::vector<T> out(due.size());
    tutti::alltoallv(comm, in, send, out, column(all, me), how);
    if (in != before) return "the input was written";
    if (out != due) return "wrong, relayed";
    out.assign(due.size(), T{});
    tutti::request begun = tutti::ialltoallv(comm, in, send, out, column(all, me), how);
    std::vector<T> beside(due.size());
    tutti::request other = tutti::ialltoallv(comm, in, send, beside, column(all, me), how);
    other.wait();
    begun.wait();
    if (in != before) return "the input was written later";
    if (out != due || beside != due) return "wrong when begun, relayed";
    if (!symmetric(all)) return "";
    tutti::alltoallv(comm, in, send, how);
    if (in != due) return "wrong in place, relayed";
    in = before;
    for (tutti::request now = tutti::ialltoallv(comm, in, send, how); !now.test();) {
    }
    return in == due ? "" : "wrong in place when begun, relayed";
}

template <class Communicator>
std::string all_algorithms(Communicator& comm, const table& all) {
    const std::string wrong[]{
        run_alltoallv<int>(comm, all, tutti::automatic{}),
        run_alltoallv<support::moments>(comm, all, tutti::named{"pairwise"}),
        run_alltoallv<int>(comm, all, tutti::prefix_send{}),
        run_alltoallv<int>(comm, all, tutti::named{"kprefix", {{"k", 2}, {"outstanding", 2}}}),
        run_alltoallv<int>(comm, all, tutti::kshift{.k = 3}),
        run_alltoallv<std::uint8_t>(comm, all, tutti::flow_controlled<tutti::pairwise>{{}, 2, 3}),
        run_relayed<support::moments>(comm, all, tutti::bruck{}),
        run_relayed<int>(comm, all, tutti::bruck{.radix = 3}),
        run_relayed<std::uint8_t>(comm, all, tutti::named{"circulant"}),
        run_relayed<int>(comm, all, tutti::mesh2d{}),
        run_relayed<int>(comm, all, tutti::named{"hypercube", {{"zeta", 1}}}),
        run_relayed<int>(comm, all,
                         tutti::by_nodes{two_nodes(comm.size()), tutti::pairwise{}, tutti::pairwise{}}),
        run_relayed<support::moments>(comm, all, tutti::three_step{nodes_alike(comm.size())})};
    std::string together;
    for (const std::string& each : wrong) together += each;
    return together;
}

void check_everywhere(const table& all) {
    const auto size = static_cast<rank_type>(all.size());
    std::string text;
    for (const counts_type& row : all) {
        for (const std::int64_t c : row) text += std::to_string(c) + " ";
        text += "/ ";
    }
    INFO("counts " << text);
    support::complaints over_threads(size);
    tutti::threads::run(size, [&](auto& comm) { over_threads.add(comm.rank(), all_algorithms(comm, all)); });
    CHECK(over_threads.all() == "");
    for (const bool rendezvous : {true, false}) {
        support::complaints over_mock(size);
        tutti::mock::run(size, {.rendezvous = rendezvous, .log = false},
                         [&](auto& comm) { over_mock.add(comm.rank(), all_algorithms(comm, all)); });
        CHECK(over_mock.all() == "");
    }
    CHECK(support::over_processes(size, [&](auto& comm) { return all_algorithms(comm, all); }) == "");
}

} // namespace

TEST_CASE("every pair of ranks has a length of its own, zero as well", "[execute][alltoallv]") {
    check_everywhere({{3}});
    check_everywhere({{0}});
    check_everywhere({{0, 2}, {5, 1}});
    check_everywhere({{1, 0}, {0, 1}});
    check_everywhere({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
    check_everywhere({{0, 9, 0}, {0, 0, 0}, {0, 0, 0}});
    check_everywhere({{2, 2, 2}, {2, 2, 2}, {2, 2, 2}});
    check_everywhere({{1, 2, 3, 4}, {2, 0, 5, 6}, {3, 5, 9, 0}, {4, 6, 0, 1}}); // symmetric: also in place
    check_everywhere({{0, 20000, 1}, {3, 0, 0}, {30000, 7, 40000}});
}

TEST_CASE("the lengths of pairs of ranks may be any", "[execute][alltoallv]") {
    std::mt19937 random(19941110);
    for (const rank_type size : {2, 3, 4, 6, 9}) {
        table all;
        for (rank_type i = 0; i < size; ++i) {
            all.emplace_back();
            for (rank_type j = 0; j < size; ++j) {
                const auto kind = random() % 8;
                all.back().push_back(static_cast<std::int64_t>(random()
                                                               % (kind < 2   ? 1U
                                                                  : kind < 7 ? 20U
                                                                             : 3000U)));
            }
        }
        check_everywhere(all);
    }
}

TEST_CASE("a plan of an alltoallv takes other buffers, reads its input anew and keeps no counts",
          "[execute][alltoallv]") {
    const table all{{1, 2, 0}, {0, 1, 3}, {2, 2, 2}};
    support::complaints heard(3);
    tutti::threads::run(3, [&](auto& comm) {
        counts_type send = all[static_cast<std::size_t>(comm.rank())], receive = column(all, comm.rank());
        vec in = sent_by<int>(all, comm.rank()), out(due_to<int>(all, comm.rank()).size());
        auto plan = tutti::plan_alltoallv(comm, in, send, out, receive);
        send.assign(3, 77);
        receive.assign(3, 77);
        for (int turn = 1; turn < 4; ++turn) {
            vec other = sent_by<int>(all, comm.rank()), to(out.size()), due = due_to<int>(all, comm.rank());
            for (int& x : other) x += turn;
            for (int& x : due) x += turn;
            plan.run(other, to);
            heard.add(comm.rank(), to == due ? "" : "turn " + std::to_string(turn));
        }
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a message of another length than is expected is an error, and no number", "[execute][alltoallv]") {
    // Rank 1 sends so many to rank 2, which expects 5.
    const std::int64_t sends = GENERATE(as<std::int64_t>{}, 0, 4, 6, 20000);
    constexpr int untouched = -7;
    const auto part = [&](auto& comm) -> std::string {
        counts_type send(3, 5), receive(3, 5);
        if (comm.rank() == 1) send[2] = sends;
        vec in(static_cast<std::size_t>(send[0] + send[1] + send[2]), comm.rank()), out(15, untouched);
        const std::string error = support::error_of([&] { tutti::alltoallv(comm, in, send, out, receive); });
        if (comm.rank() != 2) return error; // who waits for rank 2 may hear of it, or not
        for (std::size_t k = 0; k < out.size(); ++k)
            if (out[k] != untouched && out[k] != static_cast<int>(k / 5)) return "a wrong number";
        const std::string came = " " + std::to_string(4 * sends) + " bytes";
        return contains(error, "alltoallv failed on rank 2") && contains(error, "peer 1")
                       && contains(error, came) && contains(error, " 20")
                   ? "told"
                   : error;
    };
    std::vector<std::string> heard(3);
    const auto check = [&](const std::string& wires) {
        INFO(wires << ", " << sends << " elements: " << heard[0] << "; " << heard[1]);
        CHECK(heard[2] == "told");
        for (const std::string& text : heard)
            CHECK((text.empty() || text == "told" || contains(text, "alltoallv failed on rank")));
    };
    const auto body = [&](auto& comm) { heard[static_cast<std::size_t>(comm.rank())] = part(comm); };
    tutti::threads::run(3, body);
    check("threads");
    for (const bool rendezvous : {true, false}) {
        tutti::mock::run(3, {.rendezvous = rendezvous, .log = false}, body);
        check("mock");
    }
    const std::string told = support::over_processes(
        3, [&](auto& comm) { return comm.rank() == 2 ? part(comm) : (part(comm), std::string()); });
    INFO(told);
    CHECK(contains(told, "told"));
}

TEST_CASE("after a message of another length the next calls are right, on all ranks",
          "[execute][alltoallv]") {
    // Rank 1 and rank 2 differ; those that wait for rank 2 in the call are not to wait for it, which goes on,
    // and may wait for what it has begun when it has made the next call.
    const bool begun = GENERATE(false, true);
    const bool sender_slips = GENERATE(false, true);
    const std::int64_t each = GENERATE(as<std::int64_t>{}, 1, 20000);
    const auto part = [&](auto& comm) -> std::string {
        const rank_type size = comm.size();
        counts_type send(static_cast<std::size_t>(size), each), receive(send);
        if (comm.rank() == 1 && sender_slips) ++send[2];
        if (comm.rank() == 2 && !sender_slips) ++receive[1];
        const vec in(static_cast<std::size_t>(size * each + (send[2] - each)), comm.rank());
        vec out(static_cast<std::size_t>(size * each + (receive[1] - each)));
        bool right = true;
        const auto make_the_next = [&] {
            vec sum{comm.rank()};
            tutti::allreduce(comm, sum, tutti::sum{});
            right = right && sum.front() == size * (size - 1) / 2;
        };
        for (int turn = 0; turn < 10; ++turn) {
            const std::string error = support::error_of([&] {
                if (!begun) return tutti::alltoallv(comm, in, send, out, receive);
                tutti::request call = tutti::ialltoallv(comm, in, send, out, receive);
                if (comm.rank() == 2) make_the_next();
                call.wait();
            });
            if (comm.rank() == 2 ? !contains(error, "do the counts of both agree?")
                                 : !error.empty() && !contains(error, "message from rank 1 to rank 2 has"))
                return error.empty() ? "no error" : error;
            if (comm.rank() != 2 || !begun) make_the_next();
        }
        return right ? "" : "a wrong sum";
    };
    const auto check = [&](const auto& run) {
        support::complaints heard(5);
        run([&](auto& comm) { heard.add(comm.rank(), part(comm)); });
        CHECK(heard.all() == "");
    };
    check([](const auto& body) { tutti::threads::run(5, body); });
    for (const bool rendezvous : {true, false})
        check([&](const auto& body) { tutti::mock::run(5, {.rendezvous = rendezvous, .log = false}, body); });
    CHECK(support::over_processes(5, part) == "");
}

TEST_CASE("an alltoall and an alltoallv do not meet", "[execute][alltoallv]") {
    support::complaints heard(2);
    tutti::threads::run(2, [&](auto& comm) {
        const counts_type counts(2, 3);
        vec in(6, comm.rank()), out(6);
        const std::string error = support::error_of([&] {
            if (comm.rank() == 0)
                tutti::alltoallv(comm, in, counts, out, counts);
            else
                tutti::alltoall(comm, in, out, tutti::flow_controlled<tutti::pairwise>{{}, 16});
        });
        heard.add(comm.rank(), contains(error, "rank 0 calls alltoallv of elements of 4 bytes")
                                       || contains(error, "rank 0 alltoallv of elements of 4 bytes")
                                   ? ""
                                   : "not told: " + error);
        tutti::barrier(comm);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a plan for blocks of any lengths refuses algorithms that pass blocks on",
          "[execute][alltoallv][arguments]") {
    for (const rank_type size : {4, 5, 7})
        check_refused(size, "algorithm", "bruck, which moves blocks through other ranks or places",
                      "straight to their places, as pairwise", [&](ranks& comm) {
                          const counts_type counts(static_cast<std::size_t>(size), 1);
                          vec in(counts.size()), out(counts.size());
                          tutti::plan_alltoallv(comm, in, counts, out, counts, tutti::bruck{});
                      });
}

TEST_CASE("who gives up a relayed alltoallv that was begun is named to those that wait",
          "[execute][alltoallv]") {
    support::complaints heard(5);
    tutti::threads::run(5, [&](auto& comm) {
        const counts_type counts(5, 1);
        vec in(5, comm.rank()), out(5);
        if (comm.rank() == 3) {
            tutti::request dropped = tutti::ialltoallv(comm, in, counts, out, counts, tutti::bruck{});
            return heard.add(3, "");
        }
        const std::string error = support::error_of(
            [&] { tutti::ialltoallv(comm, in, counts, out, counts, tutti::bruck{}).wait(); });
        heard.add(comm.rank(), contains(error, "rank 3 has given up") ? "" : "not told: " + error);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("every alltoall that says it passes nothing on goes straight, on all ranks",
          "[execute][alltoallv]") {
    int straight = 0, relayed = 0;
    for (rank_type size = 1; size <= 40; ++size)
        for (const tutti::catalogue_entry& info : tutti::catalogue_of(tutti::collective::alltoall)) {
            bool all = true;
            for (rank_type r = 0; r < size; ++r)
                all = all && tutti::detail::goes_straight(info.make({r, size, 0}, {}), r, size);
            const bool passes = tutti::detail::passes_on(info.make({0, size, 0}, {}).claims(), size);
            INFO(info.name << ", " << size << " ranks");
            CHECK((passes || all));
            ++(passes ? relayed : straight);
        }
    CHECK(straight > 160);
    CHECK(relayed > 100);
}

TEST_CASE("alltoalls of the catalogue receive every message in the round in which it is sent",
          "[execute][alltoallv]") {
    for (const rank_type size : {2, 3, 4, 5, 7, 8, 12, 16, 30, 31})
        for (const tutti::catalogue_entry& info : tutti::catalogue_of(tutti::collective::alltoall)) {
            INFO(info.name << ", " << size << " ranks");
            std::vector<tutti::any_generator> all;
            for (rank_type r = 0; r < size; ++r) all.push_back(info.make({r, size, 0}, {}));
            for (tutti::round_index i = 0; i < all.front().rounds(); ++i) {
                std::map<std::pair<rank_type, rank_type>, tutti::block_index> open; // blocks under way
                for (rank_type r = 0; r < size; ++r)
                    all[static_cast<std::size_t>(r)].emit(i, [&](const tutti::step& s) {
                        if (s.kind == tutti::step_kind::send) open[{r, s.peer}] += s.blocks.count;
                        if (s.kind == tutti::step_kind::recv) open[{s.peer, r}] -= s.blocks.count;
                    });
                for (const auto& [pair, blocks] : open) CHECK(blocks == 0);
            }
        }
}

TEST_CASE("who is refused by a relayed alltoallv has made one call, as the others", "[execute][alltoallv]") {
    for (const auto& [by_radix, begun] :
         {std::pair(false, false), std::pair(false, true), std::pair(true, false), std::pair(true, true)}) {
        INFO("a wrong radix: " << by_radix << ", begun: " << begun);
        support::complaints heard(9);
        tutti::threads::run(9, [&, by_radix = by_radix, begun = begun](auto& comm) {
            const counts_type counts(9, 1);
            const bool slips = comm.rank() == 2;
            vec in(9, comm.rank()), out(slips && !by_radix ? 8 : 9);
            const std::string error = support::error_of([&] {
                const tutti::bruck how{.radix = slips && by_radix ? 0 : 2};
                if (begun)
                    tutti::ialltoallv(comm, in, counts, out, counts, how).wait();
                else
                    tutti::alltoallv(comm, in, counts, out, counts, how);
            });
            vec one{1};
            tutti::allreduce(comm, one, tutti::sum{});
            const bool told = slips ? contains(error, by_radix ? "radix is 0" : "out is")
                                    : contains(error, "rank 2 takes no part in alltoallv");
            heard.add(comm.rank(), !told         ? "not told: " + error
                                   : one[0] == 9 ? ""
                                                 : "the next call is wrong");
        });
        CHECK(heard.all() == "");
    }
}

TEST_CASE("a part of another length than is expected is an error behind relays, and no number",
          "[execute][alltoallv]") {
    const bool begun = GENERATE(false, true);
    const std::int64_t sends =
        GENERATE(as<std::int64_t>{}, 0, 4, 6, 20000); // of rank 1 to rank 2; it expects 5
    support::complaints heard(4);
    tutti::threads::run(4, [&](auto& comm) {
        counts_type send(4, 5), receive(4, 5);
        if (comm.rank() == 1) send[2] = sends;
        vec in(static_cast<std::size_t>(send[0] + send[1] + send[2] + send[3]), comm.rank()), out(20, -7);
        const std::string error = support::error_of([&] {
            if (begun)
                tutti::ialltoallv(comm, in, send, out, receive, tutti::bruck{}).wait();
            else
                tutti::alltoallv(comm, in, send, out, receive, tutti::bruck{});
        });
        const std::string came = "has sent " + std::to_string(sends) + " elements, recv_counts[1] is 5";
        const bool told = contains(error, "alltoallv failed on rank 2") && contains(error, "peer 1")
                          && contains(error, came) && out == vec(20, -7);
        heard.add(comm.rank(), (comm.rank() == 2 ? told : error.empty()) ? "" : "not told: " + error);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("relays by different algorithms do not meet", "[execute][alltoallv]") {
    support::complaints heard(5);
    tutti::threads::run(5, [&](auto& comm) {
        const counts_type counts(5, 1);
        vec in(5, comm.rank()), out(5);
        const std::string error = support::error_of([&] {
            tutti::alltoallv(comm, in, counts, out, counts, tutti::bruck{.radix = comm.rank() == 3 ? 4 : 2});
        });
        heard.add(comm.rank(), contains(error, "by another algorithm or with other counts")
                                       || contains(error, "failed on rank")
                                   ? ""
                                   : "not told: " + error);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("who moves more than what is the peer's does not go straight", "[execute][alltoallv]") {
    const auto straight = [](tutti::block_set blocks) { // of 4, two for each of 2 ranks
        tutti::schedule s(4, tutti::capabilities{});
        const tutti::step steps[]{tutti::step::send(1, blocks, tutti::buffer_name::input)};
        s.add_round(steps);
        return tutti::detail::goes_straight(tutti::any_generator(s), 0, 2);
    };
    CHECK(straight({2, 2}));
    CHECK(straight({3, 1}));
    CHECK_FALSE(straight({1, 2}));
    CHECK_FALSE(straight({2, 3})); // the last one is the first again
    CHECK_FALSE(straight({3, 2}));
}

TEST_CASE("with up to 3 ranks Bruck's algorithm passes nothing on", "[execute][alltoallv]") {
    const table all{{0, 2, 7}, {1, 1, 3}, {4, 0, 5}};
    support::complaints heard(3);
    tutti::threads::run(
        3, [&](auto& comm) { heard.add(comm.rank(), run_alltoallv<int>(comm, all, tutti::bruck{})); });
    CHECK(heard.all() == "");
}

TEST_CASE("lengths that do not fit are refused by name", "[execute][alltoallv][arguments]") {
    const auto refused = [&](const std::string& argument, const std::string& value,
                             const std::string& allowed, const counts_type& send, const counts_type& receive,
                             std::size_t in_count = 6) {
        check_refused(3, argument, value, allowed, [&](ranks& comm) {
            vec in(in_count), out(6);
            tutti::alltoallv(comm, in, send, out, receive);
        });
    };
    const counts_type twos(3, 2);
    refused("send_counts.size()", "2", "3, one count per rank", {2, 2}, twos);
    refused("recv_counts.size()", "4", "3, one count per rank", twos, {2, 2, 2, 2});
    refused("send_counts[1]", "-1", "at least 0", {2, -1, 2}, twos);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    refused("recv_counts[2]", "3", "at most 1, because the sum has to fit 64 bits", twos, {2, most - 3, 3});
    refused("in", "5 elements", "6 elements, the sum of send_counts", twos, twos, 5);
    refused("out", "6 elements", "7 elements, the sum of recv_counts", twos, {2, 3, 2});
    check_refused(3, "inout", "5 elements", "6 elements, the sum of counts", [&](ranks& comm) {
        vec inout(5);
        tutti::alltoallv(comm, inout, twos);
    });
    check_refused(3, "out", "memory that overlaps in", "memory apart from in", [&](ranks& comm) {
        vec all(12);
        tutti::alltoallv(comm, std::span(all).first(6), twos, std::span(all).subspan(5, 6), twos);
    });
}

TEST_CASE("the others hear who takes no part in an alltoallv", "[execute][alltoallv][arguments]") {
    support::complaints heard(3);
    tutti::mock::run(3, {.log = false}, [&](auto& comm) {
        const counts_type ones(comm.rank() == 1 ? 2U : 3U, 1);
        vec in(3), out(3);
        const std::string error = support::error_of([&] { tutti::alltoallv(comm, in, ones, out, ones); });
        const bool told =
            comm.rank() == 1
                ? contains(error, "send_counts.size() is 2")
                : contains(error, "alltoallv failed on rank")
                      && contains(error, "rank 1 takes no part in alltoallv: send_counts.size()");
        heard.add(comm.rank(), told ? "" : "not told: " + error);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("what a rank sends to itself is what it gets from itself", "[execute][alltoallv][arguments]") {
    check_refused(1, "send_counts[0]", "2", "3, recv_counts[0]: what a rank gets from itself",
                  [&](ranks& comm) {
                      vec in(2), out(3);
                      tutti::alltoallv(comm, in, counts_type{2}, out, counts_type{3});
                  });
}

TEST_CASE("a planned alltoallv needs memory for elements only where it is in place", "[execute][alltoallv]") {
    tutti::mock::run(1, {}, [](auto& comm) {
        vec in(9), out(9);
        const counts_type counts{9};
        CHECK(tutti::plan_alltoallv(comm, in, counts, out, counts).extra_bytes() == 0);
        CHECK(tutti::plan_alltoallv(comm, in, counts).extra_bytes() == 36);
    });
}
