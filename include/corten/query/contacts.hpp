// SPDX-License-Identifier: Apache-2.0
//
// Contacts, one by one:
//
//     for (const auto& c : corten::contacts(model, data)) {
//       c.geoms[0], model.geom_name(c.geoms[1]), c.pos, c.dist, c.force[0]
//     }
//
// Call it after forward or step; forces are those of the last forward pass. The loop copies each
// contact out of the data, so it may not outlive the data, but its contacts may.
#pragma once

#include <corten/constraint/contact_force.hpp>
#include <corten/query/views.hpp>

#include <array>
#include <cstddef>
#include <iterator>

namespace corten {

template <class S>
struct ContactPoint {
  int id;                     // its row in the data's contact fields
  std::array<int, 2> geoms;   // the normal points from the first to the second
  std::array<int, 2> bodies;  // those of the geoms
  int dim;                    // 1: frictionless; 3, 4, 6: with friction, torsional, rolling
  S dist;                     // negative: penetration
  Vec3<S> pos;                // midway between the surfaces
  Mat3<S> frame;              // rows: the normal and two tangents, in world axes

  // Force (normal, two tangents) and torque about the same axes that the first geom exerts on the
  // second, in `frame`. Zero while the geoms are farther apart than the margin less the gap.
  Vec6<S> force;

  Vec3<S> normal() const { return frame.row(0); }

  // the force on the second geom and the torque about `pos`, in world axes
  Vec3<S> world_force() const { return frame.transpose() * force.template head<3>(); }
  Vec3<S> world_torque() const { return frame.transpose() * force.template tail<3>(); }
};

// The contacts of a Data as a range.
template <class SM, class S>
class Contacts {
 public:
  // Data of another model has no contacts that could be told apart: the range is then empty.
  Contacts(const Model<SM>& model, const Data<S>& data)
      : bodies_(model.geom_bodyid.data()),
        d_(&data.ref()),
        size_(data.fits(model) ? data.ncon() : 0) {}

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // contact i, which must be below size()
  ContactPoint<S> operator[](int i) const {
    const int a = d_->contact_geom[2 * i], b = d_->contact_geom[2 * i + 1];
    return {i,
            {a, b},
            {a < 0 ? -1 : bodies_[a], b < 0 ? -1 : bodies_[b]},
            d_->contact_dim[i],
            d_->contact_dist[i],
            vec3<S>(d_->contact_pos, i),
            mat3<S>(d_->contact_frame, i),
            corten::contact_force(*d_, i)};
  }

  class Iterator {
   public:
    using value_type = ContactPoint<S>;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;

    Iterator() = default;
    Iterator(const Contacts* of, int at) : of_(of), at_(at) {}
    value_type operator*() const { return (*of_)[at_]; }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(of_, at_++); }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const Contacts* of_ = nullptr;
    int at_ = 0;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }

 private:
  const int* bodies_;
  const DataRef<S, Contiguous>* d_;
  int size_;
};

template <class SM, class S>
Contacts<SM, S> contacts(const Model<SM>& model, const Data<S>& data) {
  return {model, data};
}
template <class SM, class S>
void contacts(const Model<SM>&& model, const Data<S>& data) = delete;
template <class SM, class S>
void contacts(const Model<SM>& model, const Data<S>&& data) = delete;
template <class SM, class S>
void contacts(const Model<SM>&& model, const Data<S>&& data) = delete;

// The force of one contact (constraint/contact_force.hpp).
template <class SM, class S>
Result<Vec6<S>> contact_force(const Model<SM>& model, const Data<S>& data, int contact) {
  if (auto known = detail::check_id(model, data, "contact", contact, data.ncon()); !known) {
    return known.error();
  }
  return contact_force(data.ref(), contact);
}

}  // namespace corten
