// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: choosing by machines, tables and networks, and fitting a machine to what
// probes saw.
#define TUTTI_COMPILING
#include <tutti/tune/calibrate.hpp>
#include <tutti/tune/choose_strategy.hpp>
#include <tutti/tune/choosers.hpp>
#include <tutti/tune/experience.hpp>
