// SPDX-License-Identifier: BSL-1.0
// The tutti program with one more algorithm.
#include "support/own_exscan.hpp"
