// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/collectives/values.hpp>
#include <tutti/core/error.hpp>
#include <tutti/execute/request.hpp>

namespace tutti {

/// A value that is on its way, with the memory that it comes into:
///
///     auto total = tutti::iallreduce(comm, mine, tutti::sum{});
///     compute_something_else();
///     use(total.get());
///
/// May be moved, and belongs to the thread that began it. Destroyed before it has come it is given up, as a
/// request is.
template <class Value>
class [[nodiscard]] pending {
public:
    /// Of `start`, which begins a collective that fills what it is given, and returns its request. Not
    /// `comes_here`: this rank only gives, and gets an empty value in the end.
    template <class Start>
    pending(Value value, const Start& start, bool comes_here = true)
        : value_(std::make_unique<Value>(std::move(value))), coming_(start(*value_)),
          comes_here_(comes_here) {}

    /// The other one has no value then.
    pending(pending&&) noexcept = default;
    /// What was on its way here is given up before its memory goes.
    pending& operator=(pending&& other) noexcept {
        if (this == &other) return *this;
        coming_ = std::move(other.coming_);
        value_ = std::move(other.value_);
        comes_here_ = other.comes_here_;
        return *this;
    }

    /// Waits for the value and hands it over: once. Throws collective_error if it failed, argument_error if
    /// there is none: it was handed over or moved away, or its failure was told already.
    [[nodiscard]] Value get() {
        const std::unique_ptr<Value> value = std::move(value_); // gone for good, whatever comes
        if (value == nullptr) throw argument_error("pending", "without a value", "one that nobody has got");
        coming_.wait();
        if constexpr (std::is_default_constructible_v<Value>)
            if (!comes_here_) return {};
        return std::move(*value);
    }
    /// Whether get() need not wait; moves what can move. Throws collective_error if it failed.
    bool test() {
        try {
            return coming_.test();
        } catch (...) {
            value_.reset(); // half done
            throw;
        }
    }

private:
    std::unique_ptr<Value> value_; // where messages go: stays where it is
    request coming_;               // goes first
    bool comes_here_ = true;
};

/// The calls of values.hpp of the same name, begun: these return at once, and so have the values that they
/// are given copied, or, where they are given ranges, left as they are until all have come. Those that have
/// to ask first how much comes (allgatherv, gatherv, scatterv, alltoallv, scatter_values) have none.
/// allreduce of one value, begun: returns at once.
template <class Transport, single_value T, operation<T> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
pending<T> iallreduce(communicator<Transport>& comm, const T& mine, Op op, const Algorithm& how = {}) {
    return {mine, [&](T& v) { return iallreduce(comm, detail::alone(v), std::move(op), how); }};
}

/// bcast of one value, begun.
template <class Transport, single_value T, algorithm_for<collective::bcast> Algorithm = automatic>
pending<T> ibcast(communicator<Transport>& comm, const T& mine, rank_type root = 0,
                  const Algorithm& how = {}) {
    return {mine, [&](T& v) { return ibcast(comm, detail::alone(v), root, how); }};
}

/// allgather of one value, begun.
template <class Transport, single_value T, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!std::same_as<T, bool>)
pending<std::vector<T>> iallgather(communicator<Transport>& comm, const T& mine, const Algorithm& how = {}) {
    std::vector<T> all(static_cast<std::size_t>(comm.size()));
    all[static_cast<std::size_t>(comm.rank())] = mine;
    return {std::move(all), [&](std::vector<T>& v) { return iallgather(comm, v, how); }};
}

/// reduce of one value, begun: on `root`; nothing elsewhere.
template <class Transport, single_value T, operation<T> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
pending<std::optional<T>> ireduce(communicator<Transport>& comm, const T& mine, Op op, rank_type root = 0,
                                  const Algorithm& how = {}) {
    return {mine,
            [&](std::optional<T>& v) { return ireduce(comm, detail::alone(*v), std::move(op), root, how); },
            comm.rank() == root};
}

/// scan of one value, begun.
template <class Transport, single_value T, operation<T> Op,
          algorithm_for<collective::scan> Algorithm = automatic>
pending<T> iscan(communicator<Transport>& comm, const T& mine, Op op, const Algorithm& how = {}) {
    return {mine, [&](T& v) { return iscan(comm, detail::alone(v), std::move(op), how); }};
}

/// exscan of one value, begun; nothing on rank 0.
template <class Transport, single_value T, operation<T> Op,
          algorithm_for<collective::exscan> Algorithm = automatic>
pending<std::optional<T>> iexscan(communicator<Transport>& comm, const T& mine, Op op,
                                  const Algorithm& how = {}) {
    return {mine, [&](std::optional<T>& v) { return iexscan(comm, detail::alone(*v), std::move(op), how); },
            comm.rank() > 0};
}

/// gather of one value, begun: on `root`; elsewhere none.
template <class Transport, single_value T, algorithm_for<collective::gather> Algorithm = automatic>
    requires(!std::same_as<T, bool>)
pending<std::vector<T>> igather(communicator<Transport>& comm, const T& mine, rank_type root = 0,
                                const Algorithm& how = {}) {
    const bool here = comm.rank() == root;
    std::vector<T> all(here ? static_cast<std::size_t>(comm.size()) : 1);
    all[here ? static_cast<std::size_t>(root) : 0] = mine;
    return {std::move(all), [&](std::vector<T>& v) { return igather(comm, v, root, how); }, here};
}

/// allgather_values, begun.
template <class Transport, readable_values In, algorithm_for<collective::allgather> Algorithm = automatic>
pending<std::vector<detail::element_of<In>>> iallgather_values(communicator<Transport>& comm, const In& in,
                                                               const Algorithm& how = {}) {
    using values = std::vector<detail::element_of<In>>;
    return {values(detail::length_of(in) * static_cast<std::size_t>(comm.size())),
            [&](values& v) { return iallgather(comm, in, v, how); }};
}

/// gather_values, begun: on `root`; elsewhere none.
template <class Transport, readable_values In, algorithm_for<collective::gather> Algorithm = automatic>
pending<std::vector<detail::element_of<In>>> igather_values(communicator<Transport>& comm, const In& in,
                                                            rank_type root = 0, const Algorithm& how = {}) {
    using values = std::vector<detail::element_of<In>>;
    const std::size_t ranks = comm.rank() == root ? static_cast<std::size_t>(comm.size()) : 0;
    return {values(detail::length_of(in) * ranks),
            [&](values& v) { return igather(comm, in, v, root, how); }};
}

/// alltoall_values, begun.
template <class Transport, readable_values In, algorithm_for<collective::alltoall> Algorithm = automatic>
pending<std::vector<detail::element_of<In>>> ialltoall_values(communicator<Transport>& comm, const In& in,
                                                              const Algorithm& how = {}) {
    using values = std::vector<detail::element_of<In>>;
    return {values(detail::length_of(in)), [&](values& v) { return ialltoall(comm, in, v, how); }};
}

/// reduce_scatter_values, begun.
template <class Transport, readable_values In, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
pending<std::vector<detail::element_of<In>>>
ireduce_scatter_values(communicator<Transport>& comm, const In& in, Op op, const Algorithm& how = {}) {
    using values = std::vector<detail::element_of<In>>;
    return {values(detail::length_of(in) / static_cast<std::size_t>(comm.size())),
            [&](values& v) { return ireduce_scatter(comm, in, v, std::move(op), how); }};
}

} // namespace tutti
