# SPDX-License-Identifier: BSL-1.0
# Runs the statistics program, PROGRAM, on files made in WORK, by 1 to 7 ranks. It compares itself with a serial pass,
# which takes the same steps byte by byte; here the answers are known. Lines cross the borders of parts, also of several.
file(MAKE_DIRECTORY ${WORK})
set(faults 0)

# check(NAME CONTENT LENGTH AT NEWLINES [MOMENTS])
function(check name content length at newlines)
  file(WRITE ${WORK}/${name} "${content}")
  foreach(ranks RANGE 1 7)
    execute_process(COMMAND ${PROGRAM} ${WORK}/${name} ${ranks} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
    set(wanted "${ARGN}.*; ${newlines} newlines, longest line ${length} at ${at}\nall agree")
    if(NOT code EQUAL 0 OR NOT out MATCHES "${wanted}")
      message(SEND_ERROR "${name}, ${ranks} ranks: ended with ${code}, wanted ${wanted}\n${out}${err}")
    endif()
  endforeach()
endfunction()

string(REPEAT "x" 1000 x)
string(REPEAT "ab c\n" 40 short)
check(across_all "first\n${x}${x}${x}\nlast" 3000 6 2)
check(at_the_end "${short}${x}" 1000 200 40)
check(at_the_beginning "${x}\n${short}" 1000 0 41)
check(in_the_middle "${short}${x}\n${short}" 1000 200 81)
check(last_of_equals "${short}" 4 195 40)
check(one_line "${x}" 1000 0 0)
check(newlines_only "\n\n\n\n\n" 0 4 5) # what is behind the last newline is no line
check(fewer_bytes_than_ranks "a\nbc" 2 2 1)
check(nothing "" 0 0 0 "0 bytes, mean 0, variance 0")
check(known_moments "aabbbb" 6 0 0 "6 bytes, mean 97[.]6667, variance 0[.]222222")
