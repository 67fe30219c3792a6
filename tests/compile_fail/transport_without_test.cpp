// SPDX-License-Identifier: BSL-1.0
// expect: tutti: a transport needs bool test\(handle&\)
#include <tutti/transport/concept.hpp>

struct wires {
    struct handle {};
    tutti::rank_type rank() const { return 0; }
    tutti::rank_type size() const { return 1; }
    handle start_send(tutti::rank_type, tutti::channel_type, tutti::gather_list) { return {}; }
    handle start_recv(tutti::rank_type, tutti::channel_type, tutti::scatter_list) { return {}; }
#ifdef TUTTI_CORRECT
    bool test(handle&) { return true; }
#else
    void test(handle&) {} // does not say whether the handle has completed
#endif
    void idle(std::uint32_t) {}
    void abandon(handle&) {}
};

static_assert(tutti::check_transport<wires>());
