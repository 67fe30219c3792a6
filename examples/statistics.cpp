// SPDX-License-Identifier: BSL-1.0
//
// statistics [FILE [RANKS]]
//
// Ranks read their slices of a file and combine what they find, by one collective per question: moments of
// the byte values, histogram, smallest and largest byte with its place, longest line. Everything is compared
// with a serial pass over the whole file. Exits 0 if all agree, 1 if not, 2 if the arguments or the file are
// no good.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/core/error.hpp>

namespace {

/// Count, mean and central sums of a set of numbers; two sets merge without looking at the numbers again
/// (Chan, Golub and LeVeque 1979 for the second, Pébay 2008 for the third).
struct moments {
    std::int64_t count = 0;
    double mean = 0;
    double m2 = 0; ///< sum of (x - mean)^2
    double m3 = 0; ///< sum of (x - mean)^3

    double variance() const { return count > 0 ? m2 / static_cast<double>(count) : 0; }
    double skewness() const {
        return m2 > 0 ? m3 / static_cast<double>(count) / std::pow(variance(), 1.5) : 0;
    }
};

struct merge_moments {
    moments operator()(const moments& a, const moments& b) const {
        if (a.count == 0) return b;
        if (b.count == 0) return a;
        const auto na = static_cast<double>(a.count);
        const auto nb = static_cast<double>(b.count);
        const double n = na + nb;
        const double d = b.mean - a.mean;
        return {.count = a.count + b.count,
                .mean = a.mean + d * nb / n,
                .m2 = a.m2 + b.m2 + d * d * na * nb / n,
                .m3 = a.m3 + b.m3 + d * d * d * na * nb * (na - nb) / (n * n)
                      + 3 * d * (na * b.m2 - nb * a.m2) / n};
    }
};

/// What a stretch of text has to tell its neighbours so that lines which cross the border are found. Merging
/// is associative but not commutative: the left operand is the text before.
struct line_summary {
    std::int64_t length = 0;
    std::int64_t prefix = 0;   ///< bytes before the first newline; all if there is none
    std::int64_t suffix = 0;   ///< bytes behind the last newline; all if there is none
    std::int64_t best = -1;    ///< longest line with a newline on either side; -1 if there is none
    std::int64_t best_at = 0;  ///< where it begins, from the beginning of the stretch
    std::int64_t newlines = 0; ///< how many
};

struct merge_lines {
    line_summary operator()(const line_summary& a, const line_summary& b) const {
        line_summary both{.length = a.length + b.length,
                          .prefix = a.newlines > 0 ? a.prefix : a.length + b.prefix,
                          .suffix = b.newlines > 0 ? b.suffix : a.suffix + b.length,
                          .best = a.best,
                          .best_at = a.best_at,
                          .newlines = a.newlines + b.newlines};
        // Strictly longer only: of equal lines the first one stays.
        if (a.newlines > 0 && b.newlines > 0 && a.suffix + b.prefix > both.best) {
            both.best = a.suffix + b.prefix;
            both.best_at = a.length - a.suffix;
        }
        if (b.best > both.best) {
            both.best = b.best;
            both.best_at = a.length + b.best_at;
        }
        return both;
    }
};

struct line {
    std::int64_t length = 0;
    std::int64_t at = 0;

    friend bool operator==(const line&, const line&) = default;
};

/// The longest line of a whole text: now its two ends count as well.
line longest_line(const line_summary& text) {
    line longest{.length = text.prefix, .at = 0};
    if (text.best > longest.length) longest = {.length = text.best, .at = text.best_at};
    if (text.newlines > 0 && text.suffix > longest.length)
        longest = {.length = text.suffix, .at = text.length - text.suffix};
    return longest;
}

using place_of_byte = tutti::located<int>;
using histogram = std::array<std::int64_t, 256>;

constexpr place_of_byte no_smallest{.value = 256, .index = std::numeric_limits<std::int64_t>::max()};
constexpr place_of_byte no_largest{.value = -1, .index = std::numeric_limits<std::int64_t>::max()};

struct results {
    moments numbers;
    histogram counts{};
    place_of_byte smallest = no_smallest;
    place_of_byte largest = no_largest;
    std::int64_t lines = 0; ///< newlines
    line longest;
};

std::vector<unsigned char> read_bytes(const std::string& file, std::int64_t first, std::int64_t count) {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(count));
    std::ifstream in(file, std::ios::binary);
    in.seekg(first);
    in.read(reinterpret_cast<char*>(bytes.data()), count);
    if (!in) throw std::runtime_error("cannot read " + std::to_string(count) + " bytes of " + file);
    return bytes;
}

