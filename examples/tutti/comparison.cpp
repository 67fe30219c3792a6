// SPDX-License-Identifier: BSL-1.0
#include "comparison.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include <tutti/model/evaluate.hpp>

#include "table.hpp"

namespace program {

namespace {

struct sent {
    std::int64_t messages = 0; ///< of all ranks
    std::int64_t most = 0;     ///< bytes of the rank that sends most
};

sent sent_by(const schedule& all, const tutti::block_bytes& bytes) {
    sent result;
    std::vector<std::int64_t> of(static_cast<std::size_t>(all.size()));
    for (tutti::round_index i = 0; i < all.rounds(); ++i)
        tutti::for_each_message(all, i, bytes, [&](const tutti::message& m) {
            ++result.messages;
            result.most = std::max(result.most, of[static_cast<std::size_t>(m.from)] += m.bytes);
        });
    return result;
}

} // namespace

std::vector<tutti::compared_figure> figures_of(tutti::collective what, const schedule& one,
                                               const schedule& other, const tutti::machine& on,
                                               std::span<const std::int64_t> bytes,
                                               std::int64_t element_bytes) {
    std::vector<tutti::compared_figure> figures;
    const auto add = [&](const std::string& words, auto&& of) {
        figures.push_back({words, of(one), of(other)});
    };
    const auto cut = [&](const schedule& all, std::int64_t n) {
        return tutti::block_bytes::even(n, all.blocks(), element_bytes);
    };
    const auto price = [&](const schedule& all, std::int64_t n) {
        return fixed(tutti::evaluate(on, all, cut(all, n)).us, 2) + " us";
    };
    add("rounds", [](const schedule& all) { return std::to_string(all.rounds()); });
    add("messages", [&](const schedule& all) { return std::to_string(sent_by(all, cut(all, 0)).messages); });
    if (what == tutti::collective::barrier) {
        add("price on " + on.name, [&](const schedule& all) { return price(all, 0); });
        return figures;
    }
    const std::int64_t longest = bytes.back();
    add("the busiest rank sends, of " + typed(longest) + " bytes",
        [&](const schedule& all) { return typed(sent_by(all, cut(all, longest)).most) + " bytes"; });
    for (const std::int64_t n : bytes)
        add("price of " + typed(n) + " bytes on " + on.name,
            [&](const schedule& all) { return price(all, n); });
    return figures;
}

} // namespace program
