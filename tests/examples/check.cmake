# SPDX-License-Identifier: BSL-1.0
# Runs COMMAND (a list). It must end with CODE, or not with 0 if that is `failure`, and print text that matches OUT, and
# errors that match ERR, where these are given.
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
set(said "${COMMAND}\n---- output\n${out}\n---- errors\n${err}")
if(CODE STREQUAL "failure")
  if("${code}" STREQUAL "0")
    message(FATAL_ERROR "ended with 0: ${said}")
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
