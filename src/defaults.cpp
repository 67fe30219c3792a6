// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: the choices that ship.
#define TUTTI_COMPILING
#include <tutti/choose/by_default_on.hpp>
#include <tutti/choose/default_choices.hpp>
