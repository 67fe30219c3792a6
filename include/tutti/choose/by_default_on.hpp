// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <tutti/choose/chooser.hpp>
#include <tutti/choose/default_rules.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/nodes.hpp>

#if TUTTI_BODIES
#include <tutti/choose/default_choices.hpp>
#include <tutti/choose/remembered.hpp>
#include <tutti/schedule/alltoall/by_nodes.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/multi_lane.hpp>
#include <tutti/schedule/scan_by_nodes.hpp>
#endif

namespace tutti {

/// Chooses for ranks on nodes: the tables that ship choose what runs inside the nodes and what runs between
/// them, by_nodes or, where nodes are alike (and an allreduce is long), multi_lane. Plain algorithms for a
/// gather or scatter, for a reduce_scatter or allgather of nodes that differ, and where neither covers a
/// request, as a scan or an operation that does not commute on ranks that do not follow each other. `inside`
/// says whether ranks of a node have cores of their own.
///
///     comm.choose_by(tutti::by_default_on(wires.nodes()));
///
/// An allreduce takes lanes from 64 KiB on: where they begin to pay depends on the network, of which the
/// tables know nothing. An alltoall goes straight from blocks of 8 KiB on: to save a message of 2 us or so
/// between nodes then costs as long a copy inside them, at some 5 GB/s.
///
/// A scan or exscan goes straight as soon as the tables cut the vector into segments: a chain, or a tree of
/// intervals, of ranks that follow each other hardly crosses from node to node more than once, and by nodes
/// three whole vectors would follow each other. It does below 1 KiB, too, but for an exscan of 3 nodes or
/// more: so little ranks of a node send side by side, and by nodes there are more rounds. In between, those
/// who send whole vectors share their node's link, and by nodes takes half the time and less. (As priced with
/// 2 and 20 us, 10 and 1 GB/s between nodes.)
std::shared_ptr<const chooser> by_default_on(node_map nodes, cores inside = cores::own);

#if TUTTI_BODIES
namespace detail {

/// What the tables take for a vector of so many bytes, as an algorithm.
struct tabulated {
    std::int64_t bytes = 0;
    bool commutative = true;
    cores here = cores::own;

    template <collective C>
    friend any_generator generate(collective_constant<C>, const tabulated& how, place at) {
        const request_facts facts{.at = at, .bytes = how.bytes, .commutative = how.commutative};
        return default_choice(C, facts, how.here).to.schedule(at);
    }
};

template <collective C, class How>
class maker_of final : public schedule_maker {
public:
    explicit maker_of(How how) : how_(std::move(how)) {}
    any_generator make(place at) const override { return generate(of<C>, how_, at); }

private:
    How how_;
};

/// What makes the schedules of `how`; null if it does not cover the request.
template <collective C, class How>
std::unique_ptr<const schedule_maker> maker_for(const How& how, const request_facts& facts) {
    auto maker = std::make_unique<const maker_of<C, How>>(how);
    try {
        const capabilities claims = maker->make(facts.at).claims();
        if (!facts.commutative && !claims.order_preserving) return nullptr;
        if (!facts.equal_blocks && claims.moves_blocks) return nullptr;
    } catch (const argument_error&) { // parts that do not fit
        return nullptr;
    }
    return maker;
}

class node_chooser final : public chooser {
public:
    node_chooser(node_map nodes, cores inside) : nodes_(std::move(nodes)), inside_(inside) {}

    const choice& choose(collective what, const request_facts& facts) const override {
        request_facts kind = facts;
        kind.bytes = rounded_length(facts.bytes);
        if (nodes_.nodes() == 1 || nodes_.nodes() == nodes_.ranks())
            return default_choice(what, kind, inside_).to;
        const std::lock_guard lock(guard_);
        const auto [at, is_new] =
            made_.try_emplace({what, kind.bytes, facts.commutative, facts.equal_blocks, facts.at.root == 0});
        if (is_new) at->second = decide(what, kind);
        return at->second.it;
    }

