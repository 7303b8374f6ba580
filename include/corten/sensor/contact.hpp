// SPDX-License-Identifier: Apache-2.0
//
// Contact sensor: reads the contacts that two criteria select. A criterion is a geom, a body, a
// subtree (xbody) or nothing; the first may also be the volume of a site. The sensor has slots for
// `num` contacts (sensor_intprm 2), each with the numbers that the bits of sensor_intprm 0 ask for
// (ContactData). sensor_intprm 1 says which contacts come first, or that all are summed into one
// slot (ContactReduce). Slots without a contact are zero.
//
// The normal points from the first criterion to the second. Forces and torques are in the frame of
// the contact; summed ones are in the world, about the centre of the contacts weighted by their
// forces.
#pragma once

#include <corten/constraint/contact_force.hpp>
#include <corten/sensor/inside.hpp>

namespace corten {

namespace detail {

// does one side of a contact meet the criterion?
template <class M, class D>
CORTEN_FN bool meets_criterion(const M& m, const D& d, int c, int side, int object, int id) {
  const int geom = d.contact_geom[2 * c + side];
  int body = some_contact_body(m, d, c, side);
  switch (static_cast<ObjectType>(object)) {
    case ObjectType::geom: return geom == id;
    case ObjectType::body: return body == id;
    case ObjectType::xbody:
      // parents have smaller numbers
      while (body > id) body = m.body_parentid[body];
      return body == id;
    default: return true;  // no criterion, or a site, which has been tested
  }
}

// 0: not selected; 1: selected; -1: selected in the other order
template <class M, class D>
CORTEN_FN int selects_contact(const M& m, const D& d, int i, int c) {
  using T = value_t<typename D::Scalar>;
  const int object = m.sensor_objtype[i], reference = m.sensor_reftype[i];
  const int id1 = m.sensor_objid[i], id2 = m.sensor_refid[i];
  if (static_cast<ObjectType>(object) == ObjectType::site &&
      !in_site(m, d, id1, plain<T, 3>(d.contact_pos, c))) {
    return 0;
  }
  const bool first1 = meets_criterion(m, d, c, 0, object, id1);
  const bool second1 = meets_criterion(m, d, c, 1, object, id1);
  const bool first2 = meets_criterion(m, d, c, 0, reference, id2);
  const bool second2 = meets_criterion(m, d, c, 1, reference, id2);
  if (!(first1 || second1) || !(first2 || second2)) return 0;
  const bool asks1 = static_cast<ObjectType>(object) != ObjectType::unknown;
  const bool asks2 = static_cast<ObjectType>(reference) != ObjectType::unknown;
  if (asks1 && asks2) return first1 && second2 ? 1 : (second1 && first2 ? -1 : 0);
  if (asks1) return first1 ? 1 : -1;
  if (asks2) return second2 ? 1 : -1;
  return 1;
}

// the sort key of a contact: smaller ones come first
template <class D>
CORTEN_FN auto contact_rank(const D& d, ContactReduce reduce, int c) {
  using T = value_t<typename D::Scalar>;
  if (reduce == ContactReduce::mindist) return static_cast<T>(value(d.contact_dist[c]));
  if (reduce != ContactReduce::maxforce) return T(0);
  T squared(0);
  const auto wrench = contact_force(d, c);
  for (int k = 0; k < 3; ++k) squared += value(wrench[k]) * value(wrench[k]);
  return -squared;
}

// the selected contact that comes next after `last` (-1: the first); -1: there is none
template <class M, class D>
CORTEN_FN int next_contact(const M& m, const D& d, int i, ContactReduce reduce, int last) {
  using T = value_t<typename D::Scalar>;
  const T passed = last < 0 ? T(0) : contact_rank(d, reduce, last);
  int best = -1;
  T rank(0);
  for (int c = 0; c < d.ncon; ++c) {
    if (selects_contact(m, d, i, c) == 0) continue;
    const T r = contact_rank(d, reduce, c);
    if (last >= 0 && (r < passed || (r == passed && c <= last))) continue;
    if (best >= 0 && !(r < rank)) continue;
    best = c;
    rank = r;
  }
  return best;
}

}  // namespace detail

struct ContactSensor : SensorTraits<SensorType::contact> {
  static constexpr bool has_cutoff = false;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const auto reduce = static_cast<ContactReduce>(m.sensor_intprm[3 * i + 1]);
    const int bits = m.sensor_intprm[3 * i], slots = m.sensor_intprm[3 * i + 2];
    fill(out, m.sensor_dim[i], S(0));
    int found = 0;
    for (int c = 0; c < d.ncon; ++c) found += detail::selects_contact(m, d, i, c) != 0 ? 1 : 0;
    if (reduce == ContactReduce::netforce) return report_sum(m, d, i, bits, found, out);

