# An overlay port of the tree it lies in:  vcpkg install tutti --overlay-ports=<tutti>/tests/packaging/vcpkg
# A port in a registry replaces the next line by vcpkg_from_github(... REF v${VERSION} ...).
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES compiled TUTTI_COMPILED)
if(NOT TUTTI_COMPILED)
  set(VCPKG_BUILD_TYPE release) # header-only
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DTUTTI_BUILD_TESTS=OFF -DTUTTI_BUILD_EXAMPLES=OFF -DTUTTI_BUILD_BENCH=OFF -DTUTTI_PROGRAM=OFF ${features})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/tutti)

# vcpkg has licences in a place of its own, and headers and the like once for both build types.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/licenses" "${CURRENT_PACKAGES_DIR}/debug/include"
     "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
