// SPDX-License-Identifier: BSL-1.0
//
// A transport of one's own: ranks are forked processes, and every two of them share a Unix stream socket. It
// passes the suite of <tutti/conformance.hpp>, runs collectives, and says who is gone when a rank is killed.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <list>
#include <memory>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <tutti/conformance.hpp>
#include <tutti/tutti.hpp>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mine {
using tutti::channel_type;
using tutti::rank_type;

struct header {
    std::uint64_t length = 0;
    std::uint64_t channel = 0;
};

// A send or receive that was started.
struct operation {
    bool sends;
    rank_type peer;
    channel_type channel;
    tutti::scatter_list into{};
    bool done = false;
    std::string error{};
};

// A message on its way. For brevity it is copied at both ends; a faster transport would hand the lists of
// pieces to sendmsg and recvmsg, at most IOV_MAX pieces at a time.
struct frame {
    std::vector<std::byte> bytes = std::vector<std::byte>(sizeof(header)); // the header, then the message
    std::size_t moved = 0;           // bytes that were sent or have come
    std::shared_ptr<operation> op{}; // of a send

    header head() const {
        header h;
        std::memcpy(&h, bytes.data(), sizeof h);
        return h;
    }
};

struct connection {
    int socket = -1; // none to oneself
    bool readable = true;
    bool writable = true;
    std::deque<frame> out{};
    frame next{}; // the one that is coming in
    // Set aside, because nobody receives them yet, and those behind them must not wait for that.
    std::list<frame> in{};
    std::list<std::shared_ptr<operation>> receives{};
};

class transport {
public:
    using handle = std::shared_ptr<operation>; // null when complete

    // sockets[r] leads to rank r.
    transport(rank_type rank, const std::vector<int>& sockets) : rank_(rank), peers_(sockets.size()) {
        for (std::size_t r = 0; r < sockets.size(); ++r) peers_[r].socket = sockets[r];
    }
    transport(const transport&) = delete;
    transport& operator=(const transport&) = delete;
    ~transport() {
        for (const connection& c : peers_)
            if (c.socket >= 0) close(c.socket);
    }

    rank_type rank() const { return rank_; }
    rank_type size() const { return static_cast<rank_type>(peers_.size()); }

    handle start_send(rank_type peer, channel_type channel, tutti::gather_list data) {
        connection& c = to(peer);
        frame f;
        for (const auto& piece : data) f.bytes.insert(f.bytes.end(), piece.begin(), piece.end());
        const header head{f.bytes.size() - sizeof(header), channel};
        std::memcpy(f.bytes.data(), &head, sizeof head);
        f.op = std::make_shared<operation>(operation{true, peer, channel});
        return c.out.emplace_back(std::move(f)).op;
    }
    handle start_recv(rank_type peer, channel_type channel, tutti::scatter_list into) {
        connection& c = to(peer);
        return c.receives.emplace_back(std::make_shared<operation>(operation{false, peer, channel, into}));
    }

    bool test(handle& h) {
        if (h == nullptr) return true;
        connection& c = to(h->peer);
        if (!h->done) move(c);
        const bool alive = h->sends ? c.writable : c.readable;
        if (!h->done && alive) return false;
        const handle over = std::exchange(h, nullptr);
        if (!over->done)
            over->error = "rank " + std::to_string(over->peer) + " has closed its end, and rank "
                          + std::to_string(rank_) + " waits for it";
        if (!over->error.empty()) {
            c.receives.remove(over);
            throw tutti::transport_error(over->error, over->peer);
        }
        return true;
    }

    // A send goes on from its copy.
    void abandon(handle& h) {
        if (h != nullptr) to(h->peer).receives.remove(h);
        h = nullptr;
    }

    // Sleeps until something comes or can go, but not if something has moved since the last time: that may
    // have been for a handle that was tested before.
    void idle(std::uint32_t) {
        std::vector<pollfd> awaited;
        for (const connection& c : peers_)
            if (c.socket >= 0 && c.readable)
                awaited.push_back(
                    {c.socket, static_cast<short>(c.out.empty() ? POLLIN : POLLIN | POLLOUT), 0});
        poll(awaited.data(), awaited.size(), std::exchange(moved_, false) ? 0 : 100);
        for (connection& c : peers_)
            if (c.socket >= 0) move(c);
    }

private:
    connection& to(rank_type peer) {
        if (peer < 0 || peer >= size() || peer == rank_)
            throw tutti::transport_error("no socket leads to rank " + std::to_string(peer), peer);
        return peers_[static_cast<std::size_t>(peer)];
    }

    void move(connection& c) {
        while (c.writable && !c.out.empty()) {
            frame& f = c.out.front();
            if (!moved(f,
                       send(c.socket, f.bytes.data() + f.moved, f.bytes.size() - f.moved,
                            MSG_DONTWAIT | MSG_NOSIGNAL),
                       c.writable))
                break;
            if (f.moved < f.bytes.size()) continue;
            f.op->done = true;
            c.out.pop_front();
        }
        while (c.readable) {
            frame& f = c.next;
            if (!moved(f, recv(c.socket, f.bytes.data() + f.moved, f.bytes.size() - f.moved, MSG_DONTWAIT),
                       c.readable))
                break;
            if (f.moved == sizeof(header)) f.bytes.resize(sizeof(header) + f.head().length);
            if (f.moved == f.bytes.size()) c.in.push_back(std::exchange(f, {}));
        }
        for (auto r = c.receives.begin(); r != c.receives.end();) { // in the order of starting
            const auto is_its = [&](const frame& f) { return f.head().channel == (*r)->channel; };
            const auto f = std::find_if(c.in.begin(), c.in.end(), is_its);
            if (f == c.in.end()) {
                ++r;
                continue;
            }
            deliver(*f, **r);
            c.in.erase(f);
            r = c.receives.erase(r);
        }
    }

