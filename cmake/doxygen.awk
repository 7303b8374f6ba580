# SPDX-License-Identifier: Apache-2.0
#
# A filter for Doxygen. The headers are documented by plain comments, as a reader of the code wants them. This turns
# those of a file, of types and their members, and of functions into comments that Doxygen reads; comments inside
# functions stay plain. What looks like markup to Doxygen is escaped, except in code. The field lists of the model and
# of data become pages with a table.

# text of a comment, with everything between backticks left alone
function escaped(text,    parts, n, i, out) {
  if (text ~ /^     /) return text  # a block of code
  n = split(text, parts, "`")
  for (i = 1; i <= n; ++i) {
    if (i % 2 == 1) gsub(/[\\@#<>%"&|]/, "\\\\&", parts[i])
    out = out (i > 1 ? "`" : "") parts[i]
  }
  return out
}

# the scope that a brace opens, by the text before it: "type", whose members are documented, or "body"
function scope(text) {
  while (text ~ /<[^<>]*>/) gsub(/<[^<>]*>/, "", text)  # of templates, whose parameters are classes too
  gsub(/alignas\([^()]*\)|requires *\([^()]*\)/, "", text)
  if (text ~ /[()=]/) return "body"
  if (text ~ /(^|[ \t\n])(namespace|struct|class|union|enum|concept)([ \t]|$)/) return "type"
  return "body"
}

function documented(    i) {
  for (i = 1; i <= depth; ++i) if (scopes[i] == "body") return 0
  return 1
}

# keeps track of braces; strings and characters may contain some
function track(line,    i, c) {
  gsub(/\\./, "", line)
  gsub(/"[^"]*"|'[^']*'/, "", line)
  sub(/\/\/.*$/, "", line)
  for (i = 1; i <= length(line); ++i) {
    c = substr(line, i, 1)
    if (c == "{") {
      scopes[++depth] = scope(statement)
      statement = ""
    } else if (c == "}") {
      if (depth > 0) --depth
      statement = ""
    } else {
      statement = c == ";" ? "" : statement c
    }
  }
  statement = statement " "
}

# a line of a field list: X(type, name, rows, width, "meaning")
function field(line,    parts, n, i, shape) {
  sub(/^ *X\(/, "", line)
  n = split(substr(line, 1, index(line, "\"") - 1), parts, /, */)
  for (i = 3; i < n; ++i) shape = shape (i > 3 ? " × " : "") parts[i]
  gsub(/n\./, "", shape)
  sub(/^[^"]*"/, "", line)
  sub(/"\).*$/, "", line)
  if (n >= 4) fields = fields "| " parts[2] " | " parts[1] " | " shape " | " escaped(line) " |\n"
}

FILENAME ~ /(model|data)\/([a-z]+_)?fields\.hpp$/ && /^ *X\([^"]*"[^"]*"\)/ { field($0) }
END {
  if (fields == "") exit
  n = split(FILENAME, parts, /[\/.]/)
  print "/** \\page " parts[n - 2] "_" parts[n - 1] " Fields: " parts[n - 2] "/" parts[n - 1] ".hpp"
  printf "| field | type | shape | meaning |\n| --- | --- | --- | --- |\n%s*/\n", fields
}

NR == 1 { print ""; next }                        # the licence
NR == 2 { print "/// \\file"; next }
/^#pragma once/ { started = 1 }
/^#/ || continued { continued = /\\$/; print; next }  # directives, and macros over several lines
/^ *\/\/ ----/ || /^ *\/\/ clang-format/ { print ""; next }
/^ *\/\/( |$)/ {
  if (started && !documented()) { print ""; next }
  at = index($0, "//")
  print substr($0, 1, at - 1) "///" escaped(substr($0, at + 2))
  next
}
/[;,{}] +\/\/ / && documented() {                 # after a member
  at = index($0, "//")
  code = substr($0, 1, at - 1)
  track(code)
  print code (code ~ /[;,] +$/ ? "///<" : "//") escaped(substr($0, at + 2))
  next
}
/^template </ { head = head $0 "\n"; next }        # printed with what follows
/^struct (Eigen|std)::/ {                          # traits of our scalars, which belong to others
  head = ""
  skipping = 1
}
skipping { skipping = !/^};|{};$/; next }
{ track(head $0); printf "%s", head; head = ""; print }
