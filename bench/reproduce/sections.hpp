// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "line.hpp"

/// One function per paper. They depend on nothing but themselves: the same lines on every machine, so that
/// docs/papers.md can be held against them. All of them together take less than a minute; what cannot be
/// computed is an exception. A new one is a file, a line below and one in main.cpp.
namespace reproduce {

paper moody_2003();        ///< moody.cpp
paper rabenseifner_2004(); ///< rabenseifner.cpp
paper kumar_kale_2004();   ///< kumar_kale.cpp
paper wagner_2003();       ///< wagner.cpp

} // namespace reproduce
