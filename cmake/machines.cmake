# SPDX-License-Identifier: BSL-1.0

# tutti_embed_machines(SOURCE FOLDER): writes a source file that holds the files FOLDER/*.machine, so that the program
# finds them wherever it is.
function(tutti_embed_machines source folder)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.machine)
  list(SORT files)
  set(entries "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    cmake_path(GET file STEM name)
    file(READ ${file} text)
    string(APPEND entries "    {\"${name}\", R\"machine(${text})machine\"},\n")
  endforeach()
  file(
    CONFIGURE
    OUTPUT ${source}
    CONTENT [[
// Written from the files in machines/.
#include <examples/tutti/machine_choice.hpp>

namespace program {

namespace {
constexpr built_in_machine machines[]{
@entries@};
} // namespace

std::span<const built_in_machine> built_in_machines() { return machines; }

} // namespace program
]]
    @ONLY)
endfunction()