    std::string explain(collective what, const request_facts& facts) const override {
        const choice& it = choose(what, facts);
        const std::string name = name_of(it);
        return it.maker == nullptr ? name + ": by the table, as if all were on one node\n"
                                   : name + ": on " + std::to_string(nodes_.nodes())
                                         + " nodes, by the tables inside and between them\n";
    }

private:
    static constexpr std::int64_t lanes_from = 65536;   // bytes
    static constexpr std::int64_t straight_from = 8192; // bytes of one block of an alltoall
    static constexpr std::int64_t scan_from = 1024;     // bytes

    struct decision {
        choice it{};
        std::unique_ptr<const schedule_maker> maker{};
    };

    decision decide(collective what, const request_facts& facts) const {
        if (what == collective::alltoall && facts.bytes / nodes_.ranks() >= straight_from)
            return {.it = default_choice(what, facts, inside_).to};
        if (auto lanes = in_lanes(what, facts)) return made("multi_lane", std::move(lanes));
        if (auto leaders = by_leaders(what, facts)) return made("by_nodes", std::move(leaders));
        return {.it = default_choice(what, facts, inside_).to};
    }
    static decision made(std::string_view name, std::unique_ptr<const schedule_maker> maker) {
        decision by{.it = {.algorithm = name}, .maker = std::move(maker)};
        by.it.maker = by.maker.get();
        return by;
    }

    std::unique_ptr<const schedule_maker> in_lanes(collective what, const request_facts& facts) const {
        if (!nodes_.all_alike()) return nullptr;
        const multi_lane how{nodes_, tabulated{facts.bytes, facts.commutative, inside_},
                             tabulated{facts.bytes / nodes_.size_of(0), facts.commutative, cores::own}};
        switch (what) {
        case collective::allreduce:
            return facts.bytes < lanes_from ? nullptr : maker_for<collective::allreduce>(how, facts);
        case collective::reduce_scatter: return maker_for<collective::reduce_scatter>(how, facts);
        case collective::allgather: return maker_for<collective::allgather>(how, facts);
        case collective::alltoall: // the whole vector goes both ways
            return maker_for<collective::alltoall>(
                multi_lane{nodes_, how.inner, tabulated{facts.bytes, facts.commutative, cores::own}}, facts);
        default: return nullptr;
        }
    }

    std::unique_ptr<const schedule_maker> by_leaders(collective what, const request_facts& facts) const {
        const by_nodes how{nodes_, tabulated{facts.bytes, facts.commutative, inside_},
                           tabulated{facts.bytes, facts.commutative, cores::own}};
        switch (what) {
        case collective::barrier: return maker_for<collective::barrier>(how, facts);
        case collective::bcast: return maker_for<collective::bcast>(how, facts);
        case collective::allreduce: return maker_for<collective::allreduce>(how, facts);
        case collective::alltoall:
            return maker_for<collective::alltoall>(by_nodes<pairwise>{nodes_, {}, {}}, facts);
        case collective::scan:
            return scans_by_nodes(what, facts) ? maker_for<collective::scan>(how, facts) : nullptr;
        case collective::exscan:
            return scans_by_nodes(what, facts) ? maker_for<collective::exscan>(how, facts) : nullptr;
        case collective::reduce: // the choice is for every other root, too, and the order may depend on it
            return facts.commutative || facts.at.root == 0 ? maker_for<collective::reduce>(how, facts)
                                                           : nullptr;
        default: return nullptr;
        }
    }

    /// Whether a scan, or an exscan, pays by nodes: see by_default_on.
    bool scans_by_nodes(collective what, const request_facts& facts) const {
        const bool few_rounds = what == collective::exscan && nodes_.nodes() > 2;
        return (few_rounds || facts.bytes >= scan_from)
               && default_choice(what, facts, inside_).to.schedule(facts.at).blocks() == 1;
    }

    node_map nodes_;
    cores inside_;
    mutable std::mutex guard_;
    mutable std::map<std::tuple<collective, std::int64_t, bool, bool, bool>, decision> made_; // they stay
};
} // namespace detail

TUTTI_BODY std::shared_ptr<const chooser> by_default_on(node_map nodes, cores inside) {
    return std::make_shared<const detail::node_chooser>(std::move(nodes), inside);
}
#endif

} // namespace tutti
