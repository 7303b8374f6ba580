// SPDX-License-Identifier: Apache-2.0
//
// Enumerations that only the spec needs, and the MJCF keywords of every enumeration. There is one
// table per type: keywords<GeomType> lists plane, sphere and so on.
#pragma once

#include <span>
#include <string_view>

#include <corten/core/enums.hpp>

namespace corten::spec {

enum class Switch : int { disable = 0, enable };       // of <flag>
enum class Tristate : int { no = 0, yes, automatic };  // false, true, auto
enum class Angle : int { radian = 0, degree };
enum class Coordinate : int { local = 0, global };
enum class Conflict : int { warning = 0, merge, error };
enum class FluidShape : int { none = 0, ellipsoid };
using corten::SleepPolicy;
enum class SimplePolicy : int { no = 0, automatic };
using corten::Interpolation;
enum class LengthRangeMode : int { none = 0, muscle, muscleuser, all };
using corten::Projection;
using corten::TrackMode;
enum class LightType : int { spot = 0, directional, point, image };
enum class TextureType : int { flat = 0, cube, skybox };
enum class ColorSpace : int { automatic = 0, linear, srgb };
enum class Builtin : int { none = 0, gradient, checker, flat };
enum class Mark : int { none = 0, edge, cross, random };
enum class FlexDof : int { full = 0, radial, trilinear, quadratic, plane };
enum class Elastic2d : int { none = 0, bend, stretch, both };
enum class FlexEquality : int { none = 0, edge, vertex, strain };
enum class FlexcompType : int {
  grid = 0,
  box,
  cylinder,
  ellipsoid,
  square,
  disc,
  circle,
  mesh,
  gmsh,
  direct
};
enum class MeshInertia : int { convex = 0, exact, legacy, shell };
enum class MeshBuiltin : int {
  none = 0,
  sphere,
  hemisphere,
  cone,
  supersphere,
  supertorus,
  wedge,
  plate
};

// a word and the value of its enumerator
struct Keyword {
  std::string_view word;
  int value;

