// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstdint>

#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/model/cost.hpp>

/// The cost model of Kumar and Kalé 2004 and their equations 1 to 10, for all-to-all multicast (allgather).
namespace tutti::kumar_kale_2004 {

/// Section 2: alpha + m beta + C m + L; a message that is sent more than once is copied to the network
/// interface first (delta per byte, once) and leaves from there at beta_em per byte; putting blocks together
/// into one message costs gamma per byte.
struct model {
    static constexpr bool synchronous = false;
    static constexpr bool asks_again = true; ///< it reads message_facts::again

    double alpha = 0;      ///< software overhead of a message, us
    double beta = 0;       ///< per byte sent from main memory, us
    double beta_em = 0;    ///< per byte sent from the memory of the network interface, us
    double delta = 0;      ///< per byte copied to the network interface, us
    double gamma = 0;      ///< per byte copied to combine messages, us
    double contention = 0; ///< C: per byte, on links that messages share, us
    double L = 0;          ///< latency of the network, us

    cost start() const noexcept { return {}; }
    cost sender(const message_facts& m) const noexcept {
        const auto n = static_cast<double>(m.bytes);
        cost all{.startup = alpha, .transfer = n * (contention + (m.again ? beta_em : beta))};
        if (m.again && m.first) all.transfer += n * delta;
        if (m.blocks > 1 && m.first) all.fold += n * gamma;
        return all;
    }
    cost flight(const message_facts& m) const noexcept { return sender(m) + cost{.startup = L}; }
    cost receiver(const message_facts&) const noexcept { return {}; }
    cost fold(std::int64_t) const noexcept { return {}; }
    cost copy(std::int64_t) const noexcept { return {}; }

