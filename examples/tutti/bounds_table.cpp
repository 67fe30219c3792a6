// SPDX-License-Identifier: BSL-1.0
#include "bounds_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/core/lower_bounds.hpp>

namespace program {

namespace {

using tutti::block_index;
using tutti::rank_type;
using tutti::round_index;

constexpr rank_type size = 1000;

/// Blocks of a vector as a share of it, so that vectors of different numbers of blocks compare.
struct share {
    block_index blocks = 0;
    block_index of = 1;

    friend bool operator<(const share& a, const share& b) { return a.blocks * b.of < b.blocks * a.of; }
    friend bool operator==(const share& a, const share& b) { return !(a < b) && !(b < a); }
};

/// "m", "1.998 m".
std::string words(const share& s) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.3f", static_cast<double>(s.blocks) / static_cast<double>(s.of));
    std::string text(digits);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "1" ? "m" : text + " m";
}
std::string words(round_index rounds) { return std::to_string(rounds); }
template <class Figure>
std::string words(const std::optional<Figure>& figure) {
    return figure ? words(*figure) : "unknown";
}

/// An algorithm at work, as seen by a rank that sends one message at a time and receives one at a time.
struct attempt {
    const candidate* by;
    tutti::capabilities claims;
    block_index blocks;
    round_index rounds = 0;  ///< of one message each; claimed ones until looked at, which may be fewer
    block_index longest = 0; ///< message, once looked at
    bool looked_at = false;

    explicit attempt(const candidate& c) : by(&c) {
        const tutti::any_generator g = c.make({0, size, 0});
        claims = g.claims();
        blocks = g.blocks();
        rounds = claims.rounds;
    }
    share sent() const { return {claims.sent_blocks, blocks}; }
    share folded() const { return {claims.reduced_blocks, blocks}; }

    void look() {
        if (looked_at) return;
        looked_at = true;
        const tutti::ensemble all([&](tutti::place at) { return by->make(at); }, size);
        std::vector<std::int64_t> most(static_cast<std::size_t>(all.rounds())); // messages one way, of a rank
        const bool alike = claims.uniform_rounds == claims.rounds;
        for (rank_type r = 0; r < (alike ? 1 : size); ++r)
            for (round_index i = all.active(r).begin; i < all.active(r).end; ++i) {
                std::int64_t sends = 0, receives = 0;
                block_index length = 0;
                all.emit(r, i, [&](const tutti::step& s) {
                    if (s.is_local()) return;
                    length += s.blocks.count;
                    if (s.continues()) return;
                    ++(s.kind == tutti::step_kind::send ? sends : receives);
                    longest = std::max(longest, length);
                    length = 0;
                });
                std::int64_t& here = most[static_cast<std::size_t>(i)];
                here = std::max({here, sends, receives});
            }
        rounds = 0;
        for (const std::int64_t messages : most) rounds += messages;
    }
};

/// The least of something and those who have it.
template <class Figure>
struct record {
    std::optional<Figure> least{};
    std::vector<attempt*> holders{};

