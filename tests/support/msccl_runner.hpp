// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "support/xml.hpp"

/// Reads an MSCCL algorithm, checks what MSCCL's runtimes demand of its structure, and runs it symbolically:
/// thread blocks that wait for each other and for connections into which no more than one message fits.
namespace support {

/// What a chunk holds: whose contributions to which chunk of the input, each as often as it came in.
using msccl_value = std::map<std::pair<int, int>, int>;

class msccl_runner {
public:
    /// Throws if the text is no well-formed algorithm.
    explicit msccl_runner(std::string_view text) : algo_(xml_reader(text).whole()) {
        require(algo_.name == "algo", "the root is an <algo>");
        require(number(algo_, "ngpus") == static_cast<int>(algo_.children.size()), "ngpus counts the GPUs");
        int channels = 0;
        for (std::size_t g = 0; g < algo_.children.size(); ++g) {
            gpus_.push_back(gpu_from(algo_.children[g], static_cast<int>(g)));
            for (const block& b : gpus_.back().blocks) channels = std::max(channels, b.channel + 1);
        }
        require(number(algo_, "nchannels") == std::max(channels, 1), "nchannels is the number of channels");
        const bool of_parts = collective() == "gather" || collective() == "scatter"; // of the shorter buffer
        for (const gpu& g : gpus_) {
            const auto [shorter, longer] = std::minmax(g.size.at('i'), g.size.at('o'));
            require(number(algo_, "nchunksperloop") == (of_parts ? shorter : longer), "nchunksperloop");
        }
    }

    const std::string& collective() const { return algo_["coll"]; }
    bool in_place() const { return number(algo_, "inplace") == 1; }
    int size() const { return static_cast<int>(gpus_.size()); }
    int chunks(int g, char buffer) const { return gpus_[static_cast<std::size_t>(g)].size.at(buffer); }
    std::size_t blocks(int g) const { return gpus_[static_cast<std::size_t>(g)].blocks.size(); }

    void set(int g, char buffer, int chunk, const msccl_value& v) { cell(g, buffer, chunk) = v; }
    const std::optional<msccl_value>& at(int g, char buffer, int chunk) { return cell(g, buffer, chunk); }

    /// GPU g is called in place: chunk c of its output is chunk c + shift of its input, which may lie
    /// outside.
    void share_memory(int g, int shift) { gpus_[static_cast<std::size_t>(g)].shift = shift; }

    /// Runs until nothing can go on. Of the steps that may be next, `seed` decides: 0 takes the first thread
    /// block as long as it can go on, 1 the last one, others any. Throws if not all steps have been run.
    void run(unsigned seed) {
        std::vector<std::pair<std::size_t, std::size_t>> all; // GPU, block
        for (std::size_t g = 0; g < gpus_.size(); ++g)
            for (std::size_t b = 0; b < gpus_[g].blocks.size(); ++b) all.emplace_back(g, b);
        if (seed == 1) std::reverse(all.begin(), all.end());
        unsigned state = seed;
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t k = 0; k < all.size() && !moved; ++k) {
                if (seed > 1) { // any of those not tried yet
                    state = state * 1664525U + 1013904223U;
                    std::swap(all[k], all[k + (state >> 8) % (all.size() - k)]);
                }
                moved = one_step(static_cast<int>(all[k].first), all[k].second);
            }
        }
        for (const gpu& g : gpus_)
            for (const block& b : g.blocks) require(b.done == b.steps.size(), "all steps can be run");
        for (const auto& [connection, slot] : under_way_) require(!slot, "all messages are received");
    }

