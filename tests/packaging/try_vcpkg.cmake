# SPDX-License-Identifier: BSL-1.0
#
# cmake -DWORK=<folder> [-DARCHIVE=libtutti.a] -P tests/packaging/try_vcpkg.cmake
#
# Runs the portfile of tests/packaging/vcpkg, with the feature `compiled` and without, and uses what it installs as the file
# `usage` there says. vcpkg itself is not run, since it comes neither with Debian nor from PyPI: the functions of it that the
# portfile calls are written here, to do what its documentation says of them. So a port that passes may yet displease vcpkg
# in what is not told there. One that calls anything else fails.
#
# ARCHIVE, made of these sources, is then installed as the archive of both build types: to build two takes minutes, and that
# one can be built for a package is shown by the Conan recipe.
cmake_minimum_required(VERSION 3.25)

set(port_dir ${CMAKE_CURRENT_LIST_DIR}/vcpkg)
set(consumer ${CMAKE_CURRENT_LIST_DIR}/../consumer)
include(${consumer}/headers.cmake)
cmake_path(ABSOLUTE_PATH WORK NORMALIZE)
cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_LIST_DIR NORMALIZE OUTPUT_VARIABLE here)
cmake_path(GET here PARENT_PATH here)
cmake_path(GET here PARENT_PATH tutti)

# run(COMMAND...): says nothing unless it fails; sets `printed`
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${code}:\n${text}")
  endif()
  set(printed "${text}" PARENT_SCOPE)
endfunction()

# ---- vcpkg's functions ---------------------------------------------------------------------------------------------------

file(READ ${port_dir}/vcpkg.json manifest)

# from_port(NAME): a function that another port brings needs that port among the dependencies
function(from_port name)
  string(JSON count LENGTH "${manifest}" dependencies)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON dependency ERROR_VARIABLE none GET "${manifest}" dependencies ${i} name)
    string(JSON host ERROR_VARIABLE none GET "${manifest}" dependencies ${i} host)
    if(dependency STREQUAL name AND host)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "vcpkg.json does not have the host dependency ${name}, whose function the portfile calls")
endfunction()

# no_others(PREFIX NAME): parsed arguments that nobody knows
macro(no_others prefix name)
  if(DEFINED ${prefix}_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${name} is given ${${prefix}_UNPARSED_ARGUMENTS}")
  endif()
endmacro()

# build_types(RESULT): those that vcpkg builds, the one for debugging first
function(build_types result)
  set(types)
  if(NOT DEFINED VCPKG_BUILD_TYPE OR VCPKG_BUILD_TYPE STREQUAL "debug")
    list(APPEND types Debug)
  endif()
  if(NOT DEFINED VCPKG_BUILD_TYPE OR VCPKG_BUILD_TYPE STREQUAL "release")
    list(APPEND types Release)
  endif()
  set(${result} ${types} PARENT_SCOPE)
endfunction()

function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "OUT_FEATURE_OPTIONS" "FEATURES")
  no_others(given vcpkg_check_features)
  set(options)
  while(given_FEATURES)
    list(POP_FRONT given_FEATURES feature variable)
    string(JSON known ERROR_VARIABLE unknown GET "${manifest}" features ${feature})
    if(unknown)
      message(FATAL_ERROR "vcpkg.json has no feature ${feature}: ${unknown}")
    endif()
    set(value OFF)
    if(feature IN_LIST FEATURES)
      set(value ON)
    endif()
    list(APPEND options -D${variable}=${value})
    set(${variable} ${value} PARENT_SCOPE)
  endwhile()
  set(${given_OUT_FEATURE_OPTIONS} ${options} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  from_port(vcpkg-cmake)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "SOURCE_PATH" "OPTIONS;OPTIONS_RELEASE;OPTIONS_DEBUG")
  no_others(given vcpkg_cmake_configure)
  build_types(types)
  foreach(type IN LISTS types)
    set(prefix ${CURRENT_PACKAGES_DIR})
    set(options ${given_OPTIONS} ${given_OPTIONS_RELEASE})
    if(type STREQUAL "Debug")
      set(prefix ${CURRENT_PACKAGES_DIR}/debug)
      set(options ${given_OPTIONS} ${given_OPTIONS_DEBUG})
    endif()
    run(${CMAKE_COMMAND} -S ${given_SOURCE_PATH} -B ${CURRENT_BUILDTREES_DIR}/${type} ${options} -DCMAKE_BUILD_TYPE=${type}
        -DCMAKE_INSTALL_PREFIX=${prefix} -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_BINDIR=bin -DBUILD_SHARED_LIBS=OFF
        -DCMAKE_ERROR_ON_ABSOLUTE_INSTALL_DESTINATION=ON -DCMAKE_EXPORT_NO_PACKAGE_REGISTRY=ON)
    if(printed MATCHES "Manually-specified variables were not used by the project:\n+((    [^\n]*\n)*)")
      set(unused "${CMAKE_MATCH_1}")
      foreach(option IN LISTS options)
        string(REGEX REPLACE "^-D([^:=]*).*" "\\1" option "${option}")
        if(unused MATCHES " ${option}\n")
          message(FATAL_ERROR "the portfile sets what there is not: ${option}")
        endif()
      endforeach()
    endif()
  endforeach()
