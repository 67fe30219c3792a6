// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/execute/action.hpp>
#include <tutti/execute/task.hpp>

namespace tutti::detail {

/// The most memory for elements that a run of a task leases: see plan::extra_bytes.
std::int64_t extra_bytes(const task& t, bool runs_straight);

#if TUTTI_BODIES
/// What messages take that come before their place is free: in each round in flight the k-th receive has
/// memory of its own, as long as the longest that it ever was.
TUTTI_BODY void measure_staging(const step_list& steps, const block_layout& layout,
                                std::vector<std::int64_t>& staging) {
    std::size_t k = 0;
    for (std::size_t i = 0; i < steps.size(); ++i, ++k) {
        const bool receives = steps[i].kind == step_kind::recv || steps[i].kind == step_kind::recv_reduce;
        std::int64_t bytes = layout.size(steps[i].blocks);
        for (; steps[i].continues() && i + 1 < steps.size(); ++i) bytes += layout.size(steps[i + 1].blocks);
        if (k == staging.size()) staging.push_back(0);
        if (receives) staging[k] = std::max(staging[k], bytes);
    }
}

TUTTI_BODY std::int64_t extra_bytes(const task& t, bool runs_straight) {
    const std::int64_t whole = t.layout.elements();
    std::int64_t sum = t.keep_input ? t.layout_of_input().elements() : 0;
    std::array<bool, static_cast<std::size_t>(region::nowhere) + 1> needs{};
    const auto need = [&](region r) -> bool& { return needs[static_cast<std::size_t>(r)]; };
    if (runs_straight) {
        for (const region r : {region::work, region::scratch, region::scratch_1})
            need(r) = t.resolved.needs(r);
    } else {
        std::array<std::vector<std::int64_t>, rounds_in_flight> staging;
        step_list steps;
        need(region::work) = t.result.count > 0;
        for (round_index i = 0; i < t.schedule.rounds(); ++i) {
            steps.clear();
            t.schedule.append(i, steps);
            for (const step& s : steps) {
                need(whereabouts::region_of(s.buffer)) = true;
                if (s.is_local()) need(whereabouts::region_of(s.source)) = true;
            }
            measure_staging(steps, t.layout, staging[static_cast<std::size_t>(i % rounds_in_flight)]);
        }
        for (const auto& of_round : staging)
            for (const std::int64_t bytes : of_round) sum += bytes;
    }
    if (need(region::work) && t.bound.work == nullptr) sum += whole;
    for (const region plane : {region::scratch, region::scratch_1})
        if (need(plane)) sum += whole;
    return sum;
}
#endif

} // namespace tutti::detail
