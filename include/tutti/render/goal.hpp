// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/block_bytes.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/step.hpp>
#include <tutti/simulate/machine_ticks.hpp>
#include <tutti/simulate/options.hpp>
#include <tutti/simulate/skew.hpp>
#include <tutti/simulate/ticks.hpp>

/// Schedules as GOAL (Hoefler, Siebert and Lumsdaine 2009), the input of LogGOPSim (Hoefler, Schneider and
/// Lumsdaine 2010):
///
///     txt2bin -i schedule.goal -o schedule.bin
///     LogGOPSim -f schedule.bin -L 2500 -o 1500 -g 1000 -G 6 -O 0 -S 65535
///
/// A comment in the file names these figures of the machine. Bytes are bytes, times are in nanoseconds. Where
/// a cost of the machine is no whole number of them, all times are in picoseconds, and a second comment says
/// so: LogGOPSim takes integers only, and multiplies them without asking what they are. Then G = 0.04 ns
/// is 40.
///
/// - A message is a `send` and a `recv`, without tag: the messages of one rank to another match in order. One
///   without content has 1 byte, for LogGOPSim counts all bytes but the first.
/// - A fold is a `calc` that requires its receive; a copy, or a fold of what is there, is one that requires
///   the receives listed before it. The calcs of a round require each other in order. Where folding, or
///   copying, costs nothing, there is none. Durations are rounded to the unit of time,
///   halves up.
/// - What a rank does in a round requires all it does in the round before. Rounds in which it is idle do not
///   count.
/// - A rank that comes late begins with a `calc`.
///
/// LogGOPSim then finishes each host when simulate() does, to the unit of time, if all costs of the machine
/// are whole numbers of it; except that it sorts operations that become possible at one time by an unstable
/// sort, so that with more than 16 of them at once its order is its own.
namespace tutti {

namespace detail {

/// Writes the operations of all ranks, rank after rank.
template <class G, class Sink>
class goal_writer {
public:
    goal_writer(const ensemble<G>& all, const block_bytes& bytes, const simulation_options& options,
                Sink& sink)
        : all_(all), bytes_(bytes), machine_(options.machine), costs_(options.machine), skew_(options.skew),
          sink_(sink) {
        if (bytes.blocks() != all.blocks())
            throw_argument("bytes.blocks()", bytes.blocks(),
                           std::to_string(all.blocks()).append(", as many as the schedule has"));
        if (all.claims().moves_blocks && !bytes.layout().uniform())
            throw argument_error("bytes", std::to_string(bytes.total()).append(", not shared out evenly"),
                                 "blocks of equal size: this schedule puts them where others were");
        if (options.noise.how != os_noise::shape::none)
            throw argument_error("noise", "given", "none; LogGOPSim reads it from a file of its own");
        if (options.receiving != receiving_rule::cpu)
            throw argument_error("receiving", "overlapped", "cpu, the only rule LogGOPSim knows");
        if (options.by != progress_by::host)
            throw argument_error("progress", "not by the host", "by the host, the only one LogGOPSim knows");
        if (in_picoseconds(machine_)) use_picoseconds();
    }

