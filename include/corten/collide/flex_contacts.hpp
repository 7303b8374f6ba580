// SPDX-License-Identifier: Apache-2.0
//
// The contacts of flexes: with geoms, with other flexes, and with themselves, in MuJoCo's order.
// The contacts of a body with flexes come after those with other bodies.
#pragma once

#include <corten/collide/append.hpp>
#include <corten/collide/flex_filter.hpp>
#include <corten/collide/flex_pair.hpp>
#include <corten/collide/flex_tree.hpp>
#include <corten/collide/shape_loader.hpp>
#include <corten/tree/awake.hpp>

namespace corten {

template <class M, class D>
class FlexContacts {
  using S = typename D::Scalar;
  using V = value_t<S>;

 public:
  CORTEN_FN FlexContacts(const M& model, const D& data, Effort<S>& effort)
      : m(model), d(data), effort_(effort), some_(some_asleep(model, data)) {
    for (int f = 0; f < m.n.nflex; ++f) {
      if (uses_tree(f) && may_collide(f)) refit_tree(m, d, f);
    }
  }

  // the contacts of all bodies below `body` that have not had their turn
  CORTEN_FN void up_to(int body) {
    while (geom_ < m.n.ngeom && m.geom_bodyid[geom_] < body) {
      const int b = m.geom_bodyid[geom_], end = m.body_geomadr[b] + m.body_geomnum[b];
      for (int f = 0; f < m.n.nflex; ++f) body_flex(b, f);
      geom_ = end;
    }
  }

  // those of flexes with each other and with themselves, after all bodies
  CORTEN_FN void finish() {
    for (int f1 = 0; f1 < m.n.nflex; ++f1) {
      for (int f2 = f1 + 1; f2 < m.n.nflex; ++f2) flex_flex(f1, f2);
    }
    for (int f = 0; f < m.n.nflex; ++f) {
      if (m.flex_rigid[f] || (m.flex_contype[f] & m.flex_conaffinity[f]) == 0) continue;
      if (some_ && state(f) == SleepState::asleep) continue;
      if (m.flex_internal[f]) internal(f);
      if (m.flex_selfcollide[f] != static_cast<int>(FlexSelf::none)) self(f);
    }
  }

 private:
  // a geom or a flex, and what of the flex
  struct Side {
    int geom = -1, flex = -1, elem = -1, vert = -1;
  };

  CORTEN_FN bool may_collide(int f) const {
    return m.flex_contype[f] != 0 || m.flex_conaffinity[f] != 0;
  }
  CORTEN_FN bool uses_tree(int f) const {
    return m.flex_bvhnum[f] > 0 && !m.opt.disabled(disable_midphase);
  }
  CORTEN_FN static bool matches(int type1, int affinity1, int type2, int affinity2) {
    return (type1 & affinity2) != 0 || (type2 & affinity1) != 0;
  }
  CORTEN_FN bool geom_matches(int g, int f) const {
    return matches(m.geom_contype[g], m.geom_conaffinity[g], m.flex_contype[f],
                   m.flex_conaffinity[f]);
  }
  CORTEN_FN bool body_matches(int b, int f) const {
    return matches(m.body_contype[b], m.body_conaffinity[b], m.flex_contype[f],
                   m.flex_conaffinity[f]);
  }
  CORTEN_FN bool active(int f, int e) const {
    return m.flex_dim[f] < 3 || m.flex_elemlayer[m.flex_elemadr[f] + e] < m.flex_activelayers[f];
  }

  // the first body that moves decides about all
  CORTEN_FN SleepState state(int f) const {
    const bool nodes = m.flex_interp[f] != 0;
    const int first = nodes ? m.flex_nodeadr[f] : m.flex_vertadr[f];
    const int count = nodes ? m.flex_nodenum[f] : m.flex_vertnum[f];
    for (int i = first; i < first + count; ++i) {
      const int b = nodes ? m.flex_nodebodyid[i] : m.flex_vertbodyid[i];
      if (m.body_treeid[b] >= 0) return static_cast<SleepState>(int(d.body_awake[b]));
    }
    return SleepState::immobile;
  }
  CORTEN_FN bool has_plane(int b) const {
    for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
      if (m.geom_type[g] == static_cast<int>(GeomType::plane)) return true;
    }
    return false;
  }
  CORTEN_FN bool body_flex_awake(int b, int f) const {
    const SleepState flex = state(f);
    const bool everywhere = b == 0 || (m.body_dofnum[m.body_weldid[b]] == 0 && has_plane(b));
    if (everywhere && flex != SleepState::asleep) return true;
    return flex == SleepState::awake || (is_awake(d, b) && m.body_treeid[b] >= 0);
  }

