// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/model/evaluate.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/simulate/simulate.hpp>

#include "support/catch2.hpp"
#include "support/told_schedule.hpp"

// The evaluator walks each rank through its rounds as written; the simulator lets messages come when they
// come. Where no rank ever has a choice both say the same; the rest of this file shows, one by one, what else
// there is.
namespace {

using namespace tutti;
using support::told_schedule;

/// The CPU is the slower one in all (o >= g, O >= G), and nothing is a rendezvous.
const loggops slow_cpu{
    .L = 2.5, .o = 1.5, .g = 1, .G = 0.001, .O = 0.004, .S = std::int64_t{1} << 40, .fold_per_byte = 0.002};

struct both {
    double priced = 0;
    double simulated = 0;
};
template <class G>
both ask(const loggops& machine, const ensemble<G>& all, const block_bytes& bytes) {
    return {.priced = evaluate(machine, all, bytes).us,
            .simulated = simulate(all, bytes, {.machine = machine}).completion_us()};
}
both ask(const loggops& machine, const told_schedule& what) {
    return ask(machine, what.all(), block_bytes::even(told_schedule::blocks, told_schedule::blocks));
}

bool is_one_of(const catalogue_entry& entry, const std::vector<std::string>& names) {
    const std::string name = std::string(name_of(entry.what)) + " " + std::string(entry.name);
    return std::find(names.begin(), names.end(), name) != names.end();
}

TEST_CASE("where ranks go in lockstep or have one message at a time, price and simulation are equal") {
    const std::vector<std::string> equal{"barrier dissemination",
                                         "bcast serial",
                                         "bcast kary",
                                         "bcast fnomial",
                                         "reduce serial",
                                         "reduce ring",
                                         "allreduce serial",
                                         "allreduce ring",
                                         "allreduce circulant",
                                         "allgather circulant",
                                         "allgather ring",
                                         "allgather direct",
                                         "allgather kshift",
                                         "allgather bruck",
                                         "allgather sparbit",
                                         "reduce_scatter circulant",
                                         "reduce binary_blocks",
                                         "reduce_scatter pairwise"};
    // And these where every rank has a partner in every round.
    const std::vector<std::string> equal_at_powers{"allreduce recursive_doubling",
                                                   "allreduce halving_doubling", "reduce fnomial",
                                                   "allgather recursive_doubling", "allgather hypercube"};
    std::size_t found = 0;
    for (const catalogue_entry& entry : catalogue()) {
        const bool always = is_one_of(entry, equal);
        found += always || is_one_of(entry, equal_at_powers);
        for (rank_type size = 2; size <= 40; ++size) {
            if (!always && !(is_one_of(entry, equal_at_powers) && (size & (size - 1)) == 0)) continue;
            const ensemble all([&](place at) { return entry.make(at, {}); }, size);
            const both b = ask(slow_cpu, all, block_bytes::even(400 * all.blocks(), all.blocks(), 4));
            INFO(name_of(entry.what) << ' ' << entry.name << ", " << size << " ranks");
            CHECK(b.priced == Approx(b.simulated).epsilon(1e-9));
        }
    }
    CHECK(found == equal.size() + equal_at_powers.size());
}

TEST_CASE("elsewhere they differ by the CPU time of messages that come early or out of turn") {
    for (const catalogue_entry& entry : catalogue())
        for (const rank_type size : {2, 3, 6, 13, 32, 40}) {
            const ensemble all([&](place at) { return entry.make(at, {}); }, size);
            const both b = ask(slow_cpu, all, block_bytes::even(400 * all.blocks(), all.blocks(), 4));
            INFO(name_of(entry.what) << ' ' << entry.name << ", " << size << " ranks");
            CHECK(b.priced > 0.7 * b.simulated);
            CHECK(b.priced < 1.3 * b.simulated);
        }
}

const block_set one{.first = 0, .count = 1};
const loggops plain{.L = 2, .o = 1, .g = 0, .G = 0};

TEST_CASE("the simulator takes messages as they come, the evaluator as they are listed") {
    // Rank 2 sends at 0, rank 1 only after it has sent three others; rank 0 lists rank 1's first.
    const told_schedule star(
        {{{step::recv(1, one), step::recv(2, one)}},
         {{step::send(3, one), step::send(3, one), step::send(3, one), step::send(0, one)}},
         {{step::send(0, one)}},
         {{step::recv(1, one), step::recv(1, one), step::recv(1, one)}}});
    CHECK(ask(plain, star).simulated == 7); // rank 2's at 3, rank 1's at 6
    CHECK(ask(plain, star).priced == 8);    // rank 1's at 6, then rank 2's
}

TEST_CASE(
    "a message that comes early takes CPU time at once in the simulator, in its round in the evaluator") {
    // Rank 1's message comes when rank 0 has sent three to rank 2, and delays the fourth.
    const told_schedule early(
        {{{step::send(2, one), step::send(2, one), step::send(2, one)},
          {step::send(2, one)},
          {step::recv(1, one)}},
         {{}, {}, {step::send(0, one)}},
         {{step::recv(0, one), step::recv(0, one), step::recv(0, one)}, {step::recv(0, one)}}});
    CHECK(ask(plain, early).priced == 4 + 2 + 1);
    CHECK(ask(plain, early).simulated == 4 + 1 + 2 + 1);
}

TEST_CASE("both let a sender go on while its network interface is still busy") {
    // 33 bytes leave within 32 us; rank 0's CPU folds in the meantime.
    const block_set many{.first = 0, .count = 33};
    const told_schedule folding(
        {{{step::send(1, many)},
          {step::reduce(many, buffer_name::input, buffer_name::work, operand_side::right)}},
         {{step::recv(0, many)}}});
    loggops m = plain;
    m.G = 1;
    m.fold_per_byte = 1;
    CHECK(ask(m, folding).simulated == 3 + 1 + 32); // the fold is done at 1 + 33
    CHECK(ask(m, folding).priced == 3 + 1 + 32);
}

TEST_CASE("in both a sender in rendezvous waits for its receiver") {
    const told_schedule waiting(
        {{{step::send(1, one)}, {step::send(1, one)}}, {{step::recv(0, one)}, {step::recv(0, one)}}});
    loggops m = plain;
    CHECK(ask(m, waiting).simulated == 5);
    CHECK(ask(m, waiting).priced == 5);
    m.S = 0;
    CHECK(ask(m, waiting).simulated == 3 + 3 + 1);
    CHECK(ask(m, waiting).priced == 3 + 3 + 1);
}

} // namespace
