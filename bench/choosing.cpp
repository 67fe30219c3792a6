// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/choose/default_allreduce.hpp>
#include <tutti/choose/remembered.hpp>
#include <tutti/model/decision_table.hpp>
#include <tutti/model/default_machine.hpp>
#include <tutti/model/selection.hpp>
#include <tutti/model/tabulate.hpp>

#include "clock.hpp"

/// What a choice costs: the first time for a length, from then on, and in a table.
namespace bench {
namespace {

using namespace tutti;

std::size_t priced(const ranking& r) {
    return static_cast<std::size_t>(std::count_if(r.all.begin(), r.all.end(), [](const rated_candidate& c) {
        return c.how == rated_candidate::verdict::priced;
    }));
}

void measure_first_choices(report& out) {
    table t{"choosing",
            "Choosing for a new collective, size and length, default machine: milliseconds",
            {"collective", "p", "bytes", "candidates", "priced", "ms", "chosen"}};
    std::vector<double> slowest;
    std::vector<std::string> who;
    const std::vector<rank_type> sizes{2, 16, 4096};
    for (const rank_type p : sizes) {
        slowest.push_back(0);
        who.emplace_back();
        for (const collective what : all_collectives)
            for (const std::int64_t bytes :
                 {std::int64_t{8}, std::int64_t{64} << 10, std::int64_t{16} << 20}) {
                ranking r;
                const double ms =
                    1e3 * least_time([&] {
                        r = rank_algorithms(default_machine(), {.what = what, .size = p, .bytes = bytes});
                        keep(&r.all);
                    });
                if (!r.any()) out.wrong("nothing chosen for " + std::string(name_of(what)));
                t.row({std::string(name_of(what)), std::int64_t{p}, bytes,
                       static_cast<std::int64_t>(r.all.size()), static_cast<std::int64_t>(priced(r)),
                       measured{ms, 3}, name_of(r.best().what)});
                if (ms <= slowest.back()) continue;
                slowest.back() = ms;
                who.back() = std::string(name_of(what)) + " of " + std::to_string(bytes) + " B";
            }
    }
    out.add(t);
    const double aims[] = {1, 1, 20};
    for (std::size_t i = 0; i < sizes.size(); ++i)
        out.at_most("choosing at p = " + std::to_string(sizes[i]) + " (the slowest: " + who[i] + ")",
                    slowest[i], aims[i], " ms");
}

/// Nanoseconds of a look-up, requests in no order.
template <class F>
double look_up_ns(const std::vector<std::pair<rank_type, std::int64_t>>& requests, const F& find) {
    return 1e9 / static_cast<double>(requests.size()) * least_time([&] {
               for (const auto& [size, bytes] : requests) {
                   const void* found = find(size, bytes);
                   keep(&found);
               }
           });
}

void measure_look_ups(report& out) {
    std::vector<rank_type> sizes;
    for (rank_type p = 2; p <= 33; ++p) sizes.push_back(p);
    const decision_table table_of = tabulate(
        default_machine(), {.collectives = {collective::allreduce}, .sizes = sizes, .most_bytes = 1 << 22});
    std::vector<std::pair<rank_type, std::int64_t>> requests;
    std::uint64_t random = 1;
    for (int i = 0; i < 1000; ++i) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        requests.emplace_back(static_cast<rank_type>(2 + (random >> 33) % 32),
                              std::int64_t{1} << (random >> 40) % 24);
    }
    const double in_table = look_up_ns(requests, [&](rank_type size, std::int64_t bytes) {
        return table_of.find({.what = collective::allreduce, .size = size, .bytes = bytes});
    });
    tutti::detail::remembered_choices remembered;
    const choice some{.algorithm = "ring"};
    for (const auto& [size, bytes] : requests)
        remembered.remember(collective::allreduce, {.at = {0, 16, 0}, .bytes = bytes}, some);
    const double in_slots = look_up_ns(requests, [&](rank_type, std::int64_t bytes) {
        return remembered.find(collective::allreduce, {.at = {0, 16, 0}, .bytes = bytes});
    });
    const double in_defaults = look_up_ns(requests, [&](rank_type size, std::int64_t bytes) {
        return &default_choice<collective::allreduce>({.at = {0, size, 0}, .bytes = bytes}, cores::own);
    });
    table t{"choosing_again",
            "A choice that has been made: ns, lengths and sizes at random",
            {"where", "rules", "ns"}};
    t.row({std::string("decision table, sizes 2..33"), static_cast<std::int64_t>(table_of.rules().size()),
           measured{in_table}});
    t.row({std::string("tables that ship"),
           static_cast<std::int64_t>(default_rules_of<collective::allreduce>().size()),
           measured{in_defaults}});
    t.row({std::string("what a communicator remembers"), std::int64_t{0}, measured{in_slots}});
    out.add(t);
    out.at_most("look-up in a decision table", in_table, 20, " ns");
    out.at_most("look-up of a choice that a communicator has made", in_slots, 5, " ns");
}

} // namespace

void measure_choosing(report& out) {
    measure_first_choices(out);
    measure_look_ups(out);
    measure_regret(out);
}

} // namespace bench
