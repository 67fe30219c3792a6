// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/run_task.hpp>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

// A short task that has run before goes without the books of a flight as long as nothing keeps it waiting:
// what goes wrong then, and what comes late, must be the same as ever.
namespace {

/// Throws when a rank has switched it on.
struct weary_sum {
    const bool* weary;
    double operator()(double a, double b) const {
        if (*weary) throw std::runtime_error("too tired to add");
        return a + b;
    }
};

} // namespace

TEST_CASE("an operation that throws in a later run is an error on those who wait, and the plan runs on",
          "[execute][plan]") {
    support::complaints heard(2);
    tutti::threads::run(2, [&](auto& comm) {
        const std::vector<double> in{1.0 + comm.rank()};
        std::vector<double> out(1);
        bool weary = false;
        // Rank 0 folds, and rank 1 waits for what it gets.
        auto plan =
            tutti::plan_allreduce(comm, in, out, tutti::commutative(weary_sum{&weary}), tutti::fnomial{});
        std::string text;
        for (int i = 0; i < 30; ++i) {
            weary = comm.rank() == 0 && i % 3 == 2;
            out[0] = -1;
            std::string error;
            try {
                plan.run();
            } catch (const std::exception& e) {
                error = e.what();
            }
            if (i % 3 != 2) {
                if (!error.empty() || out[0] != 3) text += "run " + std::to_string(i) + ": " + error + "; ";
            } else if (comm.rank() == 0 ? error != "too tired to add"
                                        : error.find("rank 0 takes no part in allreduce: too tired to add")
                                              == std::string::npos) {
                text += "run " + std::to_string(i) + " says: " + error + "; ";
            }
        }
        heard.add(comm.rank(), text);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a short task goes on as a flight when a rank is late, at whichever step that is",
          "[execute][plan]") {
    const auto size = GENERATE(2, 5);
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) {
        std::vector<double> in{1.0};
        std::vector<double> out(1);
        auto plan = tutti::plan_allreduce(comm, in, out, tutti::sum{}, tutti::recursive_doubling{});
        std::string text;
        for (int i = 0; i < 40; ++i) {
            in[0] = i + comm.rank();
            if (i > 0 && i % size == comm.rank()) std::this_thread::sleep_for(std::chrono::microseconds(300));
            plan.run();
            if (out[0] != size * i + size * (size - 1) / 2) text += "run " + std::to_string(i) + "; ";
        }
        heard.add(comm.rank(), text);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a rank that makes another call meanwhile is named to those who wait in a later run",
          "[execute][plan]") {
    support::complaints heard(2);
    tutti::threads::run(2, [&](auto& comm) {
        const std::vector<double> in{1.0};
        std::vector<double> out(1);
        auto plan = tutti::plan_allreduce(comm, in, out, tutti::sum{}, tutti::recursive_doubling{});
        plan.run();
        std::string error;
        try {
            if (comm.rank() == 0)
                plan.run();
            else
                tutti::barrier(comm);
        } catch (const tutti::error& e) {
            error = e.what();
        }
        const bool both = error.find("barrier") != std::string::npos
                          && error.find("allreduce of 1 element of 8 bytes") != std::string::npos;
        plan.run();
        heard.add(comm.rank(), both && out[0] == 2 ? "" : "says: " + error);
    });
    CHECK(heard.all() == "");
}
