// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tutti/mpi/calls.hpp>

namespace tutti::pmpi {

/// What an element is for operations.
enum class element_kind : std::uint8_t {
    none, ///< nothing that operations of ours know
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float32,
    float64,
    float_long,
    complex32,
    complex64,
    complex_long,
    bits,  ///< MPI_BYTE
    truth, ///< MPI_C_BOOL
};

/// What has to be known of one of MPI's types.
struct data_type {
    MPI_Datatype handle = MPI_DATATYPE_NULL;
    std::int64_t bytes = 0;  ///< of the data in an element
    std::int64_t extent = 0; ///< from one element to the next
    element_kind is = element_kind::none;
    bool named = false;      ///< a predefined one
    bool of_fortran = false; ///< one of Fortran's integers, which are no truth values; C's are
    bool whole = false; ///< nothing but its data, one element right behind the other, in the order of sending
    bool dense = false; ///< may be copied as `extent` bytes: where data is not, nobody has any

    /// The last one asked for is remembered, by thread, if it is predefined. An invalid type has no bytes.
    static data_type of(MPI_Datatype handle);
};

/// More bytes no memory has, nor any call. The sum of some of them does not overflow.
inline constexpr std::int64_t most_memory = std::int64_t{1} << 48;

/// Of so many elements; -1 if the count is negative, or if no memory has as many.
constexpr std::int64_t bytes_of(std::int64_t count, std::int64_t each) noexcept {
    return count < 0 || (each > 0 && count > most_memory / each) ? -1 : count * each;
}

/// Memory for so many bytes at least, kept from call to call.
std::byte* room_of(std::vector<std::byte>& room, std::int64_t bytes);

/// `count` elements of the user's become bytes, one right behind the other. MPI's own counts of bytes end at
/// 2^31: more goes piece by piece.
void pack(const void* from, std::int64_t count, const data_type& type, std::byte* to);
void unpack(const std::byte* from, std::int64_t count, const data_type& type, void* to);

/// A vector of the user's to be read: where it lies, or packed into `room` if there are gaps in it.
class packed_input {
public:
    packed_input(const void* data, std::int64_t count, const data_type& type, std::vector<std::byte>& room);

    const std::byte* data() const noexcept { return data_; }

private:
    const std::byte* data_;
};

/// One to be written, likewise; store() brings to the user what was written.
class packed_output {
public:
    packed_output(void* data, std::int64_t count, const data_type& type, std::vector<std::byte>& room);

    std::byte* data() const noexcept { return data_; }
    /// Is written there, not where the user has it, until store().
    void put_into(std::vector<std::byte>& room);
    /// What the user has there now, for those that work in place.
    void load();
    void store();

private:
    void* user_;
    std::int64_t count_;
    data_type type_;
    std::byte* data_;
};

} // namespace tutti::pmpi
