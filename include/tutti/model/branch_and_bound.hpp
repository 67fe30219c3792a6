// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/model/any_cost_model.hpp>
#include <tutti/model/candidates.hpp>
#include <tutti/model/ranking.hpp>

namespace tutti::detail {

/// Prices the candidates of a request by branch and bound: a candidate that is dear to price is left as soon
/// as what it takes at least is more than the best one takes.
class branch_and_bound {
public:
    branch_and_bound(const any_cost_model& on, const selection_request& request)
        : on_(on), request_(request) {}

    void add(const candidate& c) {
        rated_candidate rated{.what = c};
        const any_generator first = make(c, request_.root);
        const capabilities claims = first.claims();
        rated.rounds = first.rounds();
        rated.refusal = refusal_of(c, claims);
        const round_index bounded = bounded_rounds_of(first, claims);
        const round_index walked = bounded == unstated ? rated.rounds : bounded; // by all ranks
        rated.work = rated.rounds - walked + (walked + 1) * request_.size; // all ranks' generators are made
        if (!rated.refusal.empty())
            rated.how = rated_candidate::verdict::refused;
        else if (rated.work > cheap)
            set_bound(rated, claims, first.blocks());
        all_.push_back(rated);
    }

    /// The best first, then those that were left, then those that are refused.
    std::vector<rated_candidate> ranked(watcher watch = {}) {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (all_[i].how == rated_candidate::verdict::priced) order.push_back(i);
        // What cannot be bad first, and what is cheap to price: its price leaves little to do for the others.
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            if (all_[a].at_least_us != all_[b].at_least_us) return all_[a].at_least_us < all_[b].at_least_us;
            return all_[a].work < all_[b].work;
        });
        std::size_t rated = 0;
        for (const std::size_t i : order) {
            rate(all_[i]);
            watch(static_cast<double>(++rated) / static_cast<double>(order.size()));
        }
        std::stable_sort(all_.begin(), all_.end(), ranks_before);
        return std::move(all_);
    }

