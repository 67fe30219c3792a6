// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/cursor.hpp>
#include <tutti/execute/straight.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "support/by_hand.hpp"
#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/scripted.hpp"
#include "support/worlds.hpp"

// What a schedule means stands in core/generator.hpp, rules 3 and 4. Two engines follow it, each in its own
// way: cursor keeps an eye on which steps hinder which, straight_run puts all steps in a row beforehand.
// (A third reader, collectives/relayed_parts.hpp, knows only what alltoalls do, which move blocks and fold
// none: alltoallv_test compares what comes of every one of the catalogue.)

namespace {

using support::matrix;
using support::multiply;
using support::samples;
using tutti::block_index;
using tutti::block_set;
using tutti::buffer_name;
using tutti::operand_side;
using tutti::rank_type;
using tutti::step;
using tutti::step_kind;
using tutti::testing::play;

/// Rules 3 and 4 with nothing to hurry: round by round, all sends first, then what lands, in the order
/// listed.
class by_the_rules {
public:
    by_the_rules(const play& schedules, std::int64_t each) : schedules_(schedules), each_(each) {
        for (std::size_t r = 0; r < schedules.ranks.size(); ++r) {
            ranks_.emplace_back();
            ranks_[r].fill(samples<matrix>(static_cast<rank_type>(r), schedules.blocks * each));
        }
        for (std::size_t i = 0; i < schedules.ranks[0].size(); ++i) play_round(i);
    }

    const std::vector<matrix>& result(std::size_t rank) const { return ranks_[rank][0]; }

private:
    using values = std::vector<matrix>;

    values& buffer(std::size_t rank, buffer_name name) {
        return ranks_[rank][static_cast<std::size_t>(name)];
    }

    template <class F>
    void for_each_element(const block_set& which, F&& f) const {
        tutti::for_each_run(which, schedules_.blocks, [&](block_index first, block_index count) {
            for (std::int64_t i = first * each_; i < (first + count) * each_; ++i)
                f(static_cast<std::size_t>(i));
        });
    }

    void play_round(std::size_t round) {
        std::map<std::pair<rank_type, rank_type>, std::deque<matrix>> wires; // from, to
        for (std::size_t r = 0; r < ranks_.size(); ++r)
            for (const step& s : schedules_.ranks[r][round])
                if (s.kind == step_kind::send)
                    for_each_element(s.blocks, [&](std::size_t i) {
                        wires[{static_cast<rank_type>(r), s.peer}].push_back(buffer(r, s.buffer)[i]);
                    });
        for (std::size_t r = 0; r < ranks_.size(); ++r)
            for (const step& s : schedules_.ranks[r][round])
                if (s.kind != step_kind::send)
                    for_each_element(s.blocks, [&](std::size_t i) {
                        matrix comes;
                        if (s.is_local()) {
                            comes = buffer(r, s.source)[i];
                        } else {
                            auto& wire = wires[{s.peer, static_cast<rank_type>(r)}];
                            comes = wire.front();
                            wire.pop_front();
                        }
                        matrix& there = buffer(r, s.buffer)[i];
                        if (!s.folds())
                            there = comes;
                        else
                            there = s.side() == operand_side::left ? multiply{}(comes, there)
                                                                   : multiply{}(there, comes);
                    });
    }

    const play& schedules_;
    std::int64_t each_; // elements of a block
    std::vector<std::array<values, tutti::buffer_count>> ranks_;
};

/// Schedules whose steps get in each other's way wherever rule 3 lets them.
class quarrels {
public:
    explicit quarrels(std::uint32_t seed) : random_(seed + 1) {}

    play draw() {
        const auto size = static_cast<std::size_t>(2 + below(3));
        play all{.ranks = std::vector<tutti::testing::script>(size), .blocks = 1 + below(4)};
        blocks_ = all.blocks;
        const block_set everything{0, blocks_};
        for (auto& rank : all.ranks) // scratch is undefined at first
            rank.push_back({step::copy(everything, buffer_name::input, buffer_name::scratch),
                            step::copy(everything, buffer_name::input, buffer_name::scratch_1)});
        for (int rounds = 1 + below(6); rounds > 0; --rounds) {
            std::vector<std::vector<message>> acts(size);
            for (std::size_t from = 0; from < size; ++from)
                for (std::size_t to = 0; to < size; ++to)
                    if (from != to) add_messages(acts, from, to);
            for (std::size_t r = 0; r < size; ++r) {
                for (int k = below(3); k > 0; --k) acts[r].push_back({local()});
                all.ranks[r].push_back(in_some_order(std::move(acts[r])));
            }
        }
        return all;
    }

private:
    using message = std::vector<step>; // its pieces; or a local step

