# SPDX-License-Identifier: BSL-1.0
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# But for the archive, nothing depends on the machine, so the package lives under share.
set(tutti_package_dir ${CMAKE_INSTALL_DATADIR}/cmake/tutti)

install(TARGETS tutti EXPORT tuttiTargets FILE_SET HEADERS)
install(EXPORT tuttiTargets NAMESPACE tutti:: DESTINATION ${tutti_package_dir})
if(TUTTI_COMPILED)
  install(TARGETS tutti_compiled EXPORT tutti_compiledTargets)
  install(EXPORT tutti_compiledTargets NAMESPACE tutti:: DESTINATION ${tutti_package_dir})
endif()
foreach(adapter mpi boost_mpi) # each apart, because each is there only if what it needs is found
  install(TARGETS tutti_${adapter} EXPORT tutti_${adapter}Targets FILE_SET HEADERS)
  install(EXPORT tutti_${adapter}Targets NAMESPACE tutti:: DESTINATION ${tutti_package_dir})
endforeach()

foreach(layer tutti_pmpi tutti_pmpi_abi)
  if(TUTTI_PMPI AND TARGET ${layer})
    install(TARGETS ${layer} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tuttiConfig.cmake.in ${PROJECT_BINARY_DIR}/tuttiConfig.cmake
                              INSTALL_DESTINATION ${tutti_package_dir})
# Before 1.0 a new minor version may break its users.
set(any_machine ARCH_INDEPENDENT)
if(TUTTI_COMPILED)
  set(any_machine)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tuttiConfigVersion.cmake COMPATIBILITY SameMinorVersion ${any_machine})
install(FILES ${PROJECT_BINARY_DIR}/tuttiConfig.cmake ${PROJECT_BINARY_DIR}/tuttiConfigVersion.cmake
        DESTINATION ${tutti_package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/tutti)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/machines/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tutti/machines FILES_MATCHING
        PATTERN *.machine)
