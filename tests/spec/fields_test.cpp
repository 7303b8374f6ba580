// SPDX-License-Identifier: Apache-2.0
#include <corten/spec/elements.hpp>
#include <corten/spec/field_table.hpp>
#include <corten/spec/suggest.hpp>

#include <set>
#include <string>
#include <vector>

#include "../support/catch.hpp"

using namespace corten;
using spec::Leading;
using spec::Numbers;

namespace {

struct Names {
  std::vector<std::string>& out;
  template <class... T>
  void operator()(spec::Attribute a, T&...) const {
    out.push_back(a.name);
  }
  template <class... T>
  requires(std::is_same_v<T, spec::Orientation>&&...) void operator()(spec::Attribute,
                                                                      T&... orientation) const {
    spec::Orientation::fields(*this, orientation...);
  }
};

template <class T>
std::vector<std::string> names_of() {
  std::vector<std::string> out;
  T element;
  T::fields(Names{out}, element);
  return out;
}

template <class T>
void check_unique() {
  const auto names = names_of<T>();
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
}

}  // namespace

TEST_CASE("leading numbers: what is given wins, the rest is the default's", "[spec]") {
  const Leading<3> none;
  CHECK_FALSE(none.has_value());
  CHECK(none.value_or({1, 2, 3}) == Numbers<3>{1, 2, 3});

  const Leading<3> one = {5};
  CHECK(one.count == 1);
  CHECK(one.value_or({1, 2, 3}) == Numbers<3>{5, 2, 3});

  Leading<3> base = {7, 8};
  base.overlay(one);
  CHECK(base == Leading<3>{5, 8});
  base.overlay({1, 2, 3});
  CHECK(base == Leading<3>{1, 2, 3});
  base.overlay(none);
  CHECK(base.count == 3);
  CHECK(Leading<2>::all({4, 5}).count == 2);
}

template <class T>
T overlay(const T& base, T over) {
  spec::inherit(over, base);
  return over;
}

TEST_CASE("a class fills what is absent and nothing else", "[spec]") {
  spec::Geom base;
  base.density = 500;
  base.friction = {2, 0.5};
  base.material = "steel";
  base.name = "of the class";
  spec::Geom over;
  over.name = "head";
  over.density = 1000;  // equal to the built-in default, but explicit
  over.friction = {3};
  const spec::Geom out = overlay(base, over);
  CHECK(out.name == "head");
  CHECK(out.density == 1000.0);
  CHECK(out.friction == Leading<3>{3, 0.5});
  CHECK(out.material == "steel");
  CHECK_FALSE(out.mass.has_value());
}

// In MuJoCo 3.12 the alternatives to quat are inherited together, separately from quat.
TEST_CASE("orientations of a class", "[spec]") {
  spec::Site base;
  base.orientation.euler = Numbers<3>{90, 0, 0};
  spec::Site over;
  CHECK(overlay(base, over).orientation.euler == Numbers<3>{90, 0, 0});

  over.orientation.zaxis = Numbers<3>{1, 0, 0};
  const auto replaced = overlay(base, over).orientation;
  CHECK(replaced.zaxis.has_value());
  CHECK_FALSE(replaced.euler.has_value());

  over.orientation = {};
  over.orientation.quat = Numbers<4>{1, 0, 0, 0};
  const auto both = overlay(base, over).orientation;
  CHECK(both.euler.has_value());
  CHECK(both.quat.has_value());
}

TEST_CASE("every field list names each attribute once", "[spec]") {
  check_unique<spec::Compiler>();
  check_unique<spec::Option>();
  check_unique<spec::Flags>();
  check_unique<spec::Size>();
  check_unique<spec::Statistic>();
  check_unique<spec::Inertial>();
  check_unique<spec::Joint>();
  check_unique<spec::Geom>();
  check_unique<spec::Site>();
  check_unique<spec::Camera>();
  check_unique<spec::Light>();
  check_unique<spec::Body>();
  check_unique<spec::Texture>();
  check_unique<spec::Material>();
  check_unique<spec::Pair>();
  check_unique<spec::Exclude>();
  check_unique<spec::Tendon>();
  check_unique<spec::Actuator>();
  check_unique<spec::Sensor>();
  check_unique<spec::Key>();
  CHECK(names_of<spec::Flags>().size() == 27);
  CHECK(names_of<spec::Geom>().size() == 35);
}

TEST_CASE("flags become MuJoCo's bits", "[spec]") {
  spec::Flags flags;
  CHECK(flags.disableflags() == 0);
  CHECK(flags.enableflags() == 0);
  flags.constraint = spec::Switch::enable;  // the default anyway
  flags.gravity = spec::Switch::disable;
  flags.multiccd = spec::Switch::disable;
  flags.override_ = spec::Switch::disable;
  flags.energy = spec::Switch::enable;
  flags.diagexact = spec::Switch::enable;
  flags.strictsolver = spec::Switch::enable;  // corten's own, after MuJoCo's
  CHECK(flags.disableflags() == (disable_gravity | disable_multiccd));
  CHECK(flags.enableflags() == (enable_energy | enable_diagexact | enable_strictsolver));
}

TEST_CASE("keywords and values", "[spec]") {
  CHECK(spec::word_of(GeomType::ellipsoid) == "ellipsoid");
  CHECK(spec::word_of(Integrator::euler) == "Euler");
  CHECK(spec::word_of(spec::SleepPolicy::automatic_never).empty());
  CHECK(static_cast<int>(spec::SleepPolicy::init) == 5);
}

TEST_CASE("suggestions", "[spec]") {
  const std::vector<std::string_view> known = {"pos", "quat", "friction", "fluidcoef"};
  CHECK(spec::suggest("poss", known) == "did you mean 'pos'?");
  CHECK(spec::suggest("fricton", known) == "did you mean 'friction'?");
  CHECK(spec::suggest("QUAT", known) == "did you mean 'quat'?");
  CHECK(spec::suggest("colour", known).empty());
  CHECK(spec::suggest("", known).empty());
  CHECK(spec::edit_distance("kitten", "sitting", 5) == 3);
  CHECK(spec::edit_distance("kitten", "sitting", 2) == 3);
}
