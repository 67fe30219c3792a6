// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
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
    /// Of `start`, which begins a collective that fills what it is given, and returns its request.
    template <class Start>
    pending(Value value, const Start& start)
        : value_(std::make_unique<Value>(std::move(value))), coming_(start(*value_)) {}

    /// The other one has no value then.
    pending(pending&&) noexcept = default;
    /// What was on its way here is given up before its memory goes.
    pending& operator=(pending&& other) noexcept {
        if (this == &other) return *this;
        coming_ = std::move(other.coming_);
        value_ = std::move(other.value_);
        return *this;
    }

    /// Waits for the value and hands it over: once. Throws collective_error if it failed, argument_error if
    /// there is none: it was handed over or moved away, or its failure was told already.
    [[nodiscard]] Value get() {
        const std::unique_ptr<Value> value = std::move(value_); // gone for good, whatever comes
        if (value == nullptr) throw argument_error("pending", "without a value", "one that nobody has got");
        coming_.wait();
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
};

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

} // namespace tutti
