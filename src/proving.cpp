// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: the prover.
#define TUTTI_COMPILING
#include <tutti/verify/prover.hpp>
