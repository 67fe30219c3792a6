// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/model/candidates.hpp>
#include <tutti/model/evaluate.hpp>

namespace tutti {

/// A candidate with what became of it.
struct rated_candidate {
    enum class verdict : std::uint8_t {
        priced,   ///< `cost` is what it takes
        hopeless, ///< not priced to the end: it takes `at_least_us` or more, which is more than the best
                  ///< takes
        refused,  ///< its claims do not cover the request: see `refusal`
    };

    candidate what{};
    verdict how = verdict::priced;
    price cost{};
    double at_least_us = 0;     ///< of a hopeless one
    round_index rounds = 0;     ///< of the whole schedule
    round_index looked_at = 0;  ///< of a hopeless one: rounds that were priced; 0: its claims were enough
    std::string_view refusal{}; ///< of a refused one
    std::int64_t work = 0;      ///< steps that pricing it looks at, about
};

/// All candidates, the best one first: those with a price by price, then the hopeless, then the refused.
/// Equal ones stay in the order of the catalogue.
struct ranking {
    selection_request request{};
    std::string machine_name{};
    std::vector<rated_candidate> all{};

    /// Whether any algorithm covers the request.
    bool any() const noexcept { return !all.empty() && all.front().how == rated_candidate::verdict::priced; }
    /// Only if any().
    const rated_candidate& best() const noexcept { return all.front(); }

    /// In plain words: why this one is the best, or why not.
    std::string reason(const rated_candidate& c) const {
        if (c.how == rated_candidate::verdict::refused) return std::string(c.refusal);
        if (&c == &best()) return "the least time";
        if (c.how == rated_candidate::verdict::hopeless) {
            if (c.looked_at == 0)
                return text("its busiest rank takes %.2f us or more, its claims say", c.at_least_us);
            return text("its first %lld of %lld rounds alone take %.2f us",
                        static_cast<long long>(c.looked_at), static_cast<long long>(c.rounds), c.at_least_us);
        }
        return difference(c.cost, best().cost);
    }

    /// A line for each candidate: what it takes and why.
    std::string explain() const {
        std::string lines;
        for (const rated_candidate& c : all) {
            std::string name = name_of(c.what);
            name.resize(name.size() < 40 ? 40 : name.size(), ' ');
            lines.append(name);
            lines.append(c.how == rated_candidate::verdict::priced ? text("%12.2f us  ", c.cost.us)
                                                                   : "           -     ");
            lines.append(reason(c)).append("\n");
        }
        return lines;
    }

private:
    template <class... Values>
    static std::string text(const char* format, Values... values) {
        char buffer[200];
        std::snprintf(buffer, sizeof buffer, format, values...);
        return buffer;
    }

    /// What the slower one spends more on: the parts that make up a tenth of the difference or more, the
    /// largest first.
    static std::string difference(const price& slow, const price& best) {
        const double more = slow.us - best.us;
        if (!(more > 0)) return "as fast; comes later in the catalogue";
        const double shares[]{slow.parts.startup - best.parts.startup,
                              slow.parts.transfer - best.parts.transfer, slow.parts.fold - best.parts.fold};
        const bool more_messages = slow.messages > best.messages;
        const std::string words[]{
            more_messages
                ? text("more startup: %lld messages in a row against %lld",
                       static_cast<long long>(slow.messages), static_cast<long long>(best.messages))
                : text("more startup: %.2f us against %.2f", slow.parts.startup, best.parts.startup),
            text("more bytes on the way: %.2f us against %.2f", slow.parts.transfer, best.parts.transfer),
            text("more folding and copying: %.2f us against %.2f", slow.parts.fold, best.parts.fold)};
        std::size_t order[]{0, 1, 2};
        for (const std::size_t i : {0U, 1U, 0U}) // three are sorted by hand
            if (shares[order[i]] < shares[order[i + 1]]) std::swap(order[i], order[i + 1]);
        std::string why;
        for (const std::size_t i : order)
            if (shares[i] >= more / 10) why.append(why.empty() ? "" : "; ").append(words[i]);
        return why;
    }
};

namespace detail {

/// The first rounds of a schedule. Clocks only go on, so what these cost, the whole costs at least.
class opening {
public:
    opening(any_generator whole, round_index rounds) : whole_(std::move(whole)), rounds_(rounds) {}

    round_index rounds() const noexcept { return rounds_; }
    block_index blocks() const noexcept { return whole_.blocks(); }
    capabilities claims() const {
        capabilities c = whole_.claims();
        c.uniform_rounds = std::min(c.uniform_rounds, rounds_);
        return c;
    }
    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        whole_.emit(i, sink);
    }

private:
    any_generator whole_;
    round_index rounds_;
};

/// The model as evaluate asks it, for a collective of so many ranks and bytes: see cost.hpp.
template <class M>
M asked(const M& model, const selection_request& request) {
    if constexpr (requires { model.running(request.size, request.bytes); })
        return model.running(request.size, request.bytes);
    else
        return model;
}

/// A model, whichever it is: what a contest asks of it. Keeps a pointer to it.
class pricer {
public:
    template <cost_model M>
    explicit pricer(const M& model) : model_(&model), asks_(&asks_of<M>) {}

