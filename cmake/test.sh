#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs missing packages, then builds and runs the tests. Those that read files and manage memory run under
# the sanitizers (the asan preset alone runs all tests that way), the others without. CI runs only this script.
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
run gcc "-DCORTEN_TEST_SKIP=$sanitized"
