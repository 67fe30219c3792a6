// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>

#include <tutti/tutti.hpp>

// statistics [FILE [RANKS]]: each rank reads a part of a file; reductions answer questions about it all.

struct moments { // of numbers; m2 is the sum of (x - mean)^2
    double count = 0, mean = 0, m2 = 0;
};
moments merge(const moments& a, const moments& b) { // Chan, Golub and LeVeque 1979
    const double n = std::max(1.0, a.count + b.count), d = b.mean - a.mean;
    return {a.count + b.count, a.mean + d * b.count / n, a.m2 + b.m2 + d * d * a.count * b.count / n};
}

struct line { // the longer, the greater; of equals the later
    std::int64_t length = 0, at = 0;
    auto operator<=>(const line&) const = default;
};
struct text { // a stretch of it, whose first and last line may go on outside
    line first, last, longest;
    std::int64_t newlines = 0;
};
text join(const text& a, const text& b) {
    const line across{a.last.length + b.first.length, a.last.at};
    return {a.newlines > 0 ? a.first : across, b.newlines > 0 ? b.last : across,
            std::max({a.longest, across, b.longest}), a.newlines + b.newlines};
}

struct answers {
    std::array<std::int64_t, 256> counts{}; // of each byte
    moments bytes;
    text lines;
    answers(const std::string& file, std::int64_t at, std::int64_t end) : lines{{0, at}, {0, at}, {0, at}} {
        std::ifstream in(file, std::ios::binary);
        for (in.seekg(at); at < end; ++at) {
            const int c = in.get();
            ++counts.at(static_cast<std::size_t>(c));
            bytes = merge(bytes, {1, static_cast<double>(c)});
            lines = join(lines, c == '\n' ? text{{0, at}, {0, at + 1}, {0, at}, 1}
                                          : text{{1, at}, {1, at}, {1, at}});
        }
    }
};

constexpr auto on_each_rank = [](auto& comm, const std::string& file) {
    const auto asked = comm.rank() == 0 ? std::filesystem::file_size(file) : 0; // by one, in case it grows
    const auto size = static_cast<std::int64_t>(tutti::bcast(comm, asked));
    answers all(file, size * comm.rank() / comm.size(), size * (comm.rank() + 1) / comm.size());
    tutti::reduce(comm, all.counts, tutti::sum{}, 0);
    tutti::reduce(comm, std::span(&all.bytes, 1), tutti::commutative(merge), 0);
    tutti::reduce(comm, std::span(&all.lines, 1), join, 0); // not commutative: the ranks keep their order
    if (comm.rank() != 0) return;
    const answers alone(file, 0, size);
    if (all.counts != alone.counts || all.lines.longest != alone.lines.longest
        || std::abs(all.bytes.mean - alone.bytes.mean) + std::abs(all.bytes.m2 - alone.bytes.m2)
               > 1e-9 * alone.bytes.m2)
        throw std::runtime_error("a serial pass finds something else");
    std::cout << file << ", " << comm.size() << " ranks: " << size << " bytes, mean " << all.bytes.mean
              << ", variance " << all.bytes.m2 / std::max(1.0, all.bytes.count) << "; " << all.counts['\n']
              << " newlines, longest line " << all.lines.longest.length << " at " << all.lines.longest.at
              << "\nall agree with the serial pass\n";
};

int main(int count, char** arguments) try {
    tutti::threads::run(count > 2 ? std::atoi(arguments[2]) : 4,
                        [&](auto& comm) { on_each_rank(comm, count > 1 ? arguments[1] : "/bin/sh"); });
} catch (const std::exception& e) {
    std::cerr << "statistics: " << e.what() << '\n';
    return 1;
}
