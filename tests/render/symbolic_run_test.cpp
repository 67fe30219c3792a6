// SPDX-License-Identifier: BSL-1.0
// labels: optimised
#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/render/contributions.hpp>
#include <tutti/render/holdings_text.hpp>
#include <tutti/render/movement_text.hpp>
#include <tutti/render/symbolic_run.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/multicast/catalogue.hpp>
#include <tutti/verify/contract.hpp>

#include "support/catch2.hpp"
#include "support/schedules.hpp"
#include "support/told_schedule.hpp"

namespace {

using namespace tutti;
using schedule_of_all = support::schedule;
using support::make_schedule;

/// The same by other means: sets of ranks in a map, with a mark for what has been spoiled.
class plain_run {
public:
    using cell = std::tuple<rank_type, buffer_name, block_index>;
    using value = std::pair<block_index, std::set<rank_type>>; // origin, ranks

    static constexpr rank_type spoiled = -7;

    plain_run(collective what, const schedule_of_all& all)
        : all_(all), terms_{.what = what, .size = all.size(), .root = all.root(), .blocks = all.blocks()} {
        for (rank_type r = 0; r < all.size(); ++r)
            for (block_index b = 0; b < all.blocks(); ++b) {
                if (terms_.work_given(r, b)) cells[{r, buffer_name::work, b}] = {b, {r}};
                if (terms_.input_given()) cells[{r, buffer_name::input, b}] = {b, {r}};
            }
    }

    void round(round_index i) {
        for (rank_type r = 0; r < all_.size(); ++r) {
            std::vector<value> open;
            all_.emit(r, i, [&](const step& s) {
                if (s.kind != step_kind::send) return;
                read(r, s.buffer, s.blocks, open);
                if (!s.continues()) flying_[{r, s.peer}].push_back(std::exchange(open, {}));
            });
        }
        for (rank_type r = 0; r < all_.size(); ++r) {
            std::vector<value> open; // what is left of the message that the next steps take
            bool goes_on = false;
            all_.emit(r, i, [&](const step& s) {
                if (s.kind == step_kind::send) return;
                if (s.is_local()) {
                    read(r, s.source, s.blocks, open);
                } else if (!goes_on) {
                    if (flying_[{s.peer, r}].empty()) throw std::logic_error("nothing was sent");
                    open = flying_[{s.peer, r}].front();
                    flying_[{s.peer, r}].pop_front();
                }
                goes_on = s.continues();
                for (block_index k = 0; k < s.blocks.count; ++k) {
                    const value arrived = open.front();
                    open.erase(open.begin());
                    value& there = cells[{r, s.buffer, block_at(s.blocks, k, all_.blocks())}];
                    if (!s.folds() || there.second.empty())
                        there = arrived;
                    else
                        there.second.insert(arrived.second.begin(), arrived.second.end());
                }
            });
        }
    }

    /// Whether every block of the result is what it must be.
    bool right() const {
        for (rank_type r = 0; r < all_.size(); ++r)
            for (block_index b = 0; b < all_.blocks(); ++b) {
                const obligation o = terms_.required(r, b);
                if (!o.required) continue;
                std::set<rank_type> ranks;
                for (rank_type k = o.first; k <= o.last; ++k) ranks.insert(k);
                const auto found = cells.find({r, buffer_name::work, b});
                if (found == cells.end() || found->second != value{o.origin, ranks}) return false;
            }
        return true;
    }

    std::map<cell, value> cells;

private:
    void read(rank_type r, buffer_name buffer, const block_set& set, std::vector<value>& into) const {
        for (block_index k = 0; k < set.count; ++k) {
            const auto found = cells.find({r, buffer, block_at(set, k, all_.blocks())});
            into.push_back(found == cells.end() ? value{} : found->second);
        }
    }

