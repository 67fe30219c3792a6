// SPDX-License-Identifier: BSL-1.0
// labels: alone (it adds to Boost's namespaces)
#include "boost_mpi/serialised.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boost/serialization/base_object.hpp>
#include <boost/serialization/export.hpp>
#include <boost/serialization/shared_ptr.hpp>

#include "support/catch2.hpp"

using support::with_boost;
using strings = std::vector<std::string>;

namespace {

struct shape {
    virtual ~shape() = default;
    virtual std::string name() const { return "shape"; }
    template <class Archive>
    void serialize(Archive&, unsigned /*version*/) {}
};

struct circle : shape {
    double radius = 0;
    circle() = default;
    explicit circle(double r) : radius(r) {}
    std::string name() const override { return "circle " + std::to_string(radius); }
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& boost::serialization::base_object<shape>(*this);
        archive& radius;
    }
};

/// An alltoall that sends three messages to the same peer in a round, each of one block.
struct three_at_once {};

struct three_at_once_part {
    tutti::place at;

    tutti::round_index rounds() const { return at.size; }
    tutti::block_index blocks() const { return 3 * at.size; }
    tutti::capabilities claims() const { return tutti::moving_only({.moves_blocks = true}); }

    template <class Sink>
    void emit(tutti::round_index i, Sink&& sink) const {
        const auto distance = static_cast<tutti::rank_type>(i);
        const tutti::rank_type to = (at.rank + distance) % at.size;
        const tutti::rank_type from = (at.rank + at.size - distance) % at.size;
        for (tutti::block_index k = 0; k < 3; ++k)
            if (i == 0)
                sink(tutti::step::copy({3 * to + k, 1}, tutti::buffer_name::input, tutti::buffer_name::work));
            else
                sink(tutti::step::send(to, {3 * to + k, 1}, tutti::buffer_name::input));
        for (tutti::block_index k = 0; k < 3 && i > 0; ++k) sink(tutti::step::recv(from, {3 * from + k, 1}));
    }
};

tutti::any_generator generate(tutti::collective_constant<tutti::collective::alltoall>, three_at_once,
                              tutti::place at) {
    return three_at_once_part{at};
}

std::string letter(tutti::rank_type rank) { return std::string(1, static_cast<char>('a' + rank)); }

} // namespace

BOOST_CLASS_EXPORT(circle)

TEST_CASE("blocks of a reduce_scatter of objects may have any length") {
    for (const tutti::rank_type size : {1, 3, 8})
        CHECK(with_boost(
                  size,
                  [&](auto& comm) -> std::string {
                      std::vector<std::int64_t> counts;
                      for (tutti::rank_type r = 0; r < size; ++r) counts.push_back((r + 1) % 3);
                      std::int64_t total = 0;
                      for (const std::int64_t count : counts) total += count;
                      const strings in(static_cast<std::size_t>(total), letter(comm.rank()));
                      strings out(static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]));
                      tutti::reduce_scatter(comm, in, out, counts, std::plus<>{});
                      const std::string expected =
                          std::string("abcdefgh").substr(0, static_cast<std::size_t>(size));
                      if (out != strings(out.size(), expected)) return "wrong";
                      strings all = in;
                      tutti::reduce_scatter(comm, all, counts, std::plus<>{});
                      std::int64_t begin = 0;
                      for (tutti::rank_type r = 0; r < comm.rank(); ++r)
                          begin += counts[static_cast<std::size_t>(r)];
                      const strings mine(all.begin() + begin,
                                         all.begin() + begin + static_cast<std::ptrdiff_t>(out.size()));
                      return mine == out ? "" : "wrong in place";
                  })
              == "");
}

