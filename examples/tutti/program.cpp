// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <exception>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/spelling.hpp>
#include <tutti/model/machine_lines.hpp>

#include "json.hpp"
#include "node_choice.hpp"
#include "relation_choice.hpp"
#include "shells.hpp"
#include "verbs.hpp"

namespace program {

namespace {

constexpr std::array verbs{&list_verb,       &verify_verb,    &run_verb,    &bench_verb,
                           &congestion_verb, &cost_verb,      &choose_verb, &show_verb,
                           &simulate_verb,   &calibrate_verb, &tune_verb};

constexpr std::string_view endings =
    "Ends with 0 if all is well, 1 if a check failed, 2 if the arguments are wrong. What --json prints "
    "names program, version and schema: a number that grows when a name in it goes or changes its "
    "meaning; so do traces (otherData) and Vega-Lite specs (usermeta). Lines are as wide as the terminal, or "
    "as COLUMNS says; through a pipe those of tables are of any width.\n";

/// A word that is about the program itself.
struct own_word {
    std::string_view name;
    std::string_view usage; ///< what follows it
    std::string_view summary;
    std::string_view details;
};

constexpr std::array own_words{
    own_word{"help", "[VERB]", "this text; tutti VERB --help: the options of a verb",
             "With a verb, or any of these words, what tutti VERB --help says.\n"},
    own_word{"completion", "bash|zsh|fish", "what that shell reads to complete the words above",
             "For the shell at hand; the package of tutti puts them where shells find them by themselves.\n\n"
             "  bash  source <(tutti completion bash)\n"
             "  zsh   source <(tutti completion zsh)\n"
             "  fish  tutti completion fish | source\n"},
    own_word{"manual", "", "all help as a page for man",
             "To be read as it is, or to be kept where man looks.\n\n"
             "  tutti manual | man -l -\n"}};

void print_usage(std::ostream& to) {
    flowing out(to, 0, usual_width);
    out << "tutti VERB [OPTION...]: collective algorithms as values, without writing code.\n\n";
    const auto line = [&](std::string_view name, std::string_view summary) {
        out << "  " << name << std::string(12 - name.size(), ' ') << summary << '\n';
    };
    for (const verb* v : verbs) line(v->name, v->summary);
    for (const own_word& w : own_words) line(w.name, w.summary);
    out << '\n' << endings;
}

void print_help(std::ostream& to, const own_word& w) {
    flowing out(to, 0, usual_width);
    out << "tutti " << w.name << (w.usage.empty() ? "" : " ") << w.usage << ": " << w.summary << "\n\n"
        << paragraphs(w.details);
}

/// Those of a verb, and if its user names algorithms the options of those that this program has added.
std::vector<option> all_options(const verb& v, algorithms all) {
    const auto has = [](const std::vector<option>& list, const option& one) {
        return std::any_of(list.begin(), list.end(), [&](const option& o) { return o.name == one.name; });
    };
    std::vector<option> options(v.options.begin(), v.options.end());
    if (has(options, algorithm_options.front()))
        for (const option& o : options_of(all))
            if (!has(options, o)) options.push_back(o);
    return options;
}

void print_help(std::ostream& to, const verb& v, std::span<const option> options) {
    flowing out(to, 0, usual_width);
    out << "tutti " << v.name << " [OPTION...]: " << v.summary << "\n\n";
    out << text_of(options) << '\n' << paragraphs(v.details);
}

/// What the words that are about the program itself ask for; false for all others.
bool describes_itself(std::span<const std::string> words, surroundings& with) {
    const bool completes = words[0] == "completion";
    if (!completes && !(words[0] == "manual" && words.size() == 1)) return false;
    std::vector<described_verb> described;
    for (const verb* v : verbs)
        described.push_back({v->name, v->summary, v->details, all_options(*v, with.catalogue)});
    if (!completes) {
        print_manual(with.out, version_text(), endings, described);
        return true;
    }
    const std::string shell = words.size() == 2 ? words[1] : "not given";
    if (std::find(std::begin(shells), std::end(shells), shell) == std::end(shells))
        throw tutti::argument_error("SHELL", shell, joined(shells));
    known_values collectives{"--collective", {"all"}}, names{"--algorithm", {"all"}};
    const auto add = [](known_values& to, std::string_view word) {
        if (std::find(to.words.begin(), to.words.end(), word) == to.words.end()) to.words.push_back(word);
    };
    for (const tutti::catalogue_entry& e : with.catalogue) {
        add(collectives, tutti::name_of(e.what));
        add(names, e.name);
    }
    add(collectives, tutti::name_of(tutti::collective::multicast));
    const known_values inner{"--inner", names.words}, outer{"--outer", names.words};
    for (const std::string_view name : node_algorithm_names(tutti::node_map())) add(names, name);
    const known_values compared{"--compare", {names.words.begin() + 1, names.words.end()}}; // not all of them
    known_values relations{"--relation", {"all"}};
    for (const std::string_view name : relation_names) add(relations, name);
    print_completion(with.out, shell, described,
                     std::array{collectives, names, compared, inner, outer, relations});
    return true;
}

/// `hint` becomes what helps whoever has got the arguments wrong.
outcome run_words(std::span<const std::string> words, surroundings& with, std::string& hint) {
    std::vector<std::string_view> names;
    for (const verb* v : verbs) names.push_back(v->name);
    for (const own_word& w : own_words) names.push_back(w.name);
    if (words.empty()) throw tutti::argument_error("VERB", "not given", joined(names));

    const auto found = [&](std::string_view name) {
        const auto at =
            std::find_if(verbs.begin(), verbs.end(), [&](const verb* v) { return v->name == name; });
        return at == verbs.end() ? nullptr : *at;
    };
    const auto asks = [](const std::string& word) { return word == "--help" || word == "-h"; };
    const bool help_first = words[0] == "help" || asks(words[0]);
    if (help_first && words.size() == 1) {
        print_usage(with.out);
        return outcome::fine;
    }
    if (words[0] == "--version" && words.size() == 1) {
        with.out << "tutti " << version_text() << '\n';
        return outcome::fine;
    }
    const bool help_asked = help_first || std::any_of(words.begin(), words.end(), asks);
    std::string name = words[help_first ? 1 : 0];
    if (asks(name)) name = "help"; // tutti help -h
    for (const own_word& w : own_words)
        if (help_asked && w.name == name) {
            print_help(with.out, w);
            return outcome::fine;
        }
    if (describes_itself(words, with)) return outcome::fine;
    const verb* chosen = found(name);
    if (chosen == nullptr)
        throw tutti::argument_error("VERB", tutti::detail::misspelt(name, names), joined(names));
    hint = "tutti " + name + " --help lists its options.";
    const std::vector<option> known = all_options(*chosen, with.catalogue);
    if (help_asked) {
        print_help(with.out, *chosen, known);
        return outcome::fine;
    }
    return chosen->run(arguments(known, words.subspan(1)), with);
}

} // namespace

int run_program(std::span<const std::string> words, surroundings& with) {
    constexpr std::size_t hang = 2; // of what is said about a mistake
    outcome how = outcome::fine;
    std::string hint = "tutti help says what the verbs do.";
    try {
        how = run_words(words, with, hint);
    } catch (const tutti::argument_error& e) {
        flowing(with.err, hang) << e.what() << '\n' << hint << '\n';
        how = outcome::bad_arguments;
    } catch (const tutti::machine_file_error& e) {
        flowing(with.err, hang) << e.what() << '\n';
        how = outcome::bad_arguments;
    } catch (const std::exception& e) { // out of memory or threads: not what was asked for
        flowing(with.err, hang) << "tutti: " << e.what() << '\n';
        how = outcome::check_failed;
    }
    with.out.flush();
    if (!with.out) {
        flowing(with.err, hang) << "tutti: the output could not be written\n";
        how = outcome::check_failed;
    }
    return static_cast<int>(how);
}

} // namespace program
