// SPDX-License-Identifier: BSL-1.0

// Only for a Catch2 2 that was installed without its library (header only, as upstream installs it by
// default): Debian's, and every Catch2 3, brings a main function in Catch2::Catch2WithMain.
#define CATCH_CONFIG_MAIN
#include "support/catch2.hpp"
