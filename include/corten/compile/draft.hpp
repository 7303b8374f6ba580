// SPDX-License-Identifier: Apache-2.0
//
// A Draft is a model under construction: the spec, its elements in the order of their ids with
// default classes applied, and the Model that the steps of compile() fill. Each step returns a
// Result<void>.
#pragma once

#include <corten/asset/heights.hpp>
#include <corten/asset/hull.hpp>
#include <corten/asset/polygons.hpp>
#include <corten/asset/triangles.hpp>
#include <corten/compile/at.hpp>
#include <corten/compile/kinds.hpp>
#include <corten/compile/soft_draft.hpp>
#include <corten/core/errors.hpp>
#include <corten/core/list.hpp>
#include <corten/core/name_table.hpp>
#include <corten/joint/common.hpp>
#include <corten/model/model.hpp>
#include <corten/spec/orientation.hpp>
#include <corten/spec/resolve.hpp>
#include <corten/spec/spec.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace corten::compiler {

using spec::Mat3d;
using spec::Quatd;
using spec::to_vec;
using spec::Vec3d;
using Pose = Frame<double>;

using spec::tiny;

// the attributes of <compiler> with their defaults
struct Settings : spec::AngleUnit {
  bool autolimits = true;
  double boundmass = 0, boundinertia = 0;
  double settotalmass = -1;
  bool balanceinertia = false;
  bool alignfree = false;
  bool fitaabb = false;
  spec::Tristate inertiafromgeom = spec::Tristate::automatic;
  std::array<int, 2> inertiagrouprange{0, 5};

  explicit Settings(const spec::Compiler& c)
      : AngleUnit(c),
        autolimits(c.autolimits.value_or(true)),
        boundmass(c.boundmass.value_or(0)),
        boundinertia(c.boundinertia.value_or(0)),
        settotalmass(c.settotalmass.value_or(-1)),
        balanceinertia(c.balanceinertia.value_or(false)),
        alignfree(c.alignfree.value_or(false)),
        fitaabb(c.fitaabb.value_or(false)),
        inertiafromgeom(c.inertiafromgeom.value_or(spec::Tristate::automatic)),
        inertiagrouprange(c.inertiagrouprange.value_or(std::array<int, 2>{0, 5})) {}
};

// ids by name
class Index {
 public:
  // Returns false if the name is already taken. Empty names are not stored.
  bool add(const std::string& name, int id) { return name.empty() || ids_.add(name, id); }

  // returns -1 if the name is unknown
  int find(std::string_view name) const { return ids_.find(name); }

  // "did you mean ...?", for a name that was not found
  std::string suggest(std::string_view name) const { return spec::suggest(name, ids_.names()); }

 private:
  NameTable ids_;
};

// the names of every kind of element, including kinds that have no arrays in the model
struct Indices {
  Index body, joint, geom, site, camera, light, texture, material, pair, exclude, equality, tendon,
      actuator, sensor, numeric, text, tuple, key, mesh, hfield, flex, soft;

  // null for types that cannot be referred to
  const Index* of(ObjectType type) const {
    const std::pair<ObjectType, const Index*> known[] = {
        {ObjectType::body, &body},         {ObjectType::xbody, &body},
        {ObjectType::joint, &joint},       {ObjectType::geom, &geom},
        {ObjectType::site, &site},         {ObjectType::camera, &camera},
        {ObjectType::light, &light},       {ObjectType::texture, &texture},
        {ObjectType::material, &material}, {ObjectType::pair, &pair},
        {ObjectType::exclude, &exclude},   {ObjectType::tendon, &tendon},
        {ObjectType::actuator, &actuator}, {ObjectType::sensor, &sensor},
        {ObjectType::equality, &equality}, {ObjectType::numeric, &numeric},
        {ObjectType::text, &text},         {ObjectType::tuple, &tuple},
        {ObjectType::key, &key},           {ObjectType::mesh, &mesh},
        {ObjectType::hfield, &hfield},     {ObjectType::flex, &flex}};
    for (const auto& [kind, index] : known) {
      if (kind == type) return index;
    }
    return nullptr;
  }
};

struct BodyEntry {
  const spec::Body* spec = nullptr;
  int parent = 0;
  std::string childclass;  // the class that applies to the contents of the body
  int joint = 0, num_joints = 0;
  int geom = 0, num_geoms = 0;
  int site = 0, num_sites = 0;
  int camera = 0, num_cameras = 0;
  int light = 0, num_lights = 0;
  int frame = 0;  // index of its first frame in Draft::frames
  int num_children = 0;
};