    const schedule_of_all& all_;
    contract terms_;
    std::map<std::pair<rank_type, rank_type>, std::deque<std::vector<value>>> flying_;
};

std::set<rank_type> members(const rank_set& ranks) {
    std::set<rank_type> result;
    for (const rank_interval& i : ranks)
        for (rank_type r = i.first; r <= i.last; ++r) result.insert(r);
    return result;
}

/// Calls f(entry, schedule) for the whole catalogue but the barrier, on some sizes.
template <class F>
void for_catalogue(const std::vector<rank_type>& sizes, F&& f) {
    for (const catalogue_entry& e : catalogue())
        for (const rank_type size : sizes) {
            if (e.what == collective::barrier) continue;
            INFO(name_of(e.what) << " " << e.name << " on " << size);
            f(e, make_schedule(e, size, has_root(e.what) ? size / 2 : 0));
        }
}

std::vector<std::string> words(const symbolic_run& run, round_index before) {
    block_grid grid = run.start();
    for (round_index i = 0; i < before; ++i) run.advance(grid, i);
    std::vector<std::string> list;
    for (rank_type r = 0; r < run.size(); ++r) list.push_back(holdings_text(run, grid, before, r));
    return list;
}

} // namespace

TEST_CASE("every block of every rank after every round is what a plain execution gives", "[render]") {
    for_catalogue({1, 5, 8}, [](const catalogue_entry& e, const schedule_of_all& all) {
        const symbolic_run run(e.what, all);
        plain_run plain(e.what, all);
        block_grid grid = run.start();
        REQUIRE(run.rounds() == all.rounds());
        bool same = true;
        for (round_index i = 0;; ++i) {
            for (rank_type r = 0; r < all.size(); ++r)
                for (int plane = 0; plane < buffer_count; ++plane)
                    for (block_index b = 0; b < all.blocks(); ++b) {
                        const auto buffer = static_cast<buffer_name>(plane);
                        const block_content& c = grid(r, buffer, b);
                        const auto found = plain.cells.find({r, buffer, b});
                        const bool empty = found == plain.cells.end() || found->second.second.empty();
                        same = same && c.empty() == empty;
                        if (c.empty() || empty) continue;
                        same = same && c.origin == found->second.first
                               && members(run.sets()[c.from]) == found->second.second;
                    }
            if (i == all.rounds()) break;
            plain.round(i);
            run.advance(grid, i);
        }
        CHECK(same);
        CHECK(plain.right());
    });
}

TEST_CASE("the result lies where the contract wants it", "[render]") {
    for_catalogue({1, 5, 8}, [](const catalogue_entry& e, const schedule_of_all& all) {
        const symbolic_run run(e.what, all);
        const contract terms{.what = e.what, .size = all.size(), .root = all.root(), .blocks = all.blocks()};
        for (rank_type r = 0; r < all.size(); ++r)
            for (block_index b = 0; b < all.blocks(); ++b)
                CHECK(run.in_result(r, b) == terms.required(r, b).required);
    });
}

TEST_CASE("what is not needed may be lost without harm", "[render]") {
    for_catalogue({5, 12}, [](const catalogue_entry& e, const schedule_of_all& all) {
        const symbolic_run run(e.what, all);
        plain_run plain(e.what, all);
        for (round_index i = 0; i < all.rounds(); ++i) {
            for (auto& [cell, value] : plain.cells)
                if (const auto& [r, buffer, b] = cell; !run.needed(i, r, buffer, b))
                    value.second = {plain_run::spoiled};
            plain.round(i);
        }
        CHECK(plain.right());
    });
}

TEST_CASE("what is needed cannot be lost: each single block, in each round", "[render]") {
    for_catalogue({5}, [](const catalogue_entry& e, const schedule_of_all& all) {
        const symbolic_run run(e.what, all);
        plain_run before(e.what, all);
        int harmless = 0;
        for (round_index i = 0; i < all.rounds(); ++i) {
            for (const auto& [cell, value] : before.cells) {
                const auto& [r, buffer, b] = cell;
                if (value.second.empty() || !run.needed(i, r, buffer, b)) continue;
                plain_run without = before;
                without.cells[cell].second = {plain_run::spoiled};
                for (round_index k = i; k < all.rounds(); ++k) without.round(k);
                if (without.right()) ++harmless;
            }
            before.round(i);
        }
        CHECK(harmless == 0);
    });
}

