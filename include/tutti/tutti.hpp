// SPDX-License-Identifier: BSL-1.0
#pragma once

/// Everything at once: includes only.
#include <tutti/core/any_generator.hpp>
#include <tutti/core/block.hpp>
#include <tutti/core/capabilities.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/layout.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/schedule.hpp>
#include <tutti/core/step.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/version.hpp>
