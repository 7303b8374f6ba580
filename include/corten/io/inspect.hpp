// SPDX-License-Identifier: Apache-2.0
//
// A model and its data as JSON, field by field, under MuJoCo's names and in MuJoCo's layout, so that they
// can be compared with what MuJoCo makes of the same file.
//
//   corten::io::JsonWriter out;
//   corten::io::write_model(out, model);    // {"sizes": …, "opt": …, "stat": …, "names": …, "arrays": …}
//   corten::io::write_data(out, model, data);   // {"time": …, "qpos": […], …, "contact": [{…}], …}
//
// The field lists drive both: a field that is added there is written here. Matrices are dense whatever
// their storage (M_full, ten_J, actuator_moment, efc_J), arrays of contacts and rows are as long as there
// are contacts and rows, and contacts are objects.
#pragma once

#include <corten/data/data.hpp>
#include <corten/io/json.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace corten::io {

// ---- model -------------------------------------------------------------------------------------------

namespace detail {

template <class T>
void write_number_or_vector(JsonWriter& out, const T& v) {
  if constexpr (requires { v.rows(); }) {
    out.numbers(std::span(v.data(), static_cast<std::size_t>(v.rows())));
  } else {
    out.numbers(std::span(&v, 1));
  }
}

}  // namespace detail

template <class S>
void write_sizes(JsonWriter& out, const Model<S>& model) {
  out.begin_object();
#define X(name, meaning) out.key(#name).value(model.n.name);
  CORTEN_MODEL_SIZES(X)
#undef X
  out.end_object();
}

// numbers as numbers, vectors as arrays
template <class S>
void write_options(JsonWriter& out, const Option<S>& opt) {
  const auto write = [&](const auto& v) {
    if constexpr (requires { v.rows(); }) {
      out.numbers(std::span(v.data(), static_cast<std::size_t>(v.rows())));
    } else {
      out.value(static_cast<double>(v));
    }
  };
  out.begin_object();
#define X(type, name, width, ...) out.key(#name), write(opt.name);
  CORTEN_MODEL_OPTIONS(X)
#undef X
  out.end_object();
}

template <class S>
void write_statistic(JsonWriter& out, const Statistic<S>& stat) {
  out.begin_object();
#define X(name) out.key(#name).value(static_cast<double>(value(stat.name)));
  X(meaninertia) X(meanmass) X(meansize) X(extent)
#undef X
  out.key("center").numbers(std::span(stat.center.data(), 3)).end_object();
}
