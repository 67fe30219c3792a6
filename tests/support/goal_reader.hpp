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
    std::vector<std::uint32_t> waiting{}; ///< operations by line

    std::span<const std::uint32_t> until_done(const goal_operation& op) const {
        return std::span(waiting).subspan(op.done, op.started - op.done);
    }
    std::span<const std::uint32_t> until_started(const goal_operation& op) const {
        return std::span(waiting).subspan(op.started, op.end - op.started);
    }
};

struct goal_file {
    std::vector<std::string> comments{};
    std::vector<goal_rank> ranks{};
};

/// What all ranks of a file do together.
struct goal_totals {
    std::int64_t sends = 0, receives = 0;
    std::int64_t sent = 0, received = 0; ///< bytes
    std::int64_t computed = 0;           ///< nanoseconds
};

inline goal_totals totals_of(const goal_file& file) {
    using kind = goal_operation::kind;
    goal_totals t;
    for (const goal_rank& rank : file.ranks)
        for (const goal_operation& op : rank.operations) {
            t.sends += op.what == kind::send;
            t.receives += op.what == kind::recv;
            (op.what == kind::send ? t.sent : op.what == kind::recv ? t.received : t.computed) += op.amount;
        }
    return t;
}

/// One pass over the letters of the text, whose lines all end, so that no end of it has to be looked for: a
/// test reads gigabytes, nearly all of them requirements. On the way of such a line nothing is searched, and
/// no variable has its address taken, for both are dear under AddressSanitizer.
class goal_reader {
public:
    explicit goal_reader(std::string_view text) : text_(text), at_(text.data()) {}

    goal_file whole() {
        const std::size_t of_whole_lines = text_.rfind('\n') + 1; // none: npos + 1, which is 0
        for (const char* const end = at_ + of_whole_lines; at_ != end;) {
            ++number_;
            statement();
        }
        if (of_whole_lines != text_.size()) fail("the last line does not end");
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
        const char* at = at_;
        while (*at == ' ' || *at == '\t') ++at;
        at_ = at;
    }
    /// No token has an end of line in it: what is compared ends there at the latest.
    template <std::size_t N>
    [[gnu::always_inline]] bool taken(const char (&token)[N]) {
        blanks();
        const char* const at = at_;
        for (std::size_t i = 0; i + 1 < N; ++i)
            if (at[i] != token[i]) return false;
        at_ = at + (N - 1);
        return true;
    }
    template <std::size_t N>
    [[gnu::always_inline]] void need(const char (&token)[N]) {
        if (!taken(token)) fail("no ", token);
    }
    void need_end() {
        blanks();
        if (*at_ != '\n') fail("more than one statement, or a comment behind one");
        ++at_;
    }
    std::int64_t number() {
        blanks();
        std::int64_t value = 0;
        const char* at = at_;
        for (; is_digit(*at); ++at) value = value * 10 + (*at - '0');
        if (at == at_) fail("no number");
        at_ = at;
        return value;
    }
    /// Notes the number at its end, too: that of a label is most often that of its operation, and then
    /// nothing need be searched.
    std::string_view identifier() {
        blanks();
        const char* const begin = at_;
        const char* at = begin;
        const char* digits = begin;
        std::size_t value = 0;
        for (;; ++at) {
            if (const char c = *at; is_digit(c)) {
                value = value * 10 + static_cast<std::size_t>(c - '0');
            } else if (is_letter(c) || c == '_') {
                digits = at + 1;
                value = 0;
            } else {
                break;
            }
        }
        if (at == begin || !is_letter(*begin)) fail("no identifier");
        at_ = at;
        name_ = std::string_view(begin, static_cast<std::size_t>(at - begin));
        name_letters_ = static_cast<std::size_t>(digits - begin);
        const bool fits = at != digits && at - digits <= 18; // into 64 bits
        name_number_ = fits ? value : unknown;
        return name_;
    }

