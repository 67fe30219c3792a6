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
        if (!rated.refusal.empty()) rated.how = rated_candidate::verdict::refused;
        const round_index bounded = bounded_rounds_of(first, claims);
        const round_index walked = bounded == unstated ? rated.rounds : bounded; // by all ranks
        rated.work = rated.rounds - walked + (walked + 1) * request_.size; // all ranks' generators are made
        all_.push_back(rated);
    }

    /// The best first, then those that were left, then those that are refused.
    std::vector<rated_candidate> ranked(watcher watch = {}) {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (all_[i].how == rated_candidate::verdict::priced) {
                if (all_[i].work > cheap) set_bound(all_[i]);
                order.push_back(i);
            }
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
        std::stable_sort(all_.begin(), all_.end(), [](const rated_candidate& a, const rated_candidate& b) {
            if (a.how != b.how) return a.how < b.how;
            if (a.how == rated_candidate::verdict::hopeless) return a.at_least_us < b.at_least_us;
            return a.how == rated_candidate::verdict::priced && a.cost.us < b.cost.us;
        });
        return std::move(all_);
    }

private:
    /// So many steps, about, are priced without asking first whether it is worth it.
    static constexpr std::int64_t cheap = std::int64_t{1} << 10;

    /// Of so many, messages in a row are looked at first.
    static constexpr std::int64_t many = std::int64_t{1} << 13;

    /// Of so many, one rank's are looked at one by one before all ranks' are.
    static constexpr std::int64_t dear = std::int64_t{1} << 18;

    /// What the rank that sends most spends on sending alone, and the one that folds most on folding.
    void set_bound(rated_candidate& c) {
        if (!least_) least_ = on_.least_of(request_);
        const any_generator first = make(c.what, request_.root);
        const capabilities claims = first.claims();
        const block_index blocks = first.blocks();
        // No message is longer than the vector.
        const auto sends =
            static_cast<double>(ceil_div(std::max<block_index>(claims.sent_blocks, 0), blocks));
        const std::int64_t block = shortest_block(blocks);
        const auto bytes_of = [block](block_index n) {
            return n == unstated ? 0 : static_cast<double>(n * block);
        };
        c.at_least_us =
            least_->start_us
            + std::max({sends * least_->sender_us, bytes_of(claims.sent_blocks) * least_->sender_us_per_byte,
                        bytes_of(claims.reduced_blocks) * least_->fold_us_per_byte});
        if (c.work - c.rounds - request_.size < many) return;
        const rank_type farthest = (request_.root == 0 ? request_.size : request_.root) - 1; // in most trees
        for (const rank_type last : {request_.root, farthest})
            c.at_least_us = std::max(c.at_least_us, least_->start_us + least_of_way(c, last));
    }

    /// A message as one of its two ranks sees it.
    struct half_message {
        any_cost_model::message what;
        rank_type peer;

        bool received() const noexcept { return what.kind != step_kind::send; }
    };

    /// What the rank of g sends and receives in round i.
    std::vector<half_message> messages_of(const any_generator& g, round_index i) const {
        const std::int64_t block = shortest_block(g.blocks());
        std::vector<half_message> messages;
        bool goes_on = false; // the message before, of a list of block sets
        g.emit(i, [&](const step& s) {
            if (s.is_local()) return;
            if (!goes_on) messages.push_back({{.kind = s.kind}, s.peer});
            messages.back().what.bytes += s.blocks.count * block;
            goes_on = s.continues();
        });
        return messages;
    }

    /// What the root, or rank 0, spends on its own messages, at the least.
    double least_of_root(const rated_candidate& c) const {
        const any_generator g = make(c.what, request_.root, request_.root);
        const round_range active = active_rounds(g);
        std::vector<any_cost_model::message> spent;
        for (round_index i = active.begin; i < active.end; ++i)
            for (const half_message& one : messages_of(g, i)) spent.push_back(one.what);
        return on_.least_of(request_, spent);
    }

    /// What the messages take, at the least, that wait for each other in the last rounds: back from `rank` to
    /// who sends it its last message, to who sent that one the last before, and so on.
    /// Example with 5 ranks, broadcast down the binomial tree of root 0: rank 4 has its message from 0 in
    /// round 2, and 0 sends to 2 and to 1 in the rounds before.
    double least_of_way(const rated_candidate& c, rank_type rank) const {
        constexpr round_index long_enough = 64;
        any_generator g = make(c.what, request_.root, rank);
        std::vector<any_cost_model::message> way;
        for (round_index i = c.rounds; i-- > std::max(c.rounds - long_enough, round_index{0});) {
            std::vector<half_message> messages = messages_of(g, i);
            const auto last = std::find_if(messages.rbegin(), messages.rend(),
                                           [](const half_message& one) { return one.received(); });
            if (last != messages.rend()) {
                way.push_back({.bytes = last->what.bytes, .kind = last->what.kind, .waited_for = true});
                const rank_type receiver = std::exchange(rank, last->peer);
                g = make(c.what, request_.root, rank);
                messages = messages_of(g, i);
                // Whatever it sends before that one.
                std::erase_if(messages, [](const half_message& one) { return one.received(); });
                while (!messages.empty() && messages.back().peer != receiver) messages.pop_back();
                if (!messages.empty()) messages.pop_back();
            }
            for (const half_message& one : messages) way.push_back(one.what);
        }
        return on_.least_of(request_, way);
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
        return why;
    }

    partial_price price_of(const candidate& c, double enough_us) const {
        const ensemble all([&](place at) { return c.schedule(at); }, request_.size, request_.root);
        return on_.price_of(all, block_bytes::even(request_.bytes, all.blocks(), request_.element_bytes),
                            enough_us);
    }

    void rate(rated_candidate& c) {
        double enough_us = std::numeric_limits<double>::infinity();
        if (c.work > cheap) {
            enough_us = best_us_;
            if (c.at_least_us <= best_us_ && c.work > dear)
                c.at_least_us = std::max(c.at_least_us, least_->start_us + least_of_root(c));
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
    double best_us_ = std::numeric_limits<double>::infinity();
};

} // namespace tutti::detail
