// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/model/cost.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/model/round_mail.hpp>

/// What a schedule costs in a model: found by walking it, so that every schedule has a price, also those that
/// no paper has a formula for.
namespace tutti {

/// Times in microseconds.
struct price {
    double us = 0;             ///< until the last rank is done
    cost parts{};              ///< of the path that ends there, message by message; adds up to `us`
    double busy_us = 0;        ///< of the processor that works most
    rank_type slowest = 0;     ///< the rank that is done last; the lowest if there are several
    std::int64_t messages = 0; ///< in a row on that path: each is waited for

    friend constexpr bool operator==(const price&, const price&) = default;
};

namespace detail {

/// A point in time, and the path of waiting that leads to it.
struct instant {
    cost at{};
    std::int64_t messages = 0;

    void wait_for(const instant& other) noexcept {
        if (other.at.us() > at.us()) *this = other;
    }
};

/// Walks the ranks of an ensemble through their rounds.
template <cost_model M, class G>
class pricing {
public:
    pricing(const M& model, const ensemble<G>& all, const block_bytes& bytes)
        : model_(model), all_(all), bytes_(bytes), mail_(all.size()),
          now_(static_cast<std::size_t>(all.size())), busy_(now_.size()) {
        if (bytes.blocks() != all.blocks())
            throw_argument("blocks that have bytes", bytes.blocks(),
                           std::to_string(all.blocks()) + ", the blocks of the schedule");
    }

    price run() {
        const cost start = model_.start();
        std::fill(now_.begin(), now_.end(), instant{.at = start});
        std::fill(busy_.begin(), busy_.end(), start.us());
        for (round_index i = 0; i < all_.rounds(); ++i) {
            mail_.start();
            for (rank_type r = 0; r < all_.size(); ++r) mail_.collect(all_, r, i, bytes_);
            mail_.match(i);
            walk();
        }
        return result();
    }

private:
    void walk() {
        arrivals_.clear();
        for (const round_mail::envelope& m : mail_.messages()) {
            instant& sender = now_[static_cast<std::size_t>(m.from)];
            arrivals_.push_back({sender.at + model_.flight(m.facts), sender.messages + 1});
            spend(m.from, model_.sender(m.facts));
        }
        for (const round_mail::task& t : mail_.tasks()) {
            if (t.message != round_mail::none) {
                now_[static_cast<std::size_t>(t.rank)].wait_for(arrivals_[t.message]);
                const message_facts& facts = mail_.messages()[t.message].facts;
                spend(t.rank, model_.receiver(facts));
                if (facts.folded) spend(t.rank, model_.fold(facts.bytes));
            } else {
                spend(t.rank, t.kind == step_kind::copy ? model_.copy(t.bytes) : model_.fold(t.bytes));
            }
        }
    }

    void spend(rank_type r, const cost& more) {
        now_[static_cast<std::size_t>(r)].at += more;
        busy_[static_cast<std::size_t>(r)] += more.us();
    }

    price result() const {
        const auto last = std::max_element(now_.begin(), now_.end(), [](const instant& a, const instant& b) {
            return a.at.us() < b.at.us();
        });
        return {.us = last->at.us(),
                .parts = last->at,
                .busy_us = *std::max_element(busy_.begin(), busy_.end()),
                .slowest = static_cast<rank_type>(last - now_.begin()),
                .messages = last->messages};
    }

    const M& model_;
    const ensemble<G>& all_;
    const block_bytes& bytes_;
    round_mail mail_;
    std::vector<instant> now_;      // by rank
    std::vector<double> busy_;      // by rank, us
    std::vector<instant> arrivals_; // by message of the round
};

} // namespace detail

/// The price of a schedule in a model.
///
/// Every rank has a clock. In a round it first sends its messages, in order; then it takes messages and does
/// its local steps as they are listed; its next round begins when all of these are done. A message is matched
/// in order with the receives of its pair of ranks in its round. In a synchronous model (see cost_model) a
/// rank can send one message and receive one at the same time, and no more.
///
/// Throws argument_error if `bytes` has not the blocks of the schedule, or if messages and receives of a
/// round do not match: a schedule that the prover accepts never does that.
/// Example with 5 ranks, reduction up the binomial tree, L = 2, r = 1, c = 1 of Moody's model: 4 is folded by
/// 0 last; 3 -> 2 and 2 -> 0 on the way.
template <cost_model M, class G>
price evaluate(const M& model, const ensemble<G>& all, const block_bytes& bytes) {
    return detail::pricing<M, G>(model, all, bytes).run();
}

/// The same in the model of a machine.
template <class G>
price evaluate(const machine& on, const ensemble<G>& all, const block_bytes& bytes) {
    return std::visit([&](const auto& model) { return evaluate(model, all, bytes); }, on.model);
}

} // namespace tutti