  CORTEN_FN S margin_of(const S& sum) const {
    return m.opt.enabled(enable_override) ? S(m.opt.o_margin) : sum;
  }
  CORTEN_FN S geom_margin(int g, int f) const {
    return margin_of(S(S(m.geom_margin[g]) + S(m.flex_margin[f])));
  }
  CORTEN_FN S geom_gap(int g, int f) const { return S(m.geom_gap[g]) + S(m.flex_gap[f]); }

  CORTEN_FN void append(const Side& a, const Side& b, const Hit<S>& hit,
                        const ContactParameters<S>& p, const S& margin) {
    const int n = d.ncon_needed;
    d.ncon_needed = n + 1;
    if (n >= d.n.nconmax) return;
    detail::write_contact(d, n, hit, p, margin);
    for (int s = 0; s < 2; ++s) {
      const Side& side = s == 0 ? a : b;
      d.contact_geom[2 * n + s] = side.geom;
      d.contact_flex[2 * n + s] = side.flex;
      d.contact_elem[2 * n + s] = side.elem;
      d.contact_vert[2 * n + s] = side.vert;
    }
  }

  // ---- geoms ------------------------------------------------------------------------------------

  CORTEN_FN void body_flex(int b, int f) {
    if (!body_matches(b, f) || (some_ && !body_flex_awake(b, f))) return;
    const int first = d.ncon_needed, end = m.body_geomadr[b] + m.body_geomnum[b];
    const auto is_plane = [&](int g) {
      return m.geom_type[g] == static_cast<int>(GeomType::plane);
    };
    if (!uses_tree(f)) {
      for (int g = m.body_geomadr[b]; g < end; ++g) {
        const int before = d.ncon_needed;
        if (!geom_matches(g, f)) continue;
        if (is_plane(g)) plane(g, f);
        for (int e = 0; !is_plane(g) && e < m.flex_elemnum[f]; ++e) geom_element(g, f, e);
        thin_contacts(d, before);
      }
      return;
    }
    // as in MuJoCo, of planes the body's bits alone are asked
    const bool fixed = m.body_dofnum[m.body_weldid[b]] == 0;
    for (int g = m.body_geomadr[b]; g < end && fixed; ++g) {
      if (is_plane(g)) plane(g, f);
    }
    // distance fields come before the other geoms, which meet the flex in the order of their tree
    const auto is_field = [&](int g) { return m.geom_type[g] == static_cast<int>(GeomType::sdf); };
    const bool several = m.body_boxadr[b] >= 0;
    for (int g = m.body_geomadr[b]; g < end; ++g) {
      if (is_plane(g) || !geom_matches(g, f)) continue;
      if (is_field(g) || !several || m.geom_box[g] < 0) near_geom(g, f);
    }
    if (several) near_geoms(b, f, [&](int g) { return !is_plane(g) && !is_field(g); });
    thin_contacts(d, first);
    sort_contacts(d, first);
  }

  CORTEN_FN void plane(int g, int f) {
    const S radius = S(m.flex_radius[f]), margin = geom_margin(g, f), gap = geom_gap(g, f);
    const Vec3<S> at = vec3<S>(d.geom_xpos, g);
    const Vec3<S> normal(d.geom_xmat[9 * g + 2], d.geom_xmat[9 * g + 5], d.geom_xmat[9 * g + 8]);
    const V reach = value(S(margin + gap + radius));
    const int first = m.flex_vertadr[f];
    ContactParameters<S> p;
    bool known = false;
    for (int i = 0; i < m.flex_vertnum[f]; ++i) {
      const Vec3<S> vert = vec3<S>(d.flexvert_xpos, first + i);
      const S height = normal.dot(vert - at);
      if (value(height) > reach) continue;
      if (!known) p = flex_contact_parameters<S>(m, g, -1, f), known = true;
      Hit<S> hit;
      hit.dist = height - radius;
      hit.pos = vert + normal * S(-hit.dist * S(0.5) - radius);
      hit.normal = normal;
      hit.tangent.setZero();
      append({.geom = g}, {.flex = f, .vert = i}, hit, p, margin);
    }
  }

  CORTEN_FN V geom_reach(int g, int f) const {
    return value(S(geom_margin(g, f) + geom_gap(g, f)));
  }

  CORTEN_FN void near_geom(int g, int f) {
    const V reach = geom_reach(g, f), half = static_cast<V>(value(m.geom_rbound[g])) + reach;
    const auto box = bounding_box<V>(m, d, g);
    each_element_near(m, d, f, detail::value3<V>(d.geom_xpos, g), half,
                      [&](int e, const detail::ElementBox<V>& element) {
                        if (!detail::boxes_apart(box, element, reach)) geom_element(g, f, e);
                      });
  }

