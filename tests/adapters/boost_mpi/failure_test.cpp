// SPDX-License-Identifier: BSL-1.0
#include "boost_mpi/serialised.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

using strings = std::vector<std::string>;
using support::contains;
using support::with_boost;

namespace {

using ranks = tutti::boost_mpi::communicator;

/// "" if the call is refused for `argument` on every rank, and the communicator is as good as before.
std::string refused(const std::string& argument, const std::function<void(ranks&)>& call) {
    return with_boost(3, [&](ranks& comm) -> std::string {
        try {
            call(comm);
            return "was not refused";
        } catch (const tutti::argument_error& e) {
            if (e.argument() != argument) return e.what();
        }
        strings still{std::to_string(comm.rank())};
        tutti::allreduce(comm, still, std::plus<>{});
        return still[0] == "012" ? "" : "no good any more";
    });
}

/// "" if `call` ends with an error of tutti's on every rank, at the latest in a barrier behind it.
std::string fails_everywhere(const std::function<void(ranks&)>& call) {
    return with_boost(5, [&](ranks& comm) -> std::string {
        try {
            call(comm);
            tutti::barrier(comm);
            return "did not fail";
        } catch (const tutti::collective_error& e) {
            return e.where().rank == comm.rank() ? "" : e.what();
        }
    });
}

/// A string that one rank cannot write or read.
struct fragile {
    std::string text;

    static inline bool can_save = true;
    static inline bool can_load = true;

    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        if (!(Archive::is_saving::value ? can_save : can_load)) throw std::runtime_error("it is broken");
        archive& text;
    }
};

fragile operator+(const fragile& a, const fragile& b) { return {a.text + b.text}; }

} // namespace

TEST_CASE("arguments that cannot be right are refused before anything is written or sent") {
    CHECK(refused("root",
                  [](auto& comm) {
                      strings data(2);
                      tutti::bcast(comm, data, 3);
                  })
          == "");
    CHECK(refused("root",
                  [](auto& comm) {
                      strings data(2);
                      tutti::reduce(comm, data, std::plus<>{}, -1);
                  })
          == "");
    CHECK(refused("out",
                  [](auto& comm) {
                      const strings in(2);
                      strings out(3);
                      tutti::allreduce(comm, in, out, std::plus<>{});
                  })
          == "");
    CHECK(refused("out",
                  [](auto& comm) {
                      strings data(3);
                      tutti::exscan(comm, std::span(data).first(2), std::span(data).last(2), std::plus<>{});
                  })
          == "");
    CHECK(refused("in",
                  [](auto& comm) {
                      const strings in(4);
                      strings out(1);
                      tutti::reduce_scatter(comm, in, out, std::plus<>{});
                  })
          == "");
    CHECK(refused("inout",
                  [](auto& comm) {
                      strings data(4);
                      tutti::reduce_scatter(comm, data, std::plus<>{});
                  })
          == "");
    CHECK(refused("counts[1]",
                  [](auto& comm) {
                      strings data(4);
                      tutti::allgatherv(comm, data, std::vector<std::int64_t>{1, -1, 4});
                  })
          == "");
    CHECK(refused("inout",
                  [](auto& comm) {
                      strings data(4);
                      tutti::alltoall(comm, data);
                  })
          == "");
    CHECK(refused("algorithm",
                  [](auto& comm) {
                      const strings in(4, "in");
                      strings out(4, "out");
                      const auto check = [&] {
                          if (out != strings(4, "out")) throw std::runtime_error("the output was written");
                      };
                      try {
                          tutti::allreduce(comm, in, out, std::plus<>{}, tutti::named{"circulant"});
                      } catch (const tutti::argument_error&) {
                          check();
                          throw;
                      }
                  })
          == "");
}

TEST_CASE("a rank that has refused its call and caught that takes part in the next one") {
    CHECK(with_boost(2,
                     [](ranks& comm) -> std::string {
                         strings data{comm.rank() == 0 ? "first" : ""};
                         try { // the root waits for nobody
                             tutti::bcast(comm, data, comm.rank() == 0 ? 0 : 7);
                         } catch (const tutti::argument_error&) {
                         }
                         strings next{comm.rank() == 0 ? "second" : ""};
                         tutti::bcast(comm, next);
                         return next[0] == "second" ? "" : "got '" + next[0] + "'";
                     })
          == "");
}

TEST_CASE("another count on one rank is an error on all ranks") {
    for (const char* algorithm : {"recursive_doubling", "binary_tree"})
        CHECK(fails_everywhere([&](auto& comm) {
                  strings data(comm.rank() == 3 ? 5 : 4, std::string(100'000, 'x'));
                  tutti::allreduce(comm, data, std::plus<>{}, tutti::named{algorithm});
              })
              == "");
    CHECK(fails_everywhere([](auto& comm) {
              strings data(comm.rank() == 0 ? 1 : 2);
              tutti::bcast(comm, data);
          })
          == "");
    CHECK(fails_everywhere([](auto& comm) {
              const strings in(comm.rank() == 2 ? 3 : 2, std::string(100'000, 'x'));
              strings out(5 * in.size());
              tutti::allgather(comm, in, out);
          })
          == "");
}

TEST_CASE("one rank's numbers where the others have objects are an error on all ranks") {
    CHECK(fails_everywhere([](auto& comm) {
              strings data(4);
              std::vector<int> numbers(4);
              if (comm.rank() == 1)
                  tutti::allreduce(comm, numbers, std::plus<>{}, tutti::named{"recursive_doubling"});
              else
                  tutti::allreduce(comm, data, std::plus<>{}, tutti::named{"recursive_doubling"});
          })
          == "");
}

TEST_CASE(
    "an element that cannot be serialised, or not be read, ends the call with an error that says where") {
    const bool saving = GENERATE(true, false);
    CHECK(with_boost(5,
                     [&](ranks& comm) -> std::string {
                         std::vector<fragile> data(3, fragile{std::string(50'000, 'x')});
                         (saving ? fragile::can_save : fragile::can_load) = comm.rank() != 2;
                         std::string trouble = "did not fail";
                         try {
                             tutti::allreduce(comm, data, std::plus<>{});
                             tutti::barrier(comm);
                         } catch (const tutti::collective_error& e) {
                             const std::string text = e.what();
                             const bool is_told = contains(text, "it is broken") || comm.rank() != 2;
                             const bool is_placed = e.where().collective == "allreduce"
                                                    && e.where().round >= 0 && e.where().step >= 0
                                                    && e.where().peer >= 0;
                             trouble = is_told && (is_placed || comm.rank() != 2) ? "" : text;
                         }
                         fragile::can_save = fragile::can_load = true;
                         return trouble;
                     })
          == "");
}

TEST_CASE("what an operation throws is handed on, and ends the call on all other ranks") {
    CHECK(with_boost(5,
                     [](ranks& comm) -> std::string {
                         // Whatever is chosen, rank 0 folds.
                         strings data(3, std::string(50'000, 'x'));
                         try {
                             tutti::allreduce(comm, data, [&](const std::string& a, const std::string& b) {
                                 if (comm.rank() == 0) throw std::domain_error("no sum");
                                 return a + b;
                             });
                             tutti::barrier(comm);
                         } catch (const std::domain_error&) {
                             return comm.rank() == 0 ? "" : "thrown on another rank";
                         } catch (const tutti::collective_error& e) {
                             return comm.rank() != 0 && contains(e.what(), "no sum") ? "" : e.what();
                         }
                         return "did not fail";
                     })
          == "");
}
