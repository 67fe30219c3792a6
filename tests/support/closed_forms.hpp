// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>

#include <tutti/model/evaluate.hpp>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"

/// Formulas of papers held against schedules that are walked in the same model.
namespace support {

/// The price of a schedule whose blocks have `block` bytes each.
template <class Model>
tutti::price priced(const Model& on, const any_ensemble& all, std::int64_t block) {
    return evaluate(on, all, tutti::block_bytes::even(block * all.blocks(), all.blocks(), block));
}

/// Sums taken in another order: equal but for rounding.
inline bool equal(double a, double b) {
    return std::abs(a - b) <= 1e-9 * (std::abs(a) + std::abs(b)) + 1e-12;
}

/// The same startup, transfer and fold.
inline void check_equal(const tutti::cost& found, const tutti::cost& expected) {
    const auto text = [](const tutti::cost& c) {
        std::ostringstream all;
        all.precision(12);
        all << c.us() << " us = " << c.startup << " + " << c.transfer << " + " << c.fold;
        return all.str();
    };
    if (equal(found.startup, expected.startup) && equal(found.transfer, expected.transfer)
        && equal(found.fold, expected.fold))
        SUCCEED();
    else
        FAIL_CHECK("found " << text(found) << ", expected " << text(expected));
}

/// Whether call() throws an argument_error for that argument and value.
template <class Call>
bool refuses(const std::string& argument, const std::string& value, const Call& call) {
    try {
        call();
    } catch (const tutti::argument_error& e) {
        return e.argument() == argument && e.value() == value;
    }
    return false;
}

} // namespace support
