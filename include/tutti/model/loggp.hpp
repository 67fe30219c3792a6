// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/model/loggops.hpp>

/// Times of well-known schedules in LogGP, in closed form. All follow from what a message of k bytes costs
/// (Alexandrov, Ionescu, Schauser and Scheiman 1995, section 3; with O: Hoefler, Schneider and Lumsdaine
/// 2010):
///
///     the sender's processor                     o + (k-1) O
///     from one send to the next, at the least    g + (k-1) G, and the processor has to be free
///     the first byte is there after              o + L
///     the receiver's processor, from then on     o + (k-1) max(O, G)
///
/// All are exact: what the schedule of the same name takes in the model loggops, block sizes being equal, as
/// long as no message is longer than S, beyond which senders wait for receivers. In us; k bytes are those of
/// a message, not of the whole vector. p >= 1 ranks and k >= 0 bytes, else argument_error.
namespace tutti::loggp {

namespace detail {

inline void check(std::int64_t p, std::int64_t k) {
    if (p < 1) tutti::detail::throw_argument("p", p, "at least 1");
    if (k < 0) tutti::detail::throw_argument("k", k, "at least 0");
}
inline void check_power_of_two(rank_type p, std::int64_t k) {
    check(p, k);
    if (floor_pow2(p) != p) tutti::detail::throw_argument("p", p, "a power of two");
}

/// Parts of a message of k bytes.
struct message {
    double send;    ///< the sender's processor
    double gap;     ///< from one send to the next of the same interface
    double flight;  ///< until the first byte is there
    double receive; ///< the receiver's processor

    message(const loggops& on, std::int64_t k)
        : send(on.sender({.bytes = k}).us()), gap(on.gap({.bytes = k}).us()),
          flight(on.flight({.bytes = k}).us()), receive(on.receiver({.bytes = k}).us()) {}

    double all() const noexcept { return flight + receive; }
    /// From one send to the next of a rank that does nothing else.
    double interval() const noexcept { return std::max(send, gap); }
    /// A round in which a rank sends one message and receives one.
    double exchange() const noexcept { return std::max(flight, send) + receive; }
};

/// `rounds` rounds in a row in which all ranks send one message, receive one and `fold` it.
inline double exchanges(const loggops& on, std::int64_t rounds, std::int64_t k, double fold = 0) {
    if (rounds == 0) return 0;
    const message m(on, k);
    const double round = m.exchange() + fold;
    // The interface may still be busy when the processor has come to the next round.
    return static_cast<double>(rounds - 1) * std::max(round, m.gap) + round;
}

/// When the root of a binomial tree of n nodes has folded everything.
inline double binomial_root(const message& m, double fold, std::int64_t n) {
    if (n == 1) return 0;
    double done = 0; // of the root of a full tree, which grows
    double free = 0; // when it can take another message
    const auto take = [&](double child) {
        const double begin = std::max({done, free, child + m.flight});
        done = begin + m.receive + fold;
        free = begin + std::max(m.receive + fold, m.gap);
    };
    std::int64_t full = 1;
    for (; 2 * full < n; full *= 2) take(done);
    take(binomial_root(m, fold, n - full)); // the last child's tree may lack nodes
    return done;
}

} // namespace detail

/// One message, from the beginning of sending it to the end of receiving it.
inline double message(const loggops& on, std::int64_t k) {
    detail::check(1, k);
    return detail::message(on, k).all();
}

/// bcast serial: the root sends p - 1 messages.
inline double bcast_serial(const loggops& on, rank_type p, std::int64_t k) {
    detail::check(p, k);
    if (p == 1) return 0;
    const detail::message m(on, k);
    return (p - 2) * m.interval() + m.all();
}

/// bcast fnomial, radix 2, in one segment. Of the ceil(lg p) rounds, floor(lg p) bring the last rank the
/// message one hop nearer, if a hop takes longer than the sender's next send; in the others it waits for its
/// turn. Example with 5 ranks: 3 has it two hops later than the root's first send to 4 has begun another one.
inline double bcast_binomial(const loggops& on, rank_type p, std::int64_t k) {
    detail::check(p, k);
    if (p == 1) return 0;
    const detail::message m(on, k);
    const int hops = m.all() > m.interval() ? floor_log2(p) : 1;
    return hops * m.all() + (ceil_log2(p) - hops) * m.interval();
}

/// bcast chain: `segments` messages of k bytes down a line. A rank in the middle sends one and receives the
/// next.
inline double bcast_chain(const loggops& on, rank_type p, std::int64_t segments, std::int64_t k) {
    detail::check(p, k);
    if (segments < 1) tutti::detail::throw_argument("segments", segments, "at least 1");
    if (p == 1) return 0;
    const detail::message m(on, k);
    const double middle = p == 2 ? m.receive : m.send + m.receive;
    return (p - 1) * m.all() + static_cast<double>(segments - 1) * std::max(middle, m.interval());
}

/// reduce fnomial, radix 2, in one segment. O(lg^2 p).
inline double reduce_binomial(const loggops& on, rank_type p, std::int64_t k) {
    detail::check(p, k);
    const detail::message m(on, k);
    return detail::binomial_root(m, on.fold(k).us(), p);
}

/// barrier dissemination.
inline double barrier_dissemination(const loggops& on, rank_type p) {
    detail::check(p, 0);
    return detail::exchanges(on, ceil_log2(p), 0);
}

/// allreduce recursive_doubling of k bytes; p has to be a power of two.
inline double allreduce_recursive_doubling(const loggops& on, rank_type p, std::int64_t k) {
    detail::check_power_of_two(p, k);
    return detail::exchanges(on, ceil_log2(p), k, on.fold(k).us());
}

/// allgather by ring, direct or kshift, blocks of k bytes: p - 1 rounds in which all ranks send and receive.
inline double allgather_ring(const loggops& on, rank_type p, std::int64_t k) {
    detail::check(p, k);
    return detail::exchanges(on, p - 1, k);
}

/// reduce_scatter pairwise or ring, blocks of k bytes.
inline double reduce_scatter_pairwise(const loggops& on, rank_type p, std::int64_t k) {
    detail::check(p, k);
    return detail::exchanges(on, p - 1, k, on.fold(k).us());
}

/// allreduce ring or pairwise_ring, blocks of k bytes: reduce_scatter_pairwise, then allgather_ring.
inline double allreduce_ring(const loggops& on, rank_type p, std::int64_t k) {
    detail::check(p, k);
    if (p == 1) return 0;
    const detail::message m(on, k);
    const double between = std::max(m.exchange() + on.fold(k).us(), m.gap); // to the first round of the ring
    return static_cast<double>(p - 1) * between + detail::exchanges(on, p - 1, k);
}

/// allgather recursive_doubling, sparbit or bruck, blocks of k bytes; p has to be a power of two: round i
/// carries 2^i blocks.
inline double allgather_doubling(const loggops& on, rank_type p, std::int64_t k) {
    detail::check_power_of_two(p, k);
    double processor = 0;
    double interface = 0; // when it can send again
    for (std::int64_t blocks = 1; blocks < p; blocks *= 2) {
        const detail::message m(on, blocks * k);
        const double begin = std::max(processor, interface);
        processor = begin + m.exchange();
        interface = begin + m.gap;
    }
    return processor;
}

} // namespace tutti::loggp
