// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/delivery.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "support/catch2.hpp"

namespace {

using tutti::block_layout;
using tutti::operand_side;
using tutti::step;

template <class T>
using op = T (*)(const T&, const T&); // neither associative nor commutative

std::uint8_t mixed_bytes(const std::uint8_t& a, const std::uint8_t& b) {
    return static_cast<std::uint8_t>(3 * a + b + 1);
}
/// Of a length that no power of two is a multiple of, and with alignment 1.
struct odd {
    std::array<std::uint8_t, 3> at{};
    friend bool operator==(const odd&, const odd&) = default;
};
odd mixed_odd(const odd& a, const odd& b) {
    odd c;
    for (std::size_t i = 0; i < 3; ++i) c.at[i] = mixed_bytes(a.at[i], b.at[(i + 1) % 3]);
    return c;
}
/// Longer than what is fetched at once.
struct large {
    std::array<std::uint8_t, 150'000> at{};
    friend bool operator==(const large&, const large&) = default;
};
large mixed_large(const large& a, const large& b) {
    large c;
    std::transform(a.at.begin(), a.at.end(), b.at.begin(), c.at.begin(), mixed_bytes);
    return c;
}

template <class T>
std::vector<T> numbered(std::int64_t count, unsigned seed) {
    std::vector<T> all(static_cast<std::size_t>(count));
    auto* const bytes = reinterpret_cast<unsigned char*>(all.data());
    for (std::size_t i = 0; i < all.size() * sizeof(T); ++i)
        bytes[i] = static_cast<unsigned char>(i * 7 + seed + i / 256);
    return all;
}

/// What lies elsewhere, and is fetched from its beginning to its end.
struct elsewhere {
    std::span<const std::byte> all;
    std::size_t fetched = 0;

    static void fetch(void* from, std::size_t offset, std::span<std::byte> to) {
        auto& self = *static_cast<elsewhere*>(from);
        REQUIRE(offset == self.fetched);
        REQUIRE(!to.empty());
        REQUIRE(offset + to.size() <= self.all.size());
        std::memcpy(to.data(), self.all.data() + offset, to.size());
        self.fetched += to.size();
    }
};

/// A message with the first and the last of three blocks is put into place, as it is or folded from `side`.
template <class T>
void check(std::int64_t count, op<T> mix, bool folds, operand_side side, const std::vector<std::size_t>& cuts,
           bool away) {
    constexpr auto each = static_cast<std::int64_t>(sizeof(T));
    const block_layout layout = block_layout::aligned(count * each, 3, each);
    const auto first = static_cast<std::size_t>(layout.size(0) / each);
    const auto behind = static_cast<std::size_t>(layout.offset(2) / each);
    const std::vector<T> before = numbered<T>(count, 1);
    const std::vector<T> message = numbered<T>((layout.size(0) + layout.size(2)) / each, 100);
    std::vector<T> expected = before;
    for (std::size_t i = 0, j = 0; i < expected.size(); ++i) {
        if (i >= first && i < behind) continue;
        const T& got = message[j++];
        expected[i] = !folds ? got : side == operand_side::left ? mix(got, before[i]) : mix(before[i], got);
    }

    std::vector<T> work = before;
    const auto fold = tutti::fold_function::of<T>(mix);
    tutti::kept_memory kept;
    tutti::memory data(layout, {.work = reinterpret_cast<std::byte*>(work.data())}, kept);
    tutti::delivery to(fold, data);
    const std::array parts{(folds ? step::recv_reduce(1, {0, 1}, side) : step::recv(1, {0, 1})).and_next(),
                           folds ? step::recv_reduce(1, {2, 1}, side) : step::recv(1, {2, 1})};
    const auto bytes = std::as_bytes(std::span(message));
    if (away) {
        elsewhere from{bytes};
        tutti::reusable_bytes staging;
        to.deliver(parts, {&from, elsewhere::fetch}, staging);
        CHECK(from.fetched == bytes.size());
    } else {
        std::vector<std::span<const std::byte>> pieces;
        std::size_t at = 0;
        for (const std::size_t cut : cuts) { // in elements
            const std::size_t length = std::min(cut * sizeof(T), bytes.size() - at);
            pieces.push_back(bytes.subspan(at, length));
            at += length;
        }
        pieces.push_back(bytes.subspan(at));
        to.deliver(parts, pieces);
    }
    INFO(count << " elements of " << each << " bytes, " << (folds ? "folded" : "copied")
               << (away ? ", away" : ""));
    CHECK((work == expected));
}

template <class T>
void check_all(const std::vector<std::int64_t>& counts, op<T> mix) {
    for (const std::int64_t count : counts)
        for (const bool folds : {false, true})
            for (const operand_side side : {operand_side::left, operand_side::right}) {
                check<T>(count, mix, folds, side, {}, true);
                for (std::size_t a = 1; a < 4 && count < 100; ++a)
                    for (std::size_t b = 1; b < 4; ++b) check<T>(count, mix, folds, side, {a, b}, false);
            }
}

} // namespace

