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
            rest_.remove_prefix(end + 1);
            ++number_;
            statement();
        }
        if (size_ < 0 || inside_ || static_cast<std::int64_t>(file_.ranks.size()) != size_)
            fail("the file ends too early");
        return std::move(file_);
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw std::runtime_error("line " + std::to_string(number_) + ": " + why);
    }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
    void blanks() {
        while (line_.starts_with(' ') || line_.starts_with('\t')) line_.remove_prefix(1);
    }
    bool taken(std::string_view token) {
        blanks();
        if (!line_.starts_with(token)) return false;
        line_.remove_prefix(token.size());
        return true;
    }
    void need(std::string_view token) {
        if (!taken(token)) fail("no " + std::string(token));
    }
    void need_end() {
        blanks();
        if (!line_.empty()) fail("more than one statement, or a comment behind one");
    }
    std::int64_t number() {
        blanks();
        std::int64_t value = 0;
        if (line_.empty() || !is_digit(line_.front())) fail("no number");
        while (!line_.empty() && is_digit(line_.front())) {
            value = value * 10 + (line_.front() - '0');
            line_.remove_prefix(1);
        }
        return value;
    }
    std::string_view identifier() {
        blanks();
        std::size_t end = 0;
        while (end < line_.size() && (is_letter(line_[end]) || is_digit(line_[end]) || line_[end] == '_'))
            ++end;
        if (end == 0 || !is_letter(line_.front())) fail("no identifier");
        const std::string_view name = line_.substr(0, end);
        line_.remove_prefix(end);
        return name;
    }

    void statement() {
        blanks();
        if (line_.empty()) return;
        if (taken("//")) {
            file_.comments.emplace_back(line_);
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
            if (known(word) != unknown) fail("label " + std::string(word) + " again");
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
        requirements_.push_back({later, earlier, started});
    }

    std::vector<goal_operation>& operations() { return file_.ranks.back().operations; }

    /// The number at the end of a label: most often that of its operation, and then nothing need be searched.
    static std::size_t number_of(std::string_view name) {
        std::size_t number = 0, digit = 1;
        for (; is_digit(name.back()) && name.size() > 1; digit *= 10, name.remove_suffix(1))
            number += digit * static_cast<std::size_t>(name.back() - '0');
        return digit > 1 ? number : unknown;
    }
    std::size_t known(std::string_view name) const {
        if (const std::size_t n = number_of(name); n < labels_.size() && labels_[n] == name) return n;
        const auto found = other_labels_.find(name);
        return found == other_labels_.end() ? unknown : found->second;
    }
    std::size_t labelled(std::string_view name) const {
        const std::size_t index = known(name);
        if (index == unknown) fail("label " + std::string(name) + " is not known yet");
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
        goal_operation op;
        if (word == "calc") {
            op.amount = number();
        } else if (word == "send" || word == "recv") {
            op.what = word == "send" ? kind::send : kind::recv;
            op.amount = number();
            need("b");
            need(op.what == kind::send ? "to" : "from");
            op.peer = static_cast<std::int32_t>(number());
            if (op.amount < 1) fail("a message of no bytes: its last byte would leave before the first");
            if (op.peer >= size_ || op.peer + 1 == static_cast<std::int32_t>(file_.ranks.size()))
                fail("the peer is no other rank");
            if (taken("tag")) op.tag = static_cast<std::int32_t>(number());
        } else {
            return false;
        }
        need_end(); // of the rest of the grammar, "cpu" and "nic" are not for us: there is one of each
        operations().push_back(op);
        return true;
    }

    std::string_view rest_;
    std::string_view line_{};
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
