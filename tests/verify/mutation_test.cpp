// SPDX-License-Identifier: BSL-1.0
// labels: optimised
#include <tutti/verify/prover.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/verify/contract.hpp>

#include "support/extent.hpp"
#include "support/planted.hpp"

// The catalogue's schedules with one step changed in every way we could think of. What the prover still
// accepts is run on real terms by a second, plain executor that shares nothing with the prover: it must come
// out right.
namespace {

using namespace tutti;
using namespace tutti::testing;

/// A value written out: "((0.2*1.2)*2.2)" is block 2 of ranks 0 and 1 folded, then with rank 2's.
struct term {
    std::string tree{};                                      // empty while undefined
    std::vector<std::pair<rank_type, block_index>> leaves{}; // from left to right
};

term folded(const term& a, const term& b) {
    term t{.tree = "(" + a.tree + "*" + b.tree + ")", .leaves = a.leaves};
    t.leaves.insert(t.leaves.end(), b.leaves.begin(), b.leaves.end());
    return t;
}

/// Runs a play with unlimited buffers, ranks taking turns at random. Every rank does its rounds one after the
/// other: sends first, then the rest as listed.
class plain_run {
public:
    plain_run(const play& p, const contract& terms, std::uint32_t seed)
        : play_(p), terms_(terms), seed_(seed) {
        for (rank_type r = 0; r < terms.size; ++r)
            for (block_index b = 0; b < terms.blocks; ++b) {
                const term own{std::to_string(r) + "." + std::to_string(b), {{r, b}}};
                if (terms.input_given()) cell(r, buffer_name::input, b) = own;
                if (terms.work_given(r, b)) cell(r, buffer_name::work, b) = own;
            }
    }

    /// Whether all ranks came to their end.
    bool run() {
        std::vector<rank_type> left;
        for (rank_type r = 0; r < terms_.size; ++r) left.push_back(r);
        for (std::size_t misses = 0; !left.empty() && misses < 64 * play_.ranks.size();) {
            seed_ = seed_ * 1664525U + 1013904223U;
            const std::size_t turn = (seed_ >> 8) % left.size();
            const auto moved = one_round(left[turn]);
            misses = moved ? 0 : misses + 1;
            if (moved && at_[left[turn]].round == play_.ranks[static_cast<std::size_t>(left[turn])].size())
                left.erase(left.begin() + static_cast<std::ptrdiff_t>(turn));
        }
        return left.empty();
    }

    term& cell(rank_type r, buffer_name buffer, block_index b) {
        return cells_[{r, static_cast<int>(buffer), b}];
    }

private:
    struct progress {
        std::size_t round = 0;
        bool sent = false;
    };

    bool one_round(rank_type r) {
        progress& me = at_[r];
        const script& all = play_.ranks[static_cast<std::size_t>(r)];
        if (me.round == all.size()) return true;
        const std::vector<step>& steps = all[me.round];
        if (!me.sent) {
            std::vector<term> parcel;
            for (const step& s : steps)
                if (s.kind == step_kind::send) {
                    for (block_index i = 0; i < s.blocks.count; ++i)
                        parcel.push_back(cell(r, s.buffer, block_at(s.blocks, i, terms_.blocks)));
                    if (!s.continues()) wires_[{r, s.peer}].push_back(std::exchange(parcel, {}));
                }
            me.sent = true;
        }
        std::map<rank_type, std::size_t> needed;
        for (const step& s : steps)
            if (s.is_message() && s.kind != step_kind::send && !s.continues()) ++needed[s.peer];
        for (const auto& [peer, count] : needed)
            if (wires_[{peer, r}].size() < count) return false;
        std::deque<term> parcel;
        bool inside = false;
        for (const step& s : steps) {
            if (s.kind == step_kind::send) continue;
            if (s.is_message() && !inside) {
                auto& wire = wires_[{s.peer, r}];
                parcel.assign(wire.front().begin(), wire.front().end());
                wire.pop_front();
            }
            inside = s.continues();
            for (block_index i = 0; i < s.blocks.count; ++i) {
                const block_index b = block_at(s.blocks, i, terms_.blocks);
                term value = s.is_message() ? parcel.at(0) : cell(r, s.source, b);
                if (s.is_message()) parcel.pop_front();
                term& target = cell(r, s.buffer, b);
                if (!s.folds())
                    target = value;
                else
                    target = s.side() == operand_side::left ? folded(value, target) : folded(target, value);
            }
        }
        ++me.round;
        me.sent = false;
        return true;
    }

