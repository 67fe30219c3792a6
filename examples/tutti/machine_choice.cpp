// SPDX-License-Identifier: BSL-1.0
#include "machine_choice.hpp"

#include <cstdlib>
#include <fstream>
#include <variant>

#include <tutti/core/error.hpp>
#include <tutti/core/spelling.hpp>
#include <tutti/model/machine_file.hpp>

#include "json.hpp"
#include "table.hpp"

namespace program {

namespace {

tutti::machine machine_of(const std::string& name_or_file) {
    for (const built_in_machine& m : built_in_machines())
        if (m.name == name_or_file) return tutti::parse_machine(m.text, std::string(m.name) + ".machine");
    if (!std::ifstream(name_or_file))
        throw tutti::argument_error("--machine", tutti::detail::misspelt(name_or_file, machine_names()),
                                    joined(machine_names()) + ", or a file that can be read");
    return tutti::load_machine(name_or_file);
}

} // namespace

std::vector<std::string_view> machine_names() {
    std::vector<std::string_view> names;
    for (const built_in_machine& m : built_in_machines()) names.push_back(m.name);
    return names;
}

tutti::machine chosen_machine(const arguments& given) {
    tutti::machine chosen = machine_of(std::string(given.value("--machine", "threads")));
    if (!given.has("--operation")) return chosen;
    const std::string operation(given.value("--operation", ""));
    auto* const moody = std::get_if<tutti::moody_2003::model>(&chosen.model);
    if (moody == nullptr || moody->c.empty())
        throw tutti::argument_error("--operation", "'" + operation + "'",
                                    "nothing: on the machine " + chosen.name
                                        + " all operations cost the same");
    if (!moody->c.contains(operation)) {
        std::vector<std::string_view> names;
        for (const auto& [name, times] : moody->c) names.push_back(name);
        throw tutti::argument_error("--operation", "'" + operation + "'", joined(names));
    }
    moody->operation = operation;
    return chosen;
}

std::vector<std::string> beyond_measured(const tutti::machine& on, std::int64_t ranks, std::int64_t bytes) {
    std::vector<std::string> beyond;
    const auto* const model = std::get_if<tutti::measured>(&on.model);
    if (model == nullptr) return beyond;
    // "tutti calibrate: 2 threads on 2 cores": as calibrate, and mpi_tune, write it
    const std::string_view mark = "tutti calibrate: ";
    if (const std::size_t at = on.source.find(mark); at != std::string::npos) {
        const std::int64_t measured = std::atoll(on.source.c_str() + at + mark.size());
        if (measured > 0 && ranks > measured)
            beyond.push_back(std::to_string(ranks) + " ranks (" + std::to_string(measured)
                             + " were measured)");
    }
    if (!model->recv.empty() && bytes > model->recv.points().back().bytes)
        beyond.push_back(typed(bytes) + " bytes (up to " + typed(model->recv.points().back().bytes)
                         + " were measured)");
    return beyond;
}

std::string priced_on::lines() const {
    std::string text = on.name + (on.source.empty() ? "" : ": ") + on.source + '\n';
    for (const std::string& what : beyond_measured(on, ranks, bytes))
        text.append("beyond what was measured: ").append(what).append("\n");
    return text;
}

std::string priced_on::remark() const {
    std::string text;
    for (const std::string& what : beyond_measured(on, ranks, bytes))
        text.append(text.empty() ? "; beyond what was measured: " : ", ").append(what);
    return text;
}

std::string priced_on::json_members() const {
    const std::vector<std::string> beyond = beyond_measured(on, ranks, bytes);
    std::string text = ", \"machine\": " + in_quotes(on.name) + ", \"source\": " + in_quotes(on.source)
                       + ", \"beyond_measured\": [";
    for (const std::string& what : beyond)
        text.append(&what == beyond.data() ? "" : ", ").append(in_quotes(what));
    return text + "]";
}

tutti::loggops loggops_of(const tutti::machine& on) {
    if (const auto* model = std::get_if<tutti::loggops>(&on.model)) return *model;
    throw tutti::argument_error("--machine",
                                on.name + ", which has the model " + std::string(on.model_name()),
                                "a machine with the model loggops: loggops, or a file with the line 'model = "
                                "loggops', its L, o, g, G, O and S as in machines/loggops.machine");
}

} // namespace program
