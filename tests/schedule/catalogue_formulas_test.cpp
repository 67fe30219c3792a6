// SPDX-License-Identifier: BSL-1.0
// labels: slow optimised
#include <tutti/schedule/catalogue.hpp>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/verify/tally.hpp>

#include "support/catch2.hpp"
#include "support/extent.hpp"

using namespace tutti;

namespace {

/// A formula as the catalogue has them: + - * / ^, where nothing stands between two terms they are
/// multiplied; lg, log_f, log_k, sqrt, floor and ceil.
class formula {
public:
    formula(std::string_view text, const std::map<std::string, double, std::less<>>& values)
        : rest_(text), values_(values) {}

    double value() {
        const double v = sum();
        if (!rest_.empty()) throw std::invalid_argument("no formula from '" + std::string(rest_) + "' on");
        return v;
    }

private:
    bool next_is(char c) {
        while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
        return !rest_.empty() && rest_.front() == c;
    }
    bool take(char c) {
        const bool yes = next_is(c);
        if (yes) rest_.remove_prefix(1);
        return yes;
    }
    double sum() {
        double v = product();
        while (next_is('+') || next_is('-')) v += take('+') ? product() : (take('-'), -product());
        return v;
    }
    double product() {
        double v = power();
        for (;;) {
            if (take('/'))
                v /= power();
            else if (!next_is('+') && !next_is('-') && !next_is(')') && !rest_.empty())
                v *= power();
            else
                return v;
        }
    }
    double power() {
        const double v = atom();
        return take('^') ? std::pow(v, atom()) : v;
    }
    double atom() {
        if (take('(')) {
            const double v = sum();
            if (!take(')')) throw std::invalid_argument("no ')'");
            return v;
        }
        std::string word;
        const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
        const auto is_word = [](char c) {
            return std::isalpha(static_cast<unsigned char>(c)) || c == '\'' || c == '_';
        };
        if (!rest_.empty() && is_digit(rest_.front())) {
            while (!rest_.empty() && is_digit(rest_.front())) word += take_front();
            return std::stod(word);
        }
        while (!rest_.empty() && is_word(rest_.front())) word += take_front();
        if (word == "floor") return std::floor(atom() + 1e-9);
        if (word == "ceil") return std::ceil(atom() - 1e-9);
        if (word == "lg") return std::log2(atom());
        if (word == "sqrt") return std::sqrt(atom());
        if (word.starts_with("log_")) return std::log(atom()) / std::log(value_of(word.substr(4)));
        return value_of(word);
    }
    double value_of(const std::string& word) const {
        const auto found = values_.find(word);
        if (found == values_.end()) throw std::invalid_argument("no value of '" + word + "'");
        return found->second;
    }
    char take_front() {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    std::string_view rest_;
    const std::map<std::string, double, std::less<>>& values_;
};

using letter_values = std::map<std::string, double, std::less<>>;

/// "sent 2-2/p, folded 1-1/p": what follows a word; "" if it is not there.
std::string after(const std::string& text, const std::string& word) {
    const std::size_t at = text.find(word);
    if (at == std::string::npos) return "";
    const std::size_t begin = at + word.size();
    return text.substr(begin, text.find(',', begin) - begin);
}

/// How often p can be halved.
int halvings(rank_type p) { return std::countr_zero(static_cast<unsigned>(p)); }

/// The letters that options stand behind in formulas; `pieces` is that of own_exscan.
const std::map<std::string, std::string> letter_of_option{{"radix", "f"},  {"splits", "s"}, {"segments", "S"},
                                                          {"pieces", "S"}, {"k", "k"},      {"arity", "k"},
                                                          {"zeta", "zeta"}};

/// What the letters of an entry's formulas stand for; see catalogue_entry. Those that it defines itself stand
/// behind its rounds: "g-1, g = ceil(p/k)".
letter_values letters(const catalogue_entry& entry, const parameters& options, rank_type p) {
    letter_values all{
        {"p", p}, {"q", ceil_log2(p)}, {"p'", floor_pow2(p)}, {"n", halvings(p)}, {"m", p >> halvings(p)}};
    all["w"] = std::popcount(static_cast<unsigned>(p - 1));
    for (const auto& [option, value] : options)
        if (const auto letter = letter_of_option.find(option); letter != letter_of_option.end())
            all[letter->second] = static_cast<double>(value);
    const auto at_most = [&all](const char* letter, double most) {
        if (all.contains(letter)) all[letter] = std::min(all[letter], most);
    };
    at_most("s", all["q"]);
    at_most("zeta", entry.what == collective::alltoall ? all["n"] : floor_log2(p));

    const std::string rounds(entry.rounds);
    for (std::size_t at = rounds.find(", "); at != std::string::npos; at = rounds.find(", ", at + 1)) {
        const std::size_t equals = rounds.find(" = ", at);
        const std::string letter = rounds.substr(at + 2, equals - at - 2);
        if (letter == "p") continue; // how n and m make it
        const std::size_t begin = equals + 3;
        all[letter] = formula(rounds.substr(begin, rounds.find(',', begin) - begin), all).value();
    }
    if (all.contains("f")) {
        const std::string tree = after(std::string(entry.volume), "F of ");
        const double ranks = formula(tree.empty() ? "p" : tree.substr(0, tree.find(" ranks")), all).value();
        const double full = std::floor(std::log(ranks) / std::log(all["f"]) + 1e-9);
        all["F"] = (all["f"] - 1) * full + std::ceil(ranks / std::pow(all["f"], full)) - 1;
    }
    return all;
}

/// Whether no rank is left over: p is a power of two, or one of the radix, or less than the radix times that.
/// Example: 1, 2, 3, 6, 9, 18, 27 ranks by radix 3.
bool none_left_over(rank_type p, const letter_values& values) {
    if (!values.contains("f")) return std::has_single_bit(static_cast<unsigned>(p));
    const auto radix = static_cast<rank_type>(values.at("f"));
    while (p % radix == 0) p /= radix;
    return p < radix;
}

/// "lg p' (+2), ..." cut down to what is to be calculated for p ranks: what stands in parentheses at the end
/// is to be added, or is all of it, where ranks are left over, or where g does not divide p.
std::string for_size(std::string text, rank_type p, const letter_values& values) {
    text = text.substr(0, text.find(','));
    const std::size_t open = text.rfind(" (");
    if (open == std::string::npos || text.find(')', open) != text.size() - 1) return text;
    const std::string more = text.substr(open + 2, text.size() - open - 3);
    const bool regular = more.find('g') == std::string::npos
                             ? none_left_over(p, values)
                             : p % static_cast<rank_type>(values.at("g")) == 0;
    if (regular) return text.substr(0, open);
    return more.front() == '+' ? text.substr(0, open) + more : more;
}

/// Whether a formula is one of many ranks: in small trees nobody has all neighbours that a rank can have, and
/// those of one partition alone do not go round a ring of partitions.
bool is_of_many(const catalogue_entry& entry) {
    for (const char* const name : {"kary", "binary_tree", "two_tree", "split_binary", "dual_root", "chain",
                                   "kprefix", "neighbor_exchange", "line"})
        if (entry.name == name) return true;
    return false;
}

/// Whether a figure is what a formula says, "q", "<= q/2", "< 2q" or "q to q+1". Of a bound: that it is kept,
/// and of many ranks not by being four times as much.
void check_formula(const std::string& text, const letter_values& values, double is, bool of_many) {
    constexpr double rounding = 1e-6;
    const auto value = [&](std::size_t begin, std::size_t end = std::string::npos) {
        return formula(text.substr(begin, end - begin), values).value();
    };
    const std::size_t to = text.find(" to ");
    const bool strictly = text.starts_with("< ");
    if (to != std::string::npos) {
        CHECK(is >= value(0, to) - rounding);
        CHECK(is <= value(to + 4) + rounding);
    } else if (strictly || text.starts_with("<= ")) {
        const double most = value(strictly ? 2 : 3);
        CHECK(is <= most + (strictly ? -rounding : rounding));
        if (of_many) CHECK(4 * is >= most);
    } else if (const double due = value(0); std::abs(due - is) > rounding) {
        CHECK(is == due);
    }
}

proof counted(const ensemble<any_generator>& all) {
    detail::tally count(all.size(), all.rounds());
    step_list steps;
    for (rank_type r = 0; r < all.size(); ++r) {
        const round_range when = all.active(r);
        for (round_index i = when.begin; i < when.end; ++i) {
            steps.clear();
            all[r].append(i, steps);
            count.count(r, i, {steps.data(), steps.size()});
        }
    }
    proof p;
    count.write_to(p);
    return p;
}

constexpr rank_type largest = support::compared_up_to;

/// An entry's figures, with some of its options given, are those that it claims and those of its formulas.
void check_entry(const catalogue_entry& entry, const parameters& given, rank_type p) {
    INFO(name_of(entry.what) << " " << name_with_options(entry.name, given) << ", " << p << " ranks");
    const ensemble all([&](place at) { return entry.make(at, given); }, p);
    const proof found = counted(all);
    const capabilities claims = all.claims();
    REQUIRE(claims.rounds == all.rounds());
    if (claims.sent_blocks != unstated) REQUIRE(claims.sent_blocks == found.sent_blocks);
    if (claims.reduced_blocks != unstated) REQUIRE(claims.reduced_blocks == found.reduced_blocks);
    if (claims.max_outstanding != unstated) REQUIRE(claims.max_outstanding == found.max_outstanding);

    const parameters options = effective(entry, given);
    const letter_values values = letters(entry, options, p);
    const bool of_many = p > std::max({12, 6 * options.get("arity"), options.get("k")});
    const auto holds = [&](const std::string& text, double is) {
        REQUIRE(!text.empty());
        std::string due = for_size(text, p, values);
        INFO(text << " is " << due);
        if (!of_many && is_of_many(entry) && due.find(" to ") == std::string::npos) due.insert(0, "<= ");
        check_formula(due, values, is, of_many);
    };
    holds(std::string(entry.rounds), static_cast<double>(all.rounds()));
    const auto vectors = [&](block_index n) {
        return static_cast<double>(n) / static_cast<double>(all.blocks());
    };
    const std::string volume(entry.volume);
    if (entry.what == collective::barrier)
        CHECK(volume == "none");
    else
        holds(after(volume, "sent "), vectors(found.sent_blocks));
    if (folds(entry.what)) holds(after(volume, "folded "), vectors(found.reduced_blocks));
}

} // namespace

TEST_CASE(
    "rounds, volumes and folds are those that are claimed, and those of the formulas listed, for 2 to 200 "
    "ranks",
    "[schedule][catalogue][formulas]") {
    for (const catalogue_entry& entry : catalogue())
        for (rank_type p = 2; p <= largest; ++p) check_entry(entry, {}, p);
}

TEST_CASE("the same with other values of the options that formulas name", "[schedule][catalogue][formulas]") {
    const std::map<std::string, std::vector<int>> others{
        {"radix", {3, 5}}, {"arity", {3, 8}}, {"splits", {2, 3}}, {"segments", {1, 3, 16}},
        {"zeta", {1, 3}},  {"k", {2, 3, 32}}, {"pieces", {1, 9}}};
    for (const catalogue_entry& entry : catalogue())
        for (const auto& [option, value] : entry.defaults) {
            if (!letter_of_option.contains(option)) continue;
            int tried = 0;
            for (const int other : others.at(option)) {
                if (other == value) continue;
                if (entry.name == "kprefix" && !std::has_single_bit(static_cast<unsigned>(other)))
                    continue; // refused: its k is a power of two
                ++tried;
                for (rank_type p = 2; p <= largest; ++p) check_entry(entry, {{option, other}}, p);
            }
            CHECK(tried >= 2);
        }
}