TEST_CASE("as many messages as the schedule sends, whole ones, with the blocks that they carry", "[render]") {
    for_catalogue({7, 8}, [](const catalogue_entry& e, const schedule_of_all& all) {
        const symbolic_run run(e.what, all);
        const auto bytes = block_bytes::even(all.blocks(), all.blocks());
        std::int64_t messages = 0;
        for (round_index i = 0; i < all.rounds(); ++i) {
            std::multiset<std::tuple<rank_type, rank_type, block_index>> sent;
            for_each_message(all, i, bytes, [&](const message& m) { sent.insert({m.from, m.to, m.blocks}); });
            std::multiset<std::tuple<rank_type, rank_type, block_index>> moved;
            for (const movement& m : run.movements(i))
                if (!m.local()) moved.insert({m.from, m.to, m.blocks()});
            CHECK(sent == moved);
            messages += static_cast<std::int64_t>(sent.size());
        }
        CHECK(run.messages() == messages);
    });
}

TEST_CASE("a barrier spreads the news of who has come", "[render]") {
    for (const rank_type size : {1, 2, 3, 9, 16}) {
        const schedule_of_all all = make_schedule(collective::barrier, "dissemination", size);
        const symbolic_run run(collective::barrier, all);
        block_grid grid = run.start();
        for (round_index i = 0; i < run.rounds(); ++i) run.advance(grid, i);
        for (rank_type r = 0; r < size; ++r)
            CHECK(run.sets()[grid(r, buffer_name::work, 0).from] == rank_set{{0, size - 1}});
    }
}

TEST_CASE("13 ranks hold what Figure 2 of Rabenseifner and Adamidis 2004 says", "[render]") {
    const schedule_of_all all = make_schedule(collective::allreduce, "halving_doubling", 13);
    const symbolic_run run(collective::allreduce, all);
    // The first step: pairs fold halves, and the odd rank hands its half over.
    CHECK(words(run, 1)
          == std::vector<std::string>{"A–D of 0–1", "E–H of 0–1", "A–D of 2–3", "E–H of 2–3", "A–D of 4–5",
                                      "E–H of 4–5", "A–D of 6–7", "E–H of 6–7", "A–D of 8–9", "E–H of 8–9",
                                      "A–H of 10", "A–H of 11", "A–H of 12"});
    // Then ranks 0,2,4,6,8,10,11,12 are renumbered 0..7. With every exchange the vector is halved by a bit of
    // the number, and groups twice as large have contributed.
    const std::array<rank_type, 8> survivors{0, 2, 4, 6, 8, 10, 11, 12};
    const std::array<rank_type, 9> first_of{0, 2, 4, 6, 8, 10, 11, 12, 13}; // with whom they speak for
    const auto letters = [](int first, int count) {
        std::string text(1, static_cast<char>('A' + first));
        if (count > 1) text.append("–").append(1, static_cast<char>('A' + first + count - 1));
        return text;
    };
    for (int exchanges = 0; exchanges <= 3; ++exchanges) {
        std::vector<std::string> halving(13);
        std::vector<std::string> doubling(13); // after as many fewer exchanges on the way back
        for (std::size_t n = 0; n < 8; ++n) {
            int first = 0;
            for (int bit = 0; bit < exchanges; ++bit) first += static_cast<int>(n >> bit & 1) * (4 >> bit);
            const std::size_t group = std::size_t{1} << exchanges;
            const rank_type from = first_of[n / group * group];
            const rank_type to = first_of[n / group * group + group] - 1;
            const auto rank = static_cast<std::size_t>(survivors[n]);
            halving[rank] = letters(first, 8 >> exchanges) + " of " + std::to_string(from);
            if (to > from) halving[rank].append("–").append(std::to_string(to));
            doubling[rank] = letters(first, 8 >> exchanges) + " of 0–12";
        }
        CHECK(words(run, 2 + exchanges) == halving);
        CHECK(words(run, 8 - exchanges) == doubling);
    }
    CHECK(words(run, 9) == std::vector<std::string>(13, "A–H of 0–12"));
}

