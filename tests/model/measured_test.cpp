// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/measured.hpp>

#include <tutti/core/ensemble.hpp>
#include <tutti/model/evaluate.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

namespace {

/// Two ranks, each with a core; everything another power of ten.
tutti::measured plain() {
    tutti::measured m;
    m.call = 1000;
    m.send = tutti::piecewise::constant(1);
    m.latency = tutti::piecewise::constant(100);
    m.recv = tutti::piecewise::line(0, 0.01);
    m.recv_fold = tutti::piecewise::line(0, 0.1);
    m.fetch = tutti::piecewise::line(0, 1);
    m.local = tutti::piecewise::line(0, 0.001);
    m.cores = 2;
    return m;
}

double priced(const tutti::measured& on, const char* algorithm, tutti::rank_type size, std::int64_t bytes) {
    const auto* entry = tutti::find_algorithm(tutti::collective::allreduce, algorithm);
    const tutti::ensemble all([&](tutti::place at) { return entry->make(at, {}); }, size);
    return tutti::evaluate(on, all, tutti::block_bytes::even(bytes, all.blocks(), 8)).us;
}

} // namespace

TEST_CASE("a machine that is not told of how many ranks is that of one: nobody shares a core") {
    tutti::measured m = plain();
    m.cores = 1;
    m.switching = 7;
    CHECK(m.sender({.bytes = 8}).startup == 1);
    CHECK(m.flight({.bytes = 8}).startup == 100);
    CHECK(m.running(2, 8).sender({.bytes = 8}).startup == 2);
    CHECK(m.running(2, 8).flight({.bytes = 8}).startup == 107);
}

TEST_CASE("an exchange of two ranks is a call, a latency and a fold of data that was there before") {
    CHECK(priced(plain(), "recursive_doubling", 2, 80) == Approx(1000 + 100 + 8));
}

TEST_CASE("what a rank has just computed has to be fetched") {
    // Half the vector is folded, then the other's half of the result, just computed, is copied.
    CHECK(priced(plain(), "halving_doubling", 2, 80) == Approx(1000 + 100 + 4 + 100 + 0.4 + 40));
    // Up and down: the input is folded, the result is copied.
    CHECK(priced(plain(), "fnomial", 2, 80) == Approx(1000 + 100 + 8 + 100 + 0.8 + 80));
    // With four ranks the second round folds what the first one has made.
    CHECK(priced(plain().running(4, 80), "recursive_doubling", 4, 80)
          == Approx(priced(plain(), "recursive_doubling", 4, 80)));
    auto wide = plain();
    wide.cores = 4;
    CHECK(priced(wide, "recursive_doubling", 4, 80) == Approx(1000 + 2 * 108 + 80));
}

TEST_CASE("ranks that share a core work slower and wait for a switch at every message") {
    auto crowded = plain();
    crowded.cores = 1;
    crowded.switching = 50;
    CHECK(priced(crowded, "recursive_doubling", 2, 80) == Approx(1000 + 150 + 2 * 8));
}

TEST_CASE("a part of a vector that is not sent inside of messages goes the long way") {
    auto m = plain();
    m.inside = 64;
    m.latency = tutti::piecewise({{64, 100}, {65, 300}});
    CHECK(m.running(2, 64).flight({.bytes = 8}).us() == 100);
    CHECK(m.running(2, 72).flight({.bytes = 8}).us() == 300);
    CHECK(m.running(2, 64).flight({.bytes = 64}).us() == 100);
}

TEST_CASE("a part of a vector costs at least its share of the whole") {
    auto m = plain();
    m.recv_fold = tutti::piecewise({{0, 0}, {1000, 1}, {2000, 100}}); // 2000 bytes are beyond the cache
    CHECK(m.fold(1000).us() == Approx(1));
    CHECK(m.running(2, 2000).fold(1000).us() == Approx(50));
    CHECK(m.running(2, 2000).fold(2000).us() == Approx(100));
    m.recv_fold = tutti::piecewise({{0, 10}, {1000, 11}}); // and at least what a message of its length costs
    CHECK(m.running(2, 1000).fold(10).us() == Approx(10.01));
}
