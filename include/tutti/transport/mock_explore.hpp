// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/transport/failure.hpp>
#include <tutti/transport/mock.hpp>

namespace tutti::mock {

/// What exploring has seen.
struct exploration {
    std::uint64_t runs = 0;    ///< interleavings run
    std::uint64_t repeats = 0; ///< those of them that were no new ones after all
    std::uint64_t covered = 0; ///< if complete, the interleavings that the runs stand for
    std::uint64_t states = 0;  ///< different ones that were matched: see options::matches
    bool complete = false;     ///< whether all are covered
};

/// One interleaving failed. how() shows it again, and log() tells what happened.
class exploration_error : public error {
public:
    exploration_error(std::uint64_t run, std::exception_ptr cause, options how, std::string log)
        : error(detail::sentence({"tutti: interleaving ", run, " failed: ", detail::text_of(cause), "\n",
                                  replay_of(how), "\n", log})),
          cause_(std::move(cause)), how_(std::move(how)), log_(std::move(log)) {}

    /// What the run has thrown that failed first.
    std::exception_ptr cause() const noexcept { return cause_; }
    /// For mock::run or run_transports, with the same body.
    const options& how() const noexcept { return how_; }
    /// What happened in that run, a line for each event.
    const std::string& log() const noexcept { return log_; }

private:
    static std::string replay_of(const options& how) {
        std::string text = how.decides == freedom::one_rank
                               ? detail::sentence({".decides = freedom::one_rank, .watched = ", how.watched})
                               : std::string(how.decides == freedom::distinct ? ".decides = freedom::distinct"
                                                                              : ".switch_at_start = false");
        text += ", .replay = {";
        for (std::size_t i = 0; i < how.replay.size(); ++i)
            text += (i == 0 ? "" : ", ") + std::to_string(how.replay[i]);
        return text + "}";
    }