    // After a system call; false if it has to be made again later, or never if the other end is closed.
    bool moved(frame& f, ssize_t bytes, bool& open) {
        if (bytes <= 0) {
            open = bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
            return false;
        }
        f.moved += static_cast<std::size_t>(bytes);
        return moved_ = true;
    }

    static void deliver(const frame& f, operation& op) {
        std::size_t expected = 0;
        for (const auto& piece : op.into) expected += piece.size();
        op.done = true;
        if (f.head().length != expected) {
            op.error = "a message from rank " + std::to_string(op.peer) + " has "
                       + std::to_string(f.head().length) + " bytes, expected are " + std::to_string(expected);
            return;
        }
        const std::byte* from = f.bytes.data() + sizeof(header);
        for (const auto& piece : op.into) {
            std::copy_n(from, piece.size(), piece.data());
            from += piece.size();
        }
    }

    rank_type rank_;
    std::vector<connection> peers_;
    bool moved_ = false;
};

static_assert(tutti::check_transport<transport>());

int checked(int result) {
    if (result < 0) throw std::system_error(errno, std::generic_category());
    return result;
}

// Calls body(transport&) on every rank, each a process. If some fail, throws the text of the first: of one
// that died without a word before those who miss it.
template <class Body>
void run(rank_type size, const Body& body) {
    const auto p = static_cast<std::size_t>(size);
    std::vector<std::vector<int>> sockets(p, std::vector<int>(p, -1)); // [at][to]
    int texts[2];
    checked(pipe(texts));
    for (std::size_t a = 0; a < p; ++a)
        for (std::size_t b = a + 1; b < p; ++b) {
            int ends[2];
            checked(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
            sockets[a][b] = ends[0];
            sockets[b][a] = ends[1];
        }
    const auto close_all_but = [&](std::size_t kept) { // else nobody would ever see an end closed
        for (std::size_t r = 0; r < p; ++r)
            for (const int socket : sockets[r])
                if (r != kept && socket >= 0) close(socket);
    };
    std::vector<pid_t> children;
    for (std::size_t r = 0; r < p; ++r) {
        children.push_back(checked(fork()));
        if (children.back() != 0) continue;
        close_all_but(r);
        close(texts[0]);
        transport wires(static_cast<rank_type>(r), sockets[r]);
        try {
            body(wires);
        } catch (const std::exception& e) { // told before the sockets are closed, which the others notice
            const std::string text = "rank " + std::to_string(r) + ": " + e.what();
            _exit(write(texts[1], text.c_str(), text.size() + 1) < 0 ? 2 : 1);
        }
        _exit(0);
    }
    close_all_but(p);
    close(texts[1]);
    std::string said;
    char part[256];
    for (ssize_t n = 0; (n = read(texts[0], part, sizeof part)) > 0;)
        said.append(part, static_cast<std::size_t>(n));
    close(texts[0]);
    std::string why = said.substr(0, said.find('\0'));
    for (std::size_t r = 0; r < p; ++r) {
        int status = 0;
        checked(waitpid(children[r], &status, 0));
        if (status != 0 && said.find("rank " + std::to_string(r) + ": ") == std::string::npos)
            why = "rank " + std::to_string(r) + " died without a word";
    }
    if (!why.empty()) throw std::runtime_error(why);
}
} // namespace mine

int main() try {
    const auto run = [](tutti::rank_type size, const auto& body) { mine::run(size, body); };
    tutti::conformance::check(run);
    std::printf("all that is required of a transport holds\n");
    std::fflush(stdout); // or the children would say it again

    run(4, [](mine::transport& wires) {
        tutti::communicator<mine::transport> comm(wires);
        std::vector<int> sums(100000, comm.rank());
        tutti::allreduce(comm, sums, tutti::sum{});
        std::vector<int> told(1000, comm.rank() == 1 ? 7 : 0);
        tutti::bcast(comm, told, 1, tutti::named{"fnomial", {{"radix", 3}}});
        const std::vector<int> own(3, comm.rank());
        std::vector<int> all(12);
        tutti::allgather(comm, own, all);
        const bool right = sums == std::vector<int>(100000, 0 + 1 + 2 + 3)
                           && told == std::vector<int>(1000, 7)
                           && all == std::vector<int>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
        if (!right) throw std::runtime_error("wrong results");
    });
    std::printf("allreduce, bcast and allgather between 4 processes are right\n");
    std::fflush(stdout);

    try {
        run(4, [](mine::transport& wires) {
            tutti::communicator<mine::transport> comm(wires);
            std::vector<int> v(1000, comm.rank());
            tutti::allreduce(comm, v, tutti::sum{});
            if (comm.rank() == 2) raise(SIGKILL);
            try {
                tutti::allreduce(comm, v, tutti::sum{});
            } catch (const tutti::collective_error& e) {
                std::printf("rank %d sees: %s\n", comm.rank(), e.what());
                std::fflush(stdout);
            }
        });
    } catch (const std::exception& e) {
        std::printf("%s\n", e.what());
        return 0;
    }
    std::printf("nobody has missed rank 2\n");
    return 1;
} catch (const std::exception& e) {
    std::printf("%s\n", e.what());
    return 1;
}
