// SPDX-License-Identifier: BSL-1.0
// expect: tutti: a transport needs abandon\(handle&\)
#include <tutti/transport/concept.hpp>

struct wires {
    struct handle {};
    tutti::rank_type rank() const { return 0; }
    tutti::rank_type size() const { return 1; }
    handle start_send(tutti::rank_type, tutti::channel_type, tutti::gather_list) { return {}; }
    handle start_recv(tutti::rank_type, tutti::channel_type, tutti::scatter_list) { return {}; }
    bool test(handle&) { return true; }
    void idle(std::uint32_t) {}
#ifdef TUTTI_CORRECT
    void abandon(handle&) {}
#endif
};

static_assert(tutti::check_transport<wires>());
