#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs missing packages, builds the command-line tool and drops a humanoid. Writes the trajectory to
# humanoid.csv, a plot to humanoid.svg and a picture of the fall to humanoid_fall.svg, in the current folder.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
. "$source/cmake/setup.sh"

cd "$source"
cmake --preset release -DCORTEN_BUILD_BENCH=OFF >/dev/null
cmake --build --preset release --target corten_cli --parallel "$jobs"
cd - >/dev/null
"$source/build/release/examples/corten" simulate --csv humanoid.csv --svg humanoid.svg \
  --picture humanoid_fall.svg "$@"
