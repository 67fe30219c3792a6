// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/simulate/ticks.hpp>

namespace tutti {

/// Random numbers that are the same everywhere: integers only, none of the standard distributions, which
/// differ between libraries, and no logarithm, whose last bit differs between machines.
///
/// The generator is SplitMix64 (Steele, Lea and Flood 2014): 8 bytes of state, so every rank has its own, and
/// what one rank gets depends on no other.
class random_numbers {
public:
    random_numbers() = default;
    /// `stream` tells apart those of one seed, such as the ranks.
    constexpr random_numbers(std::uint64_t seed, std::uint64_t stream) noexcept
        : state_(mixed(seed + golden) + mixed(stream ^ 0x5851f42d4c957f2dU)) {}

    /// The next 64 bits.
    constexpr std::uint64_t bits() noexcept { return mixed(state_ += golden); }

    /// 0 <= result < bound, each as likely; 0 if bound <= 0.
    constexpr ticks below(ticks bound) noexcept {
        if (bound <= 0) return 0;
        const auto n = static_cast<std::uint64_t>(bound);
        const std::uint64_t unfair =
            (0 - n) % n; // 2^64 modulo n: the lowest so many would come once too often
        for (;;)
            if (const std::uint64_t b = bits(); b >= unfair) return static_cast<ticks>(b % n);
    }

    /// Exponentially distributed with this mean, by comparing uniform numbers only (von Neumann 1951,
    /// "Various techniques used in connection with random digits"): of falling sequences of uniform numbers
    /// the first one of odd length has the fraction in front; every one of even length before it counts one
    /// mean.
    constexpr ticks exponential(ticks mean) noexcept {
        for (std::uint64_t whole = 0;; ++whole) {
            const std::uint64_t first = bits();
            std::uint64_t last = first;
            bool odd = true;
            for (std::uint64_t next = bits(); next < last; next = bits()) {
                last = next;
                odd = !odd;
            }
            if (odd) return static_cast<ticks>(whole) * mean + fraction(first, mean);
        }
    }

private:
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

    static constexpr std::uint64_t mixed(std::uint64_t z) noexcept {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    /// bits / 2^64 of `mean`, rounded down.
    static constexpr ticks fraction(std::uint64_t bits, ticks mean) noexcept {
        const auto m = static_cast<std::uint64_t>(mean);
        const std::uint64_t high = (bits >> 32) * (m >> 32);
        const std::uint64_t middle = (bits >> 32) * (m & 0xffffffff);
        const std::uint64_t other = (bits & 0xffffffff) * (m >> 32);
        const std::uint64_t low = (bits & 0xffffffff) * (m & 0xffffffff);
        const std::uint64_t carry = ((middle & 0xffffffff) + (other & 0xffffffff) + (low >> 32)) >> 32;
        return static_cast<ticks>(high + (middle >> 32) + (other >> 32) + carry);
    }

    std::uint64_t state_ = 0;
};

} // namespace tutti
