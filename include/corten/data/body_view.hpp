// SPDX-License-Identifier: Apache-2.0
//
// One body of a Data: where it is, how it moves, and the force that the user applies to it.
//
//     auto torso = data.body(model, "torso").value();
//     torso.pos(), torso.velocity()                           // of the last forward pass
//     torso.force() = corten::Vec3<double>(0, 0, 10);         // an input of the next step
//
// It refers to the data, so it shows the present state even after the data has grown. It is valid
// until the data is moved, destroyed or reset to another model. All vectors are in world axes.
#pragma once

#include <corten/math/eigen.hpp>
#include <corten/math/field.hpp>
#include <corten/math/vector.hpp>

#include <cstddef>
#include <type_traits>

namespace corten {

// D is a Data, or a const Data for a body that can only be looked at.
template <class D>
class BodyView {
 public:
  using S = typename D::Scalar;
  using Force =
      detail::EigenMap<std::conditional_t<std::is_const_v<D>, const S, S>, Eigen::Matrix<S, 3, 1>>;

  BodyView(D& data, int id, int root) : data_(&data), id_(id), root_(root) {}

  int id() const { return id_; }

  // the frame of the body, and its centre of mass
  Vec3<S> pos() const { return vec3<S>(data_->ref().xpos, id_); }
  Quat<S> quat() const { return corten::quat<S>(data_->ref().xquat, id_); }
  Mat3<S> mat() const { return mat3<S>(data_->ref().xmat, id_); }
  Vec3<S> com() const { return vec3<S>(data_->ref().xipos, id_); }

  // of the origin of the frame
  Vec3<S> velocity() const {
    const Vec3<S> offset = pos() - vec3<S>(data_->ref().subtree_com, root_);
    const Vec3<S> shift = vec6<S>(data_->ref().cvel, id_).template tail<3>();
    return shift + cross(angular_velocity(), offset);
  }
  Vec3<S> angular_velocity() const { return vec6<S>(data_->ref().cvel, id_).template head<3>(); }

  // xfrc_applied: the force acts at the centre of mass
  Force force() const { return Force(data_->xfrc_applied().data() + 6 * id_); }
  Force torque() const { return Force(data_->xfrc_applied().data() + 6 * id_ + 3); }

 private:
  D* data_;
  int id_, root_;
};

}  // namespace corten
