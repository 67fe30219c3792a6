// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/pricer.hpp>

#include <tutti/model/default_machine.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

using namespace tutti;
using detail::pricer;

TEST_CASE("a pricer prices as the model that it hides", "[model][pricer]") {
    const loggops model{.L = 3, .o = 2};
    const catalogue_entry& ring = *find_algorithm(collective::allreduce, "ring");
    const ensemble all([&](place at) { return ring.make(at, {}); }, 5);
    const block_bytes bytes = block_bytes::even(4000, all.blocks(), 8);
    CHECK(pricer(model)(all, bytes) == evaluate(model, all, bytes));
    const machine on{.name = "m", .model = model};
    CHECK(pricer::on(on)(all, bytes) == evaluate(on, all, bytes));
    CHECK(pricer::on(default_machine())(all, bytes) == evaluate(default_machine(), all, bytes));
}

TEST_CASE("the least costs of a model are below those of any message", "[model][pricer]") {
    const rabenseifner_2004::model model{
        .alpha = 2, .beta = 0.5, .gamma = 0.25, .alpha_uni = 2, .beta_uni = 0.5};
    const selection_request request{.what = collective::reduce, .size = 5, .bytes = 10000};
    const pricer::least least = pricer(model).least_of(request);
    CHECK(least.sender_us == 2);
    CHECK(least.sender_us_per_byte > 0.5 * 7 / 8); // and not so low that it is of no use
    CHECK(least.fold_us_per_byte > 0.25 * 7 / 8);
    for (std::int64_t n = 1; n <= request.bytes; n += n < 300 ? 1 : 97) {
        CHECK(model.sender({.bytes = n}).us() >= least.sender_us_per_byte * static_cast<double>(n));
        CHECK(model.fold(n).us() >= least.fold_us_per_byte * static_cast<double>(n));
    }
}

TEST_CASE("a stage of a pipeline takes as long as the slower of its two sides", "[model][pricer]") {
    const loggops model{.o = 2, .g = 1, .G = 0.5, .fold_per_byte = 0.25};
    const stage_times moved = pricer(model).stage_of({.what = collective::bcast, .size = 5, .bytes = 101});
    CHECK(moved.empty_us == Approx(2));
    CHECK(moved.whole_us == Approx(52));
    const stage_times folded = pricer(model).stage_of({.what = collective::reduce, .size = 5, .bytes = 101});
    CHECK(folded.whole_us == Approx(52 + 101 * 0.25));
}

TEST_CASE("openings do not tell where messages that are sent again are cheaper", "[model][pricer]") {
    CHECK(pricer(loggops{}).openings_tell());
    CHECK(!pricer(kumar_kale_2004::model{}).openings_tell());
}
