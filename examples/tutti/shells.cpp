// SPDX-License-Identifier: BSL-1.0
#include "shells.hpp"

#include <algorithm>

#include "wrapping.hpp"

namespace program {

namespace {

using verb_list = std::span<const described_verb>;
using value_list = std::span<const known_values>;

/// With a backslash before each character of `special`.
std::string escaped(std::string_view text, std::string_view special) {
    std::string result;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

/// Between single quotes, as all three shells take it.
std::string in_single_quotes(std::string_view text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

const known_values* values_of(value_list values, std::string_view name) {
    const auto at = std::find_if(values.begin(), values.end(),
                                 [&](const known_values& v) { return v.option_name == name; });
    return at == values.end() ? nullptr : &*at;
}

void print_bash(std::ostream& out, verb_list verbs, value_list values) {
    out << "_tutti() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
           "    case $before in\n";
    out << "    completion) words='" << joined(shells, " ") << "' ;;\n";
    for (const known_values& v : values)
        out << "    " << v.option_name << ") words=" << in_single_quotes(joined(v.words, " ")) << " ;;\n";
    out << "    *) case ${COMP_WORDS[1]} in\n";
    for (const described_verb& v : verbs) {
        out << "        " << v.name << ") words='";
        for (const option& o : v.options) out << o.name << ' ';
        out << "--help' ;;\n";
    }
    out << "        esac ;;\n"
           "    esac\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then words='";
    for (const described_verb& v : verbs) out << v.name << ' ';
    out << "help completion manual'; fi\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "}\n"
           "complete -o default -F _tutti tutti\n";
}

void print_zsh(std::ostream& out, verb_list verbs, value_list values) {
    out << "#compdef tutti\n"
           "_tutti() {\n"
           "    local -a verbs=(\n";
    for (const described_verb& v : verbs)
        out << "        " << in_single_quotes(std::string(v.name) + ":" + escaped(v.summary, ":")) << '\n';
    out << "    )\n"
           "    if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n"
           "    local verb=$words[2]\n"
           "    shift words; (( CURRENT-- ))\n"
           "    case $verb in\n";
    for (const described_verb& v : verbs) {
        out << "    " << v.name << ") _arguments";
        for (const option& o : v.options) {
            std::string spec = std::string(o.name) + "[" + escaped(o.help, "[]:\\") + "]";
            if (!o.value.empty()) {
                spec.append(":").append(escaped(o.value, ":\\")).append(":");
                const known_values* const known = values_of(values, o.name);
                if (known != nullptr)
                    spec.append("(").append(joined(known->words, " ")).append(")");
                else
                    spec += "_files";
            }
            out << " \\\n        " << in_single_quotes(spec);
        }
        out << " ;;\n";
    }
    out << "    esac\n"
           "}\n"
           "if [ \"$funcstack[1]\" = _tutti ]; then _tutti; else compdef _tutti tutti; fi\n";
}

void print_fish(std::ostream& out, verb_list verbs, value_list values) {
    for (const described_verb& v : verbs) {
        out << "complete -c tutti -n __fish_use_subcommand -f -a " << v.name << " -d "
            << in_single_quotes(v.summary) << '\n';
        for (const option& o : v.options) {
            out << "complete -c tutti -n '__fish_seen_subcommand_from " << v.name << "' -l "
                << o.name.substr(2);
            if (const known_values* const known = values_of(values, o.name); known != nullptr)
                out << " -x -a " << in_single_quotes(joined(known->words, " "));
            else
                out << (o.value.empty() ? " -f" : " -r");
            out << " -d " << in_single_quotes(o.help) << '\n';
        }
    }
}

/// A line of running text that troff takes as it is.
std::string plain(std::string_view line) {
    const bool is_request = line.starts_with('.') || line.starts_with('\'');
    std::string text = is_request ? "\\&" : "";
    for (const char c : line) {
        if (c == '\\')
            text += "\\e";
        else if (c == '-')
            text += "\\-";
        else
            text += c;
    }
    return text;
}

/// Text in lines that stay as they are.
void print_as_is(std::ostream& out, std::string_view running_text) {
    constexpr std::size_t most = 72; // man indents them on a terminal of 80
    const std::string lines = fitted(paragraphs(running_text), most);
    std::string_view text = lines;
    out << ".nf\n";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        out << plain(text.substr(0, end)) << '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    out << ".fi\n";
}

} // namespace

void print_completion(std::ostream& out, std::string_view shell, verb_list verbs, value_list values) {
    if (shell == "bash")
        print_bash(out, verbs, values);
    else if (shell == "zsh")
        print_zsh(out, verbs, values);
    else
        print_fish(out, verbs, values);
}

void print_manual(std::ostream& out, std::string_view version, std::string_view general, verb_list verbs) {
    out << ".TH TUTTI 1 \"\" \"tutti " << plain(version) << "\"\n"
        << ".SH NAME\ntutti \\- collective algorithms as values, without writing code\n"
        << ".SH SYNOPSIS\n.B tutti\n.I VERB\n.RI [ OPTION ...]\n"
        << ".SH VERBS\n";
    for (const described_verb& v : verbs)
        out << ".TP\n.B " << plain(v.name) << '\n' << plain(v.summary) << '\n';
    print_as_is(out << ".PP\n", general);
    for (const described_verb& v : verbs) {
        out << ".SH TUTTI " << plain(v.name) << '\n' << plain(v.summary) << '\n';
        for (const option& o : v.options) {
            out << ".TP\n.B " << plain(o.name);
            if (!o.value.empty()) out << " \\fI" << plain(o.value) << "\\fR";
            out << '\n' << plain(o.help) << '\n';
        }
        print_as_is(out << ".PP\n", v.details);
    }
}

} // namespace program
