// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: networks, and what can be had of the adaptive ascent in fat-trees.
#define TUTTI_COMPILING
#include <tutti/topology/ascent_assignment.hpp>
#include <tutti/topology/dragonfly.hpp>
#include <tutti/topology/fat_tree_routing.hpp>
#include <tutti/topology/placement.hpp>
#include <tutti/topology/torus.hpp>
