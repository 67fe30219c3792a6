# SPDX-License-Identifier: BSL-1.0

# Sets `result` to the version written in include/tutti/version.hpp, the only place that has it.
function(tutti_read_version result)
  set(header ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../include/tutti/version.hpp)
  set(parts)
  foreach(part MAJOR MINOR PATCH)
    file(STRINGS ${header} line REGEX "^#define TUTTI_VERSION_${part} [0-9]+$")
    if(NOT line MATCHES "([0-9]+)$")
      message(FATAL_ERROR "${header} has no line '#define TUTTI_VERSION_${part} <number>'")
    endif()
    list(APPEND parts ${CMAKE_MATCH_1})
  endforeach()
  list(JOIN parts "." version)
  set(${result} ${version} PARENT_SCOPE)
endfunction()
