// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <variant>

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

    partial_price price_of(const ensemble<any_generator>& all, const block_bytes& bytes,
                           double enough_us) const {
        return asks_->price_of(model_, all, bytes, enough_us);
    }

    /// The least that a call and a message cost a sender: of one without bytes, in the best of circumstances.
    struct least {
        double start_us = 0;
        double sender_us = 0;
        double sender_us_per_byte = 0; ///< whatever the length of messages
        double fold_us_per_byte = 0;
    };
    least least_of(const selection_request& request) const { return asks_->least_of(model_, request); }

    struct message {
        std::int64_t bytes = 0;
        step_kind kind = step_kind::send; ///< or recv, recv_reduce
        bool waited_for = false;          ///< of a receive: from when its sender begins with it
    };
    /// The least that these take one after the other: what a rank spends on sending, receiving and folding,
    /// and on waiting for those that are waited for.
    double least_of(const selection_request& request, std::span<const message> messages) const {
        return asks_->least_of_messages(model_, request, messages);
    }

    /// How long one segment of a pipeline keeps the rank that passes it on.
    stage_times stage_of(const selection_request& request) const { return asks_->stage_of(model_, request); }

private:
    struct questions {
        partial_price (*price_of)(const void*, const ensemble<any_generator>&, const block_bytes&, double);
        least (*least_of)(const void*, const selection_request&);
        double (*least_of_messages)(const void*, const selection_request&, std::span<const message>);
        stage_times (*stage_of)(const void*, const selection_request&);
    };

    template <class M>
    static M asked(const void* model, const selection_request& request) {
        if constexpr (requires(const M& m) { m.running(request.size, request.bytes); })
            return static_cast<const M*>(model)->running(request.size, request.bytes);
        else
            return *static_cast<const M*>(model);
    }

    /// What f says of a message in the best of circumstances.
    template <class F>
    static double best_of(std::int64_t bytes, const F& f) {
        double us = f(message_facts{.bytes = bytes}).us();
        for (message_facts facts :
             {message_facts{.both_ways = true}, message_facts{.again = true, .first = false}}) {
            facts.bytes = bytes;
            us = std::min(us, f(facts).us());
        }
        return us;
    }

    template <class M>
    static double least_of_message(const M& m, const message& which) {
        if (which.kind == step_kind::send)
            return best_of(which.bytes, [&m](const message_facts& facts) { return m.sender(facts); });
        const bool folded = which.kind == step_kind::recv_reduce;
        const double flies =
            which.waited_for ? best_of(which.bytes, [&m](const message_facts& f) { return m.flight(f); }) : 0;
        const double receives = best_of(which.bytes, [&](message_facts facts) {
            facts.folded = folded;
            return m.receiver(facts);
        });
        return flies + receives + (folded ? m.fold(which.bytes).us() : 0);
    }

    template <class M>
    static double least_in_messages(const void* model, const selection_request& request,
                                    std::span<const message> messages) {
        const M m = asked<M>(model, request);
        struct {
            std::int64_t bytes = -1;
            double us = 0;
        } known[5]; // of every kind: where there are many messages, they have few lengths
        double sends = 0;
        double receives = 0;
        for (const message& one : messages) {
            auto& of = known[(one.kind == step_kind::send   ? 0
                              : one.kind == step_kind::recv ? 1
                                                            : 2)
                             + (one.waited_for ? 2 : 0)];
            if (of.bytes != one.bytes) of = {one.bytes, least_of_message(m, one)};
            (one.kind == step_kind::send ? sends : receives) += of.us;
        }
        // Ports of their own, or one clock.
        return M::synchronous ? std::max(sends, receives) : sends + receives;
    }

    template <class M>
    static least least_in(const void* model, const selection_request& request) {
        const M m = asked<M>(model, request);
        const auto sender = [&m](std::int64_t bytes) { return least_of_message(m, {.bytes = bytes}); };
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
        [](const void* model, const ensemble<any_generator>& all, const block_bytes& bytes,
           double enough_us) { return evaluate_until(*static_cast<const M*>(model), all, bytes, enough_us); },
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