    void add(const Figure& figure, attempt& one) {
        if (!least || figure < *least) {
            least = figure;
            holders.clear();
        }
        if (figure == *least) holders.push_back(&one);
    }
    std::string names() const {
        std::set<std::string_view> all;
        for (const attempt* a : holders) all.insert(a->by->entry->name);
        std::string text;
        for (const std::string_view name : all)
            text.append(text.empty() ? "`" : ", `").append(name).append("`");
        return text;
    }
};

/// By the rounds of one message each, which are looked at only where there might be as few as known ones.
template <class Figure>
record<round_index> fewest_rounds(std::vector<attempt*> among, const Figure& figure) {
    std::stable_sort(among.begin(), among.end(),
                     [](const attempt* a, const attempt* b) { return a->claims.rounds < b->claims.rounds; });
    record<round_index> best;
    for (attempt* a : among)
        if (const std::optional<round_index> at_least = figure(*a);
            at_least && (!best.least || *at_least <= *best.least)) {
            a->look();
            if (const std::optional<round_index> looked_at = figure(*a)) best.add(*looked_at, *a);
        }
    return best;
}

record<share> least_of(const std::vector<attempt*>& among, share (attempt::*figure)() const) {
    record<share> best;
    for (attempt* a : among)
        if (const share one = (a->*figure)(); one.blocks >= 0) best.add(one, *a); // stated
    return best;
}

/// Why nothing of ours is as good as a bound.
struct excuse {
    tutti::collective what;
    std::string_view figure;
    std::string_view words;
};
constexpr std::string_view rounds_and_volume = "rounds and volume";
constexpr std::string_view as_in_a_bcast =
    "Cannot be: what rank 0 has must get to all others, as in a bcast: 6 m.";
constexpr excuse excuses[]{
    {tutti::collective::bcast, rounds_and_volume,
     "Cannot be: a block that the root sends in round i of 10 gets to 2^(10-i) ranks at most, so for 999 the "
     "root\n"
     "  sends each block 6 times, and 6 m."},
    {tutti::collective::allreduce, rounds_and_volume,
     "Cannot be: after round i a rank knows of 2^i at most. To know of 1000 after 10 rounds, every rank "
     "knows of 488\n"
     "  or more after 9, of 232 after 8, of 104, of 40, so it receives every block in each of the last "
     "5 rounds: 5 m."},
    {tutti::collective::gather, rounds_and_volume,
     "Cannot be: in 10 rounds the root receives from 10 ranks at most, and those send what the others have, "
     "too."},
    {tutti::collective::alltoall, rounds_and_volume,
     "Cannot be: in 10 rounds a rank sends to 10 others at most. The blocks for 989 go through others and "
     "are sent twice\n"
     "  or more: 1.988 m on average."},
    {tutti::collective::exscan, rounds_and_volume, as_in_a_bcast},
    {tutti::collective::scan, rounds_and_volume, as_in_a_bcast},
    {tutti::collective::exscan, "folds",
     "The bound is the average over all ranks. Ranks 0 and 999 have less to fold than the others have, and "
     "would have to\n"
     "  fold for them, with more messages: none of ours does."},
    {tutti::collective::scan, "folds",
     "The bound is the average over all ranks. Rank 0 has nothing to fold, and would have to fold for "
     "others, with more\n"
     "  messages: none of ours does."},
};

class bounds_table {
public:
    explicit bounds_table(std::ostream& out) : out_(out) {}

    void rows_of(tutti::collective what, std::vector<attempt> attempts) {
        what_ = what;
        std::vector<attempt*> all;
        for (attempt& a : attempts) all.push_back(&a);
        const tutti::lower_bounds least = tutti::bounds_of(what, size, size);

        const auto rounds = fewest_rounds(all, [](const attempt& a) { return std::optional(a.rounds); });
        row("rounds", words(least.rounds), words(rounds.least), rounds.names());
        segments(all);
        if (least.sent_blocks == 0) return;
        const share volume_bound{least.sent_blocks, size};
        const auto volume = least_of(all, &attempt::sent);
        row("volume", words(volume_bound), words(volume.least), volume.names());
        if (least.reduced_blocks > 0) {
            const auto folds = least_of(all, &attempt::folded);
            row("folds", words(share{least.reduced_blocks, size}), words(folds.least), folds.names());
        }

        // Both: the least volume of those with the fewest rounds, the fewest rounds of those with the least
        // volume.
        const auto quick = least_of(rounds.holders, &attempt::sent);
        const auto small =
            fewest_rounds(volume.holders, [](const attempt& a) { return std::optional(a.rounds); });
        const std::string first = words(rounds.least) + ", " + words(quick.least);
        const std::string second = words(small.least) + ", " + words(volume.least);
        const bool both = first == second;
        row(rounds_and_volume, words(least.rounds) + ", " + words(volume_bound),
            both ? first : first + "; or " + second,
            both ? quick.names() : quick.names() + "; or " + small.names());
    }

