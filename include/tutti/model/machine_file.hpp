// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

#include <tutti/core/compiled.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/model/machine_lines.hpp>

#if TUTTI_BODIES
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include <tutti/model/machine_keys.hpp>
#include <tutti/model/quantity.hpp>
#endif

/// Machines as small text files: a key on each line, every quantity with a unit, `#` begins a comment.
///
///     name = quadrics-elan3-nic
///     source = Moody, Fernandez, Petrini and Panda 2003, Table 2
///     model = moody_2003
///     L = 2.10 us                       # a time: us, ns, ps
///     r = 0.42 us
///     C = 9.20 us
///     c(float64-add, 8 B) = 1.50 us     # a table: a line for each length
///     c(float64-add, 16 B) = 2.95 us
///
/// A table may fall where a machine does; choosing (see cost_model) then may miss the best algorithm.
///
/// Lengths are B, KiB, MiB, costs per byte us/B, ns/B, ps/B; counts have no unit. The keys of each model are
/// those of machine_keys.hpp. Lines may come in any order.
namespace tutti {

/// The machine that `text` describes. Throws machine_file_error, with `file_name` in it, for a line that is
/// no assignment, a key that the model lacks, one that is missing or given twice, a value that is no number,
/// negative or not finite, a unit that is missing or wrong, a model that does not exist.
machine parse_machine(std::string_view text, const std::string& file_name = "machine");

/// The machine of a file. Errors as parse_machine; if the file cannot be read, too.
machine load_machine(const std::string& path);

/// The file of a machine: parse_machine(text_of(m)) == m, to the last bit.
std::string text_of(const machine& m);

#if TUTTI_BODIES
namespace detail {

/// Fills a model from lines; see machine_keys.hpp for what is called.
class machine_reader {
public:
    explicit machine_reader(machine_lines& lines) : lines_(lines) {}

    void time(const char* name, double& to, presence needed) {
        if (const auto* e = find(name, needed)) lines_.refuse_if(read_time(e->value, time_units, to), *e);
    }
    void time_per_byte(const char* name, double& to, presence needed) {
        if (const auto* e = find(name, needed))
            lines_.refuse_if(read_time(e->value, time_per_byte_units, to), *e);
    }
    void bytes(const char* name, std::int64_t& to, presence needed) {
        const auto* e = find(name, needed);
        if (e == nullptr) return;
        if (e->value == "unlimited")
            to = INT64_MAX;
        else
            lines_.refuse_if(read_bytes(e->value, to), *e);
    }
    void count(const char* name, int& to, presence needed) {
        const auto* e = find(name, needed);
        if (e == nullptr) return;
        std::int64_t value = 0;
        lines_.refuse_if(read_count(e->value, 1, value), *e);
        if (value > INT32_MAX) lines_.refuse(*e, "the value is out of range");
        to = static_cast<int>(value);
    }
    void word(const char* name, std::string& to, presence needed) {
        if (const auto* e = find(name, needed)) to = e->value;
    }
    void table(const char* name, piecewise& to, presence needed) {
        std::map<std::string, piecewise> only;
        read_tables(name, 0, only);
        const auto* same = lines_.take(name);
        if (same != nullptr && !only.empty()) lines_.refuse(*same, "given for each length, too");
        if (same == nullptr && only.empty() && needed == presence::required) missing(name);
        double us = 0;
        if (same != nullptr) {
            lines_.refuse_if(read_time(same->value, time_units, us), *same);
            to = piecewise::constant(us);
        } else if (!only.empty()) {
            to = std::move(only.begin()->second);
        }
    }
    void tables(const char* name, std::map<std::string, piecewise>& to) { read_tables(name, 1, to); }

    /// The first required key that was not there; "" if all were.
    const std::string& first_missing() const noexcept { return first_missing_; }

private:
    using entry = machine_lines::entry;

    const entry* find(const char* name, presence needed) {
        const entry* e = lines_.take(name);
        if (e == nullptr && needed == presence::required) missing(name);
        return e;
    }
    void missing(const char* name) {
        if (first_missing_.empty()) first_missing_ = name;
    }

