// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include <tutti/pattern/permutation.hpp>
#include <tutti/schedule/allgather/circulant.hpp>
#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/topology/congestion.hpp>
#include <tutti/topology/fat_tree_routing.hpp>

#include "clock.hpp"

namespace bench {
namespace {

using namespace tutti;

/// Congestion of all p - 1 permutations of one kind on a tree: all shifts, all xors.
class permutation_table_of_all {
public:
    permutation_table_of_all(report& out, std::int32_t k, int n)
        : out_(out), tree_(fat_tree::kary(k, n)),
          table_{"congestion",
                 "Congestion of all " + std::to_string(tree_.nodes() - 1) + " permutations on the "
                     + std::to_string(k) + "-ary " + std::to_string(n) + "-tree, "
                     + std::to_string(tree_.nodes()) + " nodes, one core",
                 {"permutations", "routing", "messages", "links taken", "free", "seconds", "ns per link"}} {}

    /// The same messages as all shifts, without ranks and placement: what link_loads alone takes.
    double measure_loads(fat_tree_routing how) {
        const double start = now();
        link_loads loads(routed_fat_tree(tree_, how));
        const node_type nodes = tree_.nodes();
        std::int64_t hops = 0;
        std::int64_t free = 0;
        for (node_type k = 1; k < nodes; ++k) {
            loads.clear();
            for (node_type v = 0; v < nodes; ++v) hops += loads.add(v, v < nodes - k ? v + k : v + k - nodes);
            free += loads.max() <= 1;
        }
        const double seconds = now() - start;
        add_row("shift, link_loads", how, std::int64_t{nodes} * (nodes - 1), hops, free, seconds);
        return seconds;
    }

    /// p(i) is the permutation number i, 1 <= i < nodes; returns the seconds of all.
    template <class Permutations>
    double measure(const std::string& name, fat_tree_routing how, const Permutations& p) {
        const double start = now();
        round_loads<routed_fat_tree> loads(routed_fat_tree(tree_, how), placement::compact(tree_.nodes()));
        std::int64_t messages = 0;
        std::int64_t hops = 0;
        std::int64_t free = 0;
        for (rank_type i = 1; i < tree_.nodes(); ++i) {
            loads.clear();
            loads.add_permutation(p(i));
            messages += loads.figures().messages;
            hops += loads.figures().hops;
            free += loads.figures().free();
        }
        const double seconds = now() - start;
        add_row(name, how, messages, hops, free, seconds);
        return seconds;
    }

    void measure_all() {
        double slowest = 0;
        for (const fat_tree_routing how : all_fat_tree_routings) {
            slowest = std::max(slowest, measure_loads(how));
            slowest = std::max(slowest, measure("shift", how, [](rank_type i) { return shift{i}; }));
            slowest = std::max(slowest, measure("xor", how, [](rank_type i) { return exclusive_or{i}; }));
        }
        out_.add(table_);
        out_.at_most("congestion of all shifts or xors on the 4-ary 6-tree (the slowest)", slowest, 2, " s");
    }

private:
    void add_row(const std::string& name, fat_tree_routing how, std::int64_t messages, std::int64_t hops,
                 std::int64_t free, double seconds) {
        table_.row({name, std::string(name_of(how)), messages, hops, free, measured{seconds, 3},
                    measured{seconds / static_cast<double>(hops) * 1e9}});
        if (free != tree_.nodes() - 1)
            out_.wrong("not every " + name + " is free of congestion on a full tree");
    }

    report& out_;
    fat_tree tree_;
    table table_;
};

void measure_schedules(report& out) {
    const routed_fat_tree net(fat_tree::kary(4, 6));
    const placement full = placement::compact(net.nodes());
    table t{"congestion_schedules",
            "Congestion of every round of an allgather, 4096 ranks on the 4-ary 6-tree",
            {"algorithm", "generators", "rounds", "free", "worst load", "seconds"}};
    const auto measure = [&](const char* name, const char* kind, const auto& make) {
        const double start = now();
        const schedule_congestion c = congestion_of_schedule(net, full, make);
        const double seconds = now() - start;
        t.row({std::string(name), std::string(kind), c.busy_rounds, c.free_rounds, c.worst.max_load,
               measured{seconds, 3}});
        if (c.free_rounds != c.busy_rounds) out.wrong(std::string("allgather ") + name + " is not free");
    };
    measure("ring", "known", [](place at) { return generate(of<collective::allgather>, ring{}, at); });
    measure("ring", "any_generator",
            [](place at) { return any_generator(generate(of<collective::allgather>, ring{}, at)); });
    measure("circulant", "known",
            [](place at) { return generate(of<collective::allgather>, circulant{}, at); });
    measure("circulant", "any_generator",
            [](place at) { return any_generator(generate(of<collective::allgather>, circulant{}, at)); });
    out.add(t);
}

} // namespace

void measure_congestion(report& out) {
    permutation_table_of_all(out, 4, 6).measure_all();
    measure_schedules(out);
}

} // namespace bench
