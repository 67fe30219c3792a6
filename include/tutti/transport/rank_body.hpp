// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/transport/mailbox_transport.hpp>

namespace tutti::detail {

/// What each rank runs, its type forgotten; refers to it.
class rank_body {
public:
    template <class F>
    explicit rank_body(const F& body) noexcept
        : body_(&body),
          call_([](const void* f, mailbox_transport& wires) { (*static_cast<const F*>(f))(wires); }) {}
    void operator()(mailbox_transport& wires) const { call_(body_, wires); }

private:
    const void* body_;
    void (*call_)(const void*, mailbox_transport&);
};

} // namespace tutti::detail
