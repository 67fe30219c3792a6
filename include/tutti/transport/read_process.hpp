// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <tutti/core/compiled.hpp>
#include <tutti/core/copy_bytes.hpp>

namespace tutti::detail {

/// Whether processes of one user may read each other's memory. What can be known before any has tried: the
/// kernel has the call (sandboxes often do not), this process lets itself be read, and so does Yama.
bool can_read_processes() noexcept;

/// Copies what lies at `from` in the memory of another process. Returns how many bytes have come, which may
/// be less than all (what `to` has behind them is anything then), or what process_vm_readv says if none has.
ssize_t read_process(pid_t process, const std::byte* from, std::span<std::byte> to) noexcept;

#if TUTTI_BODIES
TUTTI_BODY bool can_read_processes() noexcept {
    if (::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 1) return false;
    const int yama = ::open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
    char scope = '0';
    if (yama >= 0) {
        if (::read(yama, &scope, 1) != 1) scope = '0';
        ::close(yama);
    }
    if (scope == '3' || (scope == '2' && ::geteuid() != 0)) return false;
    std::byte here{}, there{};
    return read_process(::getpid(), &here, {&there, 1}) == 1;
}

TUTTI_BODY ssize_t read_process(pid_t process, const std::byte* from, std::span<std::byte> to) noexcept {
    if (!copies_slowly(to.data(), from, to.size())) {
        const iovec here{to.data(), to.size()};
        const iovec there{const_cast<std::byte*>(from), to.size()};
        return ::process_vm_readv(process, &here, 1, &there, 1, 0);
    }
    // The kernel has no other way of copying, so what it brings is put a line too far; the end, for which
    // there is no room there, lies aside. It is moved while it is still in the cache.
    constexpr std::size_t at_once = std::size_t{1} << 18;
    std::byte end[line_bytes];
    const std::size_t many = std::min(to.size(), at_once);
    const std::size_t inside = std::min(many, to.size() - line_bytes);
    const iovec here[]{{to.data() + line_bytes, inside}, {end, many - inside}};
    const iovec there{const_cast<std::byte*>(from), many};
    const ssize_t n = ::process_vm_readv(process, here, 2, &there, 1, 0);
    const std::size_t come = n > 0 ? static_cast<std::size_t>(n) : 0;
    const std::size_t moved = std::min(come, inside);
    copy_lines(to.data(), to.data() + line_bytes, moved);
    std::memcpy(to.data() + moved, end, come - moved);
    return n;
}
#endif

} // namespace tutti::detail