TEST_CASE("what a rank holds is said shortly", "[render]") {
    CHECK(words(symbolic_run(collective::reduce, make_schedule(collective::reduce, "fnomial", 5)), 1)
          == std::vector<std::string>{"A of 0–1", "", "A of 2–3", "", "A of 4"});
    CHECK(words(symbolic_run(collective::allgather, make_schedule(collective::allgather, "bruck", 5)), 1)
          == std::vector<std::string>{"A–B", "B–C", "C–D", "D–E", "A, E"});
    CHECK(words(symbolic_run(collective::alltoall, make_schedule(collective::alltoall, "pairwise", 3)), 2)
          == std::vector<std::string>(3, "3/3 blocks"));
    CHECK(words(symbolic_run(collective::exscan, make_schedule(collective::exscan, "census", 4)), 1)
          == std::vector<std::string>{"input A of 0", "A of 0; scratch A of 0–1", "A of 1", "A of 2"});
    CHECK(words(symbolic_run(collective::barrier, make_schedule(collective::barrier, "dissemination", 3)), 1)
          == std::vector<std::string>{"news of 0,2", "news of 0–1", "news of 1–2"});
    // What is still to be sent is said while there is nothing else.
    CHECK(words(symbolic_run(collective::alltoall, make_schedule(collective::alltoall, "pairwise", 3)), 0)
          == std::vector<std::string>(3, "input A–C"));
    // A block beyond the letters is no rank.
    CHECK(words(symbolic_run(collective::reduce_scatter,
                             make_schedule(collective::reduce_scatter, "pairwise", 27)),
                26)
              .at(11)
          == "b11 of 0–26");
    CHECK(words(symbolic_run(collective::bcast, make_schedule(collective::bcast, "serial", 3, 1)), 0)
          == std::vector<std::string>{"", "A", ""});
}

TEST_CASE("of scattered blocks it is said how many there are", "[render]") {
    for (const catalogue_entry& e : catalogue_of<collective::alltoall>()) {
        INFO(e.name);
        const symbolic_run run(collective::alltoall, make_schedule(e, 9));
        block_grid grid = run.start();
        for (round_index i = 0; i <= run.rounds(); ++i) {
            for (rank_type r = 0; r < run.size(); ++r) {
                int held = 0;
                for (block_index b = 0; b < run.blocks(); ++b)
                    held += !grid(r, buffer_name::work, b).empty() && run.needed(i, r, buffer_name::work, b);
                if (held == 0) continue;
                const std::string text = holdings_text(run, grid, i, r);
                CHECK(text.substr(0, text.find(';'))
                      == std::to_string(held) + "/" + std::to_string(run.blocks()) + " blocks");
            }
            if (i < run.rounds()) run.advance(grid, i);
        }
    }
    // Two pieces are named, of more only the number of blocks.
    const catalogue_entry& entry = *find_algorithm(collective::allgather, "direct");
    const auto gathered = [&](const relation& who) {
        const schedule_of_all all([&](place at) { return make_multicast(entry, who, at, {}); }, who.size());
        const symbolic_run run(who, all);
        return words(run, run.rounds()).front();
    };
    CHECK(gathered({6, {{}, {0}, {}, {0}, {}, {}}}) == "A–B, D");
    CHECK(gathered({6, {{}, {0}, {}, {0}, {}, {0}}}) == "4/6 blocks");
}

TEST_CASE("personal blocks are those of two ranks, and told apart by the one that matters", "[render]") {
    for (const catalogue_entry& e : catalogue()) {
        INFO(name_of(e.what) << " " << e.name);
        const symbolic_run run(e.what, make_schedule(e, 5, has_root(e.what) ? 3 : 0));
        const bool personal =
            e.what == collective::alltoall || e.what == collective::gather || e.what == collective::scatter;
        CHECK(run.personal() == personal);
        if (!personal) continue;
        block_grid end = run.start();
        for (round_index i = 0; i < run.rounds(); ++i) run.advance(end, i);
        for (rank_type r = 0; r < 5; ++r)
            for (block_index b = 0; b < run.blocks(); ++b) {
                if (run.in_result(r, b)) CHECK(run.whose(end(r, buffer_name::work, b)) == run.owner(b));
                if (e.what == collective::alltoall)
                    CHECK(run.whose(run.start()(r, buffer_name::input, b)) == r);
            }
    }
}

