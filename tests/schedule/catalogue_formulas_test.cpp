// SPDX-License-Identifier: BSL-1.0
// labels: slow
#include <tutti/schedule/catalogue.hpp>

#include <cctype>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tutti/core/ensemble.hpp>
#include <tutti/verify/tally.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// A formula as the catalogue has them: + - * / ^, where nothing stands between two terms they are
/// multiplied; lg, log_f, floor and ceil.
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
        if (word == "log_f") return std::log(atom()) / std::log(values_.find("f")->second);
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

/// What the letters of the catalogue's formulas stand for; see catalogue_entry.
std::map<std::string, double, std::less<>> letters(const catalogue_entry& entry, rank_type p) {
    std::map<std::string, double, std::less<>> all{{"p", p}, {"q", ceil_log2(p)}, {"p'", floor_pow2(p)}};
    const std::map<std::string, const char*> options{
        {"f", "radix"}, {"k", "k"}, {"s", "splits"}, {"S", "segments"}, {"z", "zeta"}};
    for (const auto& [letter, option] : options)
        if (const auto* value = entry.defaults.find(option)) all[letter] = static_cast<double>(*value);
    if (all.contains("k")) all["g"] = std::ceil(p / all["k"]);
    if (const auto* pieces = entry.defaults.find("pieces"))
        all["S"] = static_cast<double>(*pieces); // own_exscan
    if (const auto* arity = entry.defaults.find("arity")) all["k"] = static_cast<double>(*arity);
    return all;
}

/// Cuts "g-1, g = ceil(p/k)" and "lg p' (+2)" down to what is to be calculated: what is to be added is so
/// where p is no power of two, or not divided by g.
std::string without_remarks(std::string text, rank_type p, bool divided) {
    text = text.substr(0, text.find(','));
    const std::size_t open = text.find(" (");
    if (open == std::string::npos || text.find("(+", open) != open + 1) return text;
    const std::string more = text.substr(open + 2, text.find(')', open) - open - 2);
    const bool regular = more.find('g') == std::string::npos ? floor_pow2(p) == p : divided;
    return text.substr(0, open) + (regular ? "" : more);
}

/// Whether a formula is one of many ranks: in small trees nobody has all neighbours that a rank can have.
bool is_of_many(const catalogue_entry& entry) {
    for (const char* const name :
         {"kary", "binary_tree", "two_tree", "split_binary", "dual_root", "chain", "kprefix", "line"})
        if (entry.name == name) return true;
    return false;
}

bool is_exact(const std::string& text) {
    return text.find_first_of("~<T") == std::string::npos && text.find(" or ") == std::string::npos
           && text.find(" to ") == std::string::npos;
}

/// "sent 2-2/p, folded 1-1/p": what follows a word; "" if it is not there.
std::string after(const std::string& text, const std::string& word) {
    const std::size_t at = text.find(word);
    if (at == std::string::npos) return "";
    const std::size_t begin = at + word.size();
    return text.substr(begin, text.find(',', begin) - begin);
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

} // namespace

TEST_CASE(
    "rounds, volumes and folds are those that are claimed, and those of the formulas listed, for 2 to 200 "
    "ranks",
    "[schedule][catalogue][formulas]") {
    int rounds = 0;
    int volumes = 0;
    for (const catalogue_entry& entry : catalogue())
        for (rank_type p = 2; p <= 200; ++p) {
            INFO(name_of(entry.what) << " " << entry.name << ", " << p << " ranks");
            const ensemble all([&](place at) { return entry.make(at, {}); }, p);
            const proof found = counted(all);
            const capabilities claims = all.claims();
            REQUIRE(claims.rounds == all.rounds());
            if (claims.sent_blocks != unstated) REQUIRE(claims.sent_blocks == found.sent_blocks);
            if (claims.reduced_blocks != unstated) REQUIRE(claims.reduced_blocks == found.reduced_blocks);
            if (claims.max_outstanding != unstated) REQUIRE(claims.max_outstanding == found.max_outstanding);

            const auto values = letters(entry, p);
            const bool divided = !values.contains("g") || p % static_cast<rank_type>(values.at("g")) == 0;
            const auto holds = [&](const std::string& text, double is) {
                const std::string exact = without_remarks(text, p, divided);
                if (exact.empty() || !is_exact(exact) || exact.find(" (") != std::string::npos) return false;
                INFO(text << " is " << exact);
                const double due = formula(exact, values).value();
                if (p <= 12 && is_of_many(entry))
                    CHECK(is <= due);
                else if (std::abs(due - is) > 1e-6)
                    CHECK(is == due);
                return true;
            };
            rounds += holds(std::string(entry.rounds), static_cast<double>(all.rounds())) ? 1 : 0;
            const auto vectors = [&](block_index n) {
                return static_cast<double>(n) / static_cast<double>(all.blocks());
            };
            const std::string volume(entry.volume);
            if (volume.find("and folded") != std::string::npos) continue;
            if (volume.find("both") != std::string::npos && !divided) continue;
            // Of one pair in which a rank is removed, the other one is the root, which hands nothing on.
            if (entry.what == collective::reduce && entry.name == "halving_doubling"
                && floor_pow2(p - 1) == p - 1)
                continue;
            volumes += holds(after(volume, "sent "), vectors(found.sent_blocks)) ? 1 : 0;
            volumes += holds(after(volume, "folded "), vectors(found.reduced_blocks)) ? 1 : 0;
        }
    CHECK(rounds > 50 * 199);
    CHECK(volumes > 60 * 199);
}
