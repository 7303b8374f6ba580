#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs missing packages, then builds and runs the tests. Those that read files and manage memory are compiled by
# g++ and run under the sanitizers (the asan preset alone runs all tests that way). The others are compiled by clang,
# which takes half the time, with g++ where clang is missing; the device gate and the checks of headers call both. The
# presets gcc and clang run everything with one compiler. CI runs only this script.
set -eu
cd "$(dirname "$0")/.."
corten_testing=yes
. cmake/setup.sh

run() {
  preset=$1
  shift
  echo "== $preset"
  cmake --preset $preset "$@" >/dev/null
  cmake --build --preset $preset --parallel "$jobs"
  ctest --preset $preset --parallel "$jobs"
}
sanitized="core;model;data;mjcf;spec;compile;asset;io"
run asan "-DCORTEN_TEST_FOLDERS=$sanitized" -DCORTEN_PRECOMPILED_SCALARS=double
if command -v clang++-19 >/dev/null; then
  run clang "-DCORTEN_TEST_SKIP=$sanitized" -DCMAKE_CXX_COMPILER=clang++-19
else
  run gcc "-DCORTEN_TEST_SKIP=$sanitized"
fi
