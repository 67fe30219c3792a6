// SPDX-License-Identifier: BSL-1.0
#include <string>

#include <tutti/core/ensemble.hpp>
#include <tutti/model/evaluate.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

namespace {

using namespace tutti;

TEST_CASE("a machine says which model it has, as machine files call it") {
    CHECK(machine{}.model_name() == "loggops");
    CHECK(machine{.model = measured{}}.model_name() == "measured");
    CHECK(machine{.model = moody_2003::model{}}.model_name() == "moody_2003");
    CHECK(machine{.model = rabenseifner_2004::model{}}.model_name() == "rabenseifner_2004");
    CHECK(machine{.model = kumar_kale_2004::model{}}.model_name() == "kumar_kale_2004");
}

TEST_CASE("a schedule costs on a machine what it costs in the machine's model") {
    const ensemble all([](place at) { return catalogue_of(collective::allreduce).back().make(at, {}); }, 5);
    const block_bytes bytes = block_bytes::even(1000, all.blocks());
    const auto check = [&](const auto& model) {
        const price here = evaluate(machine{.name = "here", .model = model}, all, bytes);
        CHECK(here == evaluate(model, all, bytes));
        CHECK(here.us > 0);
    };
    check(loggops{});
    check(measured{.call = 1});
    check(moody_2003::model{.L = 2, .r = piecewise::constant(1)});
    check(rabenseifner_2004::model{.alpha = 3, .beta = 0.5, .alpha_uni = 2, .beta_uni = 0.25});
    check(kumar_kale_2004::model{.alpha = 7.4});
}

} // namespace
