# SPDX-License-Identifier: BSL-1.0
# cmake -DWAY=... -DTUTTI=<source> -DVERSION=... -DCOMPILER=... -DGENERATOR=... -DWORK=<folder> -P check.cmake

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(consumer ${CMAKE_CURRENT_LIST_DIR})
set(common -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER})
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

if(NOT WAY STREQUAL "add_subdirectory")
  # Installing builds nothing and must not need Catch2.
  run(${CMAKE_COMMAND} ${common} -S ${TUTTI} -B ${WORK}/tutti -DTUTTI_BUILD_TESTS=OFF -DTUTTI_BUILD_EXAMPLES=OFF
      -DTUTTI_BUILD_BENCH=OFF)
  run(${CMAKE_COMMAND} --install ${WORK}/tutti --prefix ${WORK}/prefix)
  file(GLOB_RECURSE wanted RELATIVE ${TUTTI}/include ${TUTTI}/include/*.hpp)
  file(GLOB_RECURSE installed RELATIVE ${WORK}/prefix/include ${WORK}/prefix/include/*)
  if(NOT "${wanted}" STREQUAL "${installed}")
    message(FATAL_ERROR "installed headers\n  ${installed}\nare not those of the sources\n  ${wanted}")
  endif()
endif()

if(WAY STREQUAL "wrong_version")
  # Before 1.0 only the same minor version will do: neither an older nor a newer one.
  foreach(wrong 0.0.9 0.99 1.0 9.0)
    execute_process(
      COMMAND ${CMAKE_COMMAND} ${common} -S ${consumer} -B ${WORK}/build-${wrong} -DWAY=find_package -DVERSION=${wrong}
              -DCMAKE_PREFIX_PATH=${WORK}/prefix
      RESULT_VARIABLE code
      OUTPUT_VARIABLE text
      ERROR_VARIABLE text)
    if(code EQUAL 0)
      message(FATAL_ERROR "find_package(tutti ${wrong}) accepted version ${VERSION}")
    endif()
    if(NOT text MATCHES "compatible[ \n]+with[ \n]+requested[ \n]+version \"${wrong}\"")
      message(FATAL_ERROR "find_package(tutti ${wrong}) failed, but not for the version:\n${text}")
    endif()
  endforeach()
  return()
endif()

run(${CMAKE_COMMAND} ${common} -S ${consumer} -B ${WORK}/build -DWAY=${WAY} -DVERSION=${VERSION} -DTUTTI=${TUTTI}
    -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
