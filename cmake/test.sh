#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing, then builds and runs all tests: the unit tests under the sanitizers, then
# everything. CI runs this and nothing else.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh

for preset in asan gcc; do
  echo "== $preset"
  cmake --preset $preset >/dev/null
  cmake --build --preset $preset --parallel "$jobs"
  ctest --preset $preset --parallel "$jobs"
done