    friend bool operator==(const model&, const model&) = default;
};

namespace detail {

/// The bytes of a block as the equations take them.
inline double block(rank_type P, std::int64_t m) {
    if (P < 1) tutti::detail::throw_argument("P", P, "at least 1");
    if (m < 0) tutti::detail::throw_argument("m", m, "at least 0");
    return static_cast<double>(m);
}

/// The same for a strategy that wants 2^d ranks; d.
inline int dimensions(rank_type P) {
    if (P < 1 || floor_pow2(P) != P) tutti::detail::throw_argument("P", P, "a power of two");
    return floor_log2(P);
}

/// P - 1 messages of one block from the memory of the network interface, where `copies` of them are put.
inline cost repeated(const model& on, rank_type P, double m, double copies) noexcept {
    const double others = P - 1;
    return {.startup = others * on.alpha + on.L,
            .transfer = others * m * (on.beta_em + on.contention) + copies * m * on.delta};
}

} // namespace detail

// All equations: P >= 1 ranks, m >= 0 bytes that each of them has for all others (one block, not the whole
// vector), else argument_error. Contention C is that of the model wherever the paper writes C, C_mesh,
// C_cube, C_hcube, or leaves it out because the strategy is meant to be free of it; then set it to 0. L
// counts as often as the paper has it: once, or never where it leaves it out. Where a rank waits for the
// message of a round before it sends the next one, L comes in every round.

/// Equation 1: one message.
inline cost point_to_point(const model& on, std::int64_t m) {
    const double bytes = detail::block(1, m);
    return {.startup = on.alpha + on.L, .transfer = bytes * (on.beta + on.contention)};
}

/// Equation 2: direct, from main memory.
inline cost direct(const model& on, rank_type P, std::int64_t m) {
    const double bytes = detail::block(P, m);
    const double others = P - 1;
    return {.startup = others * on.alpha + on.L, .transfer = others * bytes * (on.beta + on.contention)};
}

/// Equation 3: mesh2d, "approximately". Exact would be 2 (sqrt(P) - 1) messages, P - 1 blocks sent, sqrt(P) +
/// 1 blocks copied to the network interface (the own block for the row, too) and sqrt(P) blocks combined, for
/// squares.
inline cost mesh(const model& on, rank_type P, std::int64_t m) {
    const double bytes = detail::block(P, m);
    const double root = std::sqrt(static_cast<double>(P));
    return {.startup = 2 * root * on.alpha,
            .transfer = P * bytes * (on.beta_em + on.contention) + root * bytes * on.delta,
            .fold = P * bytes * on.gamma};
}

/// Equation 4: hypercube with zeta 0. P must be a power of two.
inline cost cube(const model& on, rank_type P, std::int64_t m) {
    const double rounds = detail::dimensions(P);
    const double bytes = detail::block(P, m);
    return {.startup = rounds * on.alpha,
            .transfer = (P - 1) * bytes * (on.beta + on.contention),
            .fold = (P - 1) * bytes * on.gamma};
}

/// Equation 5: hypercube with zeta 0 for any P. lambda_h is 0 for a power of two, else 1; lg P is rounded up.
/// The paper leaves out gamma here.
inline cost cube_with_holes(const model& on, rank_type P, std::int64_t m) {
    const double bytes = detail::block(P, m);
    const double holes = floor_pow2(P) == P ? 0 : 1;
    return {.startup = (ceil_log2(P) + holes) * on.alpha,
            .transfer = (1 + holes) * (P - 1) * bytes * (on.beta + on.contention)};
}

/// Messages of hypercube with the last zeta of lg P dimensions direct: lg P - zeta + 2^zeta - 1, as the text
/// of section 3.2 counts them (1 more for zeta = 2, 4 more for 3). Equation 6 prints lg P.
/// P must be a power of two; zeta is 0 .. lg P.
inline std::int64_t hybrid_cube_messages(rank_type P, int zeta) {
    const int rounds = detail::dimensions(P);
    if (zeta < 0 || zeta > rounds) tutti::detail::throw_argument_below("zeta", zeta, rounds + 1);
    return rounds - zeta + (std::int64_t{1} << zeta) - 1;
}

/// Equation 6 with the messages that its text counts: hypercube with zeta > 0. P' = P/2^zeta blocks travel
/// from main memory, are combined and are copied to the network interface; the other P - P' leave from there.
/// For zeta = 0 nothing is sent twice and nothing copied: that is equation 4. For zeta = 1 it has the
/// one direct message copied, too, which the model, walked through the schedule, sends from main memory: it
/// is sent once. P must be a power of two.
inline cost hybrid_cube(const model& on, rank_type P, std::int64_t m, int zeta) {
    const auto messages = static_cast<double>(hybrid_cube_messages(P, zeta));
    if (zeta == 0) return cube(on, P, m);
    const double bytes = detail::block(P, m);
    const double exchanged = std::ldexp(P, -zeta);
    return {.startup = messages * on.alpha,
            .transfer = exchanged * bytes * (on.beta + on.contention + on.delta)
                        + (P - exchanged) * bytes * (on.beta_em + on.contention),
            .fold = exchanged * bytes * on.gamma};
}

/// The zeta, 0 .. lg P, for which hybrid_cube takes the least time; the lowest if there are several.
/// P must be a power of two.
inline int best_zeta(const model& on, rank_type P, std::int64_t m) {
    const int rounds = detail::dimensions(P);
    int best = 0;
    for (int zeta = 1; zeta <= rounds; ++zeta)
        if (hybrid_cube(on, P, m, zeta).us() < hybrid_cube(on, P, m, best).us()) best = zeta;
    return best;
}

/// Equation 7: ring, whose messages all differ and leave from main memory.
inline cost ring(const model& on, rank_type P, std::int64_t m) { return direct(on, P, m); }

/// Equation 8: prefix_send. The paper's P is a power of two; for others some ranks are idle in some rounds.
inline cost prefix(const model& on, rank_type P, std::int64_t m) {
    return detail::repeated(on, P, detail::block(P, m), 1);
}

/// Equation 9: kprefix, for k that divides P.
inline cost kprefix(const model& on, rank_type P, std::int64_t m, rank_type k) {
    const double bytes = detail::block(P, m);
    if (k < 1) tutti::detail::throw_argument("k", k, "at least 1");
    return detail::repeated(on, P, bytes, static_cast<double>(P) / k);
}

/// Equation 10: kshift, for k that divides P.
inline cost kshift(const model& on, rank_type P, std::int64_t m, rank_type k) { return kprefix(on, P, m, k); }

} // namespace tutti::kumar_kale_2004
