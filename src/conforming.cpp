// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: what any transport must do.
#define TUTTI_COMPILING
#include <tutti/conformance.hpp>