    /// The tables of all lines that have `words` arguments before the length, by the last of these.
    void read_tables(std::string_view name, std::size_t words, std::map<std::string, piecewise>& to) {
        std::map<std::string, std::map<std::int64_t, std::pair<double, const entry*>>> points;
        for (entry& e : lines_.entries()) {
            if (e.name != name || e.arguments.size() != words + 1) continue;
            e.used = true;
            std::int64_t length = 0;
            double us = 0;
            lines_.refuse_if(read_bytes(e.arguments.back(), length), e);
            lines_.refuse_if(read_time(e.value, time_units, us), e);
            const auto [at, fresh] =
                points[words == 0 ? "" : e.arguments[words - 1]].insert({length, {us, &e}});
            if (!fresh) lines_.refuse_repeated(e, *at->second.second);
        }
        for (const auto& [word, by_length] : points) {
            std::vector<piecewise::point> all;
            for (const auto& [length, value] : by_length) all.push_back({length, value.first});
            to[word] = piecewise(std::move(all));
        }
    }

    machine_lines& lines_;
    std::string first_missing_;
};

/// Writes the lines of a model.
class machine_writer {
public:
    void time(const char* name, const double& v, presence) { line(name, text_of_time(v, time_units)); }
    void time_per_byte(const char* name, const double& v, presence needed) {
        if (v != 0 || needed == presence::required) line(name, text_of_time(v, time_per_byte_units));
    }
    void bytes(const char* name, const std::int64_t& v, presence) {
        line(name, v == INT64_MAX ? "unlimited" : text_of_bytes(v));
    }
    void count(const char* name, const int& v, presence) { line(name, std::to_string(v)); }
    void word(const char* name, const std::string& v, presence) {
        if (!v.empty()) line(name, v);
    }
    void table(const std::string& name, const piecewise& v, presence) {
        if (v.points().size() == 1 && v.points().front().bytes == 0)
            line(name, text_of_time(v.points().front().us, time_units));
        else
            points(std::string(name).append("("), v);
    }
    void tables(const char* name, const std::map<std::string, piecewise>& v) {
        for (const auto& [word, values] : v)
            points(std::string(name).append("(").append(word).append(", "), values);
    }

    void line(const std::string& key, const std::string& value) {
        text.append(key).append(" = ").append(value).append("\n");
    }

    std::string text{};

private:
    void points(const std::string& before, const piecewise& v) {
        for (const piecewise::point& p : v.points())
            line(std::string(before).append(text_of_bytes(p.bytes)).append(")"),
                 text_of_time(p.us, time_units));
    }
};

/// Makes `m` hold a new model of that name; false if there is none.
template <std::size_t I = 0>
bool set_model(machine& m, std::string_view name) {
    if constexpr (I == std::variant_size_v<decltype(machine::model)>) {
        return false;
    } else {
        m.model.template emplace<I>();
        return m.model_name() == name || set_model<I + 1>(m, name);
    }
}

inline std::string model_names() {
    std::string all;
    machine m;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((m.model.emplace<I>(), all.append(I == 0 ? "" : ", ").append(m.model_name())), ...);
    }(std::make_index_sequence<std::variant_size_v<decltype(machine::model)>>{});
    return all;
}

} // namespace detail

TUTTI_BODY machine parse_machine(std::string_view text, const std::string& file_name) {
    detail::machine_lines lines(text, file_name);
    machine result;
    if (const auto* name = lines.take("name")) result.name = name->value;
    if (const auto* source = lines.take("source")) result.source = source->value;
    const auto* model = lines.take("model");
    if (model == nullptr)
        lines.refuse_missing(0, "model", std::string("missing; allowed: ").append(detail::model_names()));
    const std::size_t model_line = model->line;
    if (!detail::set_model(result, model->value))
        lines.refuse(*model, std::string("there is no model '")
                                 .append(model->value)
                                 .append("'; allowed: ")
                                 .append(detail::model_names()));

    detail::machine_reader reader(lines);
    std::visit([&](auto& m) { detail::for_each_key(m, reader); }, result.model);
    const std::string of_model = std::string("model ").append(result.model_name());
    for (const auto& e : lines.entries())
        if (!e.used) lines.refuse(e, of_model + " has no such key");
    if (!reader.first_missing().empty())
        lines.refuse_missing(model_line, reader.first_missing(), "missing; " + of_model + " needs it");
    return result;
}

TUTTI_BODY machine load_machine(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    if (!file || file.bad()) throw machine_file_error(path, 0, "", "the file cannot be read");
    return parse_machine(text.str(), path);
}

TUTTI_BODY std::string text_of(const machine& m) {
    detail::machine_writer writer;
    if (!m.name.empty()) writer.line("name", m.name);
    if (!m.source.empty()) writer.line("source", m.source);
    writer.line("model", std::string(m.model_name()));
    std::visit([&](const auto& model) { detail::for_each_key(model, writer); }, m.model);
    return writer.text;
}
#endif

} // namespace tutti
