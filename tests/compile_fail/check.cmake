# SPDX-License-Identifier: BSL-1.0
# cmake -DCOMPILER=... -DCOMPILER_ID=GNU|Clang -DSOURCE=... -DINCLUDE=... -DUMBRELLA=... -P check.cmake
#
# SOURCE must not compile, and the compiler's output must match every line "// expect: <regular expression>" in it, and
# every "// expect GNU: ..." or "// expect Clang: ..." for that compiler. "// refused: allreduce <reason>" expects what
# include/tutti/collectives/refused.hpp makes of a call, "// refused: {,i,plan_}allreduce <reason>" of all three. The first
# "// refused: ...", or "// expect: ..." if there is none, is what a reader meets first: it must match the first line with an
# error, of Clang, which quotes what an error is about in a note, up to the end of its first note. With -DTUTTI_CORRECT,
# which repairs its one mistake, it must compile: so it fails for no other reason. Where an option of the compiler is the
# mistake, a line "// with: <option>" has it. The bodies that the archive has are left out: what is refused is refused by
# declarations, and they take most of the time. UMBRELLA is a header that has all of tutti, compiled before, with these
# options: it is read first, but by what has an option of its own.

set(all_errors "")
if(COMPILER_ID STREQUAL "Clang") # else it says no more than twenty
  set(all_errors -ferror-limit=0)
endif()

file(STRINGS ${SOURCE} wrong_options REGEX "^// with: ")
list(TRANSFORM wrong_options REPLACE "^// with: " "")
set(umbrella "")
if(NOT wrong_options)
  set(umbrella -include ${UMBRELLA})
endif()

function(compile output result)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${COMPILER} -std=c++20 -fsyntax-only -DTUTTI_COMPILED ${all_errors} -I${INCLUDE} ${umbrella}
            ${ARGN} ${SOURCE}
    RESULT_VARIABLE code
    OUTPUT_VARIABLE text
    ERROR_VARIABLE text
    COMMAND_ECHO NONE)
  set(${output} "${text}" PARENT_SCOPE)
  set(${result} "${code}" PARENT_SCOPE)
endfunction()

# What the compiler says of a call that is deleted for a reason.
function(refusal output name reason)
  string(REPLACE "collective::" "(tutti::)?collective::" reason "(tutti::)?refused::${reason}")
  if(COMPILER_ID STREQUAL "GNU")
    set(${output} "use of deleted function [^\n]* tutti::${name}\\(Comm&, [^\n]*Why = ${reason}" PARENT_SCOPE)
  else()
    set(${output} "call to deleted function '${name}'\n([^\n]*\n)?([^\n]*\n)?([^\n]*\n)?[^\n]* note: [^\n]*Why = ${reason}" PARENT_SCOPE)
  endif()
endfunction()

file(STRINGS ${SOURCE} refusals REGEX "^// refused: ")
set(patterns "")
foreach(line IN LISTS refusals)
  if(NOT line MATCHES "^// refused: ({,i,plan_})?([a-z_]+) (.+)$")
    message(FATAL_ERROR "${SOURCE}: not as '// refused: <call> <reason>': ${line}")
  endif()
  set(name ${CMAKE_MATCH_2})
  set(reason ${CMAKE_MATCH_3})
  set(forms ${name})
  if(CMAKE_MATCH_1)
    list(APPEND forms i${name} plan_${name})
  endif()
  foreach(form IN LISTS forms)
    refusal(pattern ${form} ${reason})
    list(APPEND patterns "${pattern}")
  endforeach()
endforeach()
file(STRINGS ${SOURCE} expectations REGEX "^// expect( ${COMPILER_ID})?: ")
foreach(line IN LISTS expectations)
  string(REGEX REPLACE "^// expect[^:]*: " "" pattern "${line}")
  list(APPEND patterns "${pattern}")
endforeach()
if(NOT patterns)
  message(FATAL_ERROR "${SOURCE}: no line '// expect: <regular expression>' for ${COMPILER_ID}")
endif()

compile(text code -DTUTTI_CORRECT)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${SOURCE}: must compile with -DTUTTI_CORRECT, but:\n${text}")
endif()

compile(text code ${wrong_options})
if(code EQUAL 0)
  message(FATAL_ERROR "${SOURCE}: compiled, but must not")
endif()
foreach(pattern IN LISTS patterns)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${SOURCE}: does not compile, as it should, but the output does not match\n  ${pattern}\n${text}")
  endif()
endforeach()

file(STRINGS ${SOURCE} first REGEX "^// expect: " LIMIT_COUNT 1)
if(refusals OR first)
  list(GET patterns 0 pattern)
  string(FIND "${text}" "error: " begin)
  string(SUBSTRING "${text}" ${begin} -1 met)
  if(COMPILER_ID STREQUAL "GNU")
    string(FIND "${met}" "\n" end)
  else()
    string(REGEX MATCH "^[^\n]*\n([^\n]*\n)?([^\n]*\n)?[^\n]* note: [^\n]*\n[^\n]*\n" error_and_note "${met}")
    string(LENGTH "${error_and_note}" end)
  endif()
  string(SUBSTRING "${met}" 0 ${end} met)
  if(NOT met MATCHES "${pattern}")
    message(FATAL_ERROR "${SOURCE}: does not compile, as it should, but what is said first does not match\n  ${pattern}\n${met}")
  endif()
endif()
