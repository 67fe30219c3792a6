// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/cores.hpp>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include <sched.h>

#include <tutti/core/rank.hpp>

#include "support/catch2.hpp"

namespace {

using tutti::detail::begin_apart;
using tutti::detail::core_claims;

cpu_set_t bound_to() {
    cpu_set_t cores;
    REQUIRE(::sched_getaffinity(0, sizeof cores, &cores) == 0);
    return cores;
}

std::vector<std::size_t> cores_of(const cpu_set_t& set) {
    std::vector<std::size_t> cores;
    for (std::size_t core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &set)) cores.push_back(core);
    return cores;
}

std::vector<std::size_t> begun(const core_claims& claims, const std::vector<std::size_t>& cores) {
    std::vector<std::size_t> result;
    for (const std::size_t core : cores)
        if (claims.begun[core]) result.push_back(core);
    return result;
}

} // namespace

TEST_CASE("the cores that a process may use are those that it is bound to", "[transport][cores]") {
    const std::vector<std::size_t> all = cores_of(bound_to());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> told; // of so many
    std::thread([&] {                                          // or this one would stay bound
        cpu_set_t some;
        CPU_ZERO(&some);
        for (const std::size_t core : all) {
            CPU_SET(core, &some);
            if (::sched_setaffinity(0, sizeof some, &some) == 0)
                told.emplace_back(tutti::detail::usable_cores(), CPU_COUNT(&some));
        }
    })
        .join();
    REQUIRE(!told.empty());
    for (const auto& [cores, bound_to] : told) CHECK(cores == bound_to);
}

TEST_CASE("ranks with a core for each begin on cores of their own", "[transport][cores]") {
    const std::vector<std::size_t> cores = cores_of(bound_to());
    const auto count = static_cast<tutti::rank_type>(cores.size());
    if (count == 1) return; // nowhere to go
    for (const tutti::rank_type ranks : {count - 1, count}) {
        core_claims claims;
        std::vector<std::thread> all;
        for (tutti::rank_type r = 0; r < ranks; ++r)
            all.emplace_back([&, r] { begin_apart(claims, r, ranks); });
        for (std::thread& one : all) one.join();
        CHECK(begun(claims, cores).size() == static_cast<std::size_t>(ranks));
    }
}

TEST_CASE("a rank that begins goes where there is room, and may leave from there", "[transport][cores]") {
    const cpu_set_t before = bound_to();
    const std::vector<std::size_t> cores = cores_of(before);
    const auto count = static_cast<tutti::rank_type>(cores.size());
    for (const std::size_t room : cores) {
        core_claims claims;
        for (const std::size_t core : cores) claims.begun[core] = core != room || count == 1;
        begin_apart(claims, 0, count);
        CHECK(begun(claims, cores) == cores);
        const cpu_set_t after = bound_to();
        CHECK(CPU_EQUAL(&before, &after));
        begin_apart(claims, 0, count); // no room: it stays
        CHECK(begun(claims, cores) == cores);
    }
}

TEST_CASE("ranks that share cores begin in blocks, and claim none", "[transport][cores]") {
    const cpu_set_t before = bound_to();
    const std::vector<std::size_t> cores = cores_of(before);
    const std::size_t count = cores.size();
    if (count == 1) return;
    for (const std::size_t ranks : {count + 1, 2 * count, 2 * count + 1}) {
        core_claims claims;
        for (std::size_t r = 0; r < ranks; ++r) {
            const std::size_t block = cores[r * count / ranks];
            bool was_there = false; // once in twenty times: the system may move it on at once
            for (int attempt = 0; attempt < 20 && !was_there; ++attempt) {
                cpu_set_t after;
                std::thread([&] {
                    begin_apart(claims, static_cast<tutti::rank_type>(r),
                                static_cast<tutti::rank_type>(ranks));
                    was_there = ::sched_getcpu() == static_cast<int>(block);
                    after = bound_to();
                }).join();
                CHECK(CPU_EQUAL(&before, &after));
            }
            INFO("rank " << r << " of " << ranks << ", core " << block);
            CHECK(was_there);
        }
        CHECK(begun(claims, cores).empty());
    }
}

TEST_CASE("a rank bound to one core is left there", "[transport][cores]") {
    const std::vector<std::size_t> cores = cores_of(bound_to());
    core_claims claims;
    bool the_same = false;
    std::thread([&] {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cores.back(), &one);
        if (::sched_setaffinity(0, sizeof one, &one) != 0) return;
        begin_apart(claims, 1, 2);
        cpu_set_t after;
        the_same = ::sched_getaffinity(0, sizeof after, &after) == 0 && CPU_EQUAL(&one, &after);
    }).join();
    CHECK(the_same);
    CHECK(begun(claims, cores).empty());
}
