#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that everything corten needs to build is installed, for the scripts in this folder. On Debian and its
# derivatives it installs missing packages (as root, or through sudo), and for the tests ($corten_testing) another
# compiler too. On other systems it prints what to install. Sets $jobs to the number of compilers to run at once,
# and exports the generator for CMake.

# does the compiler accept this text with these options?
corten_compiles() {
  text=$1
  shift
  printf "$text" | ${CXX:-g++} "$@" -I/usr/include/eigen3 -I/usr/local/include/eigen3 -x c++ -E - >/dev/null 2>&1
}

# the missing packages, by their Debian names
corten_missing() {
  command -v "${CXX:-g++}" >/dev/null || echo g++
  command -v cmake >/dev/null || echo cmake
  command -v ninja >/dev/null || command -v make >/dev/null || echo make
  corten_compiles '#include <Eigen/Core>\n' || echo libeigen3-dev
  corten_compiles '#include <rapidxml/rapidxml.hpp>\n' || echo librapidxml-dev
  # version 2 and version 3
  corten_compiles '#include <catch2/catch.hpp>\n' || corten_compiles '#include <catch2/catch_all.hpp>\n' || echo catch2
}

# the same for what only the tests need: the compilers that check the headers, which are the newest clang in Debian 12
# and its libc++, the last one that cannot parse floating-point numbers; Boost's multiprecision numbers; Doxygen,
# which must find nothing to complain about; and a browser for the viewer's pages
corten_missing_for_tests() {
  corten_compiles '#include <boost/multiprecision/cpp_bin_float.hpp>\n' || echo libboost-dev
  corten_compiles '#include <fast_float/fast_float.h>\n' || echo libfast-float-dev
  command -v doxygen >/dev/null || echo doxygen
  command -v chromium >/dev/null || command -v google-chrome >/dev/null || echo chromium
  command -v clang++-19 >/dev/null || echo clang-19
  CXX=clang++-19 corten_compiles '#include <version>\n' -stdlib=libc++ || echo libc++-19-dev
  CXX=clang++-19 corten_compiles '#include <omp.h>\n' -fopenmp || echo libomp-19-dev
}

corten_install() {
  as_root=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "please install as root: $*" >&2; exit 1; }
    as_root=sudo
  fi
  echo "installing $*"
  # a fresh machine has no package lists yet
  for attempt in first second; do
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" </dev/null && return
    [ $attempt = second ] || $as_root apt-get update </dev/null
  done
  exit 1
}

missing=$(corten_missing)
if [ -n "$missing" ]; then
  if command -v apt-get >/dev/null; then
    corten_install $missing
  else
    echo "corten needs a C++20 compiler, CMake 3.21, make or ninja, Eigen 3.4, RapidXML (reachable as" >&2
    echo "<rapidxml/rapidxml.hpp>) and, for its tests, Catch2 2 or 3. Missing here, by their Debian" >&2
    echo "names:" $missing >&2
  fi
fi

if [ -n "${corten_testing:-}" ] && command -v apt-get >/dev/null; then
  missing=$(corten_missing_for_tests)
  if [ -n "$missing" ]; then
    (corten_install $missing) || echo "continuing without; the headers are checked with the compilers found"
  fi
fi

if [ -z "${CMAKE_GENERATOR:-}" ] && command -v ninja >/dev/null; then
  export CMAKE_GENERATOR=Ninja
fi
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
