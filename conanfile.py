# SPDX-License-Identifier: BSL-1.0
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout

required_conan_version = ">=2.0"


class TuttiConan(ConanFile):
    name = "tutti"
    description = "Collective communication as values: proved, the same everywhere, fast"
    license = "BSL-1.0"
    topics = ("collective", "allreduce", "mpi", "parallel", "header-only")
    settings = "os", "arch", "compiler", "build_type"
    # compiled: what is no template in an archive, so that users of it compile faster
    options = {"compiled": [True, False]}
    default_options = {"compiled": False}
    exports_sources = "include/*", "src/*", "adapters/*", "cmake/*", "machines/*", "CMakeLists.txt", "LICENSE"
    no_copy_source = True
    test_package_folder = "tests/packaging/conan"

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include", "tutti", "version.hpp"))
        parts = (re.search(rf"#define TUTTI_VERSION_{part} (\d+)", header) for part in ("MAJOR", "MINOR", "PATCH"))
        self.version = ".".join(part.group(1) for part in parts)

    def layout(self):
        basic_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def configure(self):
        self.package_type = "static-library" if self.options.compiled else "header-library"

    def package_id(self):
        if not self.info.options.compiled:
            self.info.clear()

    def generate(self):
        if self.options.compiled:
            toolchain = CMakeToolchain(self)
            for what in ("BUILD_TESTS", "BUILD_EXAMPLES", "BUILD_BENCH", "PROGRAM", "WITH_MPI", "WITH_BOOST_MPI"):
                toolchain.cache_variables[f"TUTTI_{what}"] = False
            toolchain.cache_variables["TUTTI_COMPILED"] = True
            toolchain.generate()

    def build(self):
        if self.options.compiled:
            cmake = CMake(self)
            cmake.configure()
            cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        # The adapters are headers as well; who includes one brings MPI, or Boost.MPI, along.
        for include in ("include", "adapters/mpi/include", "adapters/boost_mpi/include"):
            copy(self, "*.hpp", os.path.join(self.source_folder, include), os.path.join(self.package_folder, "include"))

        if self.options.compiled:
            copy(self, "*.a", self.build_folder, os.path.join(self.package_folder, "lib"), keep_path=False)

    def package_info(self):
        self.cpp_info.bindirs = []
        if self.options.compiled:
            self.cpp_info.libs = ["tutti"]
            self.cpp_info.defines = ["TUTTI_COMPILED"]
        else:
            self.cpp_info.libdirs = []
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]
        self.cpp_info.set_property("cmake_file_name", "tutti")
        self.cpp_info.set_property("cmake_target_name", "tutti::tutti")
        if self.options.compiled:
            self.cpp_info.set_property("cmake_target_aliases", ["tutti::compiled"])  # as where CMake installs it
