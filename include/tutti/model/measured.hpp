// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/rank.hpp>
#include <tutti/model/cost.hpp>
#include <tutti/model/piecewise.hpp>

namespace tutti {

/// A machine as calibration finds it: tables instead of constants, as in PLogP (Kielmann, Bal and Verstoep
/// 2000), for a transport whose receiver does the work, as where memory is shared.
///
/// What a message costs does not only depend on its own length:
/// - Vectors of up to `inside` bytes travel inside of messages. The parts of a longer vector take the long
///   way however short they are, so they are looked up as if they were longer than `inside`.
/// - Caches hold a vector or do not hold it. So a part of one costs at least its share of the whole.
/// - Data that its sender has just computed lies in the sender's cache; data that was there before may be in
///   the receiver's, too, as in a program that calls with the same buffers again and again. The tables are of
///   the latter; `fetch` is what the former costs more.
/// - If there are more ranks than cores, ranks wait for each other's core: every message costs a switch, and
///   work takes as much longer as ranks share a core.
struct measured {
    static constexpr bool synchronous = false;

    double call = 0;         ///< a collective call, before its first step, us
    piecewise send{};        ///< the sender is busy with a message
    piecewise latency{};     ///< from the start of a send until the receiver sees it
    piecewise recv{};        ///< the receiver puts a message where it belongs
    piecewise recv_fold{};   ///< the same, folding it
    piecewise fetch{};       ///< besides, if the sender has just computed it
    piecewise local{};       ///< a local copy or fold
    std::int64_t inside = 0; ///< longest vector in bytes that travels inside of messages
    int cores = 1;           ///< ranks that run at the same time
    double switching = 0;    ///< from one rank to another on the same core, us

    // What it is asked about; set by running().
    rank_type ranks = 1;     ///< that take part
    std::int64_t vector = 0; ///< bytes of the whole vector; 0: as long as the message

    /// The same machine for a collective of so many ranks and bytes.
    measured running(rank_type size, std::int64_t bytes) const {
        measured here = *this;
        here.ranks = size;
        here.vector = bytes;
        return here;
    }

    cost start() const noexcept { return {.startup = call}; }
    cost sender(const message_facts& m) const noexcept {
        return {.startup = crowding() * send(looked_up(m.bytes))};
    }
    cost flight(const message_facts& m) const noexcept {
        return {.startup = latency(looked_up(m.bytes)) + (ranks > cores ? switching : 0)};
    }
    cost receiver(const message_facts& m) const noexcept {
        const double fetching = m.fresh ? share(fetch, m.bytes) : 0;
        return {.transfer = crowding() * (fetching + (m.folded ? 0 : part(recv, m.bytes)))};
    }
    cost fold(std::int64_t bytes) const noexcept { return {.fold = crowding() * part(recv_fold, bytes)}; }
    cost copy(std::int64_t bytes) const noexcept { return {.fold = crowding() * part(local, bytes)}; }

    friend bool operator==(const measured&, const measured&) = default;

private:
    /// Ranks that share a core.
    double crowding() const noexcept {
        return ranks > cores ? static_cast<double>(ranks) / static_cast<double>(cores) : 1;
    }
    std::int64_t looked_up(std::int64_t bytes) const noexcept {
        return vector > inside ? std::max(bytes, inside + 1) : bytes;
    }
    /// What the bytes cost as a part of the vector, if that is longer.
    double share(const piecewise& table, std::int64_t bytes) const noexcept {
        return vector <= bytes ? table(looked_up(bytes))
                               : table(vector) * static_cast<double>(bytes) / static_cast<double>(vector);
    }
    /// The same, and at least what a message of that length costs.
    double part(const piecewise& table, std::int64_t bytes) const noexcept {
        return std::max(table(looked_up(bytes)), share(table, bytes));
    }
};

} // namespace tutti
