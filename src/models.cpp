// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: what models say of schedules, and choosing by them.
#define TUTTI_COMPILING
#include <tutti/model/decision_table_file.hpp>
#include <tutti/model/default_machine.hpp>
#include <tutti/model/fit.hpp>
#include <tutti/model/machine_file.hpp>
#include <tutti/model/tabulate.hpp>

template tutti::price tutti::evaluate(const tutti::machine&, const tutti::ensemble<tutti::any_generator>&,
                                      const tutti::block_bytes&);