// a mesh on its way into the model (compile/mesh.hpp)
struct Solid {
  asset::Triangles mesh;
  List<double> vert;      // vertices of the mesh, moved to the principal frame
  asset::Hull hull;       // empty if nothing needs it
  asset::Polygons sides;  // sides of the hull
  spec::MeshInertia mode = spec::MeshInertia::legacy;
  double volume = 0;          // area if the mode is shell
  Vec3d box = Vec3d::Zero();  // half sizes of the box with the same inertia
  Vec3d low = Vec3d::Constant(1e10), high = Vec3d::Constant(-1e10);
  Pose frame{Vec3d::Zero(), unit_quat<double>()};  // of the solid in the mesh as written

  int nvert() const { return static_cast<int>(vert.size() / 3); }

  // half sizes of the box centred at the origin that contains the solid
  Vec3d reach() const { return low.cwiseAbs().cwiseMax(high.cwiseAbs()); }

  // the faces that enclose the volume
  const List<int>& faces() const {
    return mode == spec::MeshInertia::convex ? hull.face : mesh.face;
  }
};

using asset::Heights;

struct Draft {
  const Spec& spec;
  const Extensions& extensions;
  Settings settings;
  Model<double> m;
  Indices index;

  // in the order of ids, with default classes applied
  List<BodyEntry> bodies;
  spec::ElementsOf<spec::Joint> joints;
  spec::ElementsOf<spec::Geom> geoms;
  spec::ElementsOf<spec::Site> sites;
  spec::ElementsOf<spec::Camera> cameras;
  spec::ElementsOf<spec::Light> lights;
  spec::ElementsOf<spec::Mesh> meshes;
  List<Solid> solids;     // one per mesh
  List<Heights> heights;  // one per height field
  List<SoftDraft> softs;  // one per soft body
  spec::ElementsOf<spec::Pair> pairs;
  spec::ElementsOf<spec::Equality> equalities;
  spec::ElementsOf<spec::Tendon> tendons;
  spec::ElementsOf<spec::Actuator> actuators;
  spec::ElementsOf<spec::Sensor> sensors;

  // frames of all bodies, each as a pose in its body
  List<Pose> frames;
  List<Settings> origins;  // settings of attached models, in the order of Spec::origins

  // The errors so far, and the elements they belong to. Compilation continues with the other
  // elements, so that one run reports all errors.
  List<Error> errors;
  List<const spec::Element*> failed;
  static constexpr std::size_t most_errors = 50;

  // mass and inertia that each geom adds to its body
  List<double> geom_mass;
  List<Vec3d> geom_inertia;

  CORTEN_COLD Draft(const Spec& s, const Extensions& e)
      : spec(s), extensions(e), settings(s.compiler) {
    for (const spec::Compiler& c : s.origins) origins.emplace_back(c);
  }

  // the settings that apply to an element: those of the model that it was written in
  const Settings& settings_of(const spec::Element& e) const {
    return e.origin > 0 ? origins[static_cast<std::size_t>(e.origin - 1)] : settings;
  }

  // records the error of an element, if there is one; returns whether there is
  CORTEN_COLD bool note(const spec::Element& element, const Result<void>& done) {
    if (done) return false;
    failed.push_back(&element);
    for (const Error& e : errors) {
      if (e.where.line == done.error().where.line && e.line() == done.error().line()) return true;
    }
    if (errors.size() < most_errors) errors.push_back(done.error());
    return true;
  }
  CORTEN_COLD bool has_failed(const spec::Element& element) const {
    return std::find(failed.begin(), failed.end(), &element) != failed.end();
  }
  CORTEN_COLD Result<void> report() const {
    if (errors.empty()) return {};
    return as_one(errors);
  }

  JointKind joint_kind(JointType type) const { return find_joint(extensions, type); }
};

// ---- elements by id, arrays of the model by row -------------------------------------------------

template <class T>
const T& at(const spec::ElementsOf<T>& list, int i) {
  CORTEN_ASSERT(i >= 0 && static_cast<std::size_t>(i) < list.size());
  return list[static_cast<std::size_t>(i)];
}

// row i of a field with N numbers per row
template <int N>
Vec<double, N> row(const List<double>& field, int i) {
  Vec<double, N> out;
  for (int k = 0; k < N; ++k) out[k] = at(field, N * i + k);
  return out;
}