private:
    /// So many steps, about, are priced without asking first whether it is worth it.
    static constexpr std::int64_t cheap = std::int64_t{1} << 10;

    /// Of so many, a few ranks are looked at before any candidate is priced; of fewer, before that one is.
    static constexpr std::int64_t many = std::int64_t{1} << 13;

    /// Of more rounds than these, some of the last ones alone are looked at first.
    static constexpr round_index long_enough = 256;
    static constexpr round_index last_ones = 64;

    /// Of so many, one rank's are looked at one by one before all ranks' are.
    static constexpr std::int64_t dear = std::int64_t{1} << 18;

    /// Prices are sums in another order.
    static double as_bound(double us) { return us * (1 - 1e-9); }

    /// What the rank that sends most spends on sending alone, and the one that folds most on folding.
    void set_bound(rated_candidate& c, const capabilities& claims, block_index blocks) {
        if (!least_) least_ = on_.least_of(request_);
        // No message is longer than the vector.
        const auto sends =
            static_cast<double>(ceil_div(std::max<block_index>(claims.sent_blocks, 0), blocks));
        const std::int64_t block = shortest_block(blocks);
        const auto bytes_of = [block](block_index n) {
            return n == unstated ? 0 : static_cast<double>(n * block);
        };
        c.at_least_us = as_bound(
            least_->start_us
            + std::max({sends * least_->sender_us, bytes_of(claims.sent_blocks) * least_->sender_us_per_byte,
                        bytes_of(claims.reduced_blocks) * least_->fold_us_per_byte}));
        if (c.work > many) look_at_ways(c);
    }

    bool one_stands_for_all(const rated_candidate& c) const {
        return c.work - c.rounds - request_.size < cheap / 2;
    }

    /// What those who wait for each other at last take.
    void look_at_ways(rated_candidate& c) {
        if (one_stands_for_all(c)) return;
        const rank_type farthest = (request_.root == 0 ? request_.size : request_.root) - 1; // in most trees
        const round_index from_round = c.rounds > long_enough ? c.rounds - last_ones : 0;
        std::vector<rank_type> looked_at;
        for (const rank_type last : {request_.root, farthest}) add_way(looked_at, c, last, from_round);
        c.at_least_us = std::max(c.at_least_us, least_of(c, looked_at, from_round));
    }

    /// Adds those on whose messages `rank` waits at last, from round `first` on: who sends it its last one,
    /// who sent that one the last before, and so on.
    /// Example with 5 ranks, broadcast down the binomial tree of root 0: rank 4 has its message from 0 in
    /// round 2; 0 has none from anybody.
    void add_way(std::vector<rank_type>& to, const rated_candidate& c, rank_type rank, round_index first) {
        any_generator g = make(c.what, request_.root, rank);
        for (round_index i = c.rounds;;) {
            if (std::find(to.begin(), to.end(), rank) == to.end()) to.push_back(rank);
            rank_type from = no_rank;
            while (from == no_rank) {
                if (i == first) return;
                for (const step& s : steps_of(g, --i))
                    if (s.kind != step_kind::send && !s.is_local()) from = s.peer;
            }
            rank = from;
            g = make(c.what, request_.root, rank);
        }
    }

    const step_list& steps_of(const any_generator& g, round_index i) {
        steps_.clear();
        g.append(i, steps_);
        return steps_;
    }

    /// What these ranks take for the rounds from `first` on, at the least, if nobody else keeps them waiting:
    /// of trees and their like nearly what all take, for a look at a few of thousands.
    double least_of(const rated_candidate& c, const std::vector<rank_type>& ranks, round_index first) {
        std::vector<any_generator> all;
        std::vector<round_range> active; // of each
        for (const rank_type r : ranks) {
            all.push_back(make(c.what, request_.root, r));
            active.push_back(all.back().active());
        }
        const std::int64_t block = shortest_block(all.front().blocks());
        std::vector<any_cost_model::message> messages;
        std::vector<rank_type> targets; // of each that is sent
        std::vector<any_cost_model::message> received;
        std::vector<rank_type> sources;                         // of each of these
        std::vector<round_index> heard(ranks.size(), c.rounds); // since when they compute
        for (round_index i = first; i < c.rounds; ++i) {
            const std::size_t begin = messages.size();
            received.clear();
            sources.clear();
            for (std::uint32_t k = 0; k < all.size(); ++k) {
                if (!active[k].contains(i)) continue;
                std::int64_t bytes = 0; // of a list of block sets
                for (const step& s : steps_of(all[k], i)) {
                    if (s.is_local()) continue;
                    bytes += s.blocks.count * block;
                    if (s.continues()) continue;
                    const bool sends = s.kind == step_kind::send;
                    (sends ? messages : received)
                        .push_back({.bytes = std::exchange(bytes, 0),
                                    .kind = s.kind,
                                    .rank = k,
                                    .round = i,
                                    .fresh = sends && heard[k] < i});
                    (sends ? targets : sources).push_back(s.peer);
                    if (!sends) heard[k] = std::min(heard[k], i);
                }
            }
            const std::size_t end = messages.size();
            for (std::size_t k = 0; k < received.size(); ++k) {
                any_cost_model::message& one = received[k];
                for (std::size_t m = begin; m < end && one.sent == one.elsewhere; ++m)
                    if (targets[m] == ranks[one.rank] && ranks[messages[m].rank] == sources[k]) {
                        one.sent = static_cast<std::uint32_t>(m);
                        one.fresh = messages[m].fresh;
                        targets[m] = no_rank; // no other receive's
                    }
                messages.push_back(one);
                targets.push_back(no_rank);
            }
        }
        return as_bound(least_->start_us + on_.least_of(request_, messages, ranks.size()));
    }

    /// In bytes, of so many.
    std::int64_t shortest_block(block_index blocks) const noexcept {
        return request_.bytes / request_.element_bytes / blocks * request_.element_bytes;
    }

    any_generator make(const candidate& c, rank_type root, rank_type rank = 0) const {
        return c.schedule({.rank = rank, .size = request_.size, .root = root});
    }

    std::string_view refusal_of(const candidate& c, const capabilities& claims) const {
        std::string_view why = not_covered(claims, request_);
        if (request_.every_root && has_root(request_.what) && !request_.commutative)
            for (rank_type root = 0; root < request_.size && why.empty(); ++root)
                why = not_covered(make(c, root).claims(), request_);
        if (why == out_of_order && has_root(request_.what)
            && not_covered(make(c, 0).claims(), request_).empty())
            why = "keeps the order of ranks with root 0, but not with all, and the operation is not "
                  "commutative";
        return why;
    }

    partial_price price_of(const candidate& c, double enough_us) {
        const auto schedule = [&](place at) { return c.schedule(at); };
        if (ranks_)
            ranks_->make_anew(schedule, request_.size, request_.root);
        else
            ranks_.emplace(schedule, request_.size, request_.root);
        return on_.price_of(*ranks_,
                            block_bytes::even(request_.bytes, ranks_->blocks(), request_.element_bytes),
                            enough_us, memory_);
    }

    void rate(rated_candidate& c) {
        double enough_us = std::numeric_limits<double>::infinity();
        if (c.work > cheap) {
            enough_us = best_us_;
            if (c.at_least_us <= best_us_ && c.work <= many && std::isfinite(best_us_)) look_at_ways(c);
            // Whose every round was looked at with that of others need not be looked at alone.
            if (c.at_least_us <= best_us_ && c.work > dear
                && (c.rounds > long_enough || one_stands_for_all(c)))
                c.at_least_us = std::max(c.at_least_us, least_of(c, {request_.root}, 0));
            if (c.at_least_us > best_us_) {
                c.how = rated_candidate::verdict::hopeless;
                return;
            }
        }
        const partial_price walked = price_of(c.what, enough_us);
        if (walked.rounds < c.rounds) {
            c.how = rated_candidate::verdict::hopeless;
            c.at_least_us = walked.until.us;
            c.looked_at = walked.rounds;
            return;
        }
        c.cost = walked.until;
        best_us_ = std::min(best_us_, c.cost.us);
    }

    const any_cost_model& on_;
    const selection_request& request_;
    std::optional<any_cost_model::least> least_; // only where so much is to be priced that it pays
    std::vector<rated_candidate> all_;
    step_list steps_;                              // of the rank and round at hand
    std::optional<ensemble<any_generator>> ranks_; // of the candidate that was priced last
    pricing_memory memory_;
    double best_us_ = std::numeric_limits<double>::infinity();
};

} // namespace tutti::detail
