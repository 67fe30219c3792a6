// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include "report.hpp"

namespace bench {

void measure_two_threads(report& out); ///< two_threads.cpp: hand-over, memcpy, allreduce of 2 ranks
void measure_many_ranks(report& out);  ///< many_ranks.cpp: 4 and 8 ranks, 8 bytes
void measure_processes(report& out);   ///< processes.cpp: ranks as processes against threads
void measure_operations(report& out);  ///< operations.cpp: min and max with location against sum
void measure_emitting(report& out);    ///< emitting.cpp: handing out steps, making generators
void measure_proving(report& out);     ///< proving.cpp: the prover
void measure_congestion(report& out);  ///< congestion.cpp: link loads on a fat-tree of 4096 nodes
void measure_pricing(report& out);     ///< pricing.cpp: the evaluator on the whole catalogue
void measure_choosing(report& out);    ///< choosing.cpp: what a choice costs, first and again
void measure_regret(report& out);      ///< regret.cpp, of `choosing`: how good choices are
void measure_bypass(report& out);      ///< bypass.cpp: reduce with ranks that come late
void measure_overlap(report& out);     ///< overlap.cpp: iallreduce beside computation
void measure_simulating(report& out);  ///< simulating.cpp: messages per second, up to a million ranks

/// compiling.cpp: what bench/run has written of compiler runs; false if it cannot be read.
bool add_compiling(report& out, const std::string& path);

} // namespace bench
