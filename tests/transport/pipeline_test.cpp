// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/pipeline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "support/catch2.hpp"

using tutti::detail::pipe_reader;
using tutti::detail::pipe_writer;
using tutti::detail::pipeline;

namespace {

constexpr std::size_t part = pipeline::part_bytes;

std::vector<std::byte> numbered(std::size_t length, std::size_t seed) {
    std::vector<std::byte> result(length);
    for (std::size_t i = 0; i < length; ++i) result[i] = static_cast<std::byte>((i * 7 + seed) % 251);
    return result;
}

/// What has come of the rest; stops after `most` parts.
std::vector<std::byte> read(pipe_reader& reader, std::size_t most = ~std::size_t{0}) {
    std::vector<std::byte> got;
    for (std::size_t k = 0; k < most && reader.left() > 0 && !reader.next().empty(); ++k) {
        const auto next = reader.next();
        got.insert(got.end(), next.begin(), next.end());
        reader.pass();
    }
    return got;
}

} // namespace

TEST_CASE("a message of any length and pieces comes out of a pipeline as it was", "[transport]") {
    const auto box = std::make_unique<pipeline>();
    pipe_writer writer;
    pipe_reader reader;
    std::mt19937 random(1);
    std::uint64_t ticket = 0;
    for (const std::size_t length : {std::size_t{1}, part, part + 1, 8 * part, 8 * part + 1, 30 * part - 7}) {
        const auto data = numbered(length, length);
        std::vector<std::span<const std::byte>> pieces;
        for (std::size_t at = 0; at < length;) {
            const std::size_t n = std::min<std::size_t>(random() % (2 * part), length - at);
            pieces.push_back(std::span(data).subspan(at, n));
            at += n;
        }
        const auto message = writer.begin(*box, ++ticket, pieces);
        CHECK(message.bytes == length);
        CHECK(writer.is_busy_with(ticket));
        CHECK(!writer.is_busy_with(ticket + 1));
        reader.begin(*box, message);
        std::vector<std::byte> got;
        while (reader.left() > 0) {
            if (writer.is_busy()) writer.write();
            const auto some = read(reader, 1 + random() % 9);
            got.insert(got.end(), some.begin(), some.end());
        }
        CHECK(!writer.is_busy());
        CHECK(got == data);
    }
}

TEST_CASE("a writer waits for its reader when all parts are full", "[transport]") {
    const auto box = std::make_unique<pipeline>();
    const auto data = numbered(pipeline::depth * part + 1, 0);
    const std::span<const std::byte> piece(data);
    pipe_writer writer;
    const auto message = writer.begin(*box, 0, {&piece, 1});
    CHECK(writer.write());
    CHECK(!writer.write());
    CHECK(writer.is_busy());
    pipe_reader reader;
    reader.begin(*box, message);
    CHECK(read(reader, 1).size() == part);
    CHECK(writer.write());
    CHECK(!writer.is_busy());
    CHECK(read(reader).size() == data.size() - part);
}

TEST_CASE("the rest of a message that was given up is skipped", "[transport]") {
    const auto box = std::make_unique<pipeline>();
    const auto first = numbered(20 * part, 1), second = numbered(20 * part, 2);
    const std::span<const std::byte> one(first), other(second);
    const std::size_t read_of_first = GENERATE(as<std::size_t>{}, 0, 3, 8);
    pipe_writer writer;
    pipe_reader reader;
    reader.begin(*box, writer.begin(*box, 0, {&one, 1}));
    writer.write();
    read(reader, read_of_first);
    writer.end();
    reader.begin(*box, writer.begin(*box, 1, {&other, 1}));
    std::vector<std::byte> got;
    while (reader.left() > 0) {
        writer.write();
        const auto some = read(reader);
        got.insert(got.end(), some.begin(), some.end());
    }
    CHECK(got == second);
}

TEST_CASE("whatever stands in the counts of a pipeline, neither end leaves it", "[transport]") {
    const auto box = std::make_unique<pipeline>();
    const auto data = numbered(20 * part, 1);
    const std::span<const std::byte> piece(data);
    const std::uint64_t lie = GENERATE(as<std::uint64_t>{}, 1, 7, 1'000'000, ~std::uint64_t{0});
    pipe_writer writer;
    const auto message = writer.begin(*box, 0, {&piece, 1});
    box->read.store(lie);
    writer.write();
    pipe_reader reader;
    reader.begin(*box, {lie, message.bytes});
    box->written.store(~lie);
    std::size_t got = 0;
    while (reader.left() > 0 && !reader.next().empty()) {
        got += reader.next().size();
        reader.pass();
    }
    CHECK(got <= pipeline::depth * part);
}

TEST_CASE("more parts than there can be are noticed", "[transport]") {
    const auto box = std::make_unique<pipeline>();
    pipe_reader reader;
    reader.begin(*box, {5, 20 * part});
    box->written.store(5 + pipeline::depth);
    CHECK(!reader.is_misled());
    CHECK(!reader.next().empty());
    box->written.store(6 + pipeline::depth);
    CHECK(reader.is_misled());
    CHECK(reader.next().empty());
}
