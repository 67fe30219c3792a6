// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/cores.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "support/catch2.hpp"
#include "support/mpi_world.hpp"

#if defined(__linux__)
#include <sched.h>

using namespace tutti;

namespace {

/// Binds this rank to cores until the end of the scope.
class bound {
public:
    explicit bound(const std::vector<std::size_t>& cores) {
        sched_getaffinity(0, sizeof before_, &before_);
        cpu_set_t now;
        CPU_ZERO(&now);
        for (const std::size_t one : cores) CPU_SET(one, &now);
        sched_setaffinity(0, sizeof now, &now);
    }
    bound(const bound&) = delete;
    bound& operator=(const bound&) = delete;
    ~bound() { sched_setaffinity(0, sizeof before_, &before_); }

private:
    cpu_set_t before_;
};

std::vector<std::size_t> cores_here() {
    std::vector<std::size_t> numbers;
    const std::vector<char> allowed = mpi::allowed_cores();
    for (std::size_t i = 0; i < allowed.size(); ++i)
        if (allowed[i] == 1) numbers.push_back(i);
    return numbers;
}

/// Which of so many ranks, each bound to the cores that which(rank) says, find that they share them.
template <class Which>
std::string are_shared(rank_type size, const Which& which) {
    return support::on_ranks(size, [&](MPI_Comm group) -> std::string {
        const bound to(which(mpi::rank_in(group)));
        return mpi::cores_are_shared(group) ? "shared" : "";
    });
}

} // namespace

TEST_CASE("ranks share cores where they outnumber those that any of them may run on", "[mpi]") {
    const std::vector<std::size_t> cores = cores_here();
    if (cores.size() < 2) return;
    const std::vector first{cores[0]}, second{cores[1]}, both{cores[0], cores[1]};
    CHECK(are_shared(1, [&](rank_type) { return first; }).empty());
    CHECK_FALSE(are_shared(2, [&](rank_type) { return first; }).empty());
    CHECK(are_shared(2, [&](rank_type) { return both; }).empty());
    CHECK(are_shared(2, [&](rank_type r) { return r == 0 ? first : second; }).empty());
    CHECK(are_shared(2, [&](rank_type r) { return r == 0 ? first : both; }).empty());
    const std::string heard = are_shared(3, [&](rank_type r) { return r == 0 ? first : both; });
    for (rank_type r = 0; r < 3; ++r) // on all
        CHECK(heard.find("rank " + std::to_string(r) + " of 3: shared") != std::string::npos);
}
#endif
