# SPDX-License-Identifier: BSL-1.0
# Runs PROGRAM with ARGUMENTS (a list). It must end with CODE, or with 0 or not (SUCCESS), and print text that matches
# OUT, and errors that match ERR, where these are given.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
set(said "${PROGRAM} ${ARGUMENTS}\n---- output\n${out}\n---- errors\n${err}")
if(DEFINED SUCCESS)
  if(SUCCESS AND NOT "${code}" STREQUAL "0" OR NOT SUCCESS AND "${code}" STREQUAL "0")
    message(FATAL_ERROR "ended with ${code}: ${said}")
  endif()
elseif(NOT "${code}" STREQUAL "${CODE}")
  message(FATAL_ERROR "ended with ${code}, not ${CODE}: ${said}")
endif()
if(DEFINED OUT AND NOT "${out}" MATCHES "${OUT}")
  message(FATAL_ERROR "the output does not match ${OUT}: ${said}")
endif()
if(DEFINED ERR AND NOT "${err}" MATCHES "${ERR}")
  message(FATAL_ERROR "the errors do not match ${ERR}: ${said}")
endif()