    int contact = -1, at = 0;
    for (int slot = 0; slot < slots && slot < found; ++slot) {
      contact = detail::next_contact(m, d, i, reduce, contact);
      if (contact < 0) return;
      const bool flip = detail::selects_contact(m, d, i, contact) < 0;
      at += report_contact(d, contact, flip, bits, found, out.from(at));
    }
  }

 private:
  // numbers of one slot, in the order of the bits
  template <class S, class O>
  struct Slot {
    const O& out;
    int bits;
    int at = 0;

    CORTEN_FN bool wants(ContactData data) const {
      return (bits >> static_cast<int>(data) & 1) != 0;
    }
    CORTEN_FN void number(ContactData data, const S& x) {
      if (wants(data)) out[at++] = x;
    }
    CORTEN_FN void vector(ContactData data, const Vec3<S>& v) {
      if (!wants(data)) return;
      store(out.from(at), 0, v);
      at += 3;
    }
  };

  // Seen from the other side, the frame is turned by half a turn about its third axis, and the
  // force is equal and opposite.
  template <class D, class O>
  CORTEN_FN static int report_contact(const D& d, int c, bool flip, int bits, int found,
                                      const O& out) {
    using S = typename D::Scalar;
    const Vec6<S> wrench = contact_force(d, c);
    const Mat3<S> frame = mat3<S>(d.contact_frame, c);
    const S sign = S(flip ? -1 : 1);
    Slot<S, O> slot{out, bits};
    slot.number(ContactData::found, S(found));
    slot.vector(ContactData::force, Vec3<S>(wrench[0], wrench[1], sign * wrench[2]));
    slot.vector(ContactData::torque, Vec3<S>(wrench[3], wrench[4], sign * wrench[5]));
    slot.number(ContactData::dist, d.contact_dist[c]);
    slot.vector(ContactData::pos, vec3<S>(d.contact_pos, c));
    slot.vector(ContactData::normal, sign * frame.row(0));
    slot.vector(ContactData::tangent, sign * frame.row(1));
    return slot.at;
  }

  // all selected contacts as one
  template <class M, class D, class O>
  CORTEN_FN static void report_sum(const M& m, const D& d, int i, int bits, int found,
                                   const O& out) {
    using S = typename D::Scalar;
    Vec3<S> centre = Vec3<S>::Zero(), force = Vec3<S>::Zero(), torque = Vec3<S>::Zero();
    S total = S(0);
    for (int c = 0; c < d.ncon; ++c) {
      if (detail::selects_contact(m, d, i, c) == 0) continue;
      const S weight = norm(contact_force(d, c).template head<3>());
      centre += vec3<S>(d.contact_pos, c) * weight;
      total += weight;
    }
    centre /= max(total, S(min_value));
    for (int c = 0; c < d.ncon; ++c) {
      const int order = detail::selects_contact(m, d, i, c);
      if (order == 0) continue;
      const Vec6<S> wrench = contact_force(d, c) * S(order);
      const Mat3<S> frame = mat3<S>(d.contact_frame, c);
      const Vec3<S> f = frame.transpose() * wrench.template head<3>();
      force += f;
      torque += frame.transpose() * wrench.template tail<3>();
      torque += cross(vec3<S>(d.contact_pos, c) - centre, f);
    }
    Slot<S, O> slot{out, bits};
    slot.number(ContactData::found, S(found));
    slot.vector(ContactData::force, force);
    slot.vector(ContactData::torque, torque);
    slot.number(ContactData::dist, S(0));
    slot.vector(ContactData::pos, centre);
    slot.vector(ContactData::normal, Vec3<S>(S(1), S(0), S(0)));
    slot.vector(ContactData::tangent, Vec3<S>(S(0), S(1), S(0)));
  }
};

}  // namespace corten