TEST_CASE("a message is said in words", "[render]") {
    const symbolic_run run(collective::allreduce,
                           make_schedule(collective::allreduce, "halving_doubling", 13));
    CHECK(movement_text(run, run.movements(0).front()) == "rank 1 to rank 0: A–D of 1, folded");
    CHECK(movement_text(run, run.movements(8).front()) == "rank 0 to rank 1: A–H of 0–12, copied");
    const symbolic_run local(collective::alltoall, make_schedule(collective::alltoall, "pairwise", 3));
    CHECK(movement_text(local, local.movements(0).front()) == "rank 0 copies at home: A of 0");
    CHECK(movement_text(local, local.movements(0).at(1)) == "rank 2 to rank 0: A of 2, copied");
    // Three pieces are named, of more only the number of blocks.
    const symbolic_run spread(collective::allgather, make_schedule(collective::allgather, "ring", 9));
    movement m{.from = 0,
               .to = 1,
               .runs = {{.first = 0, .count = 2}, {.first = 3, .count = 1}, {.first = 5, .count = 1}}};
    CHECK(cargo_text(spread, m) == "A–B, D, F");
    m.runs.push_back({.first = 7, .count = 2});
    CHECK(cargo_text(spread, m) == "6 blocks");
    m.runs = {{.first = 0, .count = 1},
              {.first = 1, .count = 1},
              {.first = 2, .count = 1},
              {.first = 3, .count = 1}};
    CHECK(cargo_text(spread, m) == "A–D"); // neighbours are one
    CHECK(cargo_text(spread, {.from = 0, .to = 1}) == "nothing");
}

TEST_CASE("sets of ranks are united, counted and written as intervals", "[render]") {
    CHECK(united({{0, 1}, {4, 4}}, {{2, 2}}) == rank_set{{0, 2}, {4, 4}});
    CHECK(united({{3, 5}}, {{4, 8}, {10, 10}}) == rank_set{{3, 8}, {10, 10}});
    CHECK(united({}, {{1, 1}}) == rank_set{{1, 1}});
    CHECK(count({{0, 2}, {4, 4}}) == 4);
    CHECK(text_of(rank_set{{0, 2}, {4, 4}}) == "0–2,4");
    rank_sets sets;
    CHECK(sets.united(sets.of_rank(3), sets.of_rank(4)) == sets.united(sets.of_rank(4), sets.of_rank(3)));
    CHECK(sets.united(sets.of_rank(3), 0) == sets.of_rank(3));
    CHECK(block_name(25, 26) == "Z");
    CHECK(block_name(2, 27) == "b2");
}

TEST_CASE("of a multicast is needed what the relation asks for, and a rank's own block", "[render]") {
    const relation who(4, {{2}, {}, {}, {}});
    // The allgather brings everything everywhere; wanted of it is block 0 on rank 2.
    const symbolic_run run(who, make_schedule(collective::allgather, "direct", 4));
    for (rank_type r = 0; r < 4; ++r)
        for (block_index b = 0; b < 4; ++b)
            CHECK(run.needed(run.rounds(), r, buffer_name::work, b) == (b == r || (b == 0 && r == 2)));
    CHECK_FALSE(run.start()(1, buffer_name::work, 1).empty());
    CHECK(run.start()(1, buffer_name::work, 2).empty());
}

TEST_CASE("what cannot be executed is refused", "[render]") {
    const schedule_of_all all = make_schedule(collective::allgather, "ring", 4);
    CHECK_THROWS_AS(symbolic_run(collective::multicast, all), argument_error);
    CHECK_THROWS_AS(symbolic_run(relation::all_to_all(5), all), argument_error);
    // Rank 0 does nothing: rank 1 waits in vain.
    const schedule_of_all lame(
        [&](place at) {
            return find_algorithm(collective::bcast, "serial")
                ->make(at.rank == 0 ? place{.rank = 1, .size = 2, .root = 0} : at, {});
        },
        2);
    CHECK_THROWS_AS(symbolic_run(collective::bcast, lame), tutti::error);
    const support::told_schedule uneven(
        {{{}, {step::send(1, {.first = 0, .count = 2})}}, {{}, {step::recv(0, {.first = 0, .count = 3})}}});
    CHECK_THROWS_WITH(
        symbolic_run(collective::bcast, uneven.all()),
        "tutti: the message from rank 0 to rank 1 in round 1 has 2 blocks, its receiver expects 3");
}