TEST_CASE("a message is put into place whatever its pieces, and where it has to be fetched",
          "[execute][delivery]") {
    check_all<std::uint8_t>({3, 4, 5, 17, 400'000}, mixed_bytes); // blocks of a byte, and of several fetches
    check_all<odd>({3, 8, 100'000}, mixed_odd);
    check_all<large>({3}, mixed_large);
    check<std::uint8_t>(1, mixed_bytes, true, operand_side::left, {}, true); // the last block is empty
    check<std::uint8_t>(1, mixed_bytes, false, operand_side::left, {}, true);
}

TEST_CASE("a piece can be folded where it lies if it is whole elements, as they are aligned",
          "[execute][delivery]") {
    const block_layout layout = block_layout::aligned(8, 1, 4);
    tutti::kept_memory kept;
    tutti::memory data(layout, {}, kept);
    const auto fold =
        tutti::fold_function::of<std::uint32_t>([](std::uint32_t a, std::uint32_t b) { return a + b; });
    const tutti::delivery to(fold, data);
    alignas(4) const std::array<std::byte, 16> there{};
    const std::span<const std::byte> piece(there);
    CHECK(to.readable(piece.first(8)));
    CHECK(to.readable(piece.subspan(4, 8)));
    CHECK(to.readable(piece.first(0)));
    CHECK_FALSE(to.readable(piece.first(7)));
    CHECK_FALSE(to.readable(piece.subspan(2, 8)));
    CHECK_FALSE(to.readable(piece.subspan(1, 7)));
}

TEST_CASE("messages folded in one pass bring what they bring one by one, into blocks that lie apart",
          "[execute][delivery]") {
    const block_layout layout = block_layout::aligned(7, 5, 1); // 2, 2, 1, 1, 1
    const auto fold = tutti::fold_function::of<std::uint8_t>(mixed_bytes);
    for (std::size_t many = 1; many <= tutti::delivery::most_fused; ++many) {
        std::vector<std::uint8_t> work = numbered<std::uint8_t>(7, 1), expected = work;
        std::vector<std::vector<std::uint8_t>> messages;
        std::vector<tutti::operand> operands;
        for (std::size_t k = 0; k < many; ++k)
            messages.push_back(numbered<std::uint8_t>(4, static_cast<unsigned>(9 * k)));
        const std::array<std::size_t, 4> places{0, 1, 4, 6}; // of blocks 0, 2 and 4
        for (std::size_t k = 0; k < many; ++k) {
            const operand_side side = k % 3 == 1 ? operand_side::left : operand_side::right;
            operands.push_back({reinterpret_cast<const std::byte*>(messages[k].data()), side});
            for (std::size_t i = 0; i < 4; ++i) {
                std::uint8_t& mine = expected[places[i]];
                mine = side == operand_side::left ? mixed_bytes(messages[k][i], mine)
                                                  : mixed_bytes(mine, messages[k][i]);
            }
        }
        tutti::kept_memory kept;
        tutti::memory data(layout, {.work = reinterpret_cast<std::byte*>(work.data())}, kept);
        tutti::delivery(fold, data)
            .fuse(step::recv_reduce(1, {.first = 0, .count = 3, .run = 1, .stride = 2}, operand_side::right),
                  operands.data(), many);
        CHECK(work == expected);
    }
}
