# SPDX-License-Identifier: Apache-2.0
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout

required_conan_version = ">=2.0"


class CortenConan(ConanFile):
    name = "corten"
    description = "Header-only multibody dynamics with contact, conformant with MuJoCo"
    license = "Apache-2.0"
    topics = ("physics", "robotics", "simulation", "mujoco", "automatic-differentiation", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "include/*", "cmake/corten_precompiled.cmake", "cmake/precompiled/*", "LICENSE"
    no_copy_source = True

    def set_version(self):
        # the headers are the product, so the version is read from them
        text = load(self, os.path.join(self.recipe_folder, "include", "corten", "version.hpp"))
        parts = re.findall(r"define CORTEN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text)
        self.version = ".".join(parts)

    def layout(self):
        basic_layout(self)

    def requirements(self):
        # included by public headers, so users of corten need them too
        self.requires("eigen/[>=3.4 <4]", transitive_headers=True)
        self.requires("rapidxml/1.13", transitive_headers=True)

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))
        for part in ("corten_precompiled.cmake", "precompiled/*.cpp"):
            copy(self, part, os.path.join(self.source_folder, "cmake"), os.path.join(self.package_folder, "cmake"))

    def package_info(self):
        # corten::precompiled is compiled in the project that links it, with its flags, so the package holds its
        # sources and stays the same for every compiler; with CMakeDeps, find_package(corten) defines the target
        self.cpp_info.set_property("cmake_build_modules", [os.path.join("cmake", "corten_precompiled.cmake")])
        self.cpp_info.set_property("cmake_file_name", "corten")
        self.cpp_info.set_property("cmake_target_name", "corten::corten")
        self.cpp_info.set_property("pkg_config_name", "corten")
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
