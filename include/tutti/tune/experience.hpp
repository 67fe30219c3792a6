// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/choose/chooser.hpp>
#include <tutti/choose/default_rules.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/model/candidates.hpp>
#include <tutti/model/default_machine.hpp>
#include <tutti/model/machine.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstdio>

#include <tutti/choose/default_choices.hpp>
#include <tutti/core/error.hpp>
#include <tutti/model/selection.hpp>
#include <tutti/tune/choosers.hpp>
#include <tutti/tune/fold_order.hpp>
#endif

/// Choosing by what calls have taken, here and now.
namespace tutti {

/// How a communicator learns.
struct experience_options {
    int candidates = 4;        ///< most that are tried for calls of one kind, >= 1
    int trials = 3;            ///< calls that each of them gets, >= 1; the fastest counts
    bool same_results = false; ///< try only what folds in the same order as the first, for up to 64 ranks
                               ///< (16 of a reduce to another root than 0, which is compared at all roots):
                               ///< then the bits of a result do not depend on what is tried
    machine on = default_machine(); ///< whose prices say what is worth trying
};

namespace detail {

/// Tries the few best candidates during the first calls of a kind, then keeps to the fastest.
class experience final : public chooser {
public:
    /// Makes each number the greatest of all ranks'.
    using agreement = std::function<void(std::span<double>)>;

    experience(experience_options how, cores here, agreement agree);

    const choice& choose(collective what, const request_facts& facts) const override {
        const record& r = record_of(what, facts);
        return r.candidates[r.fastest];
    }
    TUTTI_VIRTUAL std::string explain(collective what, const request_facts& facts) const override;
    bool chooses_by_kind() const noexcept override { return false; } // it learns
    TUTTI_VIRTUAL const choice* try_out(collective what, const request_facts& facts) const override;
    TUTTI_VIRTUAL void tried() const noexcept override;

private:
    /// Of calls of one kind.
    struct record {
        std::vector<choice> candidates;
        std::vector<double> seconds; ///< the least on this rank; once all have been tried, on the slowest
        std::size_t calls = 0;
        std::size_t fastest = 0;
        bool settled = false;
    };
    using clock = std::chrono::steady_clock;

    record& record_of(collective what, const request_facts& facts) const;
    std::vector<choice> worth_trying(const request_facts& facts, const selection_request& request) const;

    experience_options how_;
    cores here_;
    agreement agree_;
    mutable std::map<selection_request, record> records_; // they stay in place
    mutable record* trying_ = nullptr;
    mutable clock::time_point began_{};
};

std::string us_text(double seconds);

} // namespace detail

/// Chooses by experience: the first calls of a kind on `comm` each try one of the candidates, all of which
/// are right; then all ranks agree on the one that was fastest on the slowest rank, by an allreduce of a few
/// numbers, and keep to it. All ranks give the same options, and `comm` outlives what is returned.
///
///     comm.choose_by(tutti::by_experience(comm));
template <class Transport>
std::shared_ptr<const chooser> by_experience(communicator<Transport>& comm, experience_options how = {}) {
    return std::make_shared<const detail::experience>(
        std::move(how), comm.has_cores(),
        [&comm](std::span<double> seconds) { allreduce(comm, seconds, max{}, recursive_doubling{}); });
}

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY experience::experience(experience_options how, cores here, agreement agree)
    : how_(std::move(how)), here_(here), agree_(std::move(agree)) {
    if (how_.candidates < 1) throw_argument("candidates", how_.candidates, "at least 1");
    if (how_.trials < 1) throw_argument("trials", how_.trials, "at least 1");
}

TUTTI_BODY experience::record& experience::record_of(collective what, const request_facts& facts) const {
    const selection_request request = deciding_request(what, facts);
    const auto [at, is_new] = records_.try_emplace(request);
    record& r = at->second;
    if (is_new) {
        r.candidates = worth_trying(facts, request);
        r.seconds.assign(r.candidates.size(), std::numeric_limits<double>::infinity());
        r.settled = r.candidates.size() == 1;
    }
    return r;
}

/// What the tables that ship would take, and of each other algorithm the cheapest by the model.
TUTTI_BODY std::vector<choice> experience::worth_trying(const request_facts& facts,
                                                        const selection_request& request) const {
    const collective what = request.what;
    std::vector<choice> found{default_choice(what, facts, here_).to};
    for (const rated_candidate& one : rank_algorithms(how_.on, request).all) {
        if (found.size() >= static_cast<std::size_t>(how_.candidates)) break;
        const choice other = choice_of(one.what);
        const bool known = std::any_of(found.begin(), found.end(),
                                       [&](const choice& c) { return c.algorithm == other.algorithm; });
        if (one.how != rated_candidate::verdict::priced || known) continue;
        // What other calls of this kind there will be is not known: of which lengths, elements and roots.
        if (how_.same_results && folds(what)
            && (request.size > (request.every_root ? 16 : 64)
                || !same_order_of_folds(what, facts, found.front(), other)))
            continue;
        found.push_back(other);
    }
    return found;
}

TUTTI_BODY const choice* experience::try_out(collective what, const request_facts& facts) const {
    record& r = record_of(what, facts);
    if (r.settled) return nullptr;
    if (r.calls == r.candidates.size() * static_cast<std::size_t>(how_.trials)) {
        agree_(r.seconds);
        r.fastest = static_cast<std::size_t>(std::min_element(r.seconds.begin(), r.seconds.end())
                                             - r.seconds.begin());
        r.settled = true;
        return nullptr;
    }
    trying_ = &r;
    began_ = clock::now();
    return &r.candidates[r.calls % r.candidates.size()];
}

TUTTI_BODY void experience::tried() const noexcept {
    if (trying_ == nullptr) return;
    double& least = trying_->seconds[trying_->calls++ % trying_->candidates.size()];
    least = std::min(least, std::chrono::duration<double>(clock::now() - began_).count());
    trying_ = nullptr;
}

/// Microseconds: clocks tell no more than three digits.
TUTTI_BODY std::string us_text(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, seconds < 1e-4 ? "%.3g" : "%.0f", seconds * 1e6);
    return text;
}

TUTTI_BODY std::string experience::explain(collective what, const request_facts& facts) const {
    const record& r = record_of(what, facts);
    std::string text = name_of(r.candidates[r.fastest]);
    text.append(r.settled ? ": the fastest of those that were tried\n"
                          : ": for now, until all have been tried\n");
    for (std::size_t i = 0; i < r.candidates.size(); ++i) {
        text.append("  ").append(name_of(r.candidates[i]));
        if (r.calls > i) text.append(": ").append(us_text(r.seconds[i])).append(" us");
        text.append("\n");
    }
    return text;
}
} // namespace detail
#endif

} // namespace tutti
