// SPDX-License-Identifier: Apache-2.0
//
// <frame>: a pose that acts on what is written in it. Frames do not become anything in the model: compile
// composes them into the elements. A body keeps its frames in one list, and what hangs on the body says in
// which of them it stands; so elements stay in document order, as MuJoCo numbers them.
#pragma once

#include <corten/core/optional.hpp>
#include <corten/spec/fields.hpp>

#include <string>

namespace corten::spec {

// what hangs on a body
struct TreeElement : Element {
  int frame = -1;  // index in Body::frames of the body that it hangs on; -1: the body itself
};

struct Frame : TreeElement {  // its own frame comes before it in the list
  std::string childclass;     // class of what is in it and names none; empty: as outside
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
