// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// A reader of GOAL, the language of LogGOPSim, as strict as its own: one statement per line, labels known
/// before they are used, ranks in ascending order.
namespace support {

struct goal_operation {
    enum class kind { send, recv, calc } what = kind::calc; // in the order in which LogGOPSim issues them
    std::int64_t amount = 0;                                ///< bytes, or nanoseconds of a calc
    std::int32_t peer = -1;
    std::int32_t tag = 0;
    std::int32_t waits_for = 0; ///< how many operations must be done or started before
    std::size_t done = 0;       ///< where those begin, among all that wait, that wait until this one is done
    std::size_t started = 0;    ///< and those that wait until it is started
    std::size_t end = 0;        ///< and where these end
};

struct goal_rank {
    std::vector<goal_operation> operations{};
    std::vector<std::size_t> waiting{}; ///< operations by line

    std::span<const std::size_t> until_done(const goal_operation& op) const {
        return std::span(waiting).subspan(op.done, op.started - op.done);
    }
    std::span<const std::size_t> until_started(const goal_operation& op) const {
        return std::span(waiting).subspan(op.started, op.end - op.started);
    }
};

struct goal_file {
    std::vector<std::string> comments{};
    std::vector<goal_rank> ranks{};
};

class goal_reader {
public:
    explicit goal_reader(std::string_view text) : rest_(text) {}

    goal_file whole() {
        while (!rest_.empty()) {
            const std::size_t end = rest_.find('\n');
            if (end == std::string_view::npos) fail("the last line does not end");
            line_ = rest_.substr(0, end);
            at_ = 0;
            rest_.remove_prefix(end + 1);
            ++number_;
            statement();
        }
        if (size_ < 0 || inside_ || static_cast<std::int64_t>(file_.ranks.size()) != size_)
            fail("the file ends too early");
        return std::move(file_);
    }

private:
    /// Not inlined, and no string before: a frame with one in it is dear under AddressSanitizer.
    [[noreturn, gnu::noinline]] void fail(const char* why, std::string_view name = {},
                                          const char* end = "") const {
        throw std::runtime_error("line " + std::to_string(number_) + ": " + why + std::string(name) + end);
    }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
    void blanks() {
        while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t')) ++at_;
    }
    /// By the letter, here and below: the library's searches cost much under AddressSanitizer.
    bool taken(std::string_view token) {
        blanks();
        if (line_.size() - at_ < token.size()) return false;
        for (std::size_t i = 0; i < token.size(); ++i)
            if (line_[at_ + i] != token[i]) return false;
        at_ += token.size();
        return true;
    }
    void need(std::string_view token) {
        if (!taken(token)) fail("no ", token);
    }
    void need_end() {
        blanks();
        if (at_ < line_.size()) fail("more than one statement, or a comment behind one");
    }
    std::int64_t number() {
        blanks();
        std::int64_t value = 0;
        const std::size_t begin = at_;
        for (; at_ < line_.size() && is_digit(line_[at_]); ++at_) value = value * 10 + (line_[at_] - '0');
        if (at_ == begin) fail("no number");
        return value;
    }
    std::string_view identifier() {
        blanks();
        const std::size_t begin = at_;
        while (at_ < line_.size() && (is_letter(line_[at_]) || is_digit(line_[at_]) || line_[at_] == '_'))
            ++at_;
        if (at_ == begin || !is_letter(line_[begin])) fail("no identifier");
        return line_.substr(begin, at_ - begin);
    }

    void statement() {
        blanks();
        if (at_ == line_.size()) return;
        if (taken("//")) {
            file_.comments.emplace_back(line_.substr(at_));
        } else if (!inside_) {
            size_ < 0 ? head() : begin_rank();
        } else if (taken("}")) {
            need_end();
            sort_requirements();
            inside_ = false;
        } else {
            inside_rank();
        }
    }
    void head() {
        need("num_ranks");
        size_ = number();
        need_end();
    }
    void begin_rank() {
        need("rank");
        if (number() != static_cast<std::int64_t>(file_.ranks.size())) fail("ranks are not in order");
        if (static_cast<std::int64_t>(file_.ranks.size()) >= size_) fail("more ranks than num_ranks");
        need("{");
        need_end();
        file_.ranks.emplace_back();
        labels_.clear();
        other_labels_.clear();
        requirements_.clear();
        inside_ = true;
    }

