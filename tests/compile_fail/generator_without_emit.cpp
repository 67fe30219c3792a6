// SPDX-License-Identifier: BSL-1.0
// expect GNU: has_emit<G>[^ ]* .with G = silent
// expect GNU: g\.emit\(i, sink\)[^ ]* is invalid
// expect Clang: 'silent' does not satisfy 'has_emit'
#include <tutti/core/generator.hpp>
#include <tutti/schedule/combinators.hpp>

struct silent {
    tutti::round_index rounds() const { return 1; }
    tutti::block_index blocks() const { return 1; }
    tutti::capabilities claims() const { return {}; }
#ifdef TUTTI_CORRECT
    template <class Sink>
    void emit(tutti::round_index, Sink&&) const {}
#endif
};

tutti::pipelined<silent> four_segments{silent{}, 4};
