// SPDX-License-Identifier: BSL-1.0
#include <cstdio>
#include <tutti/tools.hpp>

namespace mine {
using namespace tutti;

struct line {}; // the algorithm's name

// An allreduce along a line: folds travel up from rank 0, the result travels back down.
// Example with 5 ranks: 0->1, 1->2, 2->3, 3->4, then 4->3, 3->2, 2->1, 1->0.
struct allreduce_line {
    place at; // rank, size, root

    round_index rounds() const { return 2 * (at.size - 1); }
    block_index blocks() const { return 1; } // whole vectors travel
    capabilities claims() const {            // the prover tests every one of them
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .max_outstanding = at.size > 1 ? 1 : 0,
                .rounds = rounds(),
                .sent_blocks = at.size > 2 ? 2 : at.size - 1,
                .reduced_blocks = at.size > 1 ? 1 : 0};
    }
    void emit(round_index i, auto&& sink) const {
        constexpr block_set all{.first = 0, .count = 1};
        const bool up = i < at.size - 1;
        const auto low = static_cast<rank_type>(up ? i : rounds() - 1 - i); // low and low + 1 meet in round i
        if (at.rank != low && at.rank != low + 1) return;
        const rank_type peer = at.rank == low ? low + 1 : low;
        if ((at.rank == low) == up) return sink(step::send(peer, all));
        sink(up ? step::recv_reduce(peer, all, operand_side::left) : step::recv(peer, all));
    }
};

auto generate(collective_constant<collective::allreduce>, const line&, place at) {
    return allreduce_line{at};
}
} // namespace mine

int main() {
    const auto make = [](tutti::place at) { return mine::allreduce_line{at}; };
    for (tutti::rank_type size = 1; size <= 70; ++size) {
        const auto proof = tutti::prove(tutti::collective::allreduce, size, 0, make);
        if (!proof.proved) return std::printf("p = %d: %s\n", size, proof.findings.front().what.c_str()), 1;
    }
    tutti::threads::run(4, [](auto& comm) {
        std::vector<double> v(1000, comm.rank());
        tutti::allreduce(comm, v, tutti::sum{}, mine::line{});
        if (comm.rank() == 0) std::printf("proved for 1 to 70 ranks; 0 + 1 + 2 + 3 = %g\n", v[0]);
    });
}
