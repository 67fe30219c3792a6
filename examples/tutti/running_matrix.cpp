// SPDX-License-Identifier: BSL-1.0
#include "running_case.hpp"

namespace program {

namespace {

/// Whole numbers modulo 2^32: the product is exact and wraps.
struct matrix {
    std::uint32_t a, b, c, d;
};

struct multiply {
    matrix operator()(const matrix& x, const matrix& y) const {
        return {.a = x.a * y.a + x.b * y.c,
                .b = x.a * y.b + x.b * y.d,
                .c = x.c * y.a + x.d * y.c,
                .d = x.c * y.b + x.d * y.d};
    }
};

} // namespace

std::unique_ptr<element_type> make_matrix() {
    return make_runner<matrix>(multiply{}, [](std::int64_t rank, std::int64_t i) {
        const std::uint32_t x = scrambled(rank, i);
        return matrix{.a = x % 7 + 1, .b = x % 11, .c = x % 13, .d = x % 17 + 1};
    });
}

} // namespace program
