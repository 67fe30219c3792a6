// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cctype>
#include <cstddef>
#include <cstdint>
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
    int waits_for = 0;               ///< how many operations must be done or started before
    std::vector<std::size_t> done{}; ///< these wait until this one is done; by line
    std::vector<std::size_t> started{};
};

struct goal_file {
    std::vector<std::string> comments{};
    std::vector<std::vector<goal_operation>> ranks{};
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
        if (line_.empty() || !std::isdigit(static_cast<unsigned char>(line_.front()))) fail("no number");
        while (!line_.empty() && std::isdigit(static_cast<unsigned char>(line_.front()))) {
            value = value * 10 + (line_.front() - '0');
            line_.remove_prefix(1);
        }
        return value;
    }
    std::string_view identifier() {
        blanks();
        std::size_t end = 0;
        while (end < line_.size()
               && (std::isalnum(static_cast<unsigned char>(line_[end])) || line_[end] == '_'))
            ++end;
        if (end == 0 || !std::isalpha(static_cast<unsigned char>(line_.front()))) fail("no identifier");
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
        inside_ = true;
    }

    void inside_rank() {
        const std::string_view word = identifier();
        if (operation(word)) return;
        if (taken(":")) {
            if (!labels_.emplace(word, file_.ranks.back().size()).second)
                fail("label " + std::string(word) + " again");
            if (!operation(identifier())) fail("a label without an operation");
            return;
        }
        const bool started = taken("irequires");
        if (!started) need("requires");
        const std::size_t later = labelled(word);
        const std::size_t earlier = labelled(identifier());
        need_end();
        ++file_.ranks.back()[later].waits_for;
        goal_operation& before = file_.ranks.back()[earlier];
        (started ? before.started : before.done).push_back(later);
    }
    std::size_t labelled(std::string_view name) const {
        const auto found = labels_.find(name);
        if (found == labels_.end()) fail("label " + std::string(name) + " is not known yet");
        return found->second;
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
        file_.ranks.back().push_back(op);
        return true;
    }

    std::string_view rest_;
    std::string_view line_{};
    int number_ = 0;
    std::int64_t size_ = -1;
    bool inside_ = false;
    std::unordered_map<std::string_view, std::size_t> labels_{}; // views of the text
    goal_file file_{};
};

inline goal_file read_goal(std::string_view text) { return goal_reader(text).whole(); }

} // namespace support
