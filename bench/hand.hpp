// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <tutti/transport/threads.hpp>

#include "clock.hpp"

/// What is possible on this machine: exchanges written by hand for two threads and for one element, without
/// generality of any kind. The library is measured against them.
namespace bench {

/// A counter that another thread waits for.
struct waitable {
    std::atomic<std::uint32_t> count{0};

    void set(std::uint32_t value) noexcept { count.store(value, std::memory_order_release); }

    /// Until the other side has come as far as `value`. It may be ahead already, and the count wraps.
    void wait(std::uint32_t value) const noexcept {
        while (static_cast<std::int32_t>(count.load(std::memory_order_acquire) - value) < 0) pause();
    }

    static void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
};

/// On a pair of cache lines of its own (processors fetch lines in pairs).
struct alignas(128) flag : waitable {};

/// Two threads on either side of one cache line: `set` here, `wait` there, and back.
class ping_pong {
public:
    /// One hand-over there and one back.
    void round_trip(int me) noexcept {
        std::uint32_t& mine = done_[me].value;
        if (me == 0) {
            line_.set(mine + 1);
            line_.wait(mine + 2);
        } else {
            line_.wait(mine + 1);
            line_.set(mine + 2);
        }
        mine += 2;
    }

private:
    struct alignas(128) counter {
        std::uint32_t value = 0;
    };
    flag line_;
    counter done_[2];
};

/// Seconds for a cache line to go from one core to another: what a message of a few bytes costs at least. In
/// a virtual machine cores may be near each other for minutes and far apart then.
inline double hand_over() {
    constexpr int trips = 200;
    ping_pong line;
    std::vector<double> taken;
    tutti::threads::run_transports(2, [&](const auto& wires) { // who begin on cores of their own
        const int me = wires.rank();
        for (int b = 0; b < 50; ++b) {
            const double start = now();
            for (int k = 0; k < trips; ++k) line.round_trip(me);
            if (me == 0) taken.push_back((now() - start) / trips / 2);
        }
    });
    return median(std::move(taken));
}

/// Allreduce of one double between two threads: the value lies in the line of the flag.
class hand_exchange {
public:
    double sum(int me, double value) noexcept {
        // Two lines in turn: the peer may still read the last value when the next one is written, but not
        // the one before it, or it would not have come so far.
        const std::uint32_t turn = ++done_[me].value;
        slot& mine = slots_[me][turn % 2];
        const slot& other = slots_[1 - me][turn % 2];
        mine.value = value;
        mine.ready.store(turn, std::memory_order_release);
        while (static_cast<std::int32_t>(other.ready.load(std::memory_order_acquire) - turn) < 0)
            waitable::pause();
        return me == 0 ? value + other.value : other.value + value;
    }

private:
    struct alignas(128) slot {
        std::atomic<std::uint32_t> ready{0};
        double value = 0;
    };
    struct alignas(128) counter {
        std::uint32_t value = 0;
    };
    slot slots_[2][2];
    counter done_[2];
};

/// Allreduce of a vector between two threads: each folds one half straight from both inputs, then copies the
/// other half from its peer's result.
class hand_allreduce {
public:
    void sum(int me, const double* in, double* out, std::size_t count) noexcept {
        desk& mine = desks_[me];
        const desk& other = desks_[1 - me];
        std::uint32_t& at = done_[me].value;
        mine.in = in; // in the line of the flag: the peer gets both at once
        mine.out = out;
        mine.progress.set(at + 1);
        other.progress.wait(at + 1);

        const std::size_t half = count / 2;
        const std::size_t begin = me == 0 ? 0 : half;
        const std::size_t end = me == 0 ? half : count;
        fold(out, desks_[0].in, desks_[1].in, begin, end);
        mine.progress.set(at + 2);
        other.progress.wait(at + 2);

        const std::size_t from = me == 0 ? half : 0;
        const std::size_t to = me == 0 ? count : half;
        std::memcpy(out + from, other.out + from, (to - from) * sizeof(double));
        mine.progress.set(at + 3); // the caller may write its buffers again only when the peer has read them
        other.progress.wait(at + 3);
        at += 3;
    }

private:
    static void fold(double* __restrict out, const double* __restrict a, const double* __restrict b,
                     std::size_t begin, std::size_t end) noexcept {
        for (std::size_t i = begin; i < end; ++i) out[i] = a[i] + b[i];
    }

    struct alignas(128) desk {
        waitable progress{};
        const double* in = nullptr;
        double* out = nullptr;
    };
    struct alignas(128) counter {
        std::uint32_t value = 0;
    };
    desk desks_[2];
    counter done_[2];
};

/// Allreduce of one double among more threads than cores: everybody deposits, the last one folds for all,
/// the others yield meanwhile. Two sets of slots in turn, as above.
class hand_deposit {
public:
    static constexpr int most_ranks = 64;

    double sum(int me, int size, double value) noexcept {
        const std::uint32_t turn = ++turns_[me].value;
        round& now = rounds_[turn % 2];
        now.slots[me].value = value;
        if (now.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == size) {
            double total = 0;
            for (int r = 0; r < size; ++r) total += now.slots[r].value;
            now.total = total;
            now.arrived.store(0, std::memory_order_relaxed);
            now.ready.set(turn);
            return total;
        }
        while (static_cast<std::int32_t>(now.ready.count.load(std::memory_order_acquire) - turn) < 0)
            std::this_thread::yield();
        return now.total;
    }

private:
    struct alignas(128) slot {
        double value = 0;
    };
    struct alignas(128) counter {
        std::uint32_t value = 0;
    };
    struct round {
        slot slots[most_ranks];
        alignas(128) std::atomic<int> arrived{0};
        flag ready;
        double total = 0;
    };
    round rounds_[2];
    counter turns_[most_ranks];
};

} // namespace bench
