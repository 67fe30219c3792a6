// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/model/evaluate.hpp>
#include <tutti/model/machine_file.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/tune/calibrate.hpp>

#include "../../examples/tutti/cores.hpp"
#include "../interleaved.hpp"

/// What the model says of the allreduces of two threads, beside what they take: calibrates, prices, measures.
namespace predict {
namespace {

/// An algorithm of the catalogue with its options, as a type that calls take.
struct candidate {
    const tutti::catalogue_entry* entry = nullptr;
    tutti::parameters with{};

    std::string name() const {
        std::string text(entry->name);
        if (const int segments = with.get("segments"); segments > 1)
            text += ", " + std::to_string(segments) + " segments";
        return text;
    }
};
tutti::any_generator generate(tutti::collective_constant<tutti::collective::allreduce>, const candidate& how,
                              tutti::place at) {
    return how.entry->make(at, how.with);
}

/// Every allreduce of the catalogue; those that cut the vector into segments with as many as leave each a
/// page. Radix and arity make no difference between two ranks.
std::vector<candidate> useful_candidates(std::int64_t bytes) {
    std::vector<candidate> all;
    for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
        if (entry.what != tutti::collective::allreduce) continue;
        all.push_back({&entry, entry.defaults});
        if (entry.defaults.find("segments") == nullptr) continue;
        for (tutti::block_index s = 2; s <= 32 && bytes / s >= 4096; s *= 2) {
            all.push_back({&entry, entry.defaults});
            all.back().with.set("segments", s);
        }
    }
    return all;
}

struct figures {
    candidate what;
    double predicted = 0; // us
    double measured = 0;  // us