    std::exception_ptr cause_;
    options how_;
    std::string log_;
};

/// Runs `body(transport&)` on `size` ranks again and again, depth first through all decisions, until all have
/// been taken or `limit` runs are done. explore() and explore_each_rank() are this with fewer decisions;
/// without them it runs what differs in nothing a rank could notice again and again.
template <class F>
exploration explore_all(rank_type size, F&& body, std::uint64_t limit = 100000, options how = {},
                        ledger* books = nullptr, states* known = nullptr) {
    how.switch_at_start = false;
    how.first_choice = true;
    how.log = false;
    how.replay.clear();
    exploration seen;
    rank_threads threads(size);
    while (seen.runs < limit) {
        ++seen.runs;
        world group(size, how);
        if (books != nullptr) group.keep_books(*books);
        if (known != nullptr) group.match(*known), known->begin_run();
        try {
            for_each_rank(group, threads, body);
        } catch (...) {
            const std::exception_ptr cause = std::current_exception();
            how.replay = group.decisions();
            how.log = true;
            world again(size, how);
            try {
                for_each_rank(again, threads, body);
            } catch (...) { // as expected
            }
            throw exploration_error(seen.runs, cause, how, again.log());
        }
        if (group.repeats()) ++seen.repeats;
        if (books != nullptr && !books->objection().empty())
            throw error(detail::sentence({"tutti: watching one rank is not enough here: ", books->objection(),
                                          "; explore() it instead"}));
        how.replay = group.decisions();
        std::vector<std::uint32_t> counts = group.alternatives();
        if (known != nullptr) {
            how.replay.resize(known->new_ones(how.replay.size()));
            counts.resize(how.replay.size());
        }
        // The last decision that has an alternative left takes the next one.
        while (!how.replay.empty() && how.replay.back() + 1 == counts.back()) {
            how.replay.pop_back();
            counts.pop_back();
        }
        if (known != nullptr) known->end_run(how.replay.size());
        seen.covered = known == nullptr ? seen.runs : known->ways();
        seen.states = known == nullptr ? 0 : known->count();
        if (how.replay.empty()) {
            seen.complete = true;
            return seen;
        }
        ++how.replay.back();
    }
    return seen;
}

/// Runs `body(transport&)` on `size` ranks in every interleaving of ranks and deliveries that could make a
/// difference to a rank, or in the first `limit` of them: a rank runs until it waits, and then sees what has
/// arrived. Two interleavings in which every rank sees the same at each of its turns are one; that is what
/// sleepers (mock_sleep.hpp) are for. Right for any body, but the number is a product over the ranks: an
/// allreduce by recursive_doubling, without buffers, takes 7 runs (of 10) with two ranks, 23 (of 94) with
/// three, and a ring of three more than anybody will wait for.
///
/// The body must not keep anything from one run to the next. Throws exploration_error for the first
/// interleaving in which a rank throws; a body that is to see errors catches them. Faults and buffering are
/// taken from `how`, seed and replay are not.
template <class F>
exploration explore(rank_type size, F&& body, std::uint64_t limit = 100000, options how = {}) {
    how.decides = freedom::distinct;
    return explore_all(size, body, limit, how);
}

/// Watches one rank after the other, and explores what that one sees: which of the operations that could have
/// completed it finds completed each time it has waited, or at each single look (options::every_look). All
/// others go on as far as they can meanwhile. So the number of runs is a sum over the ranks and not a
/// product, and whole collectives of four ranks are explored to the end.
///
/// Nothing is lost if what a rank has started by the time it waits, and the bytes it sends, depend on what it
/// has seen completed, and not on the order in which it did: then a message is there as early as ever if all
/// others go as far as they can, as late as may be if the rank does not see it yet, and whatever a rank could
/// see in any interleaving it has seen when it was watched; also what only a transport shows that reports
/// completions late. Collectives are such programs, or should be: this is looked at in every run (ledger),
/// and a program that is none is refused with tutti::error after the fact; explore() it. So is one that
/// abandons operations or meets faults.
///
///     rank 1 receives from 0 and from 2, then sends to both. Watched are
///     rank 1: sees 0 first, 2 first, or both at one turn; each answer is sent after both, so all else
///     follows rank 0: sees its send completed before the answer, or after; whatever rank 2 does and sees is
///     the same to it rank 2: likewise Of all combinations of these none has been run, and none could show a
///     rank anything new.
///
/// The runs of one rank are still all orders in which it could see its operations completed. No two of them
/// are the same to it, so no reduction by independence, be it by persistent or by source sets (Flanagan and
/// Godefroid 2005, Abdulla et al. 2014), may leave one out, and an allreduce by a pairwise_ring of four ranks
/// has 25 million without buffers. But most of them lead to where others have led. options::matches says what
/// is taken for the same state when the watched rank waits, and from there on nothing is decided again
/// (mock_states.hpp): 7016 runs. In every state that can be reached all is still decided that can be;
/// exploration::covered counts the orders that this stands for, the runs that there would be without.
///
/// It is sound if what follows is a function of the state. Of all but the watched rank it is: they have gone
/// as far as they can, and it makes no difference in which order, for a delivery takes the first message of
/// its route to the first receive there, two on different routes touch different operations, and what ranks
/// send is what was assumed above (so are Kahn's networks of 1974 determined). Of the watched rank it is the
/// program's to promise:
///
/// - matching::seen: where it stands when it waits depends on what it has started and seen completed. So does
///   the engine, which waits only when nothing can move any more: all that it has seen has then led to all
///   that it could. What was received in place because nothing hindered it, or staged because something did,
///   makes a difference only until that is over.
/// - matching::begun: also on what it had seen when it started what is still open. Far more states.
/// - matching::none: on anything, such as two orders at once.
///
/// A mock cannot see what a rank remembers. But a run that comes to a known state goes on to its end, at
/// random, and is judged as any other; what is started and sent in another order is held against the ledger;
/// and a promise that is broken mostly shows, as another number is covered than by the matching above it.
/// Single looks (options::every_look) are not matched: where a rank is among them is no function of what it
/// has seen.
template <class F>
exploration explore_each_rank(rank_type size, F&& body, std::uint64_t limit = 100000, options how = {}) {
    if (!how.faults.empty())
        throw argument_error("faults", detail::sentence({how.faults.size()}), "0: with faults, explore()");
    how.decides = freedom::one_rank;
    ledger books;
    exploration all{.complete = true};
    for (how.watched = 0; how.watched < size && all.complete; ++how.watched) {
        states known;
        const exploration one = explore_all(size, body, limit - all.runs, how, &books,
                                            how.matches == matching::none ? nullptr : &known);
        all.runs += one.runs;
        all.covered += one.covered;
        all.states += one.states;
        all.complete = one.complete;
    }
    return all;
}

} // namespace tutti::mock
