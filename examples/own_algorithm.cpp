// SPDX-License-Identifier: BSL-1.0
#include <cstdio>
#include <tutti/tools.hpp>

namespace mine {
using namespace tutti;

struct line { // the algorithm's name, and its options
    block_index segments = 1;
    void options(auto& is) { is("segments", segments, {1, 4, 16}); } // by name, with the values worth trying
};

// An allreduce along a line: folds travel up from rank 0, the result travels back down, segment by segment.
// Example with 3 ranks and 1 segment: 0->1, 1->2, then 2->1, 1->0.
struct allreduce_line {
    place at; // rank, size, root
    block_index segments;

    round_index rounds() const { return 2 * (at.size - 1) + segments - 1; }
    block_index blocks() const { return segments; } // the vector is cut into
    capabilities claims() const {                   // the prover tests every one of them
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .rounds = rounds(),
                .sent_blocks = segments * (at.size > 2 ? 2 : at.size - 1),
                .reduced_blocks = at.size > 1 ? segments : 0};
    }
    void emit(round_index i, auto&& sink) const {
        const auto segment = [](block_index j) { return block_set{.first = j, .count = 1}; };
        const auto is_one = [this](block_index j) { return j >= 0 && j < segments; };
        const block_index up = i - at.rank; // leaves in round i
        const block_index down = i + at.rank - 2 * (at.size - 1);
        if (at.rank > 0 && is_one(up + 1))
            sink(step::recv_reduce(at.rank - 1, segment(up + 1), operand_side::left));
        if (at.rank + 1 < at.size && is_one(down + 1)) sink(step::recv(at.rank + 1, segment(down + 1)));
        if (at.rank + 1 < at.size && is_one(up)) sink(step::send(at.rank + 1, segment(up)));
        if (at.rank > 0 && is_one(down)) sink(step::send(at.rank - 1, segment(down)));
    }
};

auto generate(collective_constant<collective::allreduce>, const line& how, place at) {
    return allreduce_line{at, how.segments};
}

const in_catalogue<collective::allreduce, line> joined{"line", "2(p-1)+S-1"}; // beside tutti's own
} // namespace mine

int main() {
    const auto make = [](tutti::place at) { return mine::allreduce_line{at, 4}; };
    const auto proof = tutti::prove_up_to(tutti::collective::allreduce, 70, make);
    if (!proof.proved) return std::printf("%s\n", proof.findings.front().what.c_str()), 1;

    const auto ranking = tutti::rank_algorithms(
        tutti::default_machine(), {.what = tutti::collective::allreduce, .size = 4, .bytes = 8000});
    std::printf("%s", ranking.explain().c_str()); // mine among all others, what each takes, and why

    tutti::threads::run(4, [](auto& comm) {
        std::vector<double> v(1000, comm.rank());
        tutti::allreduce(comm, v, tutti::sum{}, tutti::named{"line", {{"segments", 4}}});
        if (comm.rank() == 0) std::printf("proved for 1 to 70 ranks; 0 + 1 + 2 + 3 = %g\n", v[0]);
    });
}
