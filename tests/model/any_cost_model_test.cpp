// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/any_cost_model.hpp>

#include <variant>
#include <vector>

#include <tutti/model/default_machine.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

using namespace tutti;
using detail::any_cost_model;

TEST_CASE("any cost model prices as the one that it hides", "[model][any_cost_model]") {
    const loggops model{.L = 3, .o = 2};
    const catalogue_entry& ring = *find_algorithm(collective::allreduce, "ring");
    const ensemble all([&](place at) { return ring.make(at, {}); }, 5);
    const block_bytes bytes = block_bytes::even(4000, all.blocks(), 8);
    detail::pricing_memory memory; // one for all
    const auto whole = [&](const any_cost_model& on) { return on.price_of(all, bytes, 1e9, memory).until; };
    CHECK(whole(any_cost_model(model)) == evaluate(model, all, bytes));
    const machine on{.name = "m", .model = model};
    CHECK(whole(any_cost_model::of(on)) == evaluate(on, all, bytes));
    CHECK(whole(any_cost_model::of(default_machine())) == evaluate(default_machine(), all, bytes));
    CHECK(any_cost_model(model).price_of(all, bytes, 5, memory).rounds == 1);
}

TEST_CASE("the least costs of a model are below those of any message", "[model][any_cost_model]") {
    const rabenseifner_2004::model model{
        .alpha = 2, .beta = 0.5, .gamma = 0.25, .alpha_uni = 2, .beta_uni = 0.5};
    const selection_request request{.what = collective::reduce, .size = 5, .bytes = 10000};
    const any_cost_model::least least = any_cost_model(model).least_of(request);
    CHECK(least.sender_us == 2);
    CHECK(least.sender_us_per_byte > 0.5 * 7 / 8); // and not so low that it is of no use
    CHECK(least.fold_us_per_byte > 0.25 * 7 / 8);
    for (std::int64_t n = 1; n <= request.bytes; n += n < 300 ? 1 : 97) {
        CHECK(model.sender({.bytes = n}).us() >= least.sender_us_per_byte * static_cast<double>(n));
        CHECK(model.fold(n).us() >= least.fold_us_per_byte * static_cast<double>(n));
    }
}

TEST_CASE("the least that all ranks of a chain take is what the chain takes", "[model][any_cost_model]") {
    const auto compare = [](const auto& model) {
        using message = any_cost_model::message;
        const selection_request request{.what = collective::bcast, .size = 3, .bytes = 1000};
        const std::vector<message> messages{
            {.bytes = 1000, .rank = 0, .round = 0},
            {.bytes = 1000, .kind = step_kind::recv, .rank = 1, .round = 0, .sent = 0},
            {.bytes = 1000, .rank = 1, .round = 1, .fresh = true},
            {.bytes = 1000, .kind = step_kind::recv, .rank = 2, .round = 1, .fresh = true, .sent = 2}};
        const catalogue_entry& chain = *find_algorithm(collective::bcast, "chain");
        const ensemble all([&](place at) { return chain.make(at, {{"segments", 1}}); }, request.size);
        const any_cost_model on(model);
        const double whole = evaluate(model, all, block_bytes::even(request.bytes, 1)).us;
        CHECK(on.least_of(request).start_us + on.least_of(request, messages, 3) == Approx(whole));
        // Who looks at the last rank alone knows of nobody that keeps it waiting.
        std::vector<message> last{messages.back()};
        last.front().rank = 0;
        last.front().sent = message::elsewhere;
        CHECK(on.least_of(request, last, 1) <= whole / 2);
    };
    compare(loggops{.L = 3, .o = 2, .G = 0.01});
    compare(std::get<measured>(default_machine().model));
    compare(
        rabenseifner_2004::model{.alpha = 2, .beta = 0.5, .gamma = 0.25, .alpha_uni = 2, .beta_uni = 0.5});
}

TEST_CASE("a stage of a pipeline takes as long as the slower of its two sides", "[model][any_cost_model]") {
    const loggops model{.o = 2, .g = 1, .G = 0.5, .fold_per_byte = 0.25};
    const stage_times moved =
        any_cost_model(model).stage_of({.what = collective::bcast, .size = 5, .bytes = 101});
    CHECK(moved.empty_us == Approx(2));
    CHECK(moved.whole_us == Approx(52));
    const stage_times folded =
        any_cost_model(model).stage_of({.what = collective::reduce, .size = 5, .bytes = 101});
    CHECK(folded.whole_us == Approx(52 + 101 * 0.25));
}
