// SPDX-License-Identifier: Apache-2.0
//
// Numbers of the data, selected by text, for plots and tables:
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

namespace cli {

// One number of the data: a member of DataRef and an index.
template <class S>
struct Quantity {
  using D = corten::DataRef<S, corten::Contiguous>;
  using Member = std::variant<corten::Field<S> D::*, corten::Field<int> D::*, corten::Cell<S> D::*,
                              corten::Cell<int> D::*>;

  std::string label;
  Member member;
  int index = 0;
  int terms = 1;  // number of neighbouring components that are summed

  double operator()(const D& d) const {
    return std::visit([&](auto m) { return read(d.*m); }, member);
  }

 private:
  template <class T>
  double read(const corten::Field<T>& f) const {
    double sum = 0;
    for (int k = index; k < index + terms; ++k) sum += static_cast<double>(f[k]);
    return sum;
  }
  template <class T>
  double read(const corten::Cell<T>& c) const {
    return static_cast<double>(c.get());
  }
};

// the numbers that a text selects, and a title that says what they are
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

// Everything that can be selected. Fields over contacts and rows cannot: their components mean
// different things at different times.
template <class S>
std::vector<QuantitySource<S>> quantity_sources(const corten::DataSizes& sizes) {
  using D = typename Quantity<S>::D;
  using corten::status_bits;  // the field list names it
  corten::DataSizes n = sizes;
  n.nconmax = n.njmax = n.npgs = n.njnz = n.nrun = 0;
  std::vector<QuantitySource<S>> out;
  const auto add = [&](QuantitySource<S> source) {
    if (source.count > 0) out.push_back(source);
  };
#define X(type, name, meaning) \
  add({#name, meaning, static_cast<corten::Cell<type> D::*>(&D::name), 1});
  CORTEN_DATA_SHOWN_CELLS(X)
#undef X
#define X(type, name, rows, width, meaning) \
  add({#name, meaning, static_cast<corten::Field<type> D::*>(&D::name), (rows) * (width)});
  CORTEN_DATA_SHOWN_FIELDS(X)
#undef X
  return out;
}

inline corten::Error pick_error(std::string_view text, std::string message,
                                std::string remedy = {}) {
  return corten::Error{
      {}, "quantity '" + std::string(text) + "'", std::move(message), std::move(remedy)};
}

template <class S, class SM>
corten::Result<Pick<S>> pick_sensor(const corten::Model<SM>& model, std::string_view name) {
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
  return pick_error(name, "there is no such sensor",
                    corten::spec::suggest(name, model.names.sensor));
}

template <class S>
corten::Result<Pick<S>> pick_component(const QuantitySource<S>& source, std::string_view index) {
  const auto i = corten::io::to_number<int>(index);
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

// the quantities that a text selects, in the order of their components
template <class S, class SM>
corten::Result<Pick<S>> pick(const corten::Model<SM>& model, const corten::DataSizes& sizes,
                             std::string_view text) {
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
                            corten::spec::suggest(name, known));
}

}  // namespace cli