    void inside_rank() {
        const std::string_view word = identifier();
        if (operation(word)) return;
        if (taken(":")) {
            if (known(word) != unknown) fail("label ", word, " again");
            const std::size_t index = operations().size();
            if (!operation(identifier())) fail("a label without an operation");
            labels_.resize(index);
            if (number_of(word) == index)
                labels_.push_back(word);
            else
                other_labels_.emplace(word, index);
            return;
        }
        const bool started = taken("irequires");
        if (!started) need("requires");
        const std::size_t later = labelled(word);
        const std::size_t earlier = labelled(identifier());
        need_end();
        ++operations()[later].waits_for;
        requirement& last = requirements_.emplace_back();
        last.later = later;
        last.earlier = earlier;
        last.started = started;
    }

    std::vector<goal_operation>& operations() { return file_.ranks.back().operations; }

    /// The number at the end of a label: most often that of its operation, and then nothing need be searched.
    static std::size_t number_of(std::string_view name) {
        std::size_t number = 0, digit = 1;
        for (; is_digit(name.back()) && name.size() > 1; digit *= 10, name.remove_suffix(1))
            number += digit * static_cast<std::size_t>(name.back() - '0');
        return digit > 1 ? number : unknown;
    }
    static bool same(std::string_view a, std::string_view b) {
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i)
            if (a[i] != b[i]) return false;
        return true;
    }
    std::size_t known(std::string_view name) const {
        if (const std::size_t n = number_of(name); n < labels_.size() && same(labels_[n], name)) return n;
        const auto found = other_labels_.find(name);
        return found == other_labels_.end() ? unknown : found->second;
    }
    std::size_t labelled(std::string_view name) const {
        const std::size_t index = known(name);
        if (index == unknown) fail("label ", name, " is not known yet");
        return index;
    }

    /// Those of an operation side by side, in the order in which they were read.
    void sort_requirements() {
        goal_rank& rank = file_.ranks.back();
        const auto list = [](const requirement& r) { return 2 * r.earlier + (r.started ? 1U : 0U); };
        std::vector<std::size_t> ends(2 * rank.operations.size());
        for (const requirement& r : requirements_) ++ends[list(r)];
        std::partial_sum(ends.begin(), ends.end(), ends.begin());
        std::size_t begin = 0;
        for (std::size_t i = 0; i < rank.operations.size(); ++i) {
            goal_operation& op = rank.operations[i];
            op.done = begin;
            op.started = ends[2 * i];
            begin = op.end = ends[2 * i + 1];
        }
        rank.waiting.resize(requirements_.size());
        for (auto r = requirements_.rbegin(); r != requirements_.rend(); ++r)
            rank.waiting[--ends[list(*r)]] = r->later;
    }

    bool operation(std::string_view word) {
        using kind = goal_operation::kind;
        const bool calc = same(word, "calc"), sends = same(word, "send");
        if (!calc && !sends && !same(word, "recv")) return false;
        goal_operation& op = operations().emplace_back();
        op.amount = number();
        if (!calc) {
            op.what = sends ? kind::send : kind::recv;
            need("b");
            need(sends ? "to" : "from");
            op.peer = static_cast<std::int32_t>(number());
            if (op.amount < 1) fail("a message of no bytes: its last byte would leave before the first");
            if (op.peer >= size_ || op.peer + 1 == static_cast<std::int32_t>(file_.ranks.size()))
                fail("the peer is no other rank");
            if (taken("tag")) op.tag = static_cast<std::int32_t>(number());
        }
        need_end(); // of the rest of the grammar, "cpu" and "nic" are not for us: there is one of each
        return true;
    }

    std::string_view rest_;
    std::string_view line_{};
    std::size_t at_ = 0; // read of line_
    int number_ = 0;
    std::int64_t size_ = -1;
    bool inside_ = false;
    struct requirement {
        std::size_t later = 0, earlier = 0;
        bool started = false; ///< `later` waits until `earlier` is started, not until it is done
    };

    static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
    std::vector<std::string_view> labels_{}; // of operations whose label has their number; views of the text
    std::unordered_map<std::string_view, std::size_t> other_labels_{};
    std::vector<requirement> requirements_{}; // of the rank at hand
    goal_file file_{};
};

inline goal_file read_goal(std::string_view text) { return goal_reader(text).whole(); }

} // namespace support