    template <class Whenever = void>
    static pricer on(const machine& which) {
        return std::visit([](const auto& model) { return pricer(model); }, which.model);
    }

    price operator()(const ensemble<any_generator>& all, const block_bytes& bytes) const {
        return asks_->price_of(model_, all, bytes);
    }

    /// The least that a call and a message cost a sender: of one without bytes, in the best of circumstances.
    struct least {
        double start_us = 0;
        double sender_us = 0;
        double sender_us_per_byte = 0; ///< whatever the length of messages
        double fold_us_per_byte = 0;
    };
    least least_of(const selection_request& request) const { return asks_->least_of(model_, request); }

    /// Whether the first rounds alone never take longer than with the others behind them: not where a message
    /// is cheaper because it will be sent again.
    bool openings_tell() const noexcept { return asks_->openings_tell; }

    /// How long one segment of a pipeline keeps the rank that passes it on.
    stage_times stage_of(const selection_request& request) const { return asks_->stage_of(model_, request); }

private:
    struct questions {
        price (*price_of)(const void*, const ensemble<any_generator>&, const block_bytes&);
        least (*least_of)(const void*, const selection_request&);
        stage_times (*stage_of)(const void*, const selection_request&);
        bool openings_tell;
    };

    template <class M>
    static M asked(const void* model, const selection_request& request) {
        if constexpr (requires(const M& m) { m.running(request.size, request.bytes); })
            return static_cast<const M*>(model)->running(request.size, request.bytes);
        else
            return *static_cast<const M*>(model);
    }

    template <class M>
    static least least_in(const void* model, const selection_request& request) {
        const M m = asked<M>(model, request);
        const auto sender = [&m](std::int64_t bytes) {
            double us = m.sender({.bytes = bytes}).us();
            for (message_facts facts :
                 {message_facts{.both_ways = true}, message_facts{.again = true, .first = false}}) {
                facts.bytes = bytes;
                us = std::min(us, m.sender(facts).us());
            }
            return us;
        };
        const auto fold = [&m](std::int64_t bytes) { return m.fold(bytes).us(); };
        return {.start_us = m.start().us(),
                .sender_us = sender(0),
                .sender_us_per_byte = least_per_byte(sender, request.bytes),
                .fold_us_per_byte = least_per_byte(fold, request.bytes)};
    }

    /// The least of f(n)/n over 1 <= n <= most, for an f that does not fall; less by an eighth at most.
    template <class F>
    static double least_per_byte(const F& f, std::int64_t most) {
        double least = std::numeric_limits<double>::infinity();
        for (std::int64_t n = 1, next = 0; n <= most; n = next) {
            next = std::min(n + n / 8, most) > n ? std::min(n + n / 8, most) : n + 1;
            least = std::min(least, f(n) / static_cast<double>(next - (next > n + 1 ? 0 : 1)));
        }
        return most < 1 ? 0 : least;
    }

    template <class M>
    static stage_times stage_in(const void* model, const selection_request& request) {
        const M m = asked<M>(model, request);
        const auto stage = [&](std::int64_t bytes) {
            const message_facts facts{.bytes = bytes, .blocks = 1, .folded = folds(request.what)};
            const double receives = m.receiver(facts).us() + (facts.folded ? m.fold(bytes).us() : 0);
            return std::max(m.sender(facts).us(), receives);
        };
        return {.empty_us = stage(0), .whole_us = stage(request.bytes)};
    }

    template <class M>
    static constexpr questions asks_of{
        [](const void* model, const ensemble<any_generator>& all, const block_bytes& bytes) {
            return evaluate(*static_cast<const M*>(model), all, bytes);
        },
        &least_in<M>, &stage_in<M>, !asks_again<M>};

    const void* model_;
    const questions* asks_;
};

/// Prices the candidates of a request.
template <class Whenever = void>
class contest {
public:
    contest(const pricer& on, const selection_request& request) : on_(on), request_(request) {}

    void enter(const candidate& c) {
        rated_candidate rated{.what = c};
        const any_generator first = make(c, request_.root);
        const capabilities claims = first.claims();
        rated.rounds = first.rounds();
        rated.refusal = refusal_of(c, claims);
        if (!rated.refusal.empty()) rated.how = rated_candidate::verdict::refused;
        rated.work = claims.uniform_rounds == rated.rounds ? rated.rounds : rated.rounds * request_.size;
        all_.push_back(rated);
    }