line_summary summary_of(std::span<const unsigned char> bytes) {
    line_summary all;
    for (const unsigned char b : bytes)
        all = merge_lines{}(all, b == '\n' ? line_summary{.length = 1, .newlines = 1}
                                           : line_summary{.length = 1, .prefix = 1, .suffix = 1});
    return all;
}

/// One rank's part: its slice of the file, which has `size` bytes, then five collectives.
template <class Communicator>
results combine(Communicator& comm, const std::string& file, std::int64_t size) {
    const auto border = [&](std::int64_t r) {
        return size / comm.size() * r + std::min<std::int64_t>(r, size % comm.size());
    };
    const std::int64_t first = border(comm.rank());
    const std::vector<unsigned char> bytes = read_bytes(file, first, border(comm.rank() + 1) - first);

    results here;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const place_of_byte it{.value = bytes[i], .index = first + static_cast<std::int64_t>(i)};
        here.smallest = tutti::min_location{}(here.smallest, it);
        here.largest = tutti::max_location{}(here.largest, it);
        here.numbers = merge_moments{}(here.numbers, {.count = 1, .mean = static_cast<double>(bytes[i])});
        ++here.counts[bytes[i]];
    }
    line_summary text = summary_of(bytes);

    // In place: each variable is the input and becomes the result.
    tutti::allreduce(comm, std::span(&here.numbers, 1), tutti::commutative(merge_moments{}));
    tutti::allreduce(comm, std::span(&here.smallest, 1), tutti::min_location{});
    tutti::allreduce(comm, std::span(&here.largest, 1), tutti::max_location{});
    tutti::reduce(comm, here.counts, tutti::sum{}, 0);
    tutti::reduce(comm, std::span(&text, 1), merge_lines{}, 0); // not commutative: keeps the order of ranks
    here.lines = text.newlines;
    here.longest = longest_line(text);
    return here;
}

/// The same by other means: one loop over all bytes, moments from the exact histogram.
results serial_pass(const std::string& file, std::int64_t size) {
    results all;
    line now;
    std::int64_t at = 0;
    const auto end_of_line = [&] {
        if (now.length > all.longest.length) all.longest = now;
    };
    for (std::int64_t block = 0; block < size; block += 1 << 20)
        for (const unsigned char b : read_bytes(file, block, std::min<std::int64_t>(1 << 20, size - block))) {
            ++all.counts[b];
            if (b < all.smallest.value) all.smallest = {.value = b, .index = at};
            if (b > all.largest.value) all.largest = {.value = b, .index = at};
            ++at;
            if (b == '\n') {
                end_of_line();
                ++all.lines;
                now = {.length = 0, .at = at};
            } else {
                ++now.length;
            }
        }
    end_of_line();

    long double sum = 0;
    for (std::size_t v = 0; v < 256; ++v) sum += static_cast<long double>(all.counts[v]) * v;
    const long double mean = size > 0 ? sum / size : 0;
    long double m2 = 0;
    long double m3 = 0;
    for (std::size_t v = 0; v < 256; ++v) {
        const long double d = v - mean;
        m2 += all.counts[v] * d * d;
        m3 += all.counts[v] * d * d * d;
    }
    all.numbers = {.count = size,
                   .mean = static_cast<double>(mean),
                   .m2 = static_cast<double>(m2),
                   .m3 = static_cast<double>(m3)};
    return all;
}

/// Prints a table of both results, row by row, and remembers whether all agree.
class comparison {
public:
    comparison() { std::printf("%-22s %24s %24s\n", "", "collective", "serial"); }