template <int N>
void put(List<double>& field, int i, const Vec<double, N>& v) {
  for (int k = 0; k < N; ++k) at(field, N * i + k) = v[k];
}
template <std::size_t N>
void put(List<double>& field, int i, const spec::Numbers<N>& v) {
  std::copy(v.begin(), v.end(), field.begin() + static_cast<std::ptrdiff_t>(N) * i);
}
inline void put(List<double>& field, int i, double v) { at(field, i) = v; }

template <std::size_t N>
void put_colour(List<float>& field, int i, const spec::Numbers<N>& v) {
  for (std::size_t k = 0; k < N; ++k) {
    at(field, static_cast<int>(N) * i + static_cast<int>(k)) = static_cast<float>(v[k]);
  }
}
inline void put_single(List<float>& field, int i, double v) {
  at(field, i) = static_cast<float>(v);
}

// the material that an element names, or -1
template <class T>
int material_of(const Draft& d, const T& e) {
  return e.material && d.m.n.nmat > 0 ? d.index.material.find(*e.material) : -1;
}

// stores a polynomial k + a x + b x² in two fields: k in one, a and b in the other
inline void put_polynomial(List<double>& first, List<double>& rest, int i,
                           const spec::Leading<3>& v) {
  const spec::Numbers<3> all = v.value_or({0, 0, 0});
  put(first, i, all[0]);
  put(rest, i, spec::Numbers<2>{all[1], all[2]});
}

// the defaults of solref and solimp
inline constexpr spec::Numbers<2> default_solref{0.02, 1};
inline constexpr spec::Numbers<5> default_solimp{0.9, 0.95, 0.001, 0.5, 2};

// writes row i of a field of user data
CORTEN_COLD Result<void> put_user(List<double>& field, int width, const char* size_name, int i,
                                  const spec::Element& element, const List<double>& user) {
  if (static_cast<int>(user.size()) > width) {
    return element.error("user has " + std::to_string(user.size()) + " values but " + size_name +
                             " is " + std::to_string(width),
                         std::string("increase or remove ") + size_name + " in <size>");
  }
  std::copy(user.begin(), user.end(), field.begin() + static_cast<std::ptrdiff_t>(width) * i);
  return {};
}

template <class Element>
Result<void> put_user(List<double>& field, int width, const char* size_name, int i,
                      const Element& element) {
  if (!element.user) return {};
  return put_user(field, width, size_name, i, element, *element.user);
}

// ---- attributes ---------------------------------------------------------------------------------

// removes and returns the first word of a list separated by white space; empty if there is none
inline std::string_view take_word(std::string_view& rest) {
  constexpr std::string_view space = " \t\r\n";
  rest.remove_prefix(std::min(rest.find_first_not_of(space), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of(space));
  rest.remove_prefix(word.size());
  return word;
}

// the first of the given parameters that a kind does not have, or null
inline const char* unknown_parameter(const spec::Parameters& given,
                                     std::span<const Parameter> known) {
  for (const Parameter& g : given.entries) {
    const auto same = [&](const Parameter& k) { return std::string_view(k.name) == g.name; };
    if (std::none_of(known.begin(), known.end(), same)) return g.name;
  }
  return nullptr;
}

inline bool is_condim(int n) { return n == 1 || n == 3 || n == 4 || n == 6; }

inline bool is_limited(spec::Tristate limited, const spec::Numbers<2>& range) {
  if (limited == spec::Tristate::automatic) return range[0] < range[1];
  return limited == spec::Tristate::yes;
}

// without autolimits, an element with a range must say whether it is limited
CORTEN_COLD Result<void> check_limited(const Settings& settings, const spec::Element& element,
                                       spec::Tristate limited, const spec::Numbers<2>& range,
                                       const std::string& prefix) {
  const bool given = range[0] != 0 || range[1] != 0;
  if (settings.autolimits || limited != spec::Tristate::automatic || !given) return {};
  return element.error(
      "has " + prefix + "range but not " + prefix + "limited",
      "set autolimits=\"true\" in <compiler>, give " + prefix + "limited, or remove the range");
}

// looks up a name that an element refers to
inline Result<void> find_reference(const Index& index, const std::string& name,
                                   std::string_view kind, const spec::Element& element, int& id) {
  id = index.find(name);
  if (id >= 0) return {};
  return element.error("unknown " + std::string(kind) + " '" + name + "'", index.suggest(name));
}

}  // namespace corten::compiler
