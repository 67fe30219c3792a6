// SPDX-License-Identifier: BSL-1.0
#pragma once

/// Where the bodies of functions that are no templates are compiled: in every file that includes their
/// header, which is the default and needs nothing; or once, in the archive tutti::compiled, which defines
/// TUTTI_COMPILED for all who link it. Without CMake: compile src/*.cpp and all files of the program with
/// -DTUTTI_COMPILED. All files of a program or none.
///
/// A header declares such a function where others do, and has its body between `#if TUTTI_BODIES` and
/// `#endif`, marked TUTTI_BODY; so are the headers included that only bodies need.
///
/// Virtual functions among them are declared TUTTI_VIRTUAL in their class. The first one of a class that is
/// not inline there says which file has the table of them: where bodies are inline, that would be every file
/// that includes the header, and each would compile the functions in the table and all that they call.
#if !defined(TUTTI_COMPILED)
#define TUTTI_BODIES 1
#define TUTTI_BODY inline
#define TUTTI_VIRTUAL inline
#elif defined(TUTTI_COMPILING) // by the files of the archive
#define TUTTI_BODIES 1
// There is one, whichever files of the archive include it. Clang makes only one of the two symbols of a
// constructor that nobody calls and that is inline.
#if defined(__clang__)
#define TUTTI_BODY __attribute__((weak))
#else
#define TUTTI_BODY __attribute__((used)) inline
#endif
#else
#define TUTTI_BODIES 0
#endif

#if !defined(TUTTI_VIRTUAL)
#define TUTTI_VIRTUAL
#endif
