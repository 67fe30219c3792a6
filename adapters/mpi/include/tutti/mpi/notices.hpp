// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/mpi/calls.hpp>
#include <tutti/mpi/message_type.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti::mpi {

/// What a rank tells all others out of turn.
struct notice {
    /// What it is about.
    enum class kind : std::int32_t {
        failed, ///< something went wrong here: do not wait for me
        asks,   ///< I have waited for you for long, in this channel: will you still send?
        passed, ///< no: I am through with that channel
    };

    kind what = kind::failed; ///< decides whether channel or text counts
    channel_type channel = 0; ///< of a question and its answer
    char text[504] = "";      ///< why, ended by a zero

    /// That of a failure; the text is cut after 503 bytes.
    static notice failure(std::string_view why) {
        constexpr std::string_view signature = "tutti: "; // what reports it puts that in front again
        if (why.starts_with(signature)) why.remove_prefix(signature.size());
        notice result;
        std::memcpy(result.text, why.data(), std::min(why.size(), sizeof result.text - 1));
        return result;
    }
};
static_assert(sizeof(notice) == 512); // short enough to be buffered by any MPI

/// How many bytes a message has that was found by probing for it.
inline std::size_t length_of(const MPI_Status& status) {
    MPI_Count length = 0;
    check(MPI_Get_elements_x(&status, MPI_BYTE, &length), "MPI_Get_elements_x");
    return static_cast<std::size_t>(length);
}

/// Receives a message that was found, as a whole, and forgets it: cutting it off is an error that not every
/// MPI survives.
inline void dispose(MPI_Message& message, const MPI_Status& status) {
    std::vector<std::byte> rest(length_of(status));
    std::span<std::byte> whole(rest);
    const message_type what{scatter_list(&whole, 1)};
    check(MPI_Mrecv(what.address(), what.count(), what.type(), &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
}

/// The same with the next message of a peer, which is under way.
inline void dispose_of_next(rank_type from, int tag, MPI_Comm comm) {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check(MPI_Mprobe(from, tag, comm, &message, &status), "MPI_Mprobe", from);
    dispose(message, status);
}

/// Notices between the ranks of a communicator, under a tag of their own, and the disposal of messages that
/// nobody will receive.
///
/// MPI cannot take back a send. So when a collective fails, whoever has one under way waits until its
/// receiver has fetched it, and whoever has heard of the failure fetches all that comes.
class notices {
public:
    notices(MPI_Comm comm, int tag) : comm_(comm), tag_(tag), rank_(rank_in(comm)), size_(size_of(comm)) {}

    /// Starts to tell one other rank.
    void send(const notice& news, rank_type peer) {
        if (all_gone()) sent_.clear(); // MPI reads them until then
        start(sent_.emplace_back(news), peer);
    }

    /// Starts to tell all others; O(p) messages.
    void send(const notice& news) {
        if (all_gone()) sent_.clear(); // MPI reads them until then
        const notice& kept = sent_.emplace_back(news);
        for (rank_type peer = 0; peer < size_; ++peer)
            if (peer != rank_) start(kept, peer);
    }

    /// Whether all that was sent has gone.
    bool all_gone() {
        int all = 1;
        MPI_Testall(static_cast<int>(open_.size()), open_.data(), &all, MPI_STATUSES_IGNORE);
        if (all != 0) open_.clear();
        return all != 0;
    }

    /// A notice and its sender.
    struct heard {
        notice news{};            ///< as it was sent
        rank_type from = no_rank; ///< in the communicator of the notices
    };

    /// The next notice of another rank, if one has come.
    std::optional<heard> next() {
        int there = 0;
        MPI_Status status;
        check(MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm_, &there, &status), "MPI_Iprobe");
        if (there == 0) return std::nullopt;
        return receive(status.MPI_SOURCE);
    }

    /// Fetches one message of any kind for which no receive has been started. A notice is returned; of
    /// another message only the sender is told to `dropped`.
    template <class F>
    std::optional<heard> fetch_any(F&& dropped) {
        int there = 0;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        check(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &there, &message, &status), "MPI_Improbe");
        if (there == 0) return std::nullopt;
        if (status.MPI_TAG == tag_) {
            heard result{.from = status.MPI_SOURCE};
            check(MPI_Mrecv(&result.news, static_cast<int>(sizeof result.news), MPI_BYTE, &message,
                            MPI_STATUS_IGNORE),
                  "MPI_Mrecv", result.from);
            return result;
        }
        const rank_type from = status.MPI_SOURCE;
        dispose(message, status);
        dropped(from);
        return std::nullopt;
    }

private:
    void start(const notice& kept, rank_type peer) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (MPI_Isend(&kept, static_cast<int>(sizeof kept), MPI_BYTE, peer, tag_, comm_, &request)
            == MPI_SUCCESS)
            open_.push_back(request);
    }

    heard receive(rank_type from) {
        heard result{.from = from};
        check(MPI_Recv(&result.news, static_cast<int>(sizeof result.news), MPI_BYTE, from, tag_, comm_,
                       MPI_STATUS_IGNORE),
              "MPI_Recv", from);
        return result;
    }

    MPI_Comm comm_;
    int tag_;
    rank_type rank_;
    rank_type size_;
    std::deque<notice> sent_; // a deque: MPI reads them until they have gone
    std::vector<MPI_Request> open_;
};

} // namespace tutti::mpi
