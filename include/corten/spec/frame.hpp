// SPDX-License-Identifier: Apache-2.0
//
// <frame>: a pose that applies to the elements inside it. The model has no frames: the compiler
// composes them into the poses of their elements. A body keeps its frames in one list, and each of
// its elements stores the index of the frame it is in; that way elements stay in document order, in
// which MuJoCo numbers them.
#pragma once

#include <corten/core/optional.hpp>
#include <corten/spec/fields.hpp>

#include <string>

namespace corten::spec {

// an element of a body
struct TreeElement : Element {
  int frame = -1;  // index in its body's `frames`; -1: the body itself
};

struct Frame : TreeElement {  // the frame it is in comes before it in the list
  std::string childclass;     // default class of its contents; empty: as outside
  Optional<Numbers<3>> pos;   // 0 0 0
  Orientation orientation;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("name", g.name...);
    f("childclass", g.childclass...);
    f("pos", g.pos...);
    f(nested, g.orientation...);
  }
};

}  // namespace corten::spec
