# SPDX-License-Identifier: BSL-1.0
# cmake -DWAY=... -DTUTTI=<source> -DVERSION=... -DCOMPILER=... -DGENERATOR=... -DWORK=<folder> [-DARCHIVE=libtutti.a]
#       [-DCOMPONENT=compiled|mpi|boost_mpi -DMPI_CXX_COMPILER=... "-DLAUNCHER=mpirun;..."] -P check.cmake

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/headers.cmake)
set(consumer ${CMAKE_CURRENT_LIST_DIR})
set(common -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER})
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

set(with_archive OFF)
if(COMPONENT STREQUAL "compiled")
  set(with_archive ON)
endif()
if(NOT WAY STREQUAL "add_subdirectory")
  # Installing takes the archive, if it is wanted, and needs nothing else built; it must not need Catch2.
  run(${CMAKE_COMMAND} ${common} -S ${TUTTI} -B ${WORK}/tutti -DTUTTI_BUILD_TESTS=OFF -DTUTTI_BUILD_EXAMPLES=OFF
      -DTUTTI_BUILD_BENCH=OFF -DTUTTI_COMPILED=${with_archive} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
  if(with_archive)
    file(READ ${WORK}/tutti/compile_commands.json commands)
    if(NOT commands MATCHES " -O2 [^\n]*/src/proving\\.cpp")
      message(FATAL_ERROR "without a build type the archive is not optimised")
    endif()
    # The one that the tests link: to build another takes a minute, and shows the same.
    file(COPY ${ARCHIVE} DESTINATION ${WORK}/tutti)
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${WORK}/tutti --prefix ${WORK}/prefix OUTPUT_VARIABLE text
                  COMMAND_ERROR_IS_FATAL ANY)
  if(NOT text MATCHES "tutti: the program was not built, and is not installed")
    message(FATAL_ERROR "by default the program is no part of the package, or it is not said that it was not built:\n${text}")
  endif()
  check_headers(${WORK}/prefix/include ${TUTTI})
endif()

if(WAY STREQUAL "no_mpi")
  # The adapters are components; where there is no MPI they are refused, and the package alone is not.
  set(answer_mpi "tutti's component mpi needs MPI for C\\+\\+, which CMake does not find")
  set(answer_boost_mpi "tutti's component boost_mpi needs MPI for C\\+\\+, which CMake does not find")
  set(answer_MPI "tutti has no component MPI; there are compiled, mpi and boost_mpi")
  foreach(component mpi boost_mpi MPI)
    execute_process(
      COMMAND ${CMAKE_COMMAND} ${common} -S ${consumer} -B ${WORK}/build-${component} -DWAY=find_package -DVERSION=${VERSION}
              -DCOMPONENT=${component} -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DCMAKE_PREFIX_PATH=${WORK}/prefix
      RESULT_VARIABLE code
      OUTPUT_VARIABLE text
      ERROR_VARIABLE text)
    string(REGEX REPLACE "[ \n]+" " " text "${text}")
    if(code EQUAL 0 OR NOT text MATCHES "${answer_${component}}")
      message(FATAL_ERROR "find_package(tutti COMPONENTS ${component}) without MPI gave ${code}:\n${text}")
    endif()
  endforeach()
  return()
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
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCOMPONENT=${COMPONENT} -DMPI_CXX_COMPILER=${MPI_CXX_COMPILER})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${LAUNCHER} ${WORK}/build/consumer)
if(EXISTS ${WORK}/build/own_transport)
  run(${WORK}/build/own_transport)
endif()
