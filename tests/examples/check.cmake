# SPDX-License-Identifier: BSL-1.0
# Runs PROGRAM with ARGUMENTS (a list). It must end with CODE, and print text that matches OUT, and errors that match
# ERR, where these are given.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
set(said "${PROGRAM} ${ARGUMENTS}\n---- output\n${out}\n---- errors\n${err}")
if(NOT "${code}" STREQUAL "${CODE}")
  message(FATAL_ERROR "ended with ${code}, not ${CODE}: ${said}")
endif()
if(DEFINED OUT AND NOT "${out}" MATCHES "${OUT}")
  message(FATAL_ERROR "the output does not match ${OUT}: ${said}")
endif()
if(DEFINED ERR AND NOT "${err}" MATCHES "${ERR}")
  message(FATAL_ERROR "the errors do not match ${ERR}: ${said}")
endif()