    void numbers(const char* name, double a, double b) {
        row(name, text_of(a), text_of(b), std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)));
    }
    void exact(const char* name, std::int64_t a, std::int64_t b) {
        row(name, std::to_string(a), std::to_string(b), a == b);
    }
    void places(const char* name, const place_of_byte& a, const place_of_byte& b) {
        row(name, text_of(a), text_of(b), a == b);
    }
    void lines(const char* name, const line& a, const line& b) { row(name, text_of(a), text_of(b), a == b); }
    void histograms(const char* name, const histogram& a, const histogram& b) {
        row(name, text_of(a), text_of(b), a == b);
    }
    bool all_agree() const { return all_agree_; }

private:
    static std::string text_of(double x) {
        std::array<char, 40> buffer{};
        std::snprintf(buffer.data(), buffer.size(), "%.10g", x);
        return buffer.data();
    }
    static std::string text_of(const place_of_byte& p) {
        if (p == no_smallest || p == no_largest) return "none";
        return std::to_string(p.value) + " at " + std::to_string(p.index);
    }
    static std::string text_of(const line& l) {
        return std::to_string(l.length) + " at " + std::to_string(l.at);
    }
    static std::string text_of(const histogram& h) {
        const auto most = std::max_element(h.begin(), h.end());
        return std::to_string(*most) + " times " + std::to_string(most - h.begin());
    }
    void row(const char* name, const std::string& a, const std::string& b, bool agree) {
        std::printf("%-22s %24s %24s%s\n", name, a.c_str(), b.c_str(), agree ? "" : "   DIFFERENT");
        all_agree_ = all_agree_ && agree;
    }

    bool all_agree_ = true;
};

std::string some_file() {
    for (const char* name : {"/usr/bin/bash", "/bin/bash", "/etc/services", "/proc/self/exe"})
        if (std::ifstream(name, std::ios::binary).good()) return name;
    throw tutti::argument_error("FILE", "not given, and no usual file is there", "a file to read");
}

tutti::rank_type ranks_from(std::string_view text) {
    tutti::rank_type ranks = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), ranks);
    if (fault != std::errc{} || end != text.data() + text.size() || ranks < 1 || ranks > 256)
        throw tutti::argument_error("RANKS", std::string(text), "1..256");
    return ranks;
}

/// What the ranks find against the serial pass, printed by rank 0; on the others true.
template <class Communicator>
bool agrees(Communicator& comm, const std::string& file) {
    std::int64_t size = 0; // a file may grow: rank 0 asks for all
    if (comm.rank() == 0) size = static_cast<std::int64_t>(std::filesystem::file_size(file));
    tutti::bcast(comm, std::span(&size, 1));
    const results combined = combine(comm, file, size);
    if (comm.rank() != 0) return true;
    const results serial = serial_pass(file, size);

    std::printf("%s, %d ranks\n", file.c_str(), comm.size());
    comparison table;
    table.exact("bytes", combined.numbers.count, serial.numbers.count);
    table.numbers("mean", combined.numbers.mean, serial.numbers.mean);
    table.numbers("variance", combined.numbers.variance(), serial.numbers.variance());
    table.numbers("skewness", combined.numbers.skewness(), serial.numbers.skewness());
    table.histograms("most frequent byte", combined.counts, serial.counts); // compares all 256
    table.places("smallest byte", combined.smallest, serial.smallest);
    table.places("largest byte", combined.largest, serial.largest);
    table.exact("newlines", combined.lines, serial.lines);
    table.lines("longest line", combined.longest, serial.longest);
    if (table.all_agree()) std::printf("all agree with the serial pass\n");
    return table.all_agree();
}

int compare(const std::string& file, tutti::rank_type ranks) {
    std::error_code fault;
    if (!std::filesystem::is_regular_file(file, fault) || !std::ifstream(file, std::ios::binary))
        throw tutti::argument_error("FILE", file, "a file that can be read");
    bool all_agree = true;
    tutti::threads::run(ranks, [&](auto& comm) {
        if (!agrees(comm, file)) all_agree = false; // rank 0 alone says so
    });
    if (!all_agree) std::fprintf(stderr, "statistics: the collectives and the serial pass differ\n");
    return all_agree ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> given(arguments + 1, arguments + count);
    try {
        if (given.size() > 2)
            throw tutti::argument_error("number of arguments", std::to_string(given.size()), "FILE RANKS");
        const std::string file = given.empty() ? some_file() : given[0];
        return compare(file, given.size() < 2 ? 4 : ranks_from(given[1]));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "statistics: %s\n", e.what());
        return 2;
    }
}
