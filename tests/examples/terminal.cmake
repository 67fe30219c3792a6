# SPDX-License-Identifier: BSL-1.0
# What PROGRAM, the program tutti, leaves on a terminal, which SCRIPT (of util-linux) makes: what it prints elsewhere, and
# nothing of the progress line, whether or not it took so long that there was one. LOG: a file for what came. RANKS: of which
# twenty simulated rings take some seconds here.
string(ASCII 27 escape)
set(ENV{NO_COLOR} 1)
unset(ENV{COLUMNS})

# What is before the program's name: ARGN
function(at_terminal words)
  execute_process(COMMAND ${SCRIPT} --quiet --return --flush --command "${ARGN} '${PROGRAM}' ${words}" ${LOG} RESULT_VARIABLE code
                  INPUT_FILE /dev/null OUTPUT_QUIET)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "tutti ${words}, at a terminal, ends with ${code}")
  endif()
  file(READ ${LOG} came)
  string(REGEX REPLACE "^Script started[^\n]*\n" "" came "${came}")
  string(REGEX REPLACE "\n*Script done[^\n]*\n*$" "" came "${came}")
  string(REPLACE "\r\n" "\n" came "${came}")
  set(came "${came}" PARENT_SCOPE)
  string(REGEX REPLACE "[^\n]*\r${escape}\\[K" "" screen "${came}") # what a line had before it was erased
  string(REGEX REPLACE "\n+$" "" screen "${screen}")
  set(screen "${screen}" PARENT_SCOPE)
endfunction()

foreach(words "simulate --algorithm ring --size ${RANKS}" "cost --size 32K --bytes 8"
              "verify --collective allreduce --size 1..8")
  at_terminal("${words}")
  separate_arguments(list UNIX_COMMAND "${words}")
  execute_process(COMMAND ${PROGRAM} ${list} OUTPUT_VARIABLE expected COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "\n+$" "" expected "${expected}")
  if(NOT screen STREQUAL expected)
    message(FATAL_ERROR "tutti ${words}\n---- leaves on a terminal\n${screen}\n---- and prints elsewhere\n${expected}")
  endif()
endforeach()

# This takes longer than a person likes to wait, on any machine: there is a line.
at_terminal("simulate --algorithm ring --size ${RANKS} --repeat 20")
if(NOT came MATCHES "\r${escape}\\[Ksimulate: [0-9]+ of 20, [^\n]* left")
  message(FATAL_ERROR "no progress line comes:\n${came}")
endif()

# Lines are as wide as the terminal, or as COLUMNS says, those of mistakes too.
foreach(words "cost --size 8" "cost --help" "cost --nothing || true")
  foreach(before "stty cols 60 &&" "stty cols 200 && COLUMNS=60")
    at_terminal("${words}" "${before}")
    string(REGEX REPLACE "[]\\;[]" "|" lines "${screen}") # a list would take them for its own
    string(REPLACE "\n" ";" lines "${lines}")
    set(count 0)
    foreach(line IN LISTS lines)
      math(EXPR count "${count} + 1")
      string(LENGTH "${line}" length)
      if(length GREATER 60)
        message(FATAL_ERROR "${before} tutti ${words}: a line of ${length} characters\n${line}")
      endif()
    endforeach()
    if(count LESS 5)
      message(FATAL_ERROR "${before} tutti ${words} says hardly anything:\n${screen}")
    endif()
  endforeach()
endforeach()

# The best stands out, unless it must not: see above.
unset(ENV{NO_COLOR})
set(ENV{TERM} xterm)
at_terminal("cost --size 8")
if(NOT screen MATCHES "\n${escape}\\[1m[^\n]* the least time${escape}\\[0m\n")
  message(FATAL_ERROR "nothing is bold:\n${screen}")
endif()
set(ENV{TERM} dumb)
at_terminal("cost --size 8")
if(screen MATCHES "${escape}")
  message(FATAL_ERROR "a dumb terminal gets:\n${screen}")
endif()