    std::vector<rated_candidate> settle() {
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
        for (const std::size_t i : order) rate(all_[i]);
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

    /// What the rank that sends most spends on sending alone, and the one that folds most on folding.
    /// Making the generators costs as much as a few rounds of a schedule that is no pipeline.
    bool opening_pays(const rated_candidate& c) const noexcept {
        return on_.openings_tell() && (c.rounds > 64 || c.what.with.segments > 1);
    }

    void set_bound(rated_candidate& c) {
        if (!least_) least_ = on_.least_of(request_);
        const any_generator first = make(c.what, request_.root);
        const capabilities claims = first.claims();
        const block_index blocks = first.blocks();
        // No message is longer than the vector.
        const auto sends =
            static_cast<double>(ceil_div(std::max<block_index>(claims.sent_blocks, 0), blocks));
        const std::int64_t block = request_.bytes / request_.element_bytes / blocks * request_.element_bytes;
        const auto bytes_of = [block](block_index n) {
            return n == unstated ? 0 : static_cast<double>(n * block);
        };
        c.at_least_us =
            least_->start_us
            + std::max({sends * least_->sender_us, bytes_of(claims.sent_blocks) * least_->sender_us_per_byte,
                        bytes_of(claims.reduced_blocks) * least_->fold_us_per_byte});
    }

    any_generator make(const candidate& c, rank_type root) const {
        return c.entry->make({.rank = 0, .size = request_.size, .root = root}, c.with);
    }

    std::string_view refusal_of(const candidate& c, const capabilities& claims) const {
        std::string_view why = not_covered(claims, request_);
        if (request_.every_root && has_root(request_.what) && !request_.commutative)
            for (rank_type root = 0; root < request_.size && why.empty(); ++root)
                why = not_covered(make(c, root).claims(), request_);
        return why;
    }

    price price_of(const candidate& c, round_index rounds, bool whole) const {
        const ensemble all(
            [&](place at) {
                any_generator g = c.entry->make(at, c.with);
                return whole ? g : any_generator(opening(std::move(g), rounds));
            },
            request_.size, request_.root);
        return on_(all, block_bytes::even(request_.bytes, all.blocks(), request_.element_bytes));
    }

    void rate(rated_candidate& c) {
        if (c.work > cheap) {
            if (c.at_least_us > best_us_) {
                c.how = rated_candidate::verdict::hopeless;
                return;
            }
            for (round_index looked_at = std::min<round_index>(32, c.rounds / 2);
                 opening_pays(c) && looked_at <= c.rounds / 2; looked_at *= 8) {
                c.at_least_us = price_of(c.what, looked_at, false).us;
                if (c.at_least_us <= best_us_) continue;
                c.looked_at = looked_at;
                c.how = rated_candidate::verdict::hopeless;
                return;
            }
        }
        c.cost = price_of(c.what, c.rounds, true);
        best_us_ = std::min(best_us_, c.cost.us);
    }

    const pricer& on_;
    const selection_request& request_;
    std::optional<pricer::least> least_; // only where so much is to be priced that it pays
    std::vector<rated_candidate> all_;
    double best_us_ = std::numeric_limits<double>::infinity();
};

} // namespace detail

/// Prices every algorithm of `among` for the request's collective, with every value of its options that is
/// worth trying, and ranks them. Candidates whose claims do not cover the request are refused; those that are
/// dear to price and cannot win are not priced to the end.
///
/// A pure function of its arguments: all ranks, and all programs, rank alike. Throws argument_error for a
/// request that is none (size < 1, root outside, negative bytes). Time: that of evaluate for each candidate;
/// all together about 0.1 ms for 8 ranks, some tens of ms for 4096.
template <class Whenever = void> // a template so that only who calls it compiles it
ranking rank_algorithms(const detail::pricer& on, std::string machine_name, const selection_request& request,
                        std::span<const catalogue_entry> among) {
    check_request(request);
    detail::contest<Whenever> contest(on, request);
    for_each_candidate(among, request, on.stage_of(request), [&](const candidate& c) { contest.enter(c); });
    return {.request = request, .machine_name = std::move(machine_name), .all = contest.settle()};
}

/// Ranks these candidates and no others.
template <class Whenever = void>
ranking rank_candidates(const machine& on, const selection_request& request,
                        std::span<const candidate> candidates) {
    check_request(request);
    const detail::pricer prices = detail::pricer::on(on);
    detail::contest<Whenever> contest(prices, request);
    for (const candidate& c : candidates) contest.enter(c);
    return {.request = request, .machine_name = on.name, .all = contest.settle()};
}

/// The same on a model that is at hand as it is.
template <cost_model M>
ranking rank_algorithms(const M& on, std::string name, const selection_request& request,
                        std::span<const catalogue_entry> among) {
    return rank_algorithms(detail::pricer(on), std::move(name), request, among);
}

/// The same on the model of a machine.
template <class Whenever = void>
ranking rank_algorithms(const machine& on, const selection_request& request,
                        std::span<const catalogue_entry> among) {
    return rank_algorithms(detail::pricer::on(on), on.name, request, among);
}

} // namespace tutti
