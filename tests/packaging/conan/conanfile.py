# SPDX-License-Identifier: BSL-1.0
import os
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanException
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class TuttiTestConan(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False  # nothing is written beside this file
        toolchain.cache_variables["WANT_COMPILED"] = bool(self.dependencies["tutti"].options.compiled)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        self.compare_files()
        if can_run(self):
            self.run(os.path.join(self.cpp.build.bindir, "packaged"), env="conanrun")

    def compare_files(self):
        sources = Path(self.recipe_folder).parents[2]
        package = Path(self.dependencies["tutti"].package_folder)

        def files(folder, pattern):
            return {str(file.relative_to(folder)) for file in folder.rglob(pattern) if file.is_file()}

        includes = ("include", "adapters/mpi/include", "adapters/boost_mpi/include")
        wanted = {f"include/{file}" for include in includes for file in files(sources / include, "*.hpp")}
        wanted.add("licenses/LICENSE")
        if self.dependencies["tutti"].options.compiled:
            wanted.add("lib/libtutti.a")
        packaged = files(package, "*") - {"conaninfo.txt", "conanmanifest.txt"}
        if packaged != wanted:
            raise ConanException(f"the package lacks {sorted(wanted - packaged)}, and has besides {sorted(packaged - wanted)}")
