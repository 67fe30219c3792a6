// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/core/compiled.hpp>

namespace tutti {

/// Base of everything tutti throws.
class error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An argument was refused before any message left: says which, its value and what is allowed, and of which
/// call on which rank it is.
class argument_error : public error {
public:
    /// `argument` is `value`; allowed: `allowed`.
    [[gnu::cold]] argument_error(std::string argument, std::string value, std::string allowed);
    /// The same of a collective call ("allreduce") on a rank, which what() has in front.
    [[gnu::cold]] argument_error(const argument_error& what, std::string_view call, std::int32_t rank);

    /// Its name, as the call has it.
    const std::string& argument() const noexcept { return argument_; }
    /// What it was, in words.
    const std::string& value() const noexcept { return value_; }
    /// What it may be, in words.
    const std::string& allowed() const noexcept { return allowed_; }
    /// The call that it is an argument of; "" outside of collective calls.
    const std::string& call() const noexcept { return call_; }
    /// The rank that made the call; -1 outside of collective calls.
    std::int32_t rank() const noexcept { return rank_; }

private:
    std::string argument_;
    std::string value_;
    std::string allowed_;
    std::string call_{};
    std::int32_t rank_ = -1;
};

/// Something failed on the way between ranks. Thrown by transports, which know the peer but not the
/// collective; the engine adds the rest and rethrows it as collective_error.
class transport_error : public error {
public:
    /// `lost`: that peer is no more.
    explicit transport_error(const std::string& what, std::int32_t peer = -1, bool lost = false)
        : error(what), peer_(peer), lost_(lost) {}

    /// The rank at the other end, or -1 when the failure is not tied to one.
    std::int32_t peer() const noexcept { return peer_; }
    /// Whether that peer is no more.
    bool lost() const noexcept { return lost_; }

private:
    std::int32_t peer_;
    bool lost_;
};

/// A collective failed on the way: which one, on which rank, in which round and step, and with which peer.
class collective_error : public error {
public:
    /// Where a collective failed.
    struct location {
        std::string collective{}; ///< "allreduce"
        std::int32_t rank = -1;   ///< the rank that reports
        std::int64_t round = -1;  ///< round of the schedule, from 0; -1 where it is not known
        std::int64_t step = -1;   ///< step within the round, from 0; -1 likewise
        std::int32_t peer = -1;   ///< the other rank of that step; -1 likewise
    };

    /// `why` follows where it was.
    [[gnu::cold]] collective_error(location where, const std::string& why);

    /// Where it failed, as numbers.
    const location& where() const noexcept { return where_; }

private:
    location where_;
};

/// A collective failed because a rank is no more: its process has died, or it has left with an exception.
/// That rank is where().peer.
class peer_lost : public collective_error {
public:
    using collective_error::collective_error;
};

// Cold and out of line: a check stays one compare and a call that is never taken, and what a text takes to
// put together is compiled once.
namespace detail {

/// Words or a number.
struct word {
    template <std::integral Number>
    constexpr word(Number n) noexcept : number(static_cast<std::int64_t>(n)), is_number(true) {}
    constexpr word(const char* words) noexcept : text(words) {}
    constexpr word(std::string_view words) noexcept : text(words) {}
    word(const std::string& words) noexcept : text(words) {}

    std::string_view text{};
    std::int64_t number = 0;
    bool is_number = false;
};

/// One after the other: sentence({"rank ", 3, " has returned"}).
[[gnu::cold]] std::string sentence(std::initializer_list<word> words);

[[noreturn, gnu::cold]] void throw_argument(const char* argument, std::int64_t value,
                                            std::string_view allowed);

/// `argument` must lie in [0, bound).
[[noreturn, gnu::cold]] void throw_argument_below(const char* argument, std::int64_t value,
                                                  std::int64_t bound);

/// Throws on what is being handled: an argument_error as one of `call` on `rank`, anything else as it is.
[[noreturn, gnu::cold]] void throw_of_call(std::string_view call, std::int32_t rank);

/// What make() returns; an argument_error of it becomes one of `call` on `rank`.
template <class Make>
decltype(auto) naming_call(std::string_view call, std::int32_t rank, const Make& make) {
    try {
        return make();
    } catch (...) {
        throw_of_call(call, rank);
    }
}

} // namespace detail

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY std::string sentence(std::initializer_list<word> words) {
    std::string whole;
    for (const word& w : words) w.is_number ? whole.append(std::to_string(w.number)) : whole.append(w.text);
    return whole;
}

/// ", round 2"; "" if it is not known.
TUTTI_BODY std::string known(const char* what, std::int64_t number) {
    return number < 0 ? std::string{} : sentence({what, number});
}
} // namespace detail

TUTTI_BODY argument_error::argument_error(std::string argument, std::string value, std::string allowed)
    : error(detail::sentence({"tutti: ", argument, " is ", value, "; allowed: ", allowed})),
      argument_(std::move(argument)), value_(std::move(value)), allowed_(std::move(allowed)) {}

TUTTI_BODY argument_error::argument_error(const argument_error& what, std::string_view call,
                                          std::int32_t rank)
    : error(detail::sentence({"tutti: ", call, " on rank ", rank, ": ", what.argument_, " is ", what.value_,
                              "; allowed: ", what.allowed_})),
      argument_(what.argument_), value_(what.value_), allowed_(what.allowed_), call_(call), rank_(rank) {}

TUTTI_BODY collective_error::collective_error(location where, const std::string& why)
    : error(detail::sentence({"tutti: ", where.collective, " failed", detail::known(" on rank ", where.rank),
                              detail::known(", round ", where.round), detail::known(", step ", where.step),
                              detail::known(", peer ", where.peer), ": ", why})),
      where_(std::move(where)) {}

namespace detail {
[[noreturn]] TUTTI_BODY void throw_argument(const char* argument, std::int64_t value,
                                            std::string_view allowed) {
    throw argument_error(argument, sentence({value}), std::string(allowed));
}
[[noreturn]] TUTTI_BODY void throw_argument_below(const char* argument, std::int64_t value,
                                                  std::int64_t bound) {
    throw argument_error(argument, sentence({value}), sentence({"0..", bound - 1}));
}
[[noreturn]] TUTTI_BODY void throw_of_call(std::string_view call, std::int32_t rank) {
    try {
        throw;
    } catch (const argument_error& e) {
        if (e.call().empty()) throw argument_error(e, call, rank);
        throw;
    }
}
} // namespace detail
#endif

} // namespace tutti
