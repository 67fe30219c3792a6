// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include <tutti/core/collective.hpp>
#include <tutti/render/msccl_xml.hpp>

#include "support/ensembles.hpp"
#include "support/msccl_runner.hpp"

/// Whether what msccl_xml says of a schedule, run by MSCCL's rules, does what the collective promises.
namespace support {

/// What a collective needs to be there, and what it has to leave, in the words of NCCL.
class nccl_contract {
    using collective = tutti::collective;

public:
    nccl_contract(collective what, int size, int root, int blocks, bool in_place)
        : what_(what), size_(size), root_(root), blocks_(blocks), in_place_(in_place && !of_parts()) {
        if (in_place && of_parts()) root_shift_ = (what == collective::gather ? -root : root) * share();
    }

    void prepare(msccl_runner& run) const {
        if (root_shift_) run.share_memory(root_, *root_shift_);
        for (int g = 0; g < size_; ++g)
            for (int c = 0; c < input(); ++c)
                if (has_input(g)) run.set(g, in_memory(), first_in(g) + c, given(g, c));
    }
    /// "" or what is wrong.
    std::string fault(msccl_runner& run) const {
        for (int g = 0; g < size_; ++g) {
            const std::string where = " on GPU " + std::to_string(g);
            for (int c = 0; c < output(g); ++c)
                if (run.at(g, out_memory(), first_out(g) + c) != expected(g, c))
                    return "chunk " + std::to_string(c) + " of the output is wrong" + where;
            for (int c = 0; c < input() && !in_place_; ++c)
                if (run.at(g, 'i', c) != (has_input(g) ? std::optional(given(g, c)) : std::nullopt))
                    return "the input was written" + where;
            for (int c = 0; c < blocks_ && to_root() && g != root_; ++c)
                if (run.at(g, 'o', c)) return "the output was written" + where;
        }
        return "";
    }

private:
    int share() const { return blocks_ / size_; }
    bool of_parts() const { return what_ == collective::gather || what_ == collective::scatter; }
    bool to_root() const { return what_ == collective::reduce || what_ == collective::gather; }
    bool gives_part() const { return what_ == collective::allgather || what_ == collective::gather; }
    bool has_input(int gpu) const {
        return (what_ != collective::bcast && what_ != collective::scatter) || gpu == root_;
    }
    int input() const { return gives_part() ? share() : blocks_; }
    int output(int gpu) const {
        if (to_root()) return gpu == root_ ? blocks_ : 0;
        return what_ == collective::reduce_scatter || what_ == collective::scatter ? share() : blocks_;
    }
    // In place, both are the same memory: that of the longer one.
    bool in_output() const { return what_ == collective::allgather || what_ == collective::bcast; }
    char in_memory() const { return in_place_ && in_output() ? 'o' : 'i'; }
    char out_memory() const { return in_place_ && !in_output() ? 'i' : 'o'; }
    int first_in(int gpu) const { return in_place_ && what_ == collective::allgather ? gpu * share() : 0; }
    int first_out(int gpu) const {
        return in_place_ && what_ == collective::reduce_scatter ? gpu * share() : 0;
    }

    /// Contributions are named by the chunk of the whole vector that they belong to.
    msccl_value given(int gpu, int c) const { return {{{gpu, gives_part() ? gpu * share() + c : c}, 1}}; }
    msccl_value expected(int gpu, int c) const {
        switch (what_) {
        case collective::bcast: return {{{root_, c}, 1}};
        case collective::allgather:
        case collective::gather: return {{{c / share(), c}, 1}};
        case collective::scatter: return {{{root_, gpu * share() + c}, 1}};
        case collective::alltoall: return {{{c / share(), gpu * share() + c % share()}, 1}};
        default: break;
        }
        msccl_value all;
        for (int g = 0; g < size_; ++g)
            all[{g, what_ == collective::reduce_scatter ? gpu * share() + c : c}] = 1;
        return all;
    }

    collective what_;
    int size_, root_, blocks_;
    bool in_place_;                   // all ranks
    std::optional<int> root_shift_{}; // the root alone: where its output lies in its input
};

/// Runs such a text in some orders. "" or what is wrong.
inline std::string msccl_trouble(const std::string& text, const nccl_contract& contract) {
    for (const unsigned seed : {0U, 1U, 2U, 3U}) {
        try {
            msccl_runner run(text);
            contract.prepare(run);
            run.run(seed);
            if (std::string fault = contract.fault(run); !fault.empty()) return fault;
        } catch (const std::runtime_error& e) {
            return e.what();
        }
    }
    return "";
}
inline std::string msccl_trouble(const any_ensemble& all, tutti::collective what, bool in_place) {
    return msccl_trouble(
        tutti::msccl_xml(all, what, {.in_place = in_place}),
        nccl_contract(what, all.size(), all.root(), static_cast<int>(all.blocks()), in_place));
}

inline bool known_to_msccl(tutti::collective what) {
    return what != tutti::collective::barrier && !scans(what) && what != tutti::collective::multicast;
}

} // namespace support