TEST_CASE("arrays and spans of objects serve as well as vectors, and a single object is a span of one") {
    CHECK(with_boost(4,
                     [](auto& comm) -> std::string {
                         std::string one = comm.rank() == 2 ? std::string(100'000, 'x') : letter(comm.rank());
                         tutti::bcast(comm, std::span(&one, 1), 2);
                         if (one != std::string(100'000, 'x')) return "bcast";
                         const std::string mine[1] = {letter(comm.rank())};
                         std::array<std::string, 4> all;
                         tutti::allgather(comm, mine, all);
                         if (all != std::array<std::string, 4>{"a", "b", "c", "d"}) return "allgather";
                         std::vector<strings> nested{{letter(comm.rank()), ""}};
                         tutti::exscan(comm, nested, [](const strings& left, const strings& right) {
                             strings both = left;
                             both.insert(both.end(), right.begin(), right.end());
                             return both;
                         });
                         strings expected;
                         for (tutti::rank_type r = 0; r < comm.rank(); ++r)
                             expected.insert(expected.end(), {letter(r), ""});
                         return comm.rank() == 0 || nested[0] == expected ? "" : "exscan";
                     })
          == "");
}

TEST_CASE("objects are gathered and scattered in any numbers, by trees and straight") {
    for (const tutti::rank_type size : {1, 3, 8})
        CHECK(with_boost(size,
                         [&](auto& comm) -> std::string {
                             std::vector<std::int64_t> counts;
                             strings whole;
                             for (tutti::rank_type r = 0; r < size; ++r) {
                                 counts.push_back((r + 1) % 3);
                                 whole.insert(whole.end(), static_cast<std::size_t>(counts.back()),
                                              letter(r));
                             }
                             const auto own =
                                 static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]);
                             const tutti::rank_type root = size / 2;
                             const bool is_root = comm.rank() == root;
                             const strings mine(own, letter(comm.rank()));
                             strings all(is_root ? whole.size() : 0);
                             tutti::gatherv(comm, mine, counts, all, root, tutti::fnomial{});
                             if (is_root && all != whole) return "gatherv";
                             strings back(own);
                             tutti::scatterv(comm, all, counts, back, root, tutti::fnomial{.radix = 3});
                             if (back != mine) return "scatterv";
                             tutti::scatterv(comm, is_root ? all : back, counts, root, tutti::serial{});
                             if (back != mine || (is_root && all != whole)) return "scatterv in place";
                             strings there = is_root ? whole : mine;
                             tutti::gatherv(comm, there, counts, root, tutti::serial{});
                             return there == (is_root ? whole : mine) ? "" : "gatherv in place";
                         })
              == "");
}

TEST_CASE("a row of characters is what a string by itself is") {
    CHECK(with_boost(3,
                     [](auto& comm) -> std::string {
                         std::string text = comm.rank() == 0 ? "abc" : "...";
                         tutti::bcast(comm, text);
                         return text == "abc" ? "" : text;
                     })
          == "");
}

TEST_CASE("objects also go over tutti's MPI transport without a Boost.MPI communicator") {
    CHECK(support::on_ranks(3,
                            [](MPI_Comm group) -> std::string {
                                tutti::mpi::transport wires(group);
                                tutti::communicator comm(wires);
                                strings words{letter(comm.rank())};
                                tutti::allreduce(comm, words, std::plus<>{});
                                return words[0] == "abc" ? "" : words[0];
                            })
          == "");
}

TEST_CASE("what a pointer points to travels as what it is, if its class is exported to Boost.Serialization") {
    CHECK(with_boost(3,
                     [](auto& comm) -> std::string {
                         std::vector<std::shared_ptr<shape>> mine{std::make_shared<circle>(comm.rank())};
                         std::vector<std::shared_ptr<shape>> all(3);
                         tutti::allgather(comm, mine, all);
                         for (int r = 0; r < 3; ++r)
                             if (!all[static_cast<std::size_t>(r)]
                                 || all[static_cast<std::size_t>(r)]->name() != circle(r).name())
                                 return "wrong";
                         return "";
                     })
          == "");
}

TEST_CASE("several messages of a round between the same ranks keep their order, whatever their lengths") {
    for (const tutti::rank_type size : {2, 5, 8})
        CHECK(with_boost(size,
                         [&](auto& comm) -> std::string {
                             // Long ones wait for their receiver, and short ones might overtake them.
                             const auto value = [](tutti::rank_type from, tutti::rank_type to, int k) {
                                 const std::size_t length = k == 0 ? 200'000 : k == 1 ? 0 : 3;
                                 return std::string(length, static_cast<char>('A' + 8 * from + to));
                             };
                             strings in;
                             strings expected;
                             for (tutti::rank_type r = 0; r < size; ++r)
                                 for (int k = 0; k < 3; ++k) {
                                     in.push_back(value(comm.rank(), r, k));
                                     expected.push_back(value(r, comm.rank(), k));
                                 }
                             for (int turn = 0; turn < 3; ++turn) {
                                 strings out(in.size());
                                 tutti::alltoall(comm, in, out, three_at_once{});
                                 if (out != expected) return "wrong";
                             }
                             return "";
                         })
              == "");
}
