# SPDX-License-Identifier: BSL-1.0

# For tutti's own programs only: never linked by the tutti target and never exported.
add_library(tutti_warnings INTERFACE)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(tutti_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow)
  if(TUTTI_WERROR)
    target_compile_options(tutti_warnings INTERFACE -Werror)
  endif()
endif()
