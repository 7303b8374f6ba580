// SPDX-License-Identifier: Apache-2.0
//
// Numbers of the data picked by text, for plots and tables:
//
//   qpos          all of qpos              qpos:2        one component
//   ncon          a counter                energy        total, potential and kinetic energy
//   sensor:imu    the sensor of that name
//
// pick() looks names up once; each Quantity then reads its number from the data of a world.
#pragma once

#include <corten/core/result.hpp>
#include <corten/data/data.hpp>
#include <corten/io/options.hpp>
#include <corten/spec/suggest.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace corten::io {

// One number of the data: a member of DataRef and an index.
template <class S>
struct Quantity {
  using D = DataRef<S, Contiguous>;
  using Member = std::variant<Field<S> D::*, Field<int> D::*, Cell<S> D::*, Cell<int> D::*>;

  std::string label;
  Member member;
  int index = 0;
  int terms = 1;  // neighbouring components that are added up

  double operator()(const D& d) const {
    return std::visit([&](auto m) { return read(d.*m); }, member);
  }

 private:
  template <class T>
  double read(const Field<T>& f) const {
    double sum = 0;
    for (int k = index; k < index + terms; ++k) sum += static_cast<double>(f[k]);
    return sum;
  }
  template <class T>
  double read(const Cell<T>& c) const {
    return static_cast<double>(c.get());
  }
};

// What a text asks for: its numbers, and a title that says what they are.
template <class S>
struct Pick {
  std::string title;
  std::vector<Quantity<S>> quantities;
};

namespace detail {

template <class S>
struct QuantitySource {
  std::string_view name, meaning;
  typename Quantity<S>::Member member;
  int count;
};

// Everything that can be picked. Fields as long as there are contacts or rows are not: their
// components are other things at other times.
template <class S>
std::vector<QuantitySource<S>> quantity_sources(const DataSizes& sizes) {
  using D = typename Quantity<S>::D;
  DataSizes n = sizes;
  n.nconmax = n.njmax = n.npgs = 0;
  std::vector<QuantitySource<S>> out;
  const auto add = [&](QuantitySource<S> source) {
    if (source.count > 0) out.push_back(source);
  };
#define X(type, name, meaning) add({#name, meaning, static_cast<Cell<type> D::*>(&D::name), 1});
  CORTEN_DATA_SHOWN_CELLS(X)
#undef X
#define X(type, name, rows, width, meaning) \
  add({#name, meaning, static_cast<Field<type> D::*>(&D::name), (rows) * (width)});
  CORTEN_DATA_SHOWN_FIELDS(X)
#undef X
  return out;
}

inline Error pick_error(std::string_view text, std::string message, std::string remedy = {}) {
  return Error{{}, "quantity '" + std::string(text) + "'", std::move(message), std::move(remedy)};
}

template <class S, class SM>
Result<Pick<S>> pick_sensor(const Model<SM>& model, std::string_view name) {
  for (std::size_t i = 0; i < model.names.sensor.size(); ++i) {
    if (model.names.sensor[i] != name) continue;
    Pick<S> out{"sensor " + std::string(name), {}};
    const int dim = model.sensor_dim[i];
    for (int k = 0; k < dim; ++k) {
      const std::string label = std::string(name) + (dim > 1 ? ":" + std::to_string(k) : "");
      out.quantities.push_back({label, &Quantity<S>::D::sensordata, model.sensor_adr[i] + k});
    }
    return out;
  }
  return pick_error(name, "there is no such sensor", spec::suggest(name, model.names.sensor));
}

template <class S>
Result<Pick<S>> pick_component(const QuantitySource<S>& source, std::string_view index) {
  const auto i = to_number<int>(index);
  if (!i || *i < 0 || *i >= source.count) {
    return pick_error(source.name,
                      "the index must be from 0 to " + std::to_string(source.count - 1));
  }
  const std::string label = std::string(source.name) + ":" + std::string(index);
  return Pick<S>{label + " · " + std::string(source.meaning), {{label, source.member, *i}}};
}

template <class S>
Pick<S> pick_all(const QuantitySource<S>& source) {
  Pick<S> out{std::string(source.name) + " · " + std::string(source.meaning), {}};
  for (int i = 0; i < source.count; ++i) {
    const std::string label =
        std::string(source.name) + (source.count > 1 ? ":" + std::to_string(i) : "");
    out.quantities.push_back({label, source.member, i});
  }
  return out;
}

}  // namespace detail

// The quantities that a text asks for, in order of their components.
template <class S, class SM>
Result<Pick<S>> pick(const Model<SM>& model, const DataSizes& sizes, std::string_view text) {
  using D = typename Quantity<S>::D;
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (name == "sensor" && colon != std::string_view::npos) {
    return detail::pick_sensor<S>(model, text.substr(colon + 1));
  }
  if (text == "energy") {
    return Pick<S>{
        "energy (J)",
        {{"total", &D::energy, 0, 2}, {"potential", &D::energy, 0}, {"kinetic", &D::energy, 1}}};
  }
  const auto sources = detail::quantity_sources<S>(sizes);
  std::vector<std::string_view> known{"sensor"};
  for (const auto& source : sources) {
    if (source.name == name) {
      if (colon == std::string_view::npos) return detail::pick_all(source);
      return detail::pick_component(source, text.substr(colon + 1));
    }
    known.push_back(source.name);
  }
  return detail::pick_error(text, "there is no such quantity in this model",
                            spec::suggest(name, known));
}

}  // namespace corten::io
