// SPDX-License-Identifier: BSL-1.0
//
// MPICH over UCX keeps its core while it waits: with more ranks than cores a message takes as long as the
// kernel lets somebody spin. Linked into a test, this comes before UCX's function of the same name and lends
// the core to whoever is waited for; where MPI does without UCX nobody calls it.
#include <dlfcn.h>
#include <sched.h>

extern "C" unsigned ucp_worker_progress(void* worker) {
    using function = unsigned (*)(void*);
    static const auto progress = reinterpret_cast<function>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
    static thread_local unsigned in_vain = 0;
    const unsigned events = progress(worker);
    in_vain = events > 0 ? 0 : in_vain + 1;
    if (in_vain % 64 == 63) sched_yield();
    return events;
}
