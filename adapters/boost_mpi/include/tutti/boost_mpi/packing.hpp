// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/mpi/calls.hpp>
#include <tutti/transport/failure.hpp>

#include <boost/mpi/packed_iarchive.hpp>
#include <boost/mpi/packed_oarchive.hpp>

/// Objects as bytes and back.
///
/// By the archives that Boost.MPI itself sends by: a type that a program exports to be serialised through a
/// pointer to its base is registered with these, because the program includes them. A message is one archive.
///
/// They count with int: a message is shorter than 2 GiB, and a longer one fails; a single object that long is
/// beyond them. And they trust what they read: a type that reads more than it has written is noticed by an
/// assertion of theirs at best.
namespace tutti::boost_mpi::detail {

using payload = boost::mpi::packed_oarchive::buffer_type;

/// Calls f; whatever it throws, user code included, becomes a transport_error that names the peer.
template <class F>
void told_as_transport_error(const char* doing, rank_type peer, F&& f) {
    try {
        f();
    } catch (...) {
        throw transport_error(std::string(doing) + ": " + tutti::detail::text_of(std::current_exception()),
                              peer);
    }
}

/// Puts together the payload of a message to `peer`.
class packing {
public:
    packing(MPI_Comm comm, rank_type peer) : archive_(comm, *bytes_), peer_(peer) {}

    template <class T>
    void put(const T* from, std::int64_t count) {
        told_as_transport_error("serialising an element", peer_, [&] {
            for (std::int64_t i = 0; i < count; ++i) {
                archive_ << from[i];
                if (bytes_->size() > longest)
                    throw error("a message is longer than 2 GiB: take an algorithm with more blocks");
            }
        });
    }

    /// What has been put in. Shared, because the same may go to several peers.
    std::shared_ptr<payload> result() && { return std::move(bytes_); }

private:
    static constexpr std::size_t longest = std::numeric_limits<int>::max();

    std::shared_ptr<payload> bytes_ = std::make_shared<payload>();
    boost::mpi::packed_oarchive archive_;
    rank_type peer_;
};

/// Takes the payload of a message from `peer` apart.
class unpacking {
public:
    unpacking(MPI_Comm comm, payload& bytes, rank_type peer) : archive_(comm, bytes), peer_(peer) {}

    template <class T>
    void get(T& into) {
        told_as_transport_error("deserialising an element", peer_, [&] { archive_ >> into; });
    }

private:
    boost::mpi::packed_iarchive archive_;
    rank_type peer_;
};

} // namespace tutti::boost_mpi::detail
