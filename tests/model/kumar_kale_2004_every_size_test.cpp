// SPDX-License-Identifier: BSL-1.0
// labels: slow
#include <tutti/model/kumar_kale_2004.hpp>

#include <cstdint>

#include "support/catch2.hpp"
#include "support/closed_forms.hpp"
#include "support/ensembles.hpp"

// Equations 8 and 9, whose strategies have idle ranks in some rounds if P is no power of two or no multiple
// of k, so that every rank has to be walked.

using namespace tutti;
namespace paper = tutti::kumar_kale_2004; // its equations have the names of algorithms

namespace {

constexpr paper::model anyone{
    .alpha = 3, .beta = 0.01, .beta_em = 0.007, .delta = 0.0004, .gamma = 0.03, .contention = 0.0002};

cost walked(const char* name, rank_type P, const parameters& with, std::int64_t m) {
    return support::priced(anyone, support::ensemble_of(collective::allgather, name, P, with), m).parts;
}

} // namespace

TEST_CASE("equation 8 with the next power of two in place of P is exact for 3 to 300 ranks",
          "[model][formulas]") {
    for (rank_type P = 3; P <= 300; ++P) {
        CAPTURE(P);
        support::check_equal(walked("prefix_send", P, {}, 1000),
                             paper::prefix(anyone, rank_type{1} << ceil_log2(P), 1000));
    }
}

TEST_CASE("equation 9 with the next multiple of k in place of P is exact for k to 300 ranks",
          "[model][formulas]") {
    for (const rank_type k : {4, 8, 16})
        for (rank_type P = k; P <= 300; ++P) {
            CAPTURE(P, k);
            support::check_equal(walked("kprefix", P, {{"k", k}}, 1000),
                                 paper::kprefix(anyone, ceil_div(P, k) * k, 1000, k));
        }
}
