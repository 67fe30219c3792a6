// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <cstdint>
#include <string>

#include <tutti/schedule/allreduce/circulant.hpp>
#include <tutti/schedule/allreduce/halving_doubling.hpp>
#include <tutti/schedule/allreduce/recursive_doubling.hpp>
#include <tutti/verify/prover.hpp>

#include "clock.hpp"

namespace bench {
namespace {

template <class Algorithm>
double seconds_to_prove(report& out, const char* name, tutti::rank_type size) {
    const double start = now();
    const tutti::proof p = tutti::prove(tutti::collective::allreduce, size, 0, [](tutti::place at) {
        return tutti::any_generator(
            tutti::generate(tutti::of<tutti::collective::allreduce>, Algorithm{}, at));
    });
    const double seconds = now() - start;
    if (!p.proved) out.wrong(std::string("allreduce ") + name + " is not proved");
    return seconds;
}

} // namespace

void measure_proving(report& out) {
    table t{"proving", "Proving an allreduce: seconds", {"algorithm", "p", "seconds"}};
    double slowest = 0;
    for (const tutti::rank_type size : {1024, 1023, 4096}) {
        const auto prove = [&]<class Algorithm>(const char* name, Algorithm) {
            const double seconds = seconds_to_prove<Algorithm>(out, name, size);
            if (size <= 1024) slowest = std::max(slowest, seconds);
            t.row({std::string(name), std::int64_t{size}, measured{seconds, 3}});
        };
        prove("recursive_doubling", tutti::recursive_doubling{});
        prove("halving_doubling", tutti::halving_doubling{});
        prove("circulant", tutti::circulant{});
    }
    out.add(t);
    out.at_most("proving one allreduce of 1023 or 1024 ranks (the slowest)", slowest, 1, " s");
}

} // namespace bench
