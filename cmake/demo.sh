#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs missing packages, builds the command-line tool and drops a humanoid. Writes the trajectory to
# humanoid.csv, a plot to humanoid.svg and a picture of the fall to humanoid_fall.svg, in the current folder.
# CORTEN_BUILD names a build folder that is configured already; without it, the script makes build/release.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
. "$source/cmake/setup.sh"

build=${CORTEN_BUILD:-$source/build/release}
if [ -z "${CORTEN_BUILD:-}" ]; then
  (cd "$source" && cmake --preset release -DCORTEN_BUILD_BENCH=OFF >/dev/null)
fi
cmake --build "$build" --target corten_cli --parallel "$jobs"
"$build/examples/corten" simulate --csv humanoid.csv --svg humanoid.svg \
  --picture humanoid_fall.svg "$@"
