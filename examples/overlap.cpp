// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <tutti/tutti.hpp>

// A sum of 16 MiB beside 20 ms of something else (a device, a disk), three ways. Each rank says what it did
// when: s starts the sum, . is elsewhere, w waits for the sum; one character is a millisecond.
int main() {
    using clock = std::chrono::steady_clock;
    using tutti::progress_mode;
    const auto elsewhere = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    bool right = true;
    for (const auto& [name, mode] : {std::pair{"one after the other", progress_mode::own_calls},
                                     std::pair{"begun, moved by own calls", progress_mode::own_calls},
                                     std::pair{"begun, moved on arrival", progress_mode::on_arrival}}) {
        const bool at_once = name == std::string("one after the other");
        std::vector<std::string> timelines(3);
        tutti::threads::run(3, [&](auto& comm) {
            comm.set_progress(mode);
            std::vector<double> in(2 << 20, comm.rank() + 1.0), out(in.size());
            std::string& line = timelines[static_cast<std::size_t>(comm.rank())];
            tutti::barrier(comm);
            auto last = clock::now();
            const auto did = [&](char what) {
                const auto now = clock::now();
                line.append(static_cast<std::size_t>((now - last) / std::chrono::milliseconds(1)), what);
                last = now;
            };
            tutti::request sum = tutti::iallreduce(comm, in, out, tutti::sum{});
            did('s');
            if (at_once) sum.wait();
            did('w');
            elsewhere();
            did('.');
            sum.wait();
            did('w');
            if (out.front() != 6 || out.back() != 6) line += " wrong";
        });
        std::printf("%s\n", name);
        for (const std::string& line : timelines) {
            std::printf("    %s\n", line.c_str());
            right = right && line.find("wrong") == std::string::npos;
        }
    }
    return right ? 0 : 1;
}