    const play& play_;
    contract terms_;
    std::uint32_t seed_;
    std::map<std::tuple<rank_type, int, block_index>, term> cells_;
    std::map<std::pair<rank_type, rank_type>, std::deque<std::vector<term>>> wires_;
    std::map<rank_type, progress> at_;
};

/// What is wrong with the results of a plain run; empty if nothing.
std::string wrong_with(const play& p, const contract& terms, const proof& q, std::uint32_t seed) {
    plain_run run(p, terms, seed);
    if (!run.run()) return "does not end";
    for (block_index b = 0; b < terms.blocks; ++b) {
        std::optional<std::string> tree;
        for (rank_type r = 0; r < terms.size; ++r) {
            const obligation due = terms.required(r, b);
            if (!due.required) continue;
            const term& got = run.cell(r, buffer_name::work, b);
            std::vector<std::pair<rank_type, block_index>> want;
            for (rank_type from = due.first; from <= due.last; ++from) want.emplace_back(from, due.origin);
            auto leaves = got.leaves;
            if (q.order_preserved && leaves != want) return "not in order: " + got.tree;
            std::sort(leaves.begin(), leaves.end());
            if (leaves != want) return "wrong result: " + got.tree;
            if (!folds(terms.what) || scans(terms.what)) continue;
            if (q.same_bits && tree && *tree != got.tree) return "other bits: " + got.tree + " and " + *tree;
            if (!tree) tree = got.tree;
        }
    }
    return {};
}

play written_out(const catalogue_entry& entry, rank_type size, rank_type root) {
    play p;
    for (rank_type r = 0; r < size; ++r) {
        const any_generator g = entry.make({.rank = r, .size = size, .root = root}, {});
        p.blocks = g.blocks();
        p.claims = {.moves_blocks = g.claims().moves_blocks, .reads_input = true, .scratch_blocks = unstated};
        script s(static_cast<std::size_t>(g.rounds()));
        for (std::size_t i = 0; i < s.size(); ++i) g.append(static_cast<round_index>(i), s[i]);
        p.ranks.push_back(std::move(s));
    }
    return p;
}

/// Calls f(changed play) for many ways to change step k of round i of rank r.
template <class F>
void for_each_change(const play& whole, std::size_t r, std::size_t i, std::size_t k, F&& f) {
    const auto size = static_cast<rank_type>(whole.ranks.size());
    const auto with = [&](auto&& change) {
        play p = whole;
        change(p.ranks[r][i]);
        f(p);
    };
    const auto changed = [&](auto&& change) { with([&](std::vector<step>& round) { change(round[k]); }); };
    with([&](auto& round) { round.erase(round.begin() + static_cast<std::ptrdiff_t>(k)); });
    with([&](auto& round) { round.insert(round.begin() + static_cast<std::ptrdiff_t>(k), step(round[k])); });
    if (k > 0) with([&](auto& round) { std::swap(round[k - 1], round[k]); });
    changed([&](step& s) { s.peer = mod(s.peer + 1, size); });
    changed([&](step& s) { s.peer = mod(s.peer - 1, size); });
    changed([&](step& s) { s.blocks.first = mod(s.blocks.first + 1, whole.blocks); });
    changed([&](step& s) { ++s.blocks.count; });
    changed([&](step& s) { --s.blocks.count; });
    changed([&](step& s) { s.flags ^= 1U; });
    changed([&](step& s) { s.flags ^= step::continues_flag; });
    for (const step_kind kind :
         {step_kind::send, step_kind::recv, step_kind::recv_reduce, step_kind::copy, step_kind::reduce})
        if (kind != whole.ranks[r][i][k].kind) changed([&](step& s) { s.kind = kind; });
    for (const buffer_name buffer : {buffer_name::work, buffer_name::input, buffer_name::scratch}) {
        if (buffer != whole.ranks[r][i][k].buffer) changed([&](step& s) { s.buffer = buffer; });
        if (buffer != whole.ranks[r][i][k].source) changed([&](step& s) { s.source = buffer; });
    }
    const step moved = whole.ranks[r][i][k];
    for (const std::size_t to : {i - 1, i + 1}) { // to the round before or after
        if (to >= whole.ranks[r].size()) continue;
        play p = whole;
        p.ranks[r][i].erase(p.ranks[r][i].begin() + static_cast<std::ptrdiff_t>(k));
        p.ranks[r][to].push_back(moved);
        f(p);
    }
}

TEST_CASE("whatever a changed step breaks, the prover sees it", "[verify]") {
    const rank_type size = GENERATE(2, 3, support::up_to(5, 4));
    std::int64_t tried_in_all = 0;
    std::int64_t refused = 0;
    for (const catalogue_entry& entry : catalogue()) {
        if (entry.what == collective::barrier) continue; // moves no values that could come out wrong
        const rank_type root = has_root(entry.what) ? size - 1 : 0;
        const play whole = written_out(entry, size, root);
        const contract terms{.what = entry.what, .size = size, .root = root, .blocks = whole.blocks};
        INFO(name_of(entry.what) << " by " << entry.name << ", size " << size);
        const proof right = tried(entry.what, whole, root);
        REQUIRE(right.proved);
        REQUIRE(wrong_with(whole, terms, right, 1) == "");
        for (std::size_t r = 0; r < whole.ranks.size(); ++r)
            for (std::size_t i = 0; i < whole.ranks[r].size(); ++i)
                for (std::size_t k = 0; k < whole.ranks[r][i].size(); ++k)
                    for_each_change(whole, r, i, k, [&](const play& p) {
                        const proof q = tried(entry.what, p, root);
                        ++tried_in_all;
                        if (!q.proved) {
                            ++refused;
                            return;
                        }
                        for (const std::uint32_t seed : {1U, 2U}) {
                            const std::string wrong = wrong_with(p, terms, q, seed);
                            CAPTURE(r, i, k);
                            if (!wrong.empty()) FAIL_CHECK(wrong);
                        }
                    });
    }
    // Most changes break something; that they do and are refused keeps this test honest.
    CAPTURE(tried_in_all, refused);
    CHECK(2 * refused > tried_in_all);
}

} // namespace
