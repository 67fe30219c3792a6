// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: simulation.
#define TUTTI_COMPILING
#include <tutti/simulate/histogram.hpp>
#include <tutti/simulate/noise_trace.hpp>
#include <tutti/simulate/simulate.hpp>

template tutti::simulation_result tutti::simulate(const tutti::ensemble<tutti::any_generator>&,
                                                  const tutti::block_bytes&,
                                                  const tutti::simulation_options&);