  // the geoms of a body that are `wanted`
  template <class F>
  CORTEN_FN void near_geoms(int b, int f, F&& wanted) {
    S most = S(0);
    for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
      most = max(most, S(S(m.geom_margin[g]) + S(m.geom_gap[g])));
    }
    each_geom_element_near(
        m, d, b, f, value(margin_of(S(most + S(m.flex_margin[f])))),
        [&](int g) { return wanted(g) && geom_matches(g, f); },
        [&](int g) { return geom_reach(g, f); },
        [&](int g, int e, const detail::ElementBox<V>& element) {
          const auto box = bounding_box<V>(m, d, g);
          if (!detail::boxes_apart(box, element, geom_reach(g, f))) geom_element(g, f, e);
        });
  }

  CORTEN_FN void geom_element(int g, int f, int e) {
    const S margin = geom_margin(g, f), reach = margin + geom_gap(g, f);
    if (m.opt.disabled(disable_midphase)) {
      const auto box = detail::ElementBox<V>::load(d.flexelem_aabb, m.flex_elemadr[f] + e);
      Vec3<V> centre;
      for (int k = 0; k < 3; ++k) centre[k] = value(d.geom_xpos[3 * g + k]);
      if (box.apart(centre, static_cast<V>(value(m.geom_rbound[g])) + value(reach))) return;
    }
    const int dim = m.flex_dim[f], base = m.flex_vertadr[f];
    const auto corner = m.flex_elem.from(m.flex_elemdataadr[f] + e * (dim + 1));
    for (int i = 0; i <= dim; ++i) {
      if (m.flex_vertbodyid[base + corner[i]] == m.geom_bodyid[g]) return;
    }
    const auto type = static_cast<GeomType>(m.geom_type[g]);
    const Shape<S> shape = detail::ShapeLoader<M, D>(m, d, g).load(type);
    ContactParameters<S> p;
    bool known = false;
    collide_geom_element(type, shape, load_element(m, d, f, e), reach, effort_,
                         [&](const Hit<S>& hit) {
                           if (!known) p = flex_contact_parameters<S>(m, g, -1, f), known = true;
                           append({.geom = g}, {.flex = f, .elem = e}, hit, p, margin);
                         });
  }

  // ---- flexes -----------------------------------------------------------------------------------

  CORTEN_FN void flex_flex(int f1, int f2) {
    if (!matches(m.flex_contype[f1], m.flex_conaffinity[f1], m.flex_contype[f2],
                 m.flex_conaffinity[f2])) {
      return;
    }
    if (some_ && state(f1) != SleepState::awake && state(f2) != SleepState::awake) return;
    const int first = d.ncon_needed;
    if (uses_tree(f1) && uses_tree(f2)) {
      const V margin = value(margin_of(S(S(m.flex_margin[f1]) + S(m.flex_margin[f2]))));
      each_elements_near(m, d, f1, f2, margin, [&](int e1, int e2) { elements(f1, e1, f2, e2); });
    } else {
      for (int e1 = 0; e1 < m.flex_elemnum[f1]; ++e1) {
        for (int e2 = 0; e2 < m.flex_elemnum[f2]; ++e2) elements(f1, e1, f2, e2);
      }
    }
    thin_contacts(d, first);
    if (uses_tree(f1) && uses_tree(f2)) sort_contacts(d, first);
  }

  CORTEN_FN bool share_body(int f1, int e1, int f2, int e2) const {
    const int dim1 = m.flex_dim[f1], dim2 = m.flex_dim[f2];
    const auto corner1 = m.flex_elem.from(m.flex_elemdataadr[f1] + e1 * (dim1 + 1));
    const auto corner2 = m.flex_elem.from(m.flex_elemdataadr[f2] + e2 * (dim2 + 1));
    int other[4];
    for (int j = 0; j <= dim2; ++j) {
      other[j] = m.flex_vertbodyid[m.flex_vertadr[f2] + corner2[j]];
    }
    for (int i = 0; i <= dim1; ++i) {
      const int body = m.flex_vertbodyid[m.flex_vertadr[f1] + corner1[i]];
      for (int j = 0; j <= dim2 && body >= 0; ++j) {
        if (other[j] == body) return true;
      }
    }
    return false;
  }

  // Within a flex, margins would make neighbours touch all the time, so they do not count.
  CORTEN_FN void elements(int f1, int e1, int f2, int e2) {
    using Bound = detail::ElementBox<V>;
    S margin = S(0), gap = S(0);
    if (f1 != f2) {
      margin = margin_of(S(S(m.flex_margin[f1]) + S(m.flex_margin[f2])));
      gap = S(m.flex_gap[f1]) + S(m.flex_gap[f2]);
    }
    const S reach = margin + gap;
    const Bound box1 = Bound::load(d.flexelem_aabb, m.flex_elemadr[f1] + e1);
    const Bound box2 = Bound::load(d.flexelem_aabb, m.flex_elemadr[f2] + e2);
    if (box1.apart(box2, value(reach)) || share_body(f1, e1, f2, e2)) return;
    collide_elements(load_element(m, d, f1, e1), load_element(m, d, f2, e2), reach, effort_,
                     [&](const Hit<S>& hit) {
                       append({.flex = f1, .elem = e1}, {.flex = f2, .elem = e2}, hit,
                              flex_contact_parameters<S>(m, -1, f1, f2), margin);
                     });
  }

  CORTEN_FN void self(int f) {
    const int first = d.ncon_needed;
    const auto mode = static_cast<FlexSelf>(m.flex_selfcollide[f]);
    if (uses_tree(f) && mode != FlexSelf::narrow) {
      const auto call = [&](int e1, int e2) { elements(f, e1, f, e2); };
      const bool descend =
          mode == FlexSelf::bvh || (mode == FlexSelf::automatic && m.flex_dim[f] == 3);
      if (descend) {
        const V margin = value(margin_of(S(S(2) * S(m.flex_margin[f]))));
        each_elements_near(m, d, f, f, margin, call);
      } else {
        sweep_elements(m, d, f, call);
      }
    } else {
      for (int e1 = 0; e1 < m.flex_elemnum[f]; ++e1) {
        for (int e2 = e1 + 1; active(f, e1) && e2 < m.flex_elemnum[f]; ++e2) {
          if (active(f, e2)) elements(f, e1, f, e2);
        }
      }
    }
    thin_contacts(d, first);
  }

  // ---- vertices against elements that they could be pushed through
  // -------------------------------

  CORTEN_FN void internal(int f) {
    const int first = d.ncon_needed, pairs = m.flex_evpairadr[f];
    for (int i = pairs; i < pairs + m.flex_evpairnum[f]; ++i) {
      element_vertex(f, m.flex_evpair[2 * i], m.flex_evpair[2 * i + 1]);
    }
    if (m.flex_dim[f] == 3) {
      for (int e = 0; e < m.flex_elemnum[f]; ++e) tetrahedron(f, e);
    }
    thin_contacts(d, first);
  }

  CORTEN_FN void element_vertex(int f, int e, int v) {
    const auto box = detail::ElementBox<V>::load(d.flexelem_aabb, m.flex_elemadr[f] + e);
    Vec3<V> at;
    for (int k = 0; k < 3; ++k) at[k] = value(d.flexvert_xpos[3 * (m.flex_vertadr[f] + v) + k]);
    const S reach = margin_of(S(m.flex_margin[f])) + S(m.flex_radius[f]);
    if (box.apart(at, value(reach))) return;
    collide_vertex_element(load_vertex(m, d, f, v), load_element(m, d, f, e), effort_,
                           [&](const Hit<S>& hit) {
                             append({.flex = f, .vert = v}, {.flex = f, .elem = e}, hit,
                                    flex_contact_parameters<S>(m, -1, f, f), S(0));
                           });
  }

  // the height of each corner above the opposite face, which must not vanish
  CORTEN_FN void tetrahedron(int f, int e) {
    constexpr int face[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    const auto corner = m.flex_elem.from(m.flex_elemdataadr[f] + 4 * e);
    const S radius = S(m.flex_radius[f]);
    for (const auto& of : face) {
      Vec3<S> x[4];
      for (int i = 0; i < 4; ++i) {
        x[i] = vec3<S>(d.flexvert_xpos, m.flex_vertadr[f] + corner[of[i]]);
      }
      Vec3<S> n = cross(x[1] - x[0], x[2] - x[0]);
      normalize(n);
      const S height = n.dot(x[3] - x[0]);
      if (value(height) <= -2 * value(radius)) continue;
      ContactParameters<S> p = flex_contact_parameters<S>(m, -1, f, f);
      p.dim = 1;
      Hit<S> hit;
      hit.dist = -height - S(2) * radius;
      hit.pos = x[3] - n * S(S(0.5) * height);
      hit.normal = -n;
      hit.tangent.setZero();
      append({.flex = f, .elem = e}, {.flex = f, .vert = corner[of[3]]}, hit, p, S(0));
    }
  }

  const M& m;
  const D& d;
  Effort<S>& effort_;
  bool some_;
  int geom_ = 0;
};

}  // namespace corten
