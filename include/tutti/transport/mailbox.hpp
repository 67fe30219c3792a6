// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tutti/transport/call_label.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/doorbell.hpp>

/// The memory through which one rank sends to one other: a ring of slots with one writer and one reader. Both
/// may be processes, so nothing here points to anything, and memory full of zeros is a mailbox that nobody
/// has used.
namespace tutti::detail {

/// How many messages fit between two ranks. Where ranks share cores, one that only sends is to get far
/// without waiting for another to get a core: a mailbox becomes deeper when it is first full. Only then,
/// because the slots that are in use must stay in the caches.
inline constexpr std::size_t least_depth = 16;
inline constexpr std::size_t depth_of_shared_cores = 64;

/// Messages too long for a slot whose senders would wait longer for their receivers than a copy takes; so
/// many of a pair of ranks lie in copies at a time.
inline constexpr std::size_t copied_bytes = 4096;
inline constexpr std::size_t copies_at_once = 8;

/// Counts the messages of an ordered pair of ranks, from 0. The message of ticket t goes through slot t %
/// depth of those slots that are in use when it is sent.
using ticket_type = std::uint64_t;

/// What `sequence` of a slot says about ticket t. Only the low bits of t are kept: a slot is reused every
/// `depth` tickets, so it never holds anything old enough to be mistaken.
constexpr std::uint32_t full(ticket_type t) noexcept { return static_cast<std::uint32_t>(t) << 2 | 1; }
constexpr std::uint32_t taken(ticket_type t) noexcept { return full(t) + 1; } ///< being read by the receiver
constexpr std::uint32_t revoked(ticket_type t) noexcept { return full(t) + 2; } ///< taken back by the sender
inline constexpr std::uint32_t unused = 0;                                      ///< of no ticket

enum class slot_kind : std::uint8_t {
    inside, ///< the bytes are in the slot
    copied, ///< they are in a copy: the slot says in which
    lent,   ///< they are in the sender's memory: the slot has its lent_pieces
    shared, ///< they are in memory that all ranks see: the slot has its shared_piece
    listed, ///< they are in several pieces of that memory: the slot has its shared_list
    piped,  ///< they come through a pipeline, part by part: the slot has its piped_message
};

/// A message that stays where it is until its receiver lets go of it.
struct lent_pieces {
    const void* at = nullptr; ///< the only piece, or the list of pieces
    std::size_t pieces = 0;   ///< in the list; 0: there is none
    std::size_t bytes = 0;
};
struct shared_piece {
    std::size_t offset = 0;
    std::size_t bytes = 0;
};
struct shared_list {
    static constexpr std::size_t most_inside = 13;
    static constexpr std::size_t most = std::size_t{1} << 16; ///< what the receiver sets memory aside for

    std::size_t many = 0;
    shared_piece inside[most_inside]; ///< if there are more, the first one is where all of them are listed
};

/// One message. The first cache line carries the signal and the beginning of the payload, so that a small
/// message costs one line transfer.
struct alignas(cache_line) slot {
    static constexpr std::size_t bytes = 4 * cache_line;
    static constexpr std::size_t bytes_before_payload = 32;
    static constexpr std::size_t payload_bytes = bytes - bytes_before_payload;

    std::atomic<std::uint32_t> sequence{unused}; ///< written last, with release
    channel_type channel = 0;
    std::uint32_t acknowledged =
        0;                    ///< how many of the receiver's messages the sender has consumed, modulo 2^32
    std::uint16_t length = 0; ///< bytes inside, or copied
    slot_kind kind = slot_kind::inside;
    std::uint8_t deepens = 0; ///< 1: the next message goes through the deeper slots
    call_label label{};       ///< of the call it belongs to
    alignas(16) std::byte payload[payload_bytes];

    template <class T>
    void store(const T& value) noexcept {
        static_assert(sizeof(T) <= payload_bytes && std::is_trivially_copyable_v<T>);
        std::memcpy(payload, &value, sizeof(T));
    }
    template <class T>
    T load() const noexcept {
        static_assert(sizeof(T) <= payload_bytes && std::is_trivially_copyable_v<T>);
        T value;
        std::memcpy(&value, payload, sizeof(T));
        return value;
    }
};
static_assert(sizeof(slot) == slot::bytes && offsetof(slot, payload) == slot::bytes_before_payload);

struct alignas(cache_line) mailbox {
    mailbox() noexcept {} // leaves the copies as they are

    /// Messages 0 .. consumed-1 have been released. Written by the receiver only; the sender looks here only
    /// when neither what it saw last nor what replies told it suffices.
    alignas(cache_line) std::atomic<ticket_type> consumed{0};

    /// Bit s: the message in slot s has been released although an older one has not.
    std::atomic<std::uint64_t> released{0};

    /// The first message that was abandoned before it found a free slot, plus 1: nothing comes after it.
    /// Written by the sender.
    alignas(cache_line) std::atomic<ticket_type> broken_at{0};
    bool breaks_before(ticket_type next) const noexcept {
        const ticket_type at = broken_at.load(std::memory_order_acquire);
        return at != 0 && at <= next + 1;
    }

    slot slots[least_depth];
    slot deeper[depth_of_shared_cores]; ///< where ranks share cores; for use once the others are full
    alignas(cache_line) std::byte copies[copies_at_once][copied_bytes];
};

/// The slots of a mailbox that are in use, as one of its ends sees them.
struct slot_ring {
    slot* slots = nullptr;
    ticket_type first = 0;             ///< whose message goes through them
    std::uint32_t depth = least_depth; ///< a power of two
    std::uint32_t set_aside = 0;       ///< messages out of the reader's way

    void begin(mailbox& box) noexcept { slots = box.slots; }
    void deepen(mailbox& box, ticket_type from) noexcept {
        slots = box.deeper;
        first = from;
        depth = depth_of_shared_cores;
    }
    slot& of(mailbox& box, ticket_type t) noexcept {
        if (t < first) [[unlikely]]
            return box.slots[t & (least_depth - 1)];
        return slots[t & (depth - 1)];
    }
};

} // namespace tutti::detail
