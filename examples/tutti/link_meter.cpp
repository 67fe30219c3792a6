// SPDX-License-Identifier: BSL-1.0
#include "link_meter.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <tutti/topology/adaptive_ascent.hpp>
#include <tutti/topology/ascent_assignment.hpp>

namespace program {

namespace {

link_report report_of(std::vector<std::int64_t> loads, std::vector<tutti::loaded_link> worst) {
    link_report report{
        .loads = std::move(loads), .distribution = {}, .worst = std::move(worst), .sharing = {}};
    for (const std::int64_t load : report.loads) ++report.distribution[load];
    return report;
}

template <tutti::network N>
class fixed_routes final : public link_meter {
public:
    fixed_routes(const N& on, const tutti::placement& at, bool bytes) : loads_(on, at, bytes) {}

    measured measure(const round_traffic& round) override {
        loads_.clear();
        messages_ = round.messages;
        for (const rank_message& m : round.messages) loads_.add(m.from, m.to, m.bytes);
        tutti::link_index loaded = 0;
        for (tutti::link_index l = 0; l < loads_.messages().on().links(); ++l)
            loaded += loads_.messages().load(l) > 0 ? 1 : 0;
        return {.figures = loads_.figures(), .links_loaded = loaded};
    }
    link_report links(std::size_t worst) const override {
        const tutti::link_loads<N>& messages = loads_.messages();
        std::vector<std::int64_t> loads;
        for (tutti::link_index l = 0; l < messages.on().links(); ++l) loads.push_back(messages.load(l));
        link_report report = report_of(std::move(loads), messages.worst(worst));
        for (const tutti::loaded_link& l : report.worst)
            if (l.load > 1) report.sharing.emplace_back();
        for (const rank_message& m : messages_) {
            const tutti::message_way way = way_of(messages.on(), loads_.where(), m.from, m.to);
            for (std::size_t k = 0; k < report.sharing.size(); ++k)
                if (way.takes(report.worst[k].link)) report.sharing[k].push_back({way, m.bytes});
        }
        return report;
    }

private:
    tutti::round_loads<N> loads_;
    std::vector<rank_message> messages_; // of the round measured last
};

class adaptive_routes final : public link_meter {
public:
    adaptive_routes(const tutti::fat_tree& tree, const tutti::placement& at) : tree_(tree), at_(at) {}

    measured measure(const round_traffic& round) override {
        measured result;
        messages_.clear();
        for (const rank_message& m : round.messages) {
            messages_.push_back({.from = at_.node_of(m.from), .to = at_.node_of(m.to)});
            const int hops = 2 * tree_.height(messages_.back().from, messages_.back().to);
            result.figures.hops += hops;
            result.figures.max_hops = std::max(result.figures.max_hops, hops);
        }
        result.figures.messages = static_cast<std::int64_t>(messages_.size());
        const tutti::certain_ascent worst = tutti::adaptive_certain(tree_, messages_);
        result.figures.max_load = std::max(worst.ascending, worst.descending);
        assignment_ = tutti::adaptive_possible(tree_, messages_);
        using answer = tutti::possible_ascent::answer;
        result.possible = assignment_.found == answer::yes  ? "yes"
                          : assignment_.found == answer::no ? "no"
                                                            : "undecided";
        if (!worst.free()) result.remark = remark(worst);
        return result;
    }
    link_report links(std::size_t worst) const override {
        if (!assignment_.free()) return {};
        std::vector<std::int64_t> loads(static_cast<std::size_t>(tree_.links()));
        for (std::size_t i = 0; i < messages_.size(); ++i)
            tutti::route_through(tree_, messages_[i].from, messages_[i].to, assignment_.plane[i],
                                 [&](tutti::link_index l) { ++loads[static_cast<std::size_t>(l)]; });
        std::vector<tutti::loaded_link> named;
        for (tutti::link_index l = 0; l < tree_.links() && named.size() < worst; ++l)
            if (loads[static_cast<std::size_t>(l)] > 0)
                named.push_back({.link = l, .load = 1, .name = tree_.name(l)});
        return report_of(std::move(loads), std::move(named));
    }

private:
    std::string remark(const tutti::certain_ascent& worst) const {
        std::string text;
        if (worst.descending > 1) {
            const tutti::node_type size = tree_.subtree_size(worst.level);
            const tutti::node_type first = worst.subtree * size;
            text = std::to_string(worst.descending) + " messages may meet on a link down to "
                   + (size == 1 ? "node " + std::to_string(first)
                                : "nodes " + std::to_string(first) + ".." + std::to_string(first + size - 1));
        }
        if (worst.ascending > 1)
            text += (text.empty() ? "" : "; ") + std::to_string(worst.ascending)
                    + " messages meet on a link up, whatever they choose";
        return text + (assignment_.free() ? "; some choice of ports avoids that" : "; " + assignment_.why);
    }

    const tutti::fat_tree& tree_;
    tutti::placement at_;
    std::vector<tutti::node_message> messages_; // of the round measured last
    tutti::possible_ascent assignment_;
};

} // namespace

std::unique_ptr<link_meter> make_meter(const network_choice& on, const tutti::placement& at, bool bytes) {
    if (on.adaptive) return std::make_unique<adaptive_routes>(*on.fat_tree(), at);
    return std::visit(
        [&]<class N>(const N& n) -> std::unique_ptr<link_meter> {
            return std::make_unique<fixed_routes<N>>(n, at, bytes);
        },
        on.on);
}

} // namespace program