    double error() const { return predicted / measured - 1; }
};

double predicted_us(const tutti::machine& on, const candidate& what, std::int64_t bytes) {
    const tutti::ensemble all([&](tutti::place at) { return what.entry->make(at, what.with); }, 2);
    return tutti::evaluate(on, all, tutti::block_bytes::even(bytes, all.blocks(), sizeof(double))).us;
}

/// In microseconds, by candidate: the low decile of short batches that take turns, as in calibration. Before
/// each batch the candidate runs untimed: whose cache holds what depends on the algorithm that ran before.
std::vector<double> measured_us(const std::vector<figures>& all, std::int64_t bytes, double seconds) {
    constexpr double batch = 20e-6;
    const auto count = static_cast<std::size_t>(bytes) / sizeof(double);
    double once = 0;
    for (const figures& f : all) once = std::max(once, f.predicted * 1e-6);
    const int reps = static_cast<int>(std::clamp(batch / once, 1.0, 1000.0));
    const int warm = std::max(2, reps / 4);
    const double turn = static_cast<double>(all.size()) * (reps + warm) * once;
    const int batches = static_cast<int>(std::clamp(seconds / turn, 20.0, 200.0));
    bench::start_line line(2);
    std::vector<std::vector<double>> took[2];
    tutti::threads::run(2, [&](auto& comm) {
        const program::on_core pinned(comm.rank());
        const std::vector<double> in(count, 1.0 + comm.rank());
        std::vector<double> out(count);
        using planned = decltype(tutti::plan_allreduce(comm, in, out, tutti::sum{}, all[0].what));
        std::vector<std::unique_ptr<planned>> plans;
        for (const figures& f : all)
            plans.emplace_back(new planned(tutti::plan_allreduce(comm, in, out, tutti::sum{}, f.what)));
        auto& mine = took[comm.rank()];
        mine.assign(all.size(), {});
        for (int b = 0; b < batches; ++b)
            for (std::size_t k = 0; k < all.size(); ++k) {
                const std::size_t w = (k + static_cast<std::size_t>(b)) % all.size();
                for (int r = 0; r < warm; ++r) plans[w]->run();
                line.wait();
                const double start = bench::now();
                for (int r = 0; r < reps; ++r) plans[w]->run();
                mine[w].push_back((bench::now() - start) / reps);
            }
    });
    std::vector<double> us;
    for (std::size_t w = 0; w < all.size(); ++w) {
        std::vector<double> slower = took[0][w];
        for (std::size_t b = 0; b < slower.size(); ++b) slower[b] = std::max(slower[b], took[1][w][b]);
        us.push_back(tutti::quantile(slower, 0.1) * 1e6);
    }
    return us;
}

struct request {
    double seconds = 60;
    bool each = false;
    std::string machine_file{};
};

/// Prints what was asked for; returns whether there was something to say.
int run(const request& asked) {
    tutti::fitted_machine fitted;
    if (asked.machine_file.empty()) {
        tutti::calibration_options how;
        how.seconds = asked.seconds / 4;
        tutti::threads::run(2, [&](auto& comm) {
            const program::on_core pinned(comm.rank());
            auto mine = tutti::calibrate(comm, how);
            if (comm.rank() == 0) fitted = std::move(mine);
        });
    } else {
        fitted.found = tutti::load_machine(asked.machine_file);
    }
    std::printf("%s\n", tutti::text_of(fitted.found).c_str());

    std::vector<std::pair<std::int64_t, std::vector<figures>>> all;
    for (std::int64_t bytes = 8; bytes <= 4 << 20; bytes *= 2) {
        std::vector<figures> of_size;
        for (const candidate& c : useful_candidates(bytes))
            of_size.push_back({c, predicted_us(fitted.found, c, bytes), 0});
        const auto us = measured_us(of_size, bytes, asked.seconds * 0.75 / 20);
        for (std::size_t k = 0; k < us.size(); ++k) of_size[k].measured = us[k];
        all.emplace_back(bytes, std::move(of_size));
    }

    if (asked.each) {
        std::printf("%9s  %-32s %12s %12s %8s\n", "bytes", "algorithm", "predicted us", "measured us",
                    "error %");
        for (const auto& [bytes, of_size] : all)
            for (const figures& f : of_size)
                std::printf("%9lld  %-32s %12.2f %12.2f %8.0f\n", static_cast<long long>(bytes),
                            f.what.name().c_str(), f.predicted, f.measured, f.error() * 100);
        std::printf("\n");
    }

    const auto by = [](double figures::*member) {
        return [member](const figures& a, const figures& b) { return a.*member < b.*member; };
    };
    double errors = 0;
    std::size_t cases = 0;
    std::size_t good = 0;
    const figures* worst = nullptr;
    std::int64_t worst_bytes = 0;
    std::printf("%9s %6s %13s  %-28s %10s  %-28s %10s %9s\n", "bytes", "cases", "mean error %", "chosen",
                "us", "fastest", "us", "slower %");
    for (const auto& [bytes, of_size] : all) {
        double here = 0;
        for (const figures& f : of_size) {
            here += std::abs(f.error());
            if (worst != nullptr && std::abs(f.error()) <= std::abs(worst->error())) continue;
            worst = &f;
            worst_bytes = bytes;
        }
        errors += here;
        cases += of_size.size();
        const auto chosen = std::min_element(of_size.begin(), of_size.end(), by(&figures::predicted));
        const auto fastest = std::min_element(of_size.begin(), of_size.end(), by(&figures::measured));
        const double slower = chosen->measured / fastest->measured - 1;
        good += slower <= 0.05 ? 1 : 0;
        std::printf("%9lld %6zu %13.1f  %-28s %10.2f  %-28s %10.2f %9.1f\n", static_cast<long long>(bytes),
                    of_size.size(), here / static_cast<double>(of_size.size()) * 100,
                    chosen->what.name().c_str(), chosen->measured, fastest->what.name().c_str(),
                    fastest->measured, slower * 100);
    }
    std::printf("\nmean absolute error %.1f %% of %zu cases (aim: at most 20 %%): %s\n",
                errors / static_cast<double>(cases) * 100, cases,
                errors / static_cast<double>(cases) <= 0.2 ? "met" : "missed");
    std::printf("worst: %s of %lld bytes, predicted %.2f us, measured %.2f us (%+.0f %%)\n",
                worst->what.name().c_str(), static_cast<long long>(worst_bytes), worst->predicted,
                worst->measured, worst->error() * 100);
    std::printf("chosen within 5 %% of the fastest for %zu of %zu sizes (aim: at least 90 %%): %s\n", good,
                all.size(), 10 * good >= 9 * all.size() ? "met" : "missed");
    return 0;
}

} // namespace
} // namespace predict

int main(int count, char** words) {
    predict::request asked;
    try {
        for (int i = 1; i < count; ++i) {
            const std::string word = words[i];
            if (word == "--each")
                asked.each = true;
            else if (word == "--seconds" && i + 1 < count)
                asked.seconds = std::stod(words[++i]);
            else if (word == "--machine" && i + 1 < count)
                asked.machine_file = words[++i];
            else
                throw std::invalid_argument(word);
        }
        if (!(asked.seconds > 0)) throw std::invalid_argument("--seconds");
    } catch (const std::exception&) {
        std::fprintf(stderr, "model [--seconds N] [--machine FILE] [--each]\n");
        return 2;
    }
    try {
        return predict::run(asked);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
