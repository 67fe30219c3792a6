// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/allreduce.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

namespace {

using tutti::rank_type;

// Numbers of which every other order of adding gives other bits.
template <class T>
std::vector<T> ugly(rank_type rank, std::size_t count) {
    std::vector<T> v(count);
    for (std::size_t i = 0; i < count; ++i)
        v[i] =
            static_cast<T>(std::sin(static_cast<double>(i) * 1.7 + rank * 0.9)
                           * std::pow(10.0, static_cast<double>((rank * 5 + static_cast<int>(i)) % 9 - 4)));
    return v;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T>
auto folding_into(std::vector<std::vector<T>>& results, const std::string& algorithm, std::size_t count) {
    return [&results, &algorithm, count](auto& comm) {
        std::vector<T> v = ugly<T>(comm.rank(), count);
        tutti::allreduce(comm, v, tutti::sum{}, tutti::named{algorithm});
        results[static_cast<std::size_t>(comm.rank())] = v;
    };
}

} // namespace

TEMPLATE_TEST_CASE("algorithms that claim the same bits on all ranks deliver them", "[execute][allreduce]",
                   float, double) {
    const rank_type size = GENERATE(as<rank_type>{}, 2, 3, 5, 6, 7, 8, 12);
    int claimed = 0;
    for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
        if (entry.what != tutti::collective::allreduce) continue;
        if (!entry.make({0, size, 0}, {}).claims().same_bits_on_all_ranks) continue;
        ++claimed;
        for (const std::size_t count : {std::size_t{3}, std::size_t{500}}) {
            const std::string name(entry.name);
            std::vector<std::vector<TestType>> results(static_cast<std::size_t>(size));
            tutti::threads::run(size, folding_into(results, name, count));
            INFO(name << ", size " << size << ", " << count << " elements");
            CHECK(results[0].size() == count);
            for (const auto& result : results) CHECK(same_bits(result, results[0]));
        }
    }
    CHECK(claimed >= 5);
}

TEST_CASE("the bits of a result do not depend on who comes when, nor on the transport",
          "[execute][allreduce]") {
    constexpr rank_type size = 6;
    for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
        if (entry.what != tutti::collective::allreduce) continue;
        const std::string name(entry.name);
        std::vector<std::vector<double>> first(size);
        tutti::threads::run(size, folding_into(first, name, 60));
        INFO(name);
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            std::vector<std::vector<double>> again(size);
            const auto late = static_cast<rank_type>(seed % size);
            tutti::mock::run(size, {.seed = seed, .rendezvous = seed % 2 == 0, .late = {late}, .log = false},
                             folding_into(again, name, 60));
            for (std::size_t r = 0; r < size; ++r) CHECK(same_bits(again[r], first[r]));
        }
    }
}

TEST_CASE("the numbers of these tests are ugly indeed: another order gives other bits",
          "[execute][allreduce]") {
    const std::size_t count = 60;
    std::vector<double> up(count), down(count);
    for (rank_type r = 0; r < 6; ++r)
        for (std::size_t i = 0; i < count; ++i) {
            up[i] += ugly<double>(r, count)[i];
            down[i] += ugly<double>(5 - r, count)[i];
        }
    CHECK(!same_bits(up, down));
}
