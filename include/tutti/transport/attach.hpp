// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tutti/core/compiled.hpp>
#include <tutti/transport/processes_world.hpp>

namespace tutti::processes {

/// A name for attach() that nobody guesses, for whoever starts the ranks to tell them: "/tutti-" and 32
/// digits.
[[gnu::cold]] std::string new_name();

/// Joins processes that were started otherwise, by a launcher or in several terminals, as rank `rank` of
/// `size`: all give the same name, size and options. Returns at once; ranks wait for each other in their
/// first collective. The name is gone from the system as soon as all have come, and if this rank gives up
/// before that without having sent anything. The memory is open to this user alone. Throws error if what has
/// the name is not memory of these ranks, and if there is such a rank already. Where Yama lets only parents
/// read, this process lets all of its user read its memory (PR_SET_PTRACER_ANY); options::long_messages
/// spares that.
///
///     const auto group = tutti::processes::attach(name, rank, 4);
///     tutti::processes::transport wires(*group, rank);
///     tutti::communicator comm(wires);
///
/// Who ends without destroying what this returns is lost to all others. A program of this user that opens the
/// memory by its name, before that is gone, can make it shorter, and whoever touches what is missing dies of
/// SIGBUS: of a descriptor, below, nobody can.
[[gnu::cold]] std::unique_ptr<world> attach(const std::string& name, rank_type rank, rank_type size,
                                            const options& how = {});

/// The same by a descriptor that all have inherited, of memfd_create(). It may be closed afterwards. With
/// MFD_ALLOW_SEALING nobody can make it shorter any more, which would kill those that use it.
[[gnu::cold]] std::unique_ptr<world> attach(int file, rank_type rank, rank_type size,
                                            const options& how = {});

#if TUTTI_BODIES
TUTTI_BODY std::string new_name() {
    std::random_device random;
    std::string name = "/tutti-";
    for (int k = 0; k < 32; ++k) name += "0123456789abcdef"[random() % 16];
    return name;
}

TUTTI_BODY std::unique_ptr<world> attach(int file, rank_type rank, rank_type size, const options& how) {
    checked({.rank = rank, .size = size, .root = 0});
    auto joined = std::make_unique<world>(size, how, file);
    joined->join(rank);
    return joined;
}

TUTTI_BODY std::unique_ptr<world> attach(const std::string& name, rank_type rank, rank_type size,
                                         const options& how) {
    struct opened {
        int file;
        ~opened() { ::close(file); }
    };
    checked({.rank = rank, .size = size, .root = 0});
    const int file = ::shm_open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        throw error(
            detail::sentence({"tutti: no shared memory by the name ", name, ": ", std::strerror(errno)}));
    const opened it{file};
    auto joined = attach(it.file, rank, size, how);
    joined->unlink_when_complete(name);
    return joined;
}
#endif

} // namespace tutti::processes
