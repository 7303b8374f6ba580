// SPDX-License-Identifier: Apache-2.0
//
// Contacts of soft bodies, one by one:
//
//     for (int i = 0; i < data.ref().nscon; ++i) {
//       const auto c = corten::soft_contact(model, data, i).value();
//       c.soft, c.vert, model.geom_name(c.geom), c.depth, c.force
//     }
//
// Call it after forward or step.
#pragma once

#include <corten/data/data.hpp>
#include <corten/soft/contact.hpp>

namespace corten {

template <class S>
struct SoftContactPoint {
  int soft, vert, geom;  // the vertex is counted within its body
  S depth;               // positive: they overlap; moving the vertex by normal · depth resolves it
  Vec3<S> pos;           // the nearest point of the geom
  Mat3<S> frame;         // rows: the normal, from the geom to the vertex, and two tangents
  ContactParameters<S> parameters;  // dim, friction, solref, solimp
  Vec3<S> force;                    // on the vertex, in world axes

  Vec3<S> normal() const { return frame.row(0); }
};

// contact i; an error if there is none, or if the data belongs to another model
template <class SM, class S>
Result<SoftContactPoint<S>> soft_contact(const Model<SM>& model, const Data<S>& data, int i) {
  if (!data.fits(model)) return Error(Status::describe(wrong_model));
  const auto& d = data.ref();
  if (model.n.nsoft == 0 || i < 0 || i >= d.nscon) {
    return Error("there is no contact " + std::to_string(i) + " of a soft body");
  }
  const auto m = make_ref<void>(model);
  const int vert = d.scon_vert[i], geom = d.scon_geom[i];
  int soft = 0;
  while (vert >= m.soft_vertadr[soft] + m.soft_vertnum[soft]) ++soft;
  return SoftContactPoint<S>{soft,
                             vert - m.soft_vertadr[soft],
                             geom,
                             d.scon_depth[i],
                             vec3<S>(d.scon_pos, i),
                             make_frame(vec3<S>(d.scon_normal, i)),
                             soft_parameters<S>(m, soft, geom),
                             vec3<S>(d.scon_force, i)};
}

}  // namespace corten
