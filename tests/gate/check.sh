#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh OBJECT [NM]: may the functions in this object run on a device? Reads the object's symbols and the
# call graph that g++ -fcallgraph-info=su wrote next to it.
set -eu
object=$1
nm=${2:-nm}
graph=${object%.o}.ci
stack_plain=16384  # bytes, along the deepest chain of calls, for float and double
stack_dual=65536   # a dual of four directions is five doubles wide

# ---- outside calls: only mathematics and memory -------------------------------------------------------
math='acos|asin|atan|atan2|cbrt|ceil|copysign|cos|cosh|exp|exp2|fabs|floor|fmax|fmin|fmod|hypot|log|log10|log2'
math="$math|nearbyint|pow|rint|round|sin|sincos|sinh|sqrt|tan|tanh|trunc"
allowed="^(($math)f?|memcpy|memset|memmove|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_)\$"
outside=$("$nm" -u "$object" | awk '{ print $NF }' | grep -Ev "$allowed" || true)
if [ -n "$outside" ]; then
  echo "calls that a device does not have:"
  echo "$outside" | c++filt 2>/dev/null || echo "$outside"
  exit 1
fi

# ---- stack, recursion, calls through pointers ---------------------------------------------------------
[ -r "$graph" ] || { echo "no call graph $graph"; exit 1; }
awk -v plain="$stack_plain" -v dual="$stack_dual" '
  function quoted(line, key,    rest) {
    rest = substr(line, index(line, key) + length(key))
    return substr(rest, 1, index(rest, "\"") - 1)
  }
  /^node:/ {
    name = quoted($0, "title: \"")
    label = quoted($0, "label: \"")
    if (match(label, /[0-9]+ bytes \([a-z,]+\)/)) {
      frame[name] = substr(label, RSTART, RLENGTH) + 0
      if (label ~ /\(dynamic\)/) fail("unbounded stack in " name)
    }
  }
  /^edge:/ {
    from = quoted($0, "sourcename: \"")
    to = quoted($0, "targetname: \"")
    if (to == "__indirect_call") fail("call through a pointer in " from)
    callees[from] = callees[from] " " to
  }
  function fail(why) { print why; bad = 1 }
  # bytes of the deepest chain of calls from f
  function depth(f,    list, n, i, d, most) {
    if (f in done) return done[f]
    if (f in active) { fail("recursion through " f); return 0 }
    active[f] = 1
    n = split(callees[f], list, " ")
    most = 0
    for (i = 1; i <= n; ++i) { d = depth(list[i]); if (d > most) most = d }
    delete active[f]
    return done[f] = most + frame[f]
  }
  END {
    for (f in frame) {
      if (f !~ /^gate_/) continue
      ++found
      limit = f ~ /^gate_dual/ ? dual : plain
      d = depth(f)
      printf "%-20s %6d bytes of stack\n", f, d
      if (d > limit) fail(f " needs more than " limit " bytes of stack")
    }
    if (!found) fail("none of the functions is in the call graph")
    exit bad
  }' "$graph"
