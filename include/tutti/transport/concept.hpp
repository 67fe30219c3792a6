// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <tutti/core/rank.hpp>
#include <tutti/transport/call_label.hpp>

/// What tutti asks of the wires: all of it, and <tutti/conformance.hpp> checks it. Collectives may fail or
/// hang without it, but for what is called strict, which only the stricter checks of that suite ask for.
///
/// A transport object belongs to one rank and is used by one thread at a time.
///
/// 1. Order. Messages from one rank to another match receives in the order both were started, within a
///    channel. Channels never mix. A channel is one collective call on one communicator; numbers wrap round.
/// 2. Nothing blocks. `start_send` and `start_recv` return at once. A transport needs no buffering: a send
///    may stay incomplete until its receive has been started.
/// 3. A message that nobody receives yet blocks no other between the same two ranks, on whatever channel and
///    in whichever direction. A transport over streams therefore goes on reading and sets such messages
///    aside.
/// 4. Lists. The list of spans and the bytes it names stay valid until the handle has completed or was
///    abandoned. It has any number of pieces, more than IOV_MAX as well, each of which may be empty; sender
///    and receiver may cut a message differently. Empty messages are messages: their receive completes when
///    they have come, not before.
/// 5. `test` says whether a handle has completed, and may make progress. It is true for `handle{}`. The
///    engine tests all open handles again and again, in any order, so a message may move in the tests of its
///    own handle only, but completion must not depend on the order of testing. When a send tests true its
///    message will arrive, even if its sender makes no further call.
/// 6. Peers. The engine never sends to its own rank. A peer outside 0..size-1 is refused by `start_send` and
///    `start_recv` with tutti::error.
/// 7. Failure. `test`, or whatever notices it, throws transport_error(text, peer) for a dead peer, a broken
///    wire, or a message whose length differs from its receive's. The text of a wrong length names the length
///    that was expected; strict: also the one that was sent, and the receive's memory is unchanged. `peer` is
///    the rank at the other end, with which the engine says which step failed. A transport that can tell
///    other ranks of a failure at once may have a refinement for it, below.
/// 8. `idle(turns)` is called when nothing has moved for `turns` calls in a row: spin, yield or sleep for a
///    while. Time-outs are the transport's: the engine looks at no clock and waits as long as idle returns.
///    So it throws transport_error when nothing will ever move again, if it can know or has waited too long.
/// 9. `abandon` ends a handle that has not completed, one whose test threw included: afterwards it tests true
///    and its memory is neither read nor written any more, even while the message is on its way. It throws
///    nothing; for `handle{}` it does nothing. It may wait for a peer that is reading that memory just now,
///    so whoever holds messages (see below) releases them first.
/// 10. After abandoning. A message that was sent to an abandoned receive is lost or goes to the next receive
///     of its channel. If none was sent, all goes on as before. An unfinished send that was abandoned may
///     leave the transport spent: from then on its calls may throw transport_error, on all ranks, but they
///     neither hang nor deliver wrong data. Strict: it is not spent, and other channels go on.
namespace tutti {

using channel_type = std::uint32_t; ///< a collective call on a communicator; wraps round

/// The lower bits of a channel number the calls of a communicator, the upper ones are its context.
inline constexpr unsigned channel_counter_bits = 20;

/// The parts of a message to be sent, in order.
using gather_list = std::span<const std::span<const std::byte>>;
/// Where the parts of a message are to be put, in order.
using scatter_list = std::span<const std::span<std::byte>>;

/// T knows which rank it is, of how many.
template <class T>
concept has_rank_and_size = requires(const T& t) {
    { t.rank() } -> std::convertible_to<rank_type>;
    { t.size() } -> std::convertible_to<rank_type>;
};
/// T has a type `handle`, for a message that is on its way.
template <class T>
concept has_handle = std::default_initializable<typename T::handle> && std::movable<typename T::handle>;
/// T has start_send(peer, channel, data).
template <class T>
concept has_start_send = requires(T& t, rank_type peer, channel_type channel, gather_list data) {
    { t.start_send(peer, channel, data) } -> std::same_as<typename T::handle>;
};
/// T has start_recv(peer, channel, data).
template <class T>
concept has_start_recv = requires(T& t, rank_type peer, channel_type channel, scatter_list data) {
    { t.start_recv(peer, channel, data) } -> std::same_as<typename T::handle>;
};
/// T has test(handle).
template <class T>
concept has_test = requires(T& t, typename T::handle& h) {
    { t.test(h) } -> std::same_as<bool>;
};
/// T has idle(turns).
template <class T>
concept has_idle = requires(T& t, std::uint32_t turns) { t.idle(turns); };
/// T has abandon(handle).
template <class T>
concept has_abandon = requires(T& t, typename T::handle& h) { t.abandon(h); };

/// The smallest transport; see the top of this header.
template <class T>
concept transport = has_rank_and_size<T> && has_handle<T> && has_start_send<T> && has_start_recv<T>
                    && has_test<T> && has_idle<T> && has_abandon<T>;

/// `take` hands out the next message from `peer` if it has arrived (and says so), valid until `release`.
/// `incoming` has pieces(), a gather_list. One per peer may be held at once.
template <class T>
concept has_take = transport<T> && std::default_initializable<typename T::incoming>
                   && requires(T& t, rank_type peer, channel_type channel, typename T::incoming& message) {
                          { t.take(peer, channel, message) } -> std::same_as<bool>;
                          { message.pieces() } -> std::convertible_to<gather_list>;
                          t.release(message);
                      };

/// The receiver may read messages of any length where they lie, in the mailbox or in the sender's memory, and
/// fold them from there. On such a transport the engine starts no receives.
template <class T>
concept folding_transport = has_take<T> && !requires { requires T::takes_eager_only; };

/// Messages may lie where only the transport can read, in another process. Such an incoming one is_away() and
/// has no pieces, but bytes(); `fetch` copies those from `offset` on that fill `to`, and throws
/// transport_error where that fails.
template <class T>
concept fetching_transport =
    folding_transport<T>
    && requires(T& t, const typename T::incoming& message, std::size_t offset, std::span<std::byte> to) {
           { message.is_away() } -> std::same_as<bool>;
           { message.bytes() } -> std::same_as<std::size_t>;
           t.fetch(message, offset, to);
       };

/// Messages of up to eager_bytes() bytes travel inside the mailbox: `try_post` either copies and delivers one
/// at once or says that the mailbox is full. At least eager_depth() of them fit between two ranks. `take`
/// gets them whether they were posted or sent. Where it is for them alone, and longer messages are received
/// by `start_recv`, a transport says so by `takes_eager_only`; a longer one that comes nevertheless
/// is_away().
template <class T>
concept eager_transport =
    has_take<T> && requires(T& t, rank_type peer, channel_type channel, std::span<const std::byte> bytes) {
        { T::eager_bytes() } -> std::convertible_to<std::size_t>;
        { T::eager_depth() } -> std::convertible_to<std::size_t>;
        { t.try_post(peer, channel, bytes) } -> std::same_as<bool>;
    };

/// Messages tell which call they belong to, and calls can be called off. A receive that asks for a label
/// other than its message's throws transport_error, names both by detail::different_calls, and calls the
/// channel off: so do ranks that wait for each other in different calls. Sends and receives without a label
/// have that of no call.
///
/// `begin_call` says which call this rank makes on a channel. `check_call` throws transport_error if the
/// channel has been called off; the engine asks when it has looked `looks` times in vain. `call_off` is for a
/// rank that takes no part in a call that the others may have begun, or cannot go on in it: messages of that
/// channel are dropped from then on, and other channels go on.
template <class T>
concept labelling_transport =
    transport<T>
    && requires(T& t, rank_type peer, channel_type channel, gather_list from, scatter_list into, const call_label& label, std::uint32_t looks, const std::string& why) {
           { t.start_send(peer, channel, from, label) } -> std::same_as<typename T::handle>;
           { t.start_recv(peer, channel, into, label) } -> std::same_as<typename T::handle>;
           t.begin_call(channel, label);
           t.check_call(channel, label, looks);
           t.call_off(channel, why);
       } && (!has_take<T> || requires(T& t, rank_type peer, channel_type channel, typename T::incoming& message, const call_label& label) {
           { t.take(peer, channel, message, label) } -> std::same_as<bool>;
       }) && (!eager_transport<T> || requires(T& t, rank_type peer, channel_type channel, std::span<const std::byte> bytes, const call_label& label) {
           { t.try_post(peer, channel, bytes, label) } -> std::same_as<bool>;
       });

/// Marks the end of a collective on a channel, so that a transport that tracks stray messages can complain.
template <class T>
concept closing_transport = transport<T> && requires(T& t, channel_type channel) { t.close(channel); };

/// Where a send keeps its place though nothing of it has been written: `withdraw` ends such a one, so that
/// later messages do not wait behind it, and is false for any other. It waits for nobody.
template <class T>
concept withdrawing_transport = transport<T> && requires(T& t, typename T::handle& h) {
    { t.withdraw(h) } -> std::same_as<bool>;
};

/// Where ranks do not notice by themselves that one of them has given up: tells all others, so that whoever
/// waits gets a transport_error instead. The engine calls it when a collective fails on the way, before it
/// abandons what is open.
template <class T>
concept announcing_transport =
    transport<T> && requires(T& t, const std::string& why) { t.announce_failure(why); };

/// Where a rank that gives up can say so to all that wait for it: they get a transport_error with this text.
/// Afterwards the transport is spent. The engine calls it for a request that is destroyed before it is over,
/// if the transport is no announcing one.
template <class T>
concept failing_transport = transport<T> && requires(T& t, const std::string& why) { t.fail(why); };

/// Where ranks run in turns: lets others run, and waits for nothing. For whoever asks again and again whether
/// a request is over.
template <class T>
concept yielding_transport = transport<T> && requires(T& t) { t.yield(); };

namespace detail {
class attendance;
}

/// Steps of a rank that others may run while it is away.
class errand {
public:
    /// Runs what can run, as if it were the rank; false if nothing could.
    virtual bool run() noexcept = 0;
    /// Whether all its steps are done.
    virtual bool over() const noexcept = 0;
    /// The one rank without which nothing can run now; no_rank if it may be any.
    virtual rank_type awaited() const noexcept { return no_rank; }
    /// Whether it still has something for other ranks: else there is no hurry as long as its own one waits.
    virtual bool serves_others() const noexcept { return true; }

protected:
    ~errand() = default;

private:
    friend class detail::attendance;
    errand* next_ = nullptr; // that its rank has left to others after it
};

/// Whom a rank leaves its steps to.
enum class left_to : std::uint8_t {
    bringers, ///< whoever delivers a message runs what that makes ready
    thread,   ///< a thread that does nothing else
};

/// Where others can run the steps of a rank that is elsewhere. Between leave() and come_back() nothing of the
/// transport object may be used by the rank; both may be called again without effect. After what it sends,
/// the engine calls run_due(), which runs steps of ranks that are away.
template <class T>
concept helping_transport = transport<T> && requires(T& t, errand& what, left_to whom) {
    t.add(what);
    t.remove(what);
    t.leave(whom);
    t.come_back();
    T::run_due();
};

/// Where it is known whether more ranks run than there are cores for them; the same on all ranks. Then other
/// algorithms are the fastest.
template <class T>
concept core_sharing_transport = transport<T> && requires(const T& t) {
    { t.shares_cores() } -> std::same_as<bool>;
};

/// Remembers for its rank how many calls were made in each context. Then communicators that come one after
/// the other give no two calls one number, and a rank that is late for a new one is not taken for one that
/// makes another call. calls_made(context) is 0 at first, and stays where it is.
template <class T>
concept counting_transport = transport<T> && requires(T& t, std::uint32_t context) {
    { t.calls_made(context) } -> std::same_as<channel_type&>;
};

/// Names, in plain words, what T lacks to be a transport. Call it in a static_assert while writing one.
template <class T>
consteval bool check_transport() {
    static_assert(has_rank_and_size<T>,
                  "tutti: a transport needs rank() and size() const, returning rank numbers");
    static_assert(has_handle<T>,
                  "tutti: a transport needs a nested default-constructible, movable type `handle`");
    static_assert(has_start_send<T>,
                  "tutti: a transport needs handle start_send(rank, channel, gather_list)");
    static_assert(has_start_recv<T>,
                  "tutti: a transport needs handle start_recv(rank, channel, scatter_list)");
    static_assert(has_test<T>, "tutti: a transport needs bool test(handle&)");
    static_assert(has_idle<T>, "tutti: a transport needs idle(turns), called when nothing moves");
    static_assert(has_abandon<T>,
                  "tutti: a transport needs abandon(handle&), which ends an unfinished handle");
    return transport<T>;
}

} // namespace tutti
