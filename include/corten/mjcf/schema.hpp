// SPDX-License-Identifier: Apache-2.0
//
// Which elements may contain which. Attributes are not listed here: the field lists in spec/ define
// them. Elements of MuJoCo 3.12 that corten does not support yet are listed too, so that the error
// says so instead of suggesting a typo.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <corten/core/list.hpp>
#include <corten/core/sensors.hpp>
#include <corten/mjcf/context.hpp>
#include <corten/spec/elements.hpp>
#include <corten/spec/suggest.hpp>

namespace corten::mjcf {

namespace schema {

// The children that an element may have, as lists of words: `many` may be repeated, `once` may not,
// `not_yet` are not supported by corten, and `ignored` are accepted by MuJoCo's grammar but never
// read.
struct Children {
  std::string_view many = "";
  std::string_view once = "";
  std::string_view not_yet = "";
  std::string_view ignored = "";
  bool is_section = false;  // the element itself has no attributes
};

inline constexpr Children mujoco{
    .many =
        "compiler option size statistic visual default asset worldbody contact tendon equality "
        "actuator sensor custom keyframe extension deformable",
    .ignored = "body frame replicate"};

inline constexpr Children compiler{.once = "lengthrange"};
inline constexpr Children option{.once = "flag"};
inline constexpr Children visual{.once = "global quality headlight map scale rgba",
                                 .is_section = true};

// <actuator> and <sensor> in a default class are extensions
inline constexpr Children defaults{
    .many = "default",
    .once =
        "mesh material joint geom site camera light pair equality tendon general motor position "
        "velocity "
        "intvelocity orientation pid damper cylinder muscle adhesion dcmotor actuator sensor"};

inline constexpr Children asset{.many = "texture material mesh hfield model skin",
                                .is_section = true};
inline constexpr Children skin{.many = "bone"};
// <cloth>, <softbody> and <chain> are extensions
inline constexpr Children deformable{.many = "flex skin cloth softbody chain", .is_section = true};
inline constexpr Children flex{.once = "contact edge elasticity"};
inline constexpr Children flexcomp{.many = "pin",
                                   .once = "edge elasticity contact",
                                   .not_yet = "plugin"};
inline constexpr Children soft{.many = "edge"};
inline constexpr Children extension{.many = "plugin", .is_section = true};
inline constexpr Children mesh{.not_yet = "plugin"};
inline constexpr Children material{.many = "layer"};
inline constexpr Children body{
    .many = "body frame replicate attach composite flexcomp joint freejoint geom site camera light",
    .once = "inertial",
    .not_yet = "plugin"};
inline constexpr Children geom{.not_yet = "plugin"};
inline constexpr Children contact{.many = "pair exclude", .is_section = true};
inline constexpr Children tendon{.many = "fixed spatial", .is_section = true};
inline constexpr Children fixed{.many = "joint"};
// its other children are the kinds of constraints, including user-defined ones (read_equality.hpp)
inline constexpr Children equality{.is_section = true};
inline constexpr Children spatial{.many = "site geom pulley"};
inline constexpr Children actuator{
    .many =
        "general motor position velocity intvelocity orientation pid damper cylinder muscle "
        "adhesion dcmotor",
    .not_yet = "plugin",
    .is_section = true};
inline constexpr Children custom{.many = "numeric text tuple", .is_section = true};
inline constexpr Children tuple{.many = "element"};
inline constexpr Children keyframe{.many = "key", .is_section = true};
inline constexpr Children leaf{};

inline constexpr std::string_view sensors_not_yet = "plugin";

// The attributes of the children of <visual>. corten checks their values and stores them: `count`
// numbers, a single number, or true or false.
struct VisualRow {
  std::string_view element;
  std::string_view attributes;
  std::size_t count = 1;
  std::string_view single = "", flags = "", positive = "";
};

inline constexpr VisualRow visual_attributes[] = {
    {"global",
     "cameraid orthographic fovy ipd azimuth elevation linewidth glow offwidth offheight realtime "
     "ellipsoidinertia bvactive",
     1, "", "orthographic ellipsoidinertia bvactive", "realtime"},
    {"quality", "shadowsize offsamples numslices numstacks numquads"},
    {"headlight", "ambient diffuse specular active", 3, "active"},
    {"map",
     "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip "
     "shadowscale actuatortendon",
     1, "", "", "znear"},
    {"scale",
     "forcewidth contactwidth contactheight connect com camera light selectpoint jointlength "
     "jointwidth actuatorlength actuatorwidth framelength framewidth constraint slidercrank "
     "frustum"},
    {"rgba",
     "fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light "
     "selectpoint connect contactpoint contactforce contactfriction contacttorque contactgap "
     "rangefinder constraint slidercrank crankbroken frustum bv bvactive",
     4}};

// splits a list at single spaces
CORTEN_COLD List<std::string_view> words(std::string_view list) {
  List<std::string_view> out;
  while (!list.empty()) {
    out.push_back(list.substr(0, list.find(' ')));
    list.remove_prefix(std::min(out.back().size() + 1, list.size()));
  }
  return out;
}

inline bool contains(std::string_view list, std::string_view word) {
  const auto all = words(list);
  return std::find(all.begin(), all.end(), word) != all.end();
}

}  // namespace schema

// the kinds of attributes that a sensor has, besides its target
CORTEN_COLD unsigned sensor_kinds(SensorTarget target) {
  using Target = SensorTarget;
  if (target == Target::user) return spec::Sensor::kind_user;
  if (target == Target::tactile) return spec::Sensor::kind_tactile;
  if (target == Target::range) return spec::Sensor::kind_simulated | spec::Sensor::kind_ray;
  if (target == Target::touching) return spec::Sensor::kind_simulated | spec::Sensor::kind_contact;
  return spec::Sensor::kind_simulated;
}

namespace detail {

// reports an element that MJCF does not have, or not here
CORTEN_COLD void refuse_unknown(Context& context, const XmlElement& xml, const std::string& path,
                                const XmlElement& child, const schema::Children& allowed) {
  List<std::string_view> names;
  for (const std::string_view list : {allowed.many, allowed.once, allowed.not_yet}) {
    for (const std::string_view word : schema::words(list)) names.push_back(word);
  }
  const Error problem{
      child.where(), path_of(path, child),
      "unknown element <" + std::string(child.name) + "> in <" + std::string(xml.name) + ">",
      spec::suggest(child.name, names)};
  // MuJoCo's reader checks every element in a body itself, even where its grammar does not
  if (&allowed == &schema::body) return context.complain(child, problem);
  context.complain_of_grammar(child, problem);
}

// reports the attributes of a section, which has none
CORTEN_COLD void refuse_attributes(Context& context, const XmlElement& xml,
                                   const std::string& path) {
  for (const XmlAttribute& a : xml.attributes) {
    context.complain(
        xml, Error{xml.where(a), path, "<" + std::string(xml.name) + "> takes no attributes"});
  }
}

// is this child allowed here? Reports it if not
CORTEN_COLD bool admit(Context& context, const XmlElement& xml, const std::string& path,
                       const XmlElement& child, const schema::Children& allowed) {
  if (schema::contains(allowed.many, child.name)) return true;
  const std::string tag = "<" + std::string(child.name) + ">";
  if (schema::contains(allowed.ignored, child.name)) {
    context.warn(Error{child.where(), path_of(path, child),
                       tag + " directly in <" + std::string(xml.name) + "> is ignored",
                       "only elements in <worldbody> are part of the model"});
    return false;
  }
  if (schema::contains(allowed.not_yet, child.name)) {
    context.fail(child, path_of(path, child), tag + " is not supported yet");
    return false;
  }
  if (!schema::contains(allowed.once, child.name)) {
    refuse_unknown(context, xml, path, child, allowed);
    return false;
  }
  for (const XmlElement& other : xml.children) {
    if (&other == &child) break;
    if (other.name != child.name) continue;
    const Error problem{child.where(), path_of(path, child),
                        tag + " is repeated in <" + std::string(xml.name) + ">",
                        "the first is on line " + std::to_string(other.where().line)};
    // Where the grammar is not checked, MuJoCo's reader uses the first; in a body it reads all.
    const bool passes = context.is_unchecked() && &allowed != &schema::body;
    passes ? context.warn(problem) : context.fail(child, problem);
    return false;
  }
  return true;
}

}  // namespace detail

// Calls f(child) for the children that the schema allows.
template <class F>
CORTEN_COLD void for_children(Context& context, const XmlElement& xml, const std::string& path,
                              const schema::Children& allowed, F&& f) {
  if (!xml.text.empty()) {
    context.warn(Error{xml.where_text(), path, "text between elements is ignored"});
  }
  if (allowed.is_section) detail::refuse_attributes(context, xml, path);
  for (const XmlElement& child : xml.children) {
    if (context.stopped()) return;
    if (detail::admit(context, xml, path, child, allowed)) f(child);
  }
}

inline void no_children(Context& context, const XmlElement& xml, const std::string& path) {
  for_children(context, xml, path, schema::leaf, [](const XmlElement&) {});
}

}  // namespace corten::mjcf
