// SPDX-License-Identifier: BSL-1.0
#pragma once

/// Catch2, version 2 (Debian 12) or 3: the tests use only what both have.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
