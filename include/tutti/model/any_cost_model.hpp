// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <variant>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/step.hpp>
#include <tutti/model/candidates.hpp>
#include <tutti/model/evaluate.hpp>

namespace tutti::detail {

/// Any cost model behind one type, so that ranking is compiled once and not per model. Keeps a pointer to it.
class any_cost_model {
public:
    template <cost_model M>
    explicit any_cost_model(const M& model) : model_(&model), asks_(&asks_of<M>) {}

    static any_cost_model of(const machine& which);

    partial_price price_of(const ensemble<any_generator>& all, const block_bytes& bytes, double enough_us,
                           pricing_memory& memory) const {
        return asks_->price_of(model_, all, bytes, enough_us, memory);
    }

    /// The least that a call and a message cost a sender: of one without bytes, in the best of circumstances.
    struct least {
        double start_us = 0;
        double sender_us = 0;
        double sender_us_per_byte = 0; ///< whatever the length of messages
        double fold_us_per_byte = 0;
    };
    least least_of(const selection_request& request) const { return asks_->least_of(model_, request); }

    /// A message as one of its two ranks sees it, of some that are looked at.
    struct message {
        std::int64_t bytes = 0;
        step_kind kind = step_kind::send; ///< or recv, recv_reduce
        std::uint32_t rank = 0;           ///< of those that are looked at, from 0: who sends or receives it
        round_index round = 0;
        bool fresh = false;             ///< see message_facts; false where it is not known
        std::uint32_t sent = elsewhere; ///< of a receive: which of the messages its sender sends

        static constexpr std::uint32_t elsewhere = ~std::uint32_t{0}; ///< by a rank that is not looked at
    };
    /// When the last of `ranks` ranks that are looked at is done with its messages, at the least; what others
    /// send is there at once. In the order of rounds; of one, those that are sent first.
    double least_of(const selection_request& request, std::span<const message> messages,
                    std::size_t ranks) const {
        return asks_->least_of_messages(model_, request, messages, ranks);
    }

    /// How long one segment of a pipeline keeps the rank that passes it on.
    stage_times stage_of(const selection_request& request) const { return asks_->stage_of(model_, request); }

private:
    struct questions {
        partial_price (*price_of)(const void*, const ensemble<any_generator>&, const block_bytes&, double,
                                  pricing_memory&);
        least (*least_of)(const void*, const selection_request&);
        double (*least_of_messages)(const void*, const selection_request&, std::span<const message>,
                                    std::size_t);
        stage_times (*stage_of)(const void*, const selection_request&);
    };

    template <class M>
    static M asked(const void* model, const selection_request& request) {
        if constexpr (requires(const M& m) { m.running(request.size, request.bytes); })
            return static_cast<const M*>(model)->running(request.size, request.bytes);
        else
            return *static_cast<const M*>(model);
    }

    /// What f says of a message in the best of circumstances, but for what is known of it.
    template <class F>
    static double best_of(const message_facts& known, const F& f) {
        double us = f(known).us();
        for (message_facts facts :
             {message_facts{.both_ways = true}, message_facts{.again = true, .first = false}}) {
            facts.bytes = known.bytes;
            facts.folded = known.folded;
            facts.fresh = known.fresh;
            us = std::min(us, f(facts).us());
        }
        return us;
    }

    template <class M>
    static double least_of_sender(const M& m, const message_facts& known) {
        return best_of(known, [&m](const message_facts& facts) { return m.sender(facts); });
    }

    /// What a model says of a message, unless it was asked the same before.
    struct quotation {
        message_facts of{.bytes = -1};
        double sends = 0;
        double flies = 0;
        double receives = 0; // and folds

        template <class M>
        void renew(const M& m, const message& one) {
            const message_facts known{
                .bytes = one.bytes, .folded = one.kind == step_kind::recv_reduce, .fresh = one.fresh};
            if (known == of) return;
            of = known;
            sends = least_of_sender(m, known);
            flies = best_of(known, [&m](const message_facts& facts) { return m.flight(facts); });
            receives = best_of(known, [&m](const message_facts& facts) { return m.receiver(facts); })
                       + (known.folded ? m.fold(known.bytes).us() : 0);
        }
    };

    /// One rank's time; with ports of their own for both directions, which open with each round.
    struct clocks {
        double now = 0;
        double sending = 0;
        double taking = 0;
        double done = 0; // all of the round
        round_index round = -1;

        void go_on_to(round_index next) noexcept {
            if (next == round) return;
            round = next;
            now = sending = taking = done;
        }
    };

    template <class M>
    static double least_in_messages(const void* model, const selection_request& request,
                                    std::span<const message> messages, std::size_t ranks) {
        const M m = asked<M>(model, request);
        quotation known[4]; // of every kind: where there are many messages, they have few lengths
        std::vector<clocks> all(ranks);
        std::vector<double> begun(messages.size());
        for (std::size_t k = 0; k < messages.size(); ++k) {
            const message& one = messages[k];
            quotation& it = known[(one.kind == step_kind::recv_reduce ? 1 : 0) + (one.fresh ? 2 : 0)];
            it.renew(m, one);
            clocks& me = all[one.rank];
            me.go_on_to(one.round);
            if (one.kind == step_kind::send) {
                double& clock = M::synchronous ? me.sending : me.now;
                begun[k] = clock;
                clock += it.sends;
                me.done = std::max(me.done, clock);
                continue;
            }
            const double sent = one.sent == message::elsewhere ? 0 : begun[one.sent];
            if (M::synchronous) { // in which order it takes them is not known
                me.taking += it.flies + it.receives;
                me.done = std::max({me.done, me.taking, sent + it.flies + it.receives});
            } else {
                if (one.sent != message::elsewhere) me.now = std::max(me.now, sent + it.flies);
                me.done = me.now += it.receives;
            }
        }
        double last = 0;
        for (const clocks& one : all) last = std::max(last, one.done);
        return last;
    }

    template <class M>
    static least least_in(const void* model, const selection_request& request) {
        const M m = asked<M>(model, request);
        const auto sender = [&m](std::int64_t bytes) { return least_of_sender(m, {.bytes = bytes}); };
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
        [](const void* model, const ensemble<any_generator>& all, const block_bytes& bytes, double enough_us,
           pricing_memory& memory) {
            return evaluate_until(*static_cast<const M*>(model), all, bytes, enough_us, memory);
        },
        &least_in<M>, &least_in_messages<M>, &stage_in<M>};

    const void* model_;
    const questions* asks_;
};

#if TUTTI_BODIES
TUTTI_BODY any_cost_model any_cost_model::of(const machine& which) {
    return std::visit([](const auto& model) { return any_cost_model(model); }, which.model);
}
#endif

} // namespace tutti::detail