    int below(std::int64_t n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
    operand_side side() { return below(2) == 0 ? operand_side::left : operand_side::right; }
    buffer_name any_buffer() { return static_cast<buffer_name>(below(tutti::buffer_count)); }
    buffer_name written_buffer() {
        const buffer_name any = any_buffer();
        return any == buffer_name::input ? buffer_name::work : any;
    }

    /// All as long as each other, so it does not matter which receive gets which.
    void add_messages(std::vector<std::vector<message>>& acts, std::size_t from, std::size_t to) {
        const block_index length = below(blocks_ + 1);
        for (int many = below(3); many > 0; --many) {
            acts[from].push_back(pieces(length, [&](const block_set& which) {
                return step::send(static_cast<rank_type>(to), which, any_buffer());
            }));
            const auto sender = static_cast<rank_type>(from);
            const bool folds = below(2) == 0;
            const operand_side on = side();
            acts[to].push_back(pieces(length, [&](const block_set& which) {
                return folds ? step::recv_reduce(sender, which, on, written_buffer())
                             : step::recv(sender, which, written_buffer());
            }));
        }
    }

    template <class Make>
    message pieces(block_index length, const Make& make) {
        const block_index first = below(blocks_);
        const block_index cut = length > 1 && below(3) == 0 ? 1 + below(length - 1) : length;
        if (cut == length) return {make({first, length})};
        return {make({first, cut}).and_next(), make({(first + cut) % blocks_, length - cut})};
    }

    step local() {
        const block_set which{below(blocks_), 1 + below(blocks_)};
        const buffer_name into = written_buffer();
        buffer_name from = any_buffer();
        while (from == into) from = any_buffer();
        return below(2) == 0 ? step::copy(which, from, into) : step::reduce(which, from, into, side());
    }

    /// At random, but no send behind what writes the blocks that it reads.
    std::vector<step> in_some_order(std::vector<message> acts) {
        for (std::size_t i = acts.size(); i > 1; --i)
            std::swap(acts[i - 1], acts[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
        std::vector<step> early, late;
        for (const message& one : acts) {
            const bool in_danger = std::any_of(acts.begin(), acts.end(), [&](const message& other) {
                return other.front().kind != step_kind::send && meet(other, one);
            });
            auto& to = in_danger && one.front().kind == step_kind::send ? early : late;
            to.insert(to.end(), one.begin(), one.end());
        }
        early.insert(early.end(), late.begin(), late.end());
        return early;
    }
    bool meet(const message& writes, const message& reads) const {
        for (const step& w : writes)
            for (const step& r : reads)
                if (w.buffer == r.buffer && tutti::may_overlap(w.blocks, r.blocks, blocks_)) return true;
        return false;
    }

    std::minstd_rand random_;
    block_index blocks_ = 1;
};

/// How many pairs of steps of one round were met of which the later writes what the earlier touches, by what
/// they are.
class conflicts {
public:
    enum kind { sends, receives, works_here };

    void count(const play& schedules) {
        for (const auto& rank : schedules.ranks)
            for (const std::vector<step>& round : rank)
                for (std::size_t later = 0; later < round.size(); ++later)
                    for (std::size_t earlier = 0; earlier < later; ++earlier)
                        if (touches(round[earlier], round[later], schedules.blocks))
                            ++met_[kind_of(round[earlier])][kind_of(round[later])];
    }
    int met(kind earlier, kind later) const { return met_[earlier][later]; }

private:
    static kind kind_of(const step& s) noexcept {
        return s.is_local() ? works_here : s.kind == step_kind::send ? sends : receives;
    }
    static bool touches(const step& earlier, const step& later, block_index blocks) {
        return later.kind != step_kind::send && tutti::may_overlap(earlier.blocks, later.blocks, blocks)
               && (earlier.buffer == later.buffer || (earlier.is_local() && earlier.source == later.buffer));
    }

    std::array<std::array<int, 3>, 3> met_{};
};

/// One rank's part by straight_run, driven as support::part is.
struct straight_part {
    using transport = tutti::threads::transport;

    tutti::any_generator schedule;
    tutti::fold_function fold = tutti::fold_function::of<matrix>(multiply{});
    std::vector<matrix> in, out;
    tutti::binding bound;
    tutti::kept_memory kept;
    tutti::resolved_schedule found;
    std::unique_ptr<tutti::straight_run<transport>> run;
    struct {
        tutti::straight_run<transport>* run;
        bool progress() const { return run->advance(); }
        bool done() const { return run->done(); }
    } engine{};

    straight_part(transport& wires, tutti::any_generator g, std::vector<matrix> input, bool in_place)
        : schedule(std::move(g)), in(std::move(input)), out(in_place ? in : std::vector<matrix>(in.size())),
          bound{.input = reinterpret_cast<const std::byte*>(in.data()),
                .work = reinterpret_cast<std::byte*>(out.data()),
                .work_starts_as_input = !in_place} {
        const std::size_t bytes = in.size() * sizeof(matrix);
        const auto layout =
            tutti::block_layout::aligned(static_cast<std::int64_t>(bytes), schedule.blocks(), sizeof(matrix));
        tutti::step_list room;
        found.make(schedule, {layout, bound, kept}, {0, schedule.blocks()}, false, 16, room);
        REQUIRE(found.usable());
        REQUIRE(tutti::straight_run<transport>::suits(static_cast<std::int64_t>(bytes),
                                                      tutti::element_shape::of<matrix>()));
        run = std::make_unique<tutti::straight_run<transport>>(wires, 0, found, fold);
        run->place_callers(bound, nullptr);
        run->place(tutti::region::scratch, kept.of(tutti::region::scratch).at_least(bytes));
        run->place(tutti::region::scratch_1, kept.of(tutti::region::scratch_1).at_least(bytes));
        engine.run = run.get();
    }
    const std::vector<matrix>& result() const { return out; }
};

/// Drives all parts at random, and compares with what the rules say.
template <class Parts, class World>
void check(const Parts& all, World& world, const by_the_rules& rules, std::uint32_t seed) {
    support::drive_at_random(all, world, seed, 2000);
    support::drive(all, world);
    REQUIRE(support::all_done(all));
    for (std::size_t r = 0; r < all.size(); ++r) {
        CAPTURE(seed, r);
        REQUIRE(all[r]->result() == rules.result(r));
    }
}

constexpr std::uint32_t draws = 300;

} // namespace

TEST_CASE("steps that get in each other's way do as the rules say, run in a row", "[execute][engines]") {
    for (std::uint32_t seed = 0; seed < draws; ++seed) {
        const play schedules = quarrels(seed).draw();
        const auto size = static_cast<rank_type>(schedules.ranks.size());
        const std::int64_t each = 1 + seed % 3;
        support::over_threads world(size);
        support::parts<straight_part> all;
        for (rank_type r = 0; r < size; ++r)
            all.push_back(std::make_unique<straight_part>(
                world.wires[static_cast<std::size_t>(r)], schedules({r, size, 0}),
                samples<matrix>(r, schedules.blocks * each), seed % 2 == 0));
        check(all, world, by_the_rules(schedules, each), seed);
    }
}

TEMPLATE_TEST_CASE("steps that get in each other's way do as the rules say, run as soon as they can",
                   "[execute][engines]", support::over_mock, support::over_buffered_mock,
                   support::over_threads, support::over_plain) {
    const std::int64_t most =
        GENERATE(as<std::int64_t>{}, 3, 40); // elements of a block: short messages, and long ones
    for (std::uint32_t seed = 0; seed < draws; ++seed) {
        const play schedules = quarrels(seed).draw();
        const std::int64_t each = most - 2 + seed % 3;
        TestType world(static_cast<rank_type>(schedules.ranks.size()));
        support::parts_of<TestType, matrix, multiply> all;
        support::add_parts<matrix>(all, world, 0, schedules, schedules.blocks * each, multiply{},
                                   seed % 2 == 0);
        check(all, world, by_the_rules(schedules, each), seed);
    }
}

TEST_CASE("among the schedules that engines are held to there is every conflict", "[execute][engines]") {
    conflicts all;
    for (std::uint32_t seed = 0; seed < draws; ++seed) all.count(quarrels(seed).draw());
    for (const auto later : {conflicts::receives, conflicts::works_here})
        for (const auto earlier : {conflicts::sends, conflicts::receives, conflicts::works_here}) {
            CAPTURE(earlier, later);
            CHECK(all.met(earlier, later) > 100);
        }
}
