#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# kernels.sh CLANG SOURCE DIRECTORY FLAGS...: how large are the kernels of a device batch once everything is inlined,
# as compilers for devices do? Compiles to LLVM's intermediate code, where the size of a function is its own
# instructions and those of every call in it, counted once per call. Also checks the stack along the deepest chain of
# calls, and that nothing is called that a device does not have. TABLE=1 prints all kernels.
set -eu
clang=$1
source=$2
directory=$3
shift 3
most_instructions=300000
most_stack=16384
mkdir -p "$directory"
"$clang" -std=c++20 -O1 -DNDEBUG -DEIGEN_DONT_VECTORIZE -fno-exceptions -fno-rtti "$@" -S -emit-llvm "$source" \
  -o "$directory/kernels.ll"
"$clang" -O1 -fstack-usage -c "$directory/kernels.ll" -o "$directory/kernels.o"

math='acos|asin|atan|atan2|cbrt|ceil|copysign|cos|cosh|exp|exp2|fabs|floor|fmax|fmin|fmod|hypot|log|log10|log2'
math="$math|nearbyint|pow|rint|round|sin|sinh|sqrt|tan|tanh|trunc"
awk -v allowed="^(($math)f?|memcpy|memset|memmove|team_(rank|size|wait))\$" -v most="$most_instructions" -v stack="$most_stack" -v table="${TABLE:-0}" '
  function fail(why) { print why; bad = 1 }
  # the name after an @, without its quotes
  function callee(line,    rest) {
    if (!match(line, /@"?[A-Za-z0-9_.$]+"?\(/)) return ""
    rest = substr(line, RSTART + 1, RLENGTH - 2)
    gsub(/"/, "", rest)
    return rest
  }
  FNR == NR {  # the stack of each function
    split($0, field, "\t")
    name = field[1]
    sub(/^.*:/, "", name)
    frame[name] = field[2]
    if (field[3] ~ /dynamic/ && field[3] !~ /bounded/) fail("unbounded stack in " name)
    next
  }
  /^declare / {
    name = callee($0)
    if (name !~ /^llvm\./ && name !~ allowed) fail("a device does not have " name)
    next
  }
  /^define / { current = callee($0); own[current] = 0; calls[current] = ""; inside = 1; next }
  /^}/ { inside = 0; next }
  !inside || /^[^ ]/ || /^ *$/ || /^ +;/ || /llvm\.(dbg|lifetime)/ || /^    i[0-9]+ / || /^  \]/ { next }
  {
    ++own[current]
    if ($0 ~ /(call|invoke) /) {
      name = callee($0)
      if (name == "") fail("call through a pointer in " current)
      else if (name !~ /^llvm\./) calls[current] = calls[current] " " name
    }
  }
  function inlined(f,    list, n, i, sum) {
    if (f in size) return size[f]
    if (f in active) { fail("recursion through " f); return 0 }
    active[f] = 1
    n = split(calls[f], list, " ")
    sum = own[f]
    for (i = 1; i <= n; ++i) if (list[i] in own) sum += inlined(list[i])
    delete active[f]
    return size[f] = sum
  }
  function depth(f,    list, n, i, d, deepest) {
    if (f in done) return done[f]
    done[f] = 0
    n = split(calls[f], list, " ")
    deepest = 0
    for (i = 1; i <= n; ++i) if (list[i] in own) { d = depth(list[i]); if (d > deepest) deepest = d }
    return done[f] = deepest + frame[f]
  }
  END {
    for (f in own) {
      if (f !~ /gate_kernel/) continue
      ++found
      total += inlined(f)
      if (inlined(f) > largest) largest = inlined(f)
      if (depth(f) > deepest_of_all) deepest_of_all = depth(f)
      if (inlined(f) > most) fail("more than " most " instructions, " inlined(f) ": " f)
      if (depth(f) > stack) fail("more than " stack " bytes of stack, " depth(f) ": " f)
      if (table) printf "%8d instructions %6d bytes of stack %s\n", inlined(f), depth(f), f
    }
    if (!found) fail("there are no kernels")
    printf "%d kernels, %d instructions in all, %d in the largest, %d bytes of stack\n", found, total, largest,
           deepest_of_all
    exit bad
  }' "$directory/kernels.su" "$directory/kernels.ll"