    void write(std::string_view title) {
        std::string comment(title); // must stay one line
        std::replace_if(
            comment.begin(), comment.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
        if (!title.empty()) line("// ", comment);
        line("// LogGOPSim -L ", in_units(machine_.L), " -o ", in_units(machine_.o), " -g ",
             in_units(machine_.g), " -G ", in_units(machine_.G), " -O ", in_units(machine_.O), " -S ",
             machine_.S);
        if (unit_ == 1) line("// All times are picoseconds, also those that LogGOPSim prints");
        line("num_ranks ", all_.size());
        for (rank_type r = 0; r < all_.size(); ++r) rank(r);
    }

private:
    /// An operation of the rank at hand, by its number.
    using operation = std::int64_t;
    static constexpr operation none = -1;

    /// One line, put together from texts and numbers.
    template <class... Pieces>
    void line(const Pieces&... pieces) {
        buffer_.clear();
        (append(pieces), ...);
        buffer_ += '\n';
        sink_(std::string_view(buffer_));
    }
    void append(std::string_view text) { buffer_.append(text); }
    void append(std::int64_t number) {
        std::array<char, 20> digits{}; // of 64 bits, and a sign
        char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        buffer_.append(digits.data(), end);
    }

    /// Whether nanoseconds would lose something of a cost.
    static bool in_picoseconds(const loggops& m) {
        for (const double us : {m.L, m.o, m.g, m.G, m.O, m.fold_per_byte, m.copy_per_byte}) {
            const double ns = us * 1000;
            if (std::abs(ns - std::round(ns)) > 1e-6) return true; // a double of us need not be exact
        }
        return false;
    }
    void use_picoseconds() {
        unit_ = 1;
        for (const auto& [name, us] : {std::pair("machine.L", machine_.L), std::pair("machine.o", machine_.o),
                                       std::pair("machine.g", machine_.g)})
            if (in_units(us) > std::numeric_limits<std::int32_t>::max())
                throw argument_error(
                    name, std::to_string(us) + " us",
                    "at most 2147 us where a cost is no whole number of ns: LogGOPSim takes 31 bits");
    }
    /// To the nearest one, halves up.
    std::int64_t in_units(ticks t) const { return (t + unit_ / 2) / unit_; }
    std::int64_t in_units(double us) const { return in_units(to_ticks(us)); }

    void rank(rank_type r) {
        line("");
        line("rank ", r, " {");
        next_ = 0;
        before_.clear();
        if (const ticks late = skew_.of(r); late > 0) {
            calc_ = none;
            before_ = {calc(late, {})};
            open_.clear();
        }
        for (round_index i = 0; i < all_.rounds(); ++i) {
            round(r, i);
            if (open_.empty()) continue; // an idle round: the next waits for the one before this
            before_.swap(open_);
            open_.clear();
        }
        line("}");
    }

    void round(rank_type r, round_index i) {
        calc_ = none;
        untied_.clear();
        std::int64_t bytes = 0; // of the message, or of the part of it up to here
        all_.emit(r, i, [&](const step& s) {
            bytes += bytes_(s.blocks);
            if (s.continues()) return;
            switch (s.kind) {
            case step_kind::send: transfer("send ", "b to ", s.peer, bytes); break;
            case step_kind::recv:
            case step_kind::recv_reduce: {
                const operation receive = transfer("recv ", "b from ", s.peer, bytes);
                if (s.folds() && !costs_.fold.none())
                    calc(costs_.fold(bytes), {receive});
                else
                    untied_.push_back(receive);
                break;
            }
            case step_kind::copy: local(costs_.copy, bytes); break;
            case step_kind::reduce: local(costs_.fold, bytes); break;
            }
            bytes = 0;
        });
    }

    operation transfer(std::string_view verb, std::string_view preposition, rank_type peer,
                       std::int64_t bytes) {
        const operation op = next_++;
        line("l", op, ": ", verb, std::max<std::int64_t>(bytes, 1), preposition, peer);
        require(op, before_);
        open_.push_back(op);
        return op;
    }

    void local(const ticks_per_byte& costs, std::int64_t bytes) {
        if (costs.none()) return;
        calc(costs(bytes), untied_);
        untied_.clear();
    }

    /// Requires the calc before it in this round, and these receives.
    operation calc(ticks duration, const std::vector<operation>& receives) {
        const operation op = next_++;
        line("l", op, ": calc ", in_units(duration));
        require(op, receives);
        for (const operation receive : receives) std::erase(open_, receive);
        if (calc_ != none) {
            require(op, {&calc_, 1});
            std::erase(open_, calc_);
        }
        if (receives.empty() && calc_ == none) require(op, before_);
        open_.push_back(op);
        calc_ = op;
        return op;
    }

    /// A line for each. They are nearly all of the text where ranks have many messages in rounds that follow
    /// each other, so what they have in common is written once, and nothing asks for memory.
    void require(operation op, std::span<const operation> earlier_ones) {
        if (earlier_ones.empty()) return;
        std::array<char, 64> text;                       // two numbers of 64 bits and 13 letters
        char* const end = text.data() + text.size() - 1; // the last one ends the line
        text[0] = 'l';
        constexpr std::string_view middle = " requires l";
        char* const second = std::copy(middle.begin(), middle.end(), std::to_chars(&text[1], end, op).ptr);
        for (const operation earlier : earlier_ones) {
            char* const behind = std::to_chars(second, end, earlier).ptr;
            *behind = '\n';
            sink_(std::string_view(text.data(), static_cast<std::size_t>(behind + 1 - text.data())));
        }
    }

    const ensemble<G>& all_;
    const block_bytes& bytes_;
    const loggops& machine_;
    machine_ticks costs_;
    const start_skew& skew_;
    Sink& sink_;
    ticks unit_ = ticks_per_ns;
    std::string buffer_{};
    operation next_ = 0;
    operation calc_ = none;           // the last one of this round
    std::vector<operation> untied_{}; // receives of this round that no fold or local step requires yet
    std::vector<operation> before_{}; // what the operations of this round wait for
    std::vector<operation> open_{};   // of this round, and required by no other of it
};

} // namespace detail

/// Hands the GOAL text of what simulate(all, bytes, options) simulates to `sink(std::string_view)`, line by
/// line, so that it never has to be in memory. `title`, if any, becomes a comment.
///
/// Throws argument_error, before the first line, for what GOAL cannot say: noise, progress_by by others than
/// the host, and receiving_rule::overlapped; for another number of blocks than the schedule's; and for blocks
/// of unequal size if the schedule moves them, because then sender and receiver would count different bytes.
/// Size: a line per message and end, and for every rank a line per pair of operations in rounds that follow
/// each other: much where a rank has many messages in one round and again in the next.
template <class G, class Sink>
    requires std::invocable<Sink&, std::string_view>
void write_goal(const ensemble<G>& all, const block_bytes& bytes, const simulation_options& options,
                std::string_view title, Sink&& sink) {
    detail::goal_writer<G, std::remove_reference_t<Sink>>(all, bytes, options, sink).write(title);
}

/// The same as one text.
template <class G>
std::string goal_text(const ensemble<G>& all, const block_bytes& bytes,
                      const simulation_options& options = {}, std::string_view title = {}) {
    std::string text;
    write_goal(all, bytes, options, title, [&text](std::string_view line) { text += line; });
    return text;
}

#if !TUTTI_BODIES
extern template std::string goal_text(const ensemble<any_generator>&, const block_bytes&,
                                      const simulation_options&, std::string_view);
#endif

} // namespace tutti
