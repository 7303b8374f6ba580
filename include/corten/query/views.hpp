// SPDX-License-Identifier: Apache-2.0
//
// Shared by the host functions of query/: input and output spans, and checks of sizes and ids.
#pragma once

#include <corten/data/data.hpp>
#include <corten/math/field.hpp>
#include <corten/pipeline/policies.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace corten {

// a matrix or vector that a function fills; where it is optional, an empty span skips it
template <class S>
using Out = std::type_identity_t<std::span<S>>;
template <class S>
using In = std::type_identity_t<std::span<const S>>;

namespace detail {

template <class X>
bool has_size(const X& x, int size) {
  return x.size() == static_cast<std::size_t>(size);
}
template <class X>
bool empty_or(const X& x, int size) {
  return x.empty() || has_size(x, size);
}

// Does the data belong to the model, and is the id one of `count` objects?
template <class SM, class S>
Status check_id(const Model<SM>& model, const Data<S>& data, int id, int count) {
  if (!data.fits(model)) return Status{wrong_model};
  return id >= 0 && id < count ? Status{} : Status{bad_argument};
}

// the same with an error that says what is wrong
template <class SM, class S>
Result<void> check_id(const Model<SM>& model, const Data<S>& data, std::string_view word, int id,
                      int count) {
  const Status known = check_id(model, data, id, count);
  if (known.has(wrong_model)) return Error(Status::describe(wrong_model));
  if (!known) return no_such_id(word, id, count);
  return {};
}

// what the objects of a type that has a frame are called, and how many there are
struct FramedObjects {
  const char* word;
  int count;
};
CORTEN_COLD FramedObjects framed_objects(const Sizes& n, ObjectType type) {
  switch (type) {
    case ObjectType::body:
    case ObjectType::xbody: return {"body", n.nbody};
    case ObjectType::geom: return {"geom", n.ngeom};
    case ObjectType::site: return {"site", n.nsite};
    case ObjectType::camera: return {"camera", n.ncam};
    default: return {"object of this type with a frame:", 0};
  }
}

template <class S>
Field<S> field_of(std::span<S> x) {
  return {x.empty() ? nullptr : x.data()};
}

}  // namespace detail

}  // namespace corten
