// SPDX-License-Identifier: Apache-2.0
//
// A Spec is a model as its author sees it: a tree of named elements with optional attributes and
// default classes. It is read from MJCF or built in code, can be edited freely, and compile() turns
// it into a Model.
#pragma once

#include <string>
#include <string_view>

#include <corten/core/list.hpp>
#include <corten/spec/elements.hpp>
#include <corten/spec/elements_of.hpp>

namespace corten {

namespace spec {

// A default class. As in MuJoCo, a class starts as a copy of its parent (see Spec::add_default), so
// its members hold everything that applies to its elements. Later changes to the parent do not
// affect it, and resolving an element takes only one class.
struct Default {
  std::string name;
  int parent = -1;  // index in Spec::defaults; -1: this is main
  Location where;
  Mesh mesh;
  Material material;
  Joint joint;
  Geom geom;
  Site site;
  Camera camera;
  Light light;
  Pair pair;
  Equality equality;
  Tendon tendon;
  Sensor sensor;
  Actuator actuator;  // in general form: the reader expands the shortcuts of a class at once
};

}  // namespace spec

struct Spec {
  std::string model_name = "MuJoCo Model";
  spec::Compiler compiler;
  spec::Option option;
  spec::Size size;
  spec::Statistic statistic;
  spec::Visual visual;
  spec::ElementsOf<spec::Default> defaults;  // the first is main
  spec::ElementsOf<spec::Texture> textures;
  spec::ElementsOf<spec::Material> materials;
  spec::ElementsOf<spec::Skin> skins;
  spec::ElementsOf<spec::Flex> flexes;
  spec::ElementsOf<spec::Soft> softs;
  spec::ElementsOf<spec::Mesh> meshes;
  spec::ElementsOf<spec::HField> hfields;
  spec::Body world;
  spec::ElementsOf<spec::Pair> pairs;
  spec::ElementsOf<spec::Exclude> excludes;
  spec::ElementsOf<spec::Tendon> tendons;
  spec::ElementsOf<spec::Equality> equalities;
  spec::ElementsOf<spec::Actuator> actuators;
  spec::ElementsOf<spec::Sensor> sensors;
  spec::ElementsOf<spec::Numeric> numerics;
  spec::ElementsOf<spec::Text> texts;
  spec::ElementsOf<spec::Tuple> tuples;
  spec::ElementsOf<spec::Key> keys;
  std::string directory;         // the directory of its file; ends in a slash
  bool lenient = false;          // read by a lenient reader; the compiler then accepts the same
  List<spec::Compiler> origins;  // of attached models; Element::origin counts them from 1
  List<Error> warnings;          // what the reader ignored, such as text between elements

  CORTEN_HOST Spec();
  CORTEN_HOST Spec(const Spec&);
  CORTEN_HOST Spec(Spec&&) noexcept;
  CORTEN_HOST Spec& operator=(const Spec&);
  CORTEN_HOST Spec& operator=(Spec&&) noexcept;
  CORTEN_HOST ~Spec();

  // index of a class, or -1
  int find_default(std::string_view name) const {
    for (std::size_t i = 0; i < defaults.size(); ++i) {
      if (defaults[i].name == name) return static_cast<int>(i);
    }
    return -1;
  }

  // adds a class as a copy of its parent
  spec::Default& add_default(std::string name, int parent = 0) {
    CORTEN_ASSERT(parent >= 0 && parent < static_cast<int>(defaults.size()));
    spec::Default copy = defaults[static_cast<std::size_t>(parent)];
    copy.name = std::move(name);
    copy.parent = parent;
    copy.where = {};
    return defaults.push_back(copy);
  }
};

}  // namespace corten

#ifndef CORTEN_EXTERN_TEMPLATES
#include <corten/spec/spec_impl.hpp>
#endif