private:
    struct step {
        std::string type;
        char source = 'i', target = 'i';
        int from = -1, to = -1, count = 0, depends_block = -1, depends_step = -1;
        bool depended_on = false;
    };
    struct block {
        int send = -1, recv = -1, channel = 0;
        std::vector<step> steps{};
        std::size_t done = 0;
    };
    struct gpu {
        std::map<char, int> size{};
        std::vector<block> blocks{};
        std::map<std::pair<char, int>, std::optional<msccl_value>> cells{};
        std::optional<int> shift{}; // see share_memory
    };
    using message = std::vector<msccl_value>;

    static void require(bool holds, const std::string& what) {
        if (!holds) throw std::runtime_error("does not hold: " + what);
    }
    static int number(const xml& element, std::string_view attribute) {
        return std::stoi(element[attribute]);
    }

    gpu gpu_from(const xml& element, int id) const {
        require(element.name == "gpu" && number(element, "id") == id, "GPUs are in order");
        gpu result;
        for (const char b : {'i', 'o', 's'}) result.size[b] = number(element, std::string(1, b) + "_chunks");
        std::set<std::tuple<bool, int, int>> connections;
        std::tuple<int, int, int> last{-2, -2, -2};
        for (const xml& each : element.children) {
            require(each.name == "tb" && number(each, "id") == static_cast<int>(result.blocks.size()),
                    "thread blocks are in order");
            block b{
                .send = number(each, "send"), .recv = number(each, "recv"), .channel = number(each, "chan")};
            require(b.send != id && b.recv != id && b.send >= -1 && b.recv >= -1
                        && b.send < number(algo_, "ngpus") && b.recv < number(algo_, "ngpus"),
                    "peers are other GPUs or -1");
            require(std::tuple(b.send, b.recv, b.channel) > last, "thread blocks are sorted");
            last = {b.send, b.recv, b.channel};
            require(b.send < 0 || connections.emplace(true, b.send, b.channel).second,
                    "one block per connection");
            require(b.recv < 0 || connections.emplace(false, b.recv, b.channel).second,
                    "one block per connection");
            for (const xml& s : each.children) b.steps.push_back(step_from(s, b, result));
            require(b.steps.empty() || b.steps.back().type != "nop", "a nop is followed by a step");
            require(b.steps.size() <= 256, "at most 256 steps");
            result.blocks.push_back(std::move(b));
        }
        check_dependencies(result);
        return result;
    }

    static step step_from(const xml& element, const block& b, const gpu& g) {
        require(element.name == "step" && number(element, "s") == static_cast<int>(b.steps.size()),
                "steps are in order");
        step s{.type = element["type"],
               .source = element["srcbuf"].at(0),
               .target = element["dstbuf"].at(0),
               .from = number(element, "srcoff"),
               .to = number(element, "dstoff"),
               .count = number(element, "cnt"),
               .depends_block = number(element, "depid"),
               .depends_step = number(element, "deps"),
               .depended_on = number(element, "hasdep") == 1};
        require(std::set<std::string>{"s", "r", "rrc", "cpy", "re", "nop"}.count(s.type) == 1,
                "a known type");
        require(s.type != "s" || b.send >= 0, "a block that sends has a peer to send to");
        require((s.type != "r" && s.type != "rrc") || b.recv >= 0, "a block that receives has a peer");
        require(s.type == "nop" ? s.count == 0 : s.count >= 1 && s.count < 72, "cnt");
        const bool after_nop = !b.steps.empty() && b.steps.back().type == "nop";
        require((s.type != "nop" && !after_nop) || s.depends_block >= 0,
                "a nop, and the step behind it, wait");
        const bool reads = s.type == "s" || s.type == "cpy" || s.type == "re";
        const bool writes = s.type != "s" && s.type != "nop";
        require(!reads || (s.from >= 0 && s.from + s.count <= g.size.at(s.source)),
                "the source lies in its buffer");
        require(!writes || (s.to >= 0 && s.to + s.count <= g.size.at(s.target)),
                "the target lies in its buffer");
        return s;
    }

    static void check_dependencies(const gpu& g) {
        std::set<std::pair<int, int>> wanted;
        for (std::size_t b = 0; b < g.blocks.size(); ++b)
            for (const step& s : g.blocks[b].steps) {
                require((s.depends_block < 0) == (s.depends_step < 0), "depid and deps");
                if (s.depends_block < 0) continue;
                require(s.depends_block < static_cast<int>(g.blocks.size())
                            && s.depends_block != static_cast<int>(b),
                        "waits for another block");
                require(s.depends_step < static_cast<int>(
                            g.blocks[static_cast<std::size_t>(s.depends_block)].steps.size()),
                        "waits for a step that is there");
                wanted.emplace(s.depends_block, s.depends_step);
            }
        for (std::size_t b = 0; b < g.blocks.size(); ++b)
            for (std::size_t k = 0; k < g.blocks[b].steps.size(); ++k)
                require(g.blocks[b].steps[k].depended_on
                            == (wanted.count({static_cast<int>(b), static_cast<int>(k)}) == 1),
                        "hasdep is where another block waits");
    }

    std::optional<msccl_value>& cell(int g, char buffer, int chunk) {
        gpu& of = gpus_[static_cast<std::size_t>(g)];
        if (buffer == 'o' && of.shift) return of.cells[{'i', chunk + *of.shift}];
        return of.cells[{buffer, chunk}];
    }
    const msccl_value& read(int g, char buffer, int chunk) {
        const auto& value = cell(g, buffer, chunk);
        require(value.has_value(), "only what is defined is read");
        return *value;
    }
    static msccl_value sum(msccl_value a, const msccl_value& b) {
        for (const auto& [contribution, times] : b) a[contribution] += times;
        return a;
    }

    /// Whether it could be run.
    bool one_step(int g, std::size_t index) {
        block& b = gpus_[static_cast<std::size_t>(g)].blocks[index];
        if (b.done == b.steps.size()) return false;
        const step& s = b.steps[b.done];
        if (s.depends_block >= 0
            && gpus_[static_cast<std::size_t>(g)].blocks[static_cast<std::size_t>(s.depends_block)].done
                   <= static_cast<std::size_t>(s.depends_step))
            return false;
        if (s.type == "s") {
            std::optional<message>& slot = under_way_[{g, b.send, b.channel}];
            if (slot) return false;
            slot.emplace();
            for (int c = 0; c < s.count; ++c) slot->push_back(read(g, s.source, s.from + c));
        } else if (s.type == "r" || s.type == "rrc") {
            std::optional<message>& slot = under_way_[{b.recv, g, b.channel}];
            if (!slot) return false;
            require(static_cast<int>(slot->size()) == s.count, "both ends count the same chunks");
            for (int c = 0; c < s.count; ++c) {
                const msccl_value& came = (*slot)[static_cast<std::size_t>(c)];
                cell(g, s.target, s.to + c) = s.type == "r" ? came : sum(read(g, s.target, s.to + c), came);
            }
            slot.reset();
        } else if (s.type != "nop") {
            for (int c = 0; c < s.count; ++c) {
                const msccl_value& value = read(g, s.source, s.from + c);
                cell(g, s.target, s.to + c) =
                    s.type == "cpy" ? value : sum(read(g, s.target, s.to + c), value);
            }
        }
        ++b.done;
        return true;
    }

    xml algo_;
    std::vector<gpu> gpus_{};
    std::map<std::tuple<int, int, int>, std::optional<message>> under_way_{}; // from, to, channel
};

} // namespace support
