// SPDX-License-Identifier: BSL-1.0
#include "simulating.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <variant>

#include <tutti/render/goal.hpp>
#include <tutti/simulate/simulate.hpp>

#include "output.hpp"
#include "progress.hpp"
#include "relation_choice.hpp"

namespace program {

schedule simulated_case::all() const {
    const candidate made = over_relation(by, size);
    return {[&](tutti::place at) { return made.make(at); }, size, root};
}

double simulated::completion_us() const {
    return std::accumulate(completions_us.begin(), completions_us.end(), 0.0)
           / static_cast<double>(completions_us.size());
}

double simulated::least_us() const { return *std::min_element(completions_us.begin(), completions_us.end()); }

double simulated::most_us() const { return *std::max_element(completions_us.begin(), completions_us.end()); }

double simulated::deviation_us() const {
    if (completions_us.size() < 2) return 0;
    const double mean = completion_us();
    double squares = 0;
    for (const double us : completions_us) squares += (us - mean) * (us - mean);
    return std::sqrt(squares / static_cast<double>(completions_us.size() - 1));
}

tutti::simulation_result simulate_once(const schedule& all, const tutti::block_bytes& bytes,
                                       const tutti::simulation_options& options, const contention& where) {
    if (where.on == nullptr) return tutti::simulate(all, bytes, options);
    const auto ranks = static_cast<std::ptrdiff_t>(all.size());
    const auto at =
        tutti::placement::on_nodes(where.on->nodes(), {where.nodes.begin(), where.nodes.begin() + ranks});
    return std::visit(
        [&](const auto& network) { return tutti::simulate(all, bytes, network, at, options, where.links); },
        where.on->on);
}

void print_goal(const schedule& all, const tutti::block_bytes& bytes,
                const tutti::simulation_options& options, std::string_view title, std::string_view verb,
                const arguments& given, surroundings& with) {
    progress shown(with.err, with.terminal && given.has("--output"), verb,
                   static_cast<std::size_t>(all.size()), with.patience);
    shown.during([&] {
        write_output(given, with, [&](std::ostream& out) {
            tutti::write_goal(all, bytes, options, title, [&](std::string_view line) {
                out << line;
                if (line == "}\n") shown.step(); // ends a rank
            });
        });
    });
}

} // namespace program
