// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/mpi/operations.hpp>

#include <tutti/execute/operation.hpp>

/// Boost.MPI's operations are callables like any other; here tutti learns which of them are commutative.
namespace tutti {

namespace boost_mpi::detail {

/// Said to Boost.MPI by whoever wrote the operation, or one of its own on numbers.
template <class Op, class T>
concept commutative_for_boost =
    boost::mpi::is_commutative<Op, T>::value
    || (tutti::detail::is_number<T>::value
        && tutti::detail::one_of<Op, boost::mpi::maximum<T>, boost::mpi::minimum<T>,
                                 boost::mpi::bitwise_and<T>, boost::mpi::bitwise_or<T>,
                                 boost::mpi::bitwise_xor<T>, boost::mpi::logical_xor<T>>);

} // namespace boost_mpi::detail

/// What Boost.MPI knows to be commutative is so here, too: a specialisation of boost::mpi::is_commutative has
/// to be written once. It must be seen before the first call with that operation.
template <class Op, class T>
    requires boost_mpi::detail::commutative_for_boost<Op, T>
inline constexpr bool is_commutative<Op, T> = true;

} // namespace tutti