endfunction()

function(vcpkg_cmake_install)
  from_port(vcpkg-cmake)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "" "")
  no_others(given vcpkg_cmake_install)
  build_types(types)
  foreach(type IN LISTS types)
    if(ARCHIVE AND TUTTI_COMPILED)
      file(COPY ${ARCHIVE} DESTINATION ${CURRENT_BUILDTREES_DIR}/${type})
      run(${CMAKE_COMMAND} --install ${CURRENT_BUILDTREES_DIR}/${type})
    else()
      run(${CMAKE_COMMAND} --build ${CURRENT_BUILDTREES_DIR}/${type} --target install)
    endif()
  endforeach()
endfunction()

# Moves the package to share/<port>, and merges in what the build for debugging says of its archive.
function(vcpkg_cmake_config_fixup)
  from_port(vcpkg-cmake-config)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "PACKAGE_NAME;CONFIG_PATH" "")
  no_others(given vcpkg_cmake_config_fixup)
  set(package ${PORT})
  if(given_PACKAGE_NAME)
    set(package ${given_PACKAGE_NAME})
  endif()
  set(share ${CURRENT_PACKAGES_DIR}/share/${package})
  build_types(types)
  foreach(type IN LISTS types)
    set(prefix ${CURRENT_PACKAGES_DIR})
    if(type STREQUAL "Debug")
      set(prefix ${CURRENT_PACKAGES_DIR}/debug)
    endif()
    set(config ${prefix}/share/${package})
    if(given_CONFIG_PATH)
      set(config ${prefix}/${given_CONFIG_PATH})
    endif()
    if(NOT IS_DIRECTORY ${config})
      message(FATAL_ERROR "there is no ${config}")
    endif()
    if(type STREQUAL "Debug")
      file(GLOB files ${config}/*-debug.cmake)
      foreach(file IN LISTS files)
        cmake_path(GET file FILENAME name)
        file(READ ${file} text)
        string(REGEX REPLACE "(\\\${_IMPORT_PREFIX})/(lib|bin)" "\\1/debug/\\2" text "${text}")
        file(WRITE ${share}/${name} "${text}")
      endforeach()
      file(REMOVE_RECURSE ${config})
    elseif(NOT config STREQUAL share)
      file(GLOB files ${config}/*)
      file(COPY ${files} DESTINATION ${share})
      file(REMOVE_RECURSE ${config})
    endif()
    cmake_path(GET config PARENT_PATH parent)
    cmake_path(GET parent FILENAME name)
    if(name STREQUAL "cmake")
      file(REMOVE_RECURSE ${parent})
    endif()
  endforeach()

  # Two folders below the prefix is where it lies now.
  set(up [[get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)]])
  file(GLOB files ${share}/*.cmake)
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REGEX REPLACE "(get_filename_component\\(_IMPORT_PREFIX \"\\\${CMAKE_CURRENT_LIST_FILE}\" PATH\\))(\nget_filename_component\\(_IMPORT_PREFIX \"\\\${_IMPORT_PREFIX}\" PATH\\))*"
                         "\\1\n${up}\n${up}" text "${text}")
    string(REGEX REPLACE "(PACKAGE_PREFIX_DIR \"\\\${CMAKE_CURRENT_LIST_DIR})/[./]*\"" "\\1/../../\"" text "${text}")
    file(WRITE ${file} "${text}")
  endforeach()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "" "FILE_LIST")
  no_others(given vcpkg_install_copyright)
  file(INSTALL ${given_FILE_LIST} DESTINATION ${CURRENT_PACKAGES_DIR}/share/${PORT} RENAME copyright)
endfunction()

# ---- What it checks when a port is built, as its page of policies has it ---------------------------------------------------

function(check_package)
  foreach(wrong debug/include debug/share bin debug/bin lib/cmake share/cmake)
    if(EXISTS ${CURRENT_PACKAGES_DIR}/${wrong})
      message(FATAL_ERROR "a package of vcpkg has no folder ${wrong}")
    endif()
  endforeach()
  foreach(wanted copyright usage)
    if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/share/${PORT}/${wanted})
      message(FATAL_ERROR "the package has no share/${PORT}/${wanted}")
    endif()
  endforeach()
  check_headers(${CURRENT_PACKAGES_DIR}/include ${tutti})

  file(GLOB_RECURSE archives RELATIVE ${CURRENT_PACKAGES_DIR} ${CURRENT_PACKAGES_DIR}/*.a)
  set(wanted)
  if("compiled" IN_LIST FEATURES)
    set(wanted debug/lib/libtutti.a lib/libtutti.a)
  endif()
  if(NOT "${wanted}" STREQUAL "${archives}")
    message(FATAL_ERROR "with features ${FEATURES} the package has the archives '${archives}' instead of '${wanted}'")
  endif()

  file(GLOB_RECURSE all LIST_DIRECTORIES true ${CURRENT_PACKAGES_DIR}/*)
  foreach(folder IN LISTS all)
    file(GLOB within ${folder}/*)
    if(IS_DIRECTORY ${folder} AND NOT within)
      message(FATAL_ERROR "the package has an empty folder, ${folder}")
    endif()
  endforeach()
endfunction()

# ---- A port installed, and used ---------------------------------------------------------------------------------------------

# install_port(FOLDER FEATURE...): what `vcpkg install` does; the package does not stay where it was made
function(install_port folder)
  file(REMOVE_RECURSE ${folder})
  set(PORT tutti)
  set(FEATURES core ${ARGN})
  set(TARGET_TRIPLET x64-linux)
  set(CURRENT_PACKAGES_DIR ${folder}/packages)
  set(CURRENT_BUILDTREES_DIR ${folder}/buildtrees)
  set(CURRENT_INSTALLED_DIR ${folder}/installed)
  set(CURRENT_PORT_DIR ${port_dir})
  string(JSON VERSION GET "${manifest}" version)
  include(${port_dir}/portfile.cmake)
  check_package()
  file(RENAME ${CURRENT_PACKAGES_DIR} ${CURRENT_INSTALLED_DIR})
endfunction()

# A paragraph of `usage` is two lines of CMake.
set(usage_headers 0)
set(usage_compiled 2)
set(usage_mpi 4)

# configure_user(FOLDER USAGE TYPE OPTION...): a project with the lines of usage_<USAGE>; sets `code` and `text`
function(configure_user folder usage type)
  file(STRINGS ${folder}/installed/share/tutti/usage lines REGEX "^    ")
  list(LENGTH lines count)
  if(NOT count EQUAL 6)
    message(FATAL_ERROR "usage has ${count} lines of CMake, and should have 6")
  endif()
  list(SUBLIST lines ${usage_${usage}} 2 lines)
  list(POP_FRONT lines find link)
  file(
    CONFIGURE
    OUTPUT ${folder}/user_${usage}/CMakeLists.txt
    CONTENT [[
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
@find@
add_executable(main @consumer@/main.cpp)
@link@
if(TARGET tutti::compiled)
  file(GENERATE OUTPUT archive CONTENT $<TARGET_LINKER_FILE:tutti::compiled>)
endif()
]]
    @ONLY)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${folder}/user_${usage} -B ${folder}/user_${usage}/${type} -DCMAKE_BUILD_TYPE=${type}
            "-DCMAKE_PREFIX_PATH=${folder}/installed;${folder}/installed/debug" ${ARGN}
    RESULT_VARIABLE code
    OUTPUT_VARIABLE text
    ERROR_VARIABLE text)
  set(code ${code} PARENT_SCOPE)
  set(text "${text}" PARENT_SCOPE)
endfunction()

# use(FOLDER USAGE TYPE OPTION...): such a project configured, built and run
function(use folder usage type)
  configure_user(${folder} ${usage} ${type} ${ARGN})
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "what the file usage says of ${usage} gave ${code}:\n${text}")
  endif()
  run(${CMAKE_COMMAND} --build ${folder}/user_${usage}/${type})
  run(${folder}/user_${usage}/${type}/main)
endfunction()

install_port(${WORK}/headers)
use(${WORK}/headers headers Debug)
message(STATUS "the port without features: installed, and an allreduce with it is right")

configure_user(${WORK}/headers mpi Debug)
string(REGEX REPLACE "[ \n]+" " " text "${text}")
if(code EQUAL 0)
  message(STATUS "its adapters: found")
elseif(text MATCHES "tutti's component (mpi|boost_mpi) needs [^,]*, which CMake does not find")
  message(STATUS "its adapters: not looked at, for ${CMAKE_MATCH_0}")
else()
  message(FATAL_ERROR "what the file usage says of mpi and boost-mpi gave ${code}:\n${text}")
endif()

install_port(${WORK}/compiled compiled)
set(archive_Debug debug/lib/libtutti.a)
set(archive_Release lib/libtutti.a)
foreach(type Debug Release)
  use(${WORK}/compiled compiled ${type} -DCMAKE_CXX_FLAGS=-DWANT_COMPILED=1)
  file(READ ${WORK}/compiled/user_compiled/${type}/archive linked)
  if(NOT linked STREQUAL "${WORK}/compiled/installed/${archive_${type}}")
    message(FATAL_ERROR "who builds for ${type} is linked with ${linked}")
  endif()
endforeach()
message(STATUS "the port with the archive: installed, and an allreduce with it is right")
