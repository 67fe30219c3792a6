// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "allocations.hpp"
#include "clock.hpp"

/// What a schedule costs that is never written down: nanoseconds per step handed out.
namespace bench {
namespace {

using namespace tutti;

/// Rounds in which one rank is busy and rounds in which it is idle, at most `most` of each.
struct sampled_rounds {
    std::vector<round_index> busy{};
    std::vector<round_index> idle{};
    std::int64_t steps = 0; // in the busy ones

    explicit sampled_rounds(const any_generator& g, std::size_t most = 512) {
        for (round_index i = 0; i < g.rounds(); ++i) {
            std::int64_t here = 0;
            g.emit(i, [&](const step&) { ++here; });
            auto& rounds_like_it = here > 0 ? busy : idle;
            if (rounds_like_it.size() >= most) continue;
            rounds_like_it.push_back(i);
            steps += here;
        }
    }
};

struct emitting_cost {
    double busy = 0; // seconds in all
    double idle = 0;
    double steps = 0;
    double idle_rounds = 0;
    double worst = 0; // seconds per step on the slowest rank

    void add_rank(const any_generator& g) {
        const sampled_rounds rounds(g);
        step_list list;
        const auto emit_all = [&](const std::vector<round_index>& which) {
            for (const round_index i : which) {
                list.clear();
                g.append(i, list);
            }
            keep(list.begin());
        };
        if (!rounds.idle.empty()) {
            idle += least_time([&] { emit_all(rounds.idle); });
            idle_rounds += static_cast<double>(rounds.idle.size());
        }
        if (rounds.steps == 0) return;
        const double seconds = least_time([&] { emit_all(rounds.busy); });
        const auto count = static_cast<double>(rounds.steps);
        busy += seconds;
        steps += count;
        worst = std::max(worst, seconds / count);
    }
};

class emitting_table {
public:
    emitting_table(report& out, rank_type size)
        : out_(out), size_(size),
          table_{"emitting",
                 "Emitting, " + std::to_string(size) + " ranks: ns per step",
                 {"collective", "algorithm", "p", "ns", "ns slowest rank", "ns idle round"}} {}

    void measure(const catalogue_entry& entry, const parameters& given = {}) {
        const parameters options = effective(entry, given);
        emitting_cost cost;
        for (const rank_type rank : {0, 1, 2, size_ / 3, size_ / 2, size_ - 2, size_ - 1})
            cost.add_rank(entry.make({rank, size_, 0}, options));
        const double per_step = cost.busy / cost.steps * 1e9;
        std::string name(entry.name);
        for (const auto& [option, value] : given)
            name.append(", ").append(option).append("=").append(std::to_string(value));
        table_.row({std::string(name_of(entry.what)), name, std::int64_t{size_}, measured{per_step},
                    measured{cost.worst * 1e9},
                    measured{cost.idle_rounds == 0 ? 0 : cost.idle / cost.idle_rounds * 1e9}});
        const std::string full_name = std::string(name_of(entry.what)) + " " + name;
        if (per_step > aim_) too_slow_ += (too_slow_.empty() ? "" : ", ") + full_name;
        slowest_ = std::max(slowest_, per_step);
    }

    void measure_all() {
        for (const catalogue_entry& entry : catalogue()) measure(entry);
        // With many segments a rank of a tree is idle in nearly every round of every segment.
        measure(*find_algorithm(collective::reduce, "fnomial"), {{"segments", 64}});
        measure(*find_algorithm(collective::reduce, "chain"), {{"segments", 64}});
        measure(*find_algorithm(collective::reduce, "fnomial"), {{"radix", 16}});
        measure(*find_algorithm(collective::allgather, "kshift"),
                {{"k", 8}, {"outstanding", 4}, {"pace", 16}});
        out_.add(table_);
        out_.at_most("emitting a step, the slowest algorithm, " + std::to_string(size_)
                         + " ranks (above the aim: " + (too_slow_.empty() ? "none" : too_slow_) + ")",
                     slowest_, aim_, " ns");
    }

private:
    report& out_;
    rank_type size_;
    table table_;
    static constexpr double aim_ = 5;
    double slowest_ = 0;
    std::string too_slow_;
};

/// Time and allocations of making the generator of one rank, over ranks of all kinds.
class making_table {
public:
    explicit making_table(report& out)
        : out_(out), table_{"making",
                            "Making the generator of one rank of 2^20",
                            {"collective", "algorithm", "bytes", "ns", "allocations", "ns any_generator",
                             "allocations any_generator"}} {}

    template <collective What, class Algorithm>
    void measure(const std::string& name, const Algorithm& how = {}) {
        using made = decltype(generate(of<What>, how, place{}));
        const cost direct = cost_of([&](place at) {
            const made g = generate(of<What>, how, at);
            keep(&g);
        });
        const cost any = cost_of([&](place at) {
            const any_generator g = generate(of<What>, how, at);
            keep(&g);
        });
        table_.row({std::string(name_of(What)), name, static_cast<std::int64_t>(sizeof(made)),
                    measured{direct.nanoseconds}, measured{direct.allocations}, measured{any.nanoseconds},
                    measured{any.allocations}});
        slowest_ = std::max(slowest_, direct.nanoseconds);
        most_allocations_ = std::max(most_allocations_, direct.allocations);
    }

    void measure_all() {
        measure<collective::bcast, fnomial>("fnomial");
        measure<collective::reduce, fnomial>("fnomial");
        measure<collective::allreduce, fnomial>("fnomial");
        measure<collective::allreduce, fnomial>("fnomial, radix 3", {.radix = 3});
        measure<collective::reduce_scatter, circulant>("circulant");
        measure<collective::allgather, circulant>("circulant");
        measure<collective::allreduce, circulant>("circulant");
        measure<collective::allreduce, circulant_pipeline>("circulant_pipeline");
        measure<collective::bcast, split_binary>("split_binary");
        measure<collective::bcast, circulant_pipeline>("circulant_pipeline");
        measure<collective::bcast, scatter_allgather<>>("scatter_allgather");
        measure<collective::bcast, scatter_allgather<ring>>("scatter_ring_allgather");
        measure<collective::reduce, circulant_pipeline>("circulant_pipeline");
        out_.add(table_);
        out_.at_most("making an f-nomial or circulant generator (the slowest)", slowest_, 1000, " ns");
        out_.at_most("allocations when making one", most_allocations_, 0);
    }

private:
    struct cost {
        double nanoseconds = 0;
        double allocations = 0;
    };

    template <class Make>
    static cost cost_of(const Make& make) {
        constexpr rank_type size = 1 << 20;
        constexpr int many = 999;
        const auto make_many = [&] {
            for (rank_type k = 0; k < many; ++k) make({k * 1049, size, 0}); // odd and even, up to the end
        };
        const std::int64_t before = allocations();
        make_many();
        const auto allocated = static_cast<double>(allocations() - before);
        return {least_time(make_many, 1e-3) / many * 1e9, allocated / many};
    }

    report& out_;
    table table_;
    double slowest_ = 0;
    double most_allocations_ = 0;
};

} // namespace

void measure_emitting(report& out) {
    for (const rank_type size : {1024, 1 << 20}) emitting_table(out, size).measure_all();
    making_table(out).measure_all();
}

} // namespace bench
