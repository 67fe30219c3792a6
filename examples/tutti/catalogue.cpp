// SPDX-License-Identifier: BSL-1.0
#include "selection.hpp"

namespace program {

// The only file that makes the generators: compiling all of them takes most of its time.
algorithms library() { return tutti::catalogue(); }

} // namespace program
