// SPDX-License-Identifier: BSL-1.0
// expect: tutti: a transport needs handle start_send\(rank, channel, gather_list\)
#include <tutti/transport/concept.hpp>

struct wires {
    struct handle {};
    tutti::rank_type rank() const { return 0; }
    tutti::rank_type size() const { return 1; }
#ifdef TUTTI_CORRECT
    handle start_send(tutti::rank_type, tutti::channel_type, tutti::gather_list) { return {}; }
#else
    void start_send(tutti::rank_type, tutti::channel_type, tutti::gather_list) {}
#endif
    handle start_recv(tutti::rank_type, tutti::channel_type, tutti::scatter_list) { return {}; }
    bool test(handle&) { return true; }
    void idle(std::uint32_t) {}
    void abandon(handle&) {}
};

static_assert(tutti::check_transport<wires>());
