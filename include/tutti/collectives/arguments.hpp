// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/layout.hpp>
#include <tutti/execute/buffers.hpp>

/// What the user-facing calls accept, and the checks they make before the first message.
namespace tutti {

namespace detail {

inline void check_root(rank_type root, rank_type size) {
    if (root < 0 || root >= size) throw_argument_below("root", root, size);
}

/// A result as long as the input, apart from it.
void check_alike(const input_bytes& in, const output_bytes& out);

/// Refuses a schedule that does not claim what the request needs.
void check_claims(const capabilities& claims, bool commutative, const block_layout& layout);

#if TUTTI_BODIES
TUTTI_BODY void check_alike(const input_bytes& in, const output_bytes& out) {
    check_count("out", out.count, in.count, "as many as in has");
    check_apart(in, out);
}

TUTTI_BODY void check_claims(const capabilities& claims, bool commutative, const block_layout& layout) {
    if (!commutative && !claims.order_preserving)
        throw argument_error("algorithm", "one that does not keep the order of ranks",
                             "an order-preserving one, because the operation is not known to be commutative "
                             "(wrap it in tutti::commutative if it is)");
    if (claims.moves_blocks && !layout.uniform())
        throw argument_error("algorithm", "one that needs equal blocks",
                             "one that takes blocks of different lengths");
}
#endif

} // namespace detail
} // namespace tutti