    void statement() {
        blanks();
        if (*at_ == '\n') {
            ++at_;
        } else if (taken("//")) {
            const char* const begin = at_;
            while (*at_ != '\n') ++at_;
            file_.comments.emplace_back(begin, at_++);
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
        const std::size_t index = known();
        if (taken(":")) {
            if (index != unknown) fail("label ", word, " again");
            return label();
        }
        const bool started = taken("irequires");
        if (!started) need("requires");
        if (index == unknown) fail("label ", word, " is not known yet");
        identifier();
        const std::size_t earlier = known();
        if (earlier == unknown) fail("label ", name_, " is not known yet");
        need_end();
        ++operations()[index].waits_for;
        requirement& last = requirements_.emplace_back();
        last.later = static_cast<std::uint32_t>(index);
        last.list = list_of(earlier, started);
    }

    /// The identifier read last becomes that of the operation that follows.
    void label() {
        const known_label mine{.text = name_, .letters = name_letters_};
        const std::size_t number = name_number_;
        const std::size_t index = operations().size();
        if (!operation(identifier())) fail("a label without an operation");
        labels_.resize(index);
        if (number == index)
            labels_.push_back(mine);
        else
            other_labels_.emplace(mine.text, index);
    }

    std::vector<goal_operation>& operations() { return file_.ranks.back().operations; }

    /// Of which operation the identifier read last is the label.
    std::size_t known() const {
        if (name_number_ < labels_.size()) {
            // Numbers of as many digits that are equal have equal digits.
            const known_label& there = labels_[name_number_];
            if (there.text.size() == name_.size() && there.letters == name_letters_
                && same_letters(there.text.data(), name_.data(), name_letters_))
                return name_number_;
        }
        return other_labels_.empty() ? unknown : searched();
    }
    static bool same_letters(const char* a, const char* b, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            if (a[i] != b[i]) return false;
        return true;
    }
    [[gnu::noinline]] std::size_t searched() const {
        const auto found = other_labels_.find(name_);
        return found == other_labels_.end() ? unknown : found->second;
    }

    /// Those of an operation side by side, in the order in which they were read.
    void sort_requirements() {
        goal_rank& rank = file_.ranks.back();
        std::vector<std::size_t> ends(2 * rank.operations.size());
        for (const requirement& r : requirements_) ++ends[r.list];
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
            rank.waiting[--ends[r->list]] = r->later;
    }

    bool operation(std::string_view word) {
        using kind = goal_operation::kind;
        const auto is = [word](const char* verb) { return same_letters(word.data(), verb, 4); };
        if (word.size() != 4) return false;
        const bool calc = is("calc"), sends = is("send");
        if (!calc && !sends && !is("recv")) return false;
        goal_operation& op = operations().emplace_back();
        op.amount = number();
        if (!calc) {
            op.what = sends ? kind::send : kind::recv;
            need("b");
            if (sends)
                need("to");
            else
                need("from");
            op.peer = static_cast<std::int32_t>(number());
            if (op.amount < 1) fail("a message of no bytes: its last byte would leave before the first");
            if (op.peer >= size_ || op.peer + 1 == static_cast<std::int32_t>(file_.ranks.size()))
                fail("the peer is no other rank");
            if (taken("tag")) op.tag = static_cast<std::int32_t>(number());
        }
        need_end(); // of the rest of the grammar, "cpu" and "nic" are not for us: there is one of each
        return true;
    }

    struct requirement {
        std::uint32_t later = 0, list = 0;
    };
    /// In which list those are that wait until an operation is started, or until it is done.
    static std::uint32_t list_of(std::size_t earlier, bool started) {
        return static_cast<std::uint32_t>(2 * earlier + (started ? 1U : 0U));
    }
    struct known_label {
        std::string_view text{};
        std::size_t letters = 0; ///< before the number at its end
    };

    static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
    std::string_view text_;
    const char* at_; // what is to be read next
    int number_ = 0;
    std::int64_t size_ = -1;
    bool inside_ = false;
    std::string_view name_{}; // the identifier read last
    std::size_t name_letters_ = 0;
    std::size_t name_number_ = unknown; // at its end
    std::vector<known_label> labels_{}; // of operations whose label has their number
    std::unordered_map<std::string_view, std::size_t> other_labels_{};
    std::vector<requirement> requirements_{}; // of the rank at hand
    goal_file file_{};
};

inline goal_file read_goal(std::string_view text) { return goal_reader(text).whole(); }

} // namespace support
