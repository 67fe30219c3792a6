// SPDX-License-Identifier: BSL-1.0
#include "schedule_json.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <tutti/core/step.hpp>

#include "json.hpp"
#include "table.hpp"

namespace program {

namespace {

using tutti::step;
using tutti::step_kind;

constexpr std::array<std::string_view, 5> step_kinds{"send", "recv", "recv_reduce", "copy", "reduce"};
constexpr std::array<std::string_view, 4> buffers{"work", "input", "scratch", "scratch_1"};

std::string name_of(tutti::buffer_name b) { return in_quotes(buffers[static_cast<std::size_t>(b)]); }

/// The members of a step, but for its blocks.
std::string members_of(const step& s) {
    std::string text = "\"kind\": " + in_quotes(step_kinds[static_cast<std::size_t>(s.kind)]);
    text.append(", \"peer\": ").append(s.is_message() ? std::to_string(s.peer) : "null");
    const bool left = s.side() == tutti::operand_side::left;
    text.append(", \"side\": ").append(!s.folds() ? "null" : left ? "\"left\"" : "\"right\"");
    text.append(", \"buffer\": ").append(name_of(s.buffer));
    return text.append(", \"source\": ").append(s.is_local() ? name_of(s.source) : "null");
}

} // namespace

void print_json(const candidate& by, const schedule& all, const tutti::schedule_window& shown,
                std::ostream& out) {
    const tutti::schedule_window part = shown.within(all.size(), all.rounds());
    out << json_heading("show") << ",\n \"collective\": " << in_quotes(tutti::name_of(by.entry->what))
        << ", \"algorithm\": " << in_quotes(by.entry->name) << ", \"parameters\": " << json_of(by.with)
        << ", \"size\": " << all.size() << ", \"root\": ";
    if (tutti::has_root(by.entry->what))
        out << all.root();
    else
        out << "null";
    out << ", \"rounds\": " << all.rounds() << ", \"blocks\": " << all.blocks() << ", \"rows\": [";
    const char* before = "\n";
    std::string blocks; // of the message so far
    for (tutti::round_index i = part.first_round; i <= part.last_round; ++i)
        for (tutti::rank_type rank = part.first_rank; rank <= part.last_rank; ++rank)
            all.emit(rank, i, [&](const step& s) {
                tutti::for_each_run(s.blocks, all.blocks(),
                                    [&](tutti::block_index first, tutti::block_index count) {
                                        blocks.append(blocks.empty() ? "[" : ", [")
                                            .append(std::to_string(first))
                                            .append(", ")
                                            .append(std::to_string(count))
                                            .append("]");
                                    });
                if (s.continues()) return;
                out << before << "  {\"round\": " << i << ", \"rank\": " << rank << ", " << members_of(s)
                    << ", \"blocks\": [" << blocks << "]}";
                before = ",\n";
                blocks.clear();
            });
    out << "\n]}\n";
}

} // namespace program
