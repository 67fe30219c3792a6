# SPDX-License-Identifier: BSL-1.0
# cmake -DCOMPILER=... -DCOMPILER_ID=GNU|Clang -DSOURCE=... -DINCLUDE=... -P check.cmake
#
# SOURCE must not compile, and the compiler's output must match every line "// expect: <regular expression>" in it, and
# every "// expect GNU: ..." or "// expect Clang: ..." for that compiler. With -DTUTTI_CORRECT, which repairs its one
# mistake, it must compile: so it fails for no other reason.

function(compile output result)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${COMPILER} -std=c++20 -fsyntax-only -I${INCLUDE} ${ARGN} ${SOURCE}
    RESULT_VARIABLE code
    OUTPUT_VARIABLE text
    ERROR_VARIABLE text
    COMMAND_ECHO NONE)
  set(${output} "${text}" PARENT_SCOPE)
  set(${result} "${code}" PARENT_SCOPE)
endfunction()

file(STRINGS ${SOURCE} expectations REGEX "^// expect( ${COMPILER_ID})?: ")
if(NOT expectations)
  message(FATAL_ERROR "${SOURCE}: no line '// expect: <regular expression>' for ${COMPILER_ID}")
endif()

compile(text code -DTUTTI_CORRECT)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${SOURCE}: must compile with -DTUTTI_CORRECT, but:\n${text}")
endif()

compile(text code)
if(code EQUAL 0)
  message(FATAL_ERROR "${SOURCE}: compiled, but must not")
endif()
foreach(line IN LISTS expectations)
  string(REGEX REPLACE "^// expect[^:]*: " "" pattern "${line}")
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${SOURCE}: does not compile, as it should, but the output does not match\n  ${pattern}\n${text}")
  endif()
endforeach()
