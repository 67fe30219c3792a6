// SPDX-License-Identifier: BSL-1.0
// expect GNU: has_capabilities<G>[^ ]* .with G = modest
// expect GNU: g\.claims\(\)[^ ]* is invalid
// expect Clang: 'modest' does not satisfy 'has_capabilities'
#include <tutti/core/any_generator.hpp>

struct modest {
    tutti::round_index rounds() const { return 1; }
    tutti::block_index blocks() const { return 1; }
#ifdef TUTTI_CORRECT
    tutti::capabilities claims() const { return {}; }
#endif
    template <class Sink>
    void emit(tutti::round_index, Sink&&) const {}
};

tutti::any_generator erased{modest{}};