  template <class E>
  constexpr Keyword(std::string_view w, E v) : word(w), value(static_cast<int>(v)) {}
};

template <class E>
struct KeywordTable;  // specialised below for the enumeration of every keyword attribute

#define CORTEN_KEYWORDS(Type, count, ...)                  \
  template <>                                              \
  struct KeywordTable<Type> {                              \
    static constexpr Keyword words[count] = {__VA_ARGS__}; \
  }

CORTEN_KEYWORDS(bool, 2, {"false", false}, {"true", true});
CORTEN_KEYWORDS(Switch, 2, {"disable", Switch::disable}, {"enable", Switch::enable});
CORTEN_KEYWORDS(Tristate, 3, {"false", Tristate::no}, {"true", Tristate::yes},
                {"auto", Tristate::automatic});
CORTEN_KEYWORDS(Angle, 2, {"radian", Angle::radian}, {"degree", Angle::degree});
CORTEN_KEYWORDS(Coordinate, 2, {"local", Coordinate::local}, {"global", Coordinate::global});
CORTEN_KEYWORDS(Conflict, 3, {"warning", Conflict::warning}, {"merge", Conflict::merge},
                {"error", Conflict::error});
CORTEN_KEYWORDS(FluidShape, 2, {"none", FluidShape::none}, {"ellipsoid", FluidShape::ellipsoid});
CORTEN_KEYWORDS(SleepPolicy, 4, {"auto", SleepPolicy::automatic}, {"never", SleepPolicy::never},
                {"allowed", SleepPolicy::allowed}, {"init", SleepPolicy::init});
CORTEN_KEYWORDS(SimplePolicy, 2, {"false", SimplePolicy::no}, {"auto", SimplePolicy::automatic});
CORTEN_KEYWORDS(Interpolation, 3, {"zoh", Interpolation::zoh}, {"linear", Interpolation::linear},
                {"cubic", Interpolation::cubic});
CORTEN_KEYWORDS(LengthRangeMode, 4, {"none", LengthRangeMode::none},
                {"muscle", LengthRangeMode::muscle}, {"muscleuser", LengthRangeMode::muscleuser},
                {"all", LengthRangeMode::all});
CORTEN_KEYWORDS(Projection, 2, {"perspective", Projection::perspective},
                {"orthographic", Projection::orthographic});
CORTEN_KEYWORDS(TrackMode, 5, {"fixed", TrackMode::fixed}, {"track", TrackMode::track},
                {"trackcom", TrackMode::trackcom}, {"targetbody", TrackMode::targetbody},
                {"targetbodycom", TrackMode::targetbodycom});
CORTEN_KEYWORDS(LightType, 4, {"spot", LightType::spot}, {"directional", LightType::directional},
                {"point", LightType::point}, {"image", LightType::image});
CORTEN_KEYWORDS(TextureType, 3, {"2d", TextureType::flat}, {"cube", TextureType::cube},
                {"skybox", TextureType::skybox});
CORTEN_KEYWORDS(ColorSpace, 3, {"auto", ColorSpace::automatic}, {"linear", ColorSpace::linear},
                {"sRGB", ColorSpace::srgb});
CORTEN_KEYWORDS(Builtin, 4, {"none", Builtin::none}, {"gradient", Builtin::gradient},
                {"checker", Builtin::checker}, {"flat", Builtin::flat});
CORTEN_KEYWORDS(Mark, 4, {"none", Mark::none}, {"edge", Mark::edge}, {"cross", Mark::cross},
                {"random", Mark::random});
CORTEN_KEYWORDS(MeshInertia, 4, {"convex", MeshInertia::convex}, {"legacy", MeshInertia::legacy},
                {"exact", MeshInertia::exact}, {"shell", MeshInertia::shell});
CORTEN_KEYWORDS(MeshBuiltin, 8, {"none", MeshBuiltin::none}, {"sphere", MeshBuiltin::sphere},
                {"hemisphere", MeshBuiltin::hemisphere}, {"cone", MeshBuiltin::cone},
                {"supertorus", MeshBuiltin::supertorus}, {"supersphere", MeshBuiltin::supersphere},
                {"wedge", MeshBuiltin::wedge}, {"plate", MeshBuiltin::plate});

CORTEN_KEYWORDS(SoftConstraint, 7, {"distance", SoftConstraint::distance},
                {"dihedral", SoftConstraint::dihedral}, {"bend", SoftConstraint::bend},
                {"volume", SoftConstraint::volume}, {"stretch", SoftConstraint::stretch},
                {"shear", SoftConstraint::shear}, {"twist", SoftConstraint::twist});
CORTEN_KEYWORDS(JointType, 4, {"free", JointType::free}, {"ball", JointType::ball},
                {"slide", JointType::slide}, {"hinge", JointType::hinge});
CORTEN_KEYWORDS(GeomType, 9, {"plane", GeomType::plane}, {"hfield", GeomType::hfield},
                {"sphere", GeomType::sphere}, {"capsule", GeomType::capsule},
                {"ellipsoid", GeomType::ellipsoid}, {"cylinder", GeomType::cylinder},
                {"box", GeomType::box}, {"mesh", GeomType::mesh}, {"sdf", GeomType::sdf});
CORTEN_KEYWORDS(Integrator, 5, {"Euler", Integrator::euler}, {"RK4", Integrator::rk4},
                {"implicit", Integrator::implicit}, {"implicitfast", Integrator::implicitfast},
                {"implicitspringdamper", Integrator::implicitspringdamper});
CORTEN_KEYWORDS(Cone, 2, {"pyramidal", Cone::pyramidal}, {"elliptic", Cone::elliptic});
CORTEN_KEYWORDS(JacobianKind, 3, {"dense", JacobianKind::dense}, {"sparse", JacobianKind::sparse},
                {"auto", JacobianKind::automatic});
CORTEN_KEYWORDS(Solver, 3, {"PGS", Solver::pgs}, {"CG", Solver::cg}, {"Newton", Solver::newton});
CORTEN_KEYWORDS(DynamicsType, 8, {"none", DynamicsType::none},
                {"integrator", DynamicsType::integrator}, {"filter", DynamicsType::filter},
                {"filterexact", DynamicsType::filterexact}, {"muscle", DynamicsType::muscle},
                {"dcmotor", DynamicsType::dcmotor}, {"pid", DynamicsType::pid},
                {"user", DynamicsType::user});
CORTEN_KEYWORDS(GainType, 7, {"fixed", GainType::fixed}, {"affine", GainType::affine},
                {"muscle", GainType::muscle}, {"dcmotor", GainType::dcmotor},
                {"so3", GainType::so3}, {"pid", GainType::pid}, {"user", GainType::user});
CORTEN_KEYWORDS(BiasType, 6, {"none", BiasType::none}, {"affine", BiasType::affine},
                {"muscle", BiasType::muscle}, {"dcmotor", BiasType::dcmotor},
                {"so3", BiasType::so3}, {"user", BiasType::user});
// types of objects with a spatial frame, for objtype and reftype of sensors
CORTEN_KEYWORDS(ObjectType, 5, {"body", ObjectType::body}, {"xbody", ObjectType::xbody},
                {"geom", ObjectType::geom}, {"site", ObjectType::site},
                {"camera", ObjectType::camera});
CORTEN_KEYWORDS(Stage, 4, {"none", Stage::none}, {"pos", Stage::position}, {"vel", Stage::velocity},
                {"acc", Stage::acceleration});
CORTEN_KEYWORDS(RayData, 6, {"dist", RayData::dist}, {"dir", RayData::dir},
                {"origin", RayData::origin}, {"point", RayData::point}, {"normal", RayData::normal},
                {"depth", RayData::depth});
CORTEN_KEYWORDS(ContactData, 7, {"found", ContactData::found}, {"force", ContactData::force},
                {"torque", ContactData::torque}, {"dist", ContactData::dist},
                {"pos", ContactData::pos}, {"normal", ContactData::normal},
                {"tangent", ContactData::tangent});
CORTEN_KEYWORDS(ContactReduce, 4, {"none", ContactReduce::none},
                {"mindist", ContactReduce::mindist}, {"maxforce", ContactReduce::maxforce},
                {"netforce", ContactReduce::netforce});
CORTEN_KEYWORDS(SensorData, 4, {"real", SensorData::real}, {"positive", SensorData::positive},
                {"axis", SensorData::axis}, {"quaternion", SensorData::quaternion});

CORTEN_KEYWORDS(FlexSelf, 5, {"none", FlexSelf::none}, {"narrow", FlexSelf::narrow},
                {"bvh", FlexSelf::bvh}, {"sap", FlexSelf::sap}, {"auto", FlexSelf::automatic});
CORTEN_KEYWORDS(FlexDof, 5, {"full", FlexDof::full}, {"radial", FlexDof::radial},
                {"trilinear", FlexDof::trilinear}, {"quadratic", FlexDof::quadratic},
                {"2d", FlexDof::plane});
CORTEN_KEYWORDS(Elastic2d, 4, {"none", Elastic2d::none}, {"bend", Elastic2d::bend},
                {"stretch", Elastic2d::stretch}, {"both", Elastic2d::both});
CORTEN_KEYWORDS(FlexEquality, 4, {"false", FlexEquality::none}, {"true", FlexEquality::edge},
                {"vert", FlexEquality::vertex}, {"strain", FlexEquality::strain});
CORTEN_KEYWORDS(FlexcompType, 10, {"grid", FlexcompType::grid}, {"box", FlexcompType::box},
                {"cylinder", FlexcompType::cylinder}, {"ellipsoid", FlexcompType::ellipsoid},
                {"square", FlexcompType::square}, {"disc", FlexcompType::disc},
                {"circle", FlexcompType::circle}, {"mesh", FlexcompType::mesh},
                {"gmsh", FlexcompType::gmsh}, {"direct", FlexcompType::direct});

#undef CORTEN_KEYWORDS

template <class E>
inline constexpr const auto& keywords = KeywordTable<E>::words;

// All types of objects, for the elements of a tuple and for user sensors; keywords<ObjectType>
// lists only those with a frame.
inline constexpr Keyword object_words[] = {
    {"body", ObjectType::body},         {"xbody", ObjectType::xbody},
    {"joint", ObjectType::joint},       {"dof", ObjectType::dof},
    {"geom", ObjectType::geom},         {"site", ObjectType::site},
    {"camera", ObjectType::camera},     {"light", ObjectType::light},
    {"flex", ObjectType::flex},         {"mesh", ObjectType::mesh},
    {"skin", ObjectType::skin},         {"hfield", ObjectType::hfield},
    {"texture", ObjectType::texture},   {"material", ObjectType::material},
    {"pair", ObjectType::pair},         {"exclude", ObjectType::exclude},
    {"equality", ObjectType::equality}, {"tendon", ObjectType::tendon},
    {"actuator", ObjectType::actuator}, {"sensor", ObjectType::sensor},
    {"numeric", ObjectType::numeric},   {"text", ObjectType::text},
    {"tuple", ObjectType::tuple},       {"key", ObjectType::key},
    {"plugin", ObjectType::plugin},
};

// the word for a value; empty if MJCF has none
inline std::string_view word_of(std::span<const Keyword> words, int value) {
  for (const Keyword& k : words) {
    if (k.value == value) return k.word;
  }
  return {};
}
template <class E>
std::string_view word_of(E value) {
  return word_of(keywords<E>, static_cast<int>(value));
}

}  // namespace corten::spec
