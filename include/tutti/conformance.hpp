// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/conformance/suite.hpp>

/// What every transport must do, as a suite that any transport can be run through: each rule of
/// transport/concept.hpp as a check, but for what it says of ranks that are lost. It needs no test framework:
/// a failed check is an exception.
///
///     #include <tutti/conformance.hpp>
///     static_assert(tutti::check_transport<mine::transport>());
///     int main() {
///         namespace suite = tutti::conformance;
///         const auto run = [](tutti::rank_type size, const auto& body) { mine::run(size, body); };
///         suite::check(run);                               // all that the engine needs
///         suite::for_each_check([&](const auto& one) {     // and what holds of the stricter checks
///             if (one.at == suite::level::strict && one.name != "wrong length is not delivered")
///                 one(run, {.most_ranks = 4, .deadline = std::chrono::seconds(10)});
///         });
///     }
///
/// `run(size, body)` calls body(transport&) once for each rank, all at the same time, and returns when all
/// have returned. Every call starts with nothing under way: channel numbers are used again, and after some
/// checks a transport may be spent. What a rank throws comes out of run() as an exception with the same text;
/// when several throw, best the one that did first.
///
/// - Ranks that are threads: as threads::run_transports.
/// - Ranks that are forked: the children write their texts into a pipe, as in examples/socket_transport.cpp.
///   No check counts on memory that ranks share, nor starts a thread before its ranks run.
/// - Processes that are there already, as of MPI: each of them calls check() with the same settings, with
///   most_ranks no more than there are processes. run() is then collective: it calls body in the first `size`
///   processes, and if it throws in one of them it has to throw in all, those without a part included, or
///   they would be in different checks from then on.
///
/// Each rank of a check has a thread that watches it and calls nothing of the transport. A rank for which
/// nothing moves fails after settings::deadline, with what it waits for. A transport that blocks inside a
/// call cannot be stopped from outside: after twice the deadline its process ends, with the names of check,
/// rank and call on stderr.
