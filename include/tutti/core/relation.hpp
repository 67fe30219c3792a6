// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Who sends its message to whom in a many-to-many multicast. A rank without targets does not send. Every
/// rank has its own message anyway: naming oneself is allowed and changes nothing.
///
/// Immutable; copies share the tables, 8 bytes for every pair.
/// Example with 5 ranks: {{1, 4}, {}, {0}, {}, {3}} lets rank 0 send to 1 and 4, rank 2 to 0, rank 4 to 3.
class relation {
public:
    /// Of one rank, which sends to nobody.
    relation() : relation(1, std::vector<std::vector<rank_type>>(1)) {}

    /// Rank r sends to targets[r], in any order, no rank twice.
    relation(rank_type size, const std::vector<std::vector<rank_type>>& targets) : size_(size) {
        if (size < 1) detail::throw_argument("size", size, "at least 1");
        if (targets.size() != static_cast<std::size_t>(size))
            throw argument_error("targets.size()", std::to_string(targets.size()),
                                 std::to_string(size) + ", one list per rank");
        check_entries(targets);
        tables made;
        std::vector<std::vector<rank_type>> sources(targets.size());
        for (rank_type r = 0; r < size; ++r) {
            std::vector<rank_type> sorted;
            for (const rank_type target : targets[at(r)])
                if (target != r) sorted.push_back(target);
            std::sort(sorted.begin(), sorted.end());
            for (const rank_type target : sorted) sources[at(target)].push_back(r); // in order: r only grows
            made.targets.add(sorted);
        }
        for (const std::vector<rank_type>& list : sources) made.sources.add(list);
        for (rank_type r = 0; r < size; ++r)
            made.most_partners =
                std::max(made.most_partners,
                         static_cast<std::int64_t>(made.targets.of(r).size() + made.sources.of(r).size()));
        tables_ = std::make_shared<const tables>(std::move(made));
    }

    /// Everybody to everybody: an allgather.
    static relation all_to_all(rank_type size) {
        if (size < 1) detail::throw_argument("size", size, "at least 1");
        std::vector<rank_type> all(at(size));
        for (rank_type r = 0; r < size; ++r) all[at(r)] = r;
        return {size, std::vector<std::vector<rank_type>>(at(size), all)};
    }

    rank_type size() const noexcept { return size_; }

    /// The ranks, other than itself, that rank r sends to, in ascending order.
    std::span<const rank_type> targets(rank_type r) const noexcept { return tables_->targets.of(r); }
    /// The ranks, other than itself, whose messages rank r wants, in ascending order.
    std::span<const rank_type> sources(rank_type r) const noexcept { return tables_->sources.of(r); }

    /// Whether it sends to anybody.
    bool sends(rank_type r) const noexcept { return !targets(r).empty(); }

    /// Whether `receiver` wants the message of `sender`; never of its own. O(log targets).
    bool wants(rank_type receiver, rank_type sender) const noexcept {
        const std::span<const rank_type> from = sources(receiver);
        const std::span<const rank_type> to = targets(sender);
        return from.size() < to.size() ? is_in(from, sender) : is_in(to, receiver);
    }

    /// Pairs of a sender and a receiver.
    std::int64_t pairs() const noexcept { return static_cast<std::int64_t>(tables_->targets.ranks.size()); }
    /// Whether everybody sends to everybody.
    bool is_all_to_all() const noexcept { return pairs() == std::int64_t{size_} * (size_ - 1); }
    /// Targets of the rank that has most of them; sources likewise.
    rank_type most_targets() const noexcept { return tables_->targets.longest; }
    /// The most ranks that any one rank gets something from.
    rank_type most_sources() const noexcept { return tables_->sources.longest; }
    /// Targets and sources together of the rank that has most of both: a rank may be in touch with the same
    /// other one twice, so that this is up to 2(p-1).
    std::int64_t most_partners() const noexcept { return tables_->most_partners; }

    /// The same ranks send to the same.
    friend bool operator==(const relation& a, const relation& b) {
        return a.size_ == b.size_
               && (a.tables_ == b.tables_
                   || (a.tables_->targets.begin == b.tables_->targets.begin
                       && a.tables_->targets.ranks == b.tables_->targets.ranks));
    }

private:
    /// A list per rank, all in one piece.
    struct lists {
        std::vector<std::size_t> begin{0};
        std::vector<rank_type> ranks{};
        rank_type longest = 0;

        void add(const std::vector<rank_type>& list) {
            for (const rank_type r : list) ranks.push_back(r);
            begin.push_back(ranks.size());
            longest = std::max(longest, static_cast<rank_type>(list.size()));
        }
        std::span<const rank_type> of(rank_type r) const noexcept {
            return {ranks.data() + begin[at(r)], begin[at(r) + 1] - begin[at(r)]};
        }
    };
    struct tables {
        lists targets{};
        lists sources{};
        std::int64_t most_partners = 0;
    };

    static constexpr std::size_t at(rank_type r) noexcept { return static_cast<std::size_t>(r); }

    static bool is_in(std::span<const rank_type> ascending, rank_type r) noexcept {
        const rank_type* const begin = ascending.data();
        return std::binary_search(begin, begin + ascending.size(), r);
    }

    void check_entries(const std::vector<std::vector<rank_type>>& targets) const {
        std::vector<rank_type> named_by(targets.size(), no_rank); // the last rank that named this one
        for (rank_type r = 0; r < size_; ++r)
            for (std::size_t i = 0; i < targets[at(r)].size(); ++i) {
                const rank_type target = targets[at(r)][i];
                const auto entry = [&] {
                    return "targets[" + std::to_string(r) + "][" + std::to_string(i) + "]";
                };
                if (target < 0 || target >= size_)
                    detail::throw_argument_below(entry().c_str(), target, size_);
                if (named_by[at(target)] == r)
                    detail::throw_argument(entry().c_str(), target,
                                           "a rank that rank " + std::to_string(r)
                                               + " does not name already");
                named_by[at(target)] = r;
            }
    }

    rank_type size_;
    std::shared_ptr<const tables> tables_;
};

} // namespace tutti
