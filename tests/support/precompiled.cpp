// SPDX-License-Identifier: BSL-1.0

// Nothing: CMake compiles headers for a target, and a target needs a source.
