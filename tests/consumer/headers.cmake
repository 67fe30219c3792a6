# SPDX-License-Identifier: BSL-1.0

# check_headers(FOLDER TUTTI): FOLDER holds the headers of tutti's sources and of its adapters, and nothing else
function(check_headers folder tutti)
  set(wanted)
  foreach(include include adapters/mpi/include adapters/boost_mpi/include)
    file(GLOB_RECURSE headers RELATIVE ${tutti}/${include} ${tutti}/${include}/*.hpp)
    list(APPEND wanted ${headers})
  endforeach()
  list(SORT wanted)
  file(GLOB_RECURSE installed RELATIVE ${folder} ${folder}/*)
  if(NOT "${wanted}" STREQUAL "${installed}")
    message(FATAL_ERROR "installed headers\n  ${installed}\nare not those of the sources\n  ${wanted}")
  endif()
endfunction()