    void notes() {
        if (!notes_.empty()) out_ << "\nWhy not:\n\n" << notes_;
    }

private:
    /// Of n segments in messages of one each, bcast and its like: rounds beyond those of the bound.
    void segments(const std::vector<attempt*>& all) {
        const auto bound = [this](const attempt& a) {
            return tutti::bounds_of(what_, size, a.blocks).single_block_rounds;
        };
        const tutti::lower_bounds of_many = tutti::bounds_of(what_, size, size);
        if (of_many.single_block_rounds == of_many.rounds) return;
        const auto best = fewest_rounds(all, [&](const attempt& a) -> std::optional<round_index> {
            const bool fits = a.blocks > 1 && a.longest <= 1;
            return fits ? std::optional(a.rounds - bound(a)) : std::nullopt;
        });
        const auto words_of = [](round_index beyond) {
            return std::string(beyond < 0 ? "n - " : "n + ") + words(beyond < 0 ? -beyond : beyond);
        };
        const round_index beyond = of_many.single_block_rounds - size;
        row("rounds of n segments", words_of(beyond),
            best.least ? words_of(beyond + *best.least) : words(best.least), best.names());
    }

    void row(std::string_view figure, const std::string& bound, std::string best, const std::string& whose) {
        if (best != bound) {
            const auto* why = std::find_if(std::begin(excuses), std::end(excuses), [&](const excuse& e) {
                return e.what == what_ && e.figure == figure;
            });
            const std::string number = std::to_string(++noted_);
            best += " (" + number + ")";
            notes_.append(number)
                .append(". ")
                .append(why == std::end(excuses) ? "Nobody has said why." : why->words)
                .append("\n");
        }
        out_ << "| " << tutti::name_of(what_) << " | " << figure << " | " << bound << " | " << best << " | "
             << whose << " |\n";
    }

    std::ostream& out_;
    tutti::collective what_{};
    int noted_ = 0;
    std::string notes_;
};

} // namespace

void print_bounds(const std::vector<candidate>& all, std::ostream& out) {
    out << "\n## What no algorithm can beat, and who reaches it\n\n"
           "Of "
        << size
        << " ranks that send one message at a time and receive one at a time: several of a rank in one round "
           "count as\nso many rounds. Volume and folds are those of the busiest rank, m: the bytes of the "
           "vector. n segments: messages\nof one of them. The bounds have their reasons in "
           "`core/lower_bounds.hpp`; the best of ours, with several values of\noptions, are known from "
           "claims, "
           "which are proved, and from a walk through all messages.\n\n"
           "| collective | of | bound | best of ours | by |\n|---|---|---|---|---|\n";
    bounds_table table(out);
    for (const tutti::collective what : tutti::all_collectives) {
        std::vector<attempt> attempts;
        for (const candidate& c : all)
            if (c.entry->what == what) attempts.emplace_back(c);
        if (!attempts.empty()) table.rows_of(what, std::move(attempts));
    }
    table.notes();
    out << R"(
Not in the table: the time of a bcast in as many segments as are best, which takes a model; k ports, for which
logarithms are to the base k+1. An alltoall in q rounds sends of the order of (m/2) lg p (Bruck et al. 1997), here
5 m; the last rank of an exscan folds at least q-1 whole vectors if they are not cut (Träff 2025; of 1000 ranks 9).

3-2 elimination (Rabenseifner and Träff 2004), by which three ranks become two where halving meets an odd number,
is not in the catalogue. Compared by formulas, not measured: reduce_scatter and allgather take at least q rounds and
1-1/p of the vector each, an allreduce made of them 2q and 2-2/p, and `circulant` takes no more, for p that is no
power of two either. Only where the order must be kept it may gain some rounds: `binary_blocks_circulant` takes 2-1/p
of the vector, and 2q+1 rounds, but with several messages of a rank in some; for short vectors `recursive_doubling`
takes q+1 rounds, one more than the least.
)";
}

} // namespace program
