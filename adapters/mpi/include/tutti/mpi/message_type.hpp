// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <span>

#include <tutti/core/reusable_list.hpp>
#include <tutti/mpi/calls.hpp>

namespace tutti::mpi {

/// What MPI is told of a message: where its bytes lie, of any number and length.
///
/// One piece of up to 2^30 bytes is what it is, so many MPI_BYTE. Longer ones and several pieces become
/// a derived type of stretches at absolute addresses: MPI 3 counts with int, and nothing is copied.
class message_type {
public:
    template <class Byte> // std::byte or const std::byte
    explicit message_type(std::span<const std::span<Byte>> pieces) {
        const std::span<Byte>* only = nullptr;
        std::size_t filled = 0;
        for (const auto& piece : pieces)
            if (!piece.empty()) {
                only = &piece;
                ++filled;
            }
        if (filled == 0) return;
        if (filled == 1 && only->size() <= longest_stretch) {
            address_ = const_cast<std::byte*>(only->data()); // MPI does not write what it sends
            count_ = static_cast<int>(only->size());
            return;
        }
        thread_local reusable_list<int> lengths; // memory that is kept
        thread_local reusable_list<MPI_Aint> places;
        lengths.clear();
        places.clear();
        for (const auto& piece : pieces)
            for (std::size_t at = 0; at < piece.size(); at += longest_stretch) {
                lengths.push_back(static_cast<int>(std::min(longest_stretch, piece.size() - at)));
                MPI_Aint place = 0;
                check(MPI_Get_address(piece.data() + at, &place), "MPI_Get_address");
                places.push_back(place);
            }
        check(MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(),
                                       MPI_BYTE, &type_),
              "MPI_Type_create_hindexed");
        count_ = 1;
        check(MPI_Type_commit(&type_), "MPI_Type_commit");
    }
    message_type(const message_type&) = delete;
    message_type& operator=(const message_type&) = delete;
    ~message_type() {
        if (type_ != MPI_BYTE) MPI_Type_free(&type_); // what is under way keeps it
    }

    /// Of the only piece; MPI_BOTTOM of a derived type, and where there is no byte.
    void* address() const noexcept { return address_; }
    /// Bytes of the only piece; 1 of a derived type, 0 where there is no byte.
    int count() const noexcept { return count_; }
    /// MPI_BYTE, or the derived type, which is freed with this object: what is under way keeps it.
    MPI_Datatype type() const noexcept { return type_; }

private:
    static constexpr std::size_t longest_stretch = std::size_t{1} << 30;
    static_assert(longest_stretch <= INT_MAX);

    void* address_ = MPI_BOTTOM;
    int count_ = 0;
    MPI_Datatype type_ = MPI_BYTE;
};

} // namespace tutti::mpi
