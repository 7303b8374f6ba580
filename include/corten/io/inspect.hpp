// SPDX-License-Identifier: Apache-2.0
//
// A model and its data as JSON, field by field, with MuJoCo's names and in MuJoCo's layout, so that
// they can be compared with MuJoCo's own model and data of the same file.
//
//   corten::io::JsonWriter out;
//   corten::io::write_model(out, model);       // {"sizes": …, "opt": …, "arrays": …}
//   corten::io::write_data(out, model, data);  // {"time": …, "qpos": […], …}
//
// Both functions walk the field lists, so a new field is written without a change here. Matrices
// are written dense whatever their storage (M_full, ten_J, actuator_moment, efc_J), arrays over
// contacts and rows have one entry per contact or row in use, and contacts are objects. Scratch
// fields are left out.
#pragma once

#include <corten/constraint/rows.hpp>
#include <corten/data/data.hpp>
#include <corten/io/json.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace corten::io {

// ---- model --------------------------------------------------------------------------------------

namespace detail {

template <class T>
std::span<const T> items(const T* first, int count) {
  return {first, static_cast<std::size_t>(count)};
}

// scalars as numbers, small vectors as arrays
template <class T>
void write_option(JsonWriter& out, const T& v) {
  if constexpr (requires { v.size(); }) {
    out.numbers(items(v.data(), static_cast<int>(v.size())));
  } else {
    out.number(v);
  }
}

}  // namespace detail

template <class S>
void write_options(JsonWriter& out, const Option<S>& opt) {
  out.begin_object();
#define X(type, name, width, ...) out.key(#name), detail::write_option(out, opt.name);
  CORTEN_MODEL_OPTIONS(X)
#undef X
  out.end_object();
}

template <class S>
void write_model(JsonWriter& out, const Model<S>& model) {
  out.begin_object();
  out.key("sizes").begin_object();
#define X(name, meaning) out.key(#name).number(model.n.name);
  CORTEN_MODEL_SIZES(X)
#undef X
  out.end_object();

  out.key("opt"), write_options(out, model.opt);

  out.key("stat").begin_object();
  const Statistic<S>& stat = model.stat;
  out.key("meaninertia").number(stat.meaninertia).key("meanmass").number(stat.meanmass);
  out.key("meansize").number(stat.meansize).key("extent").number(stat.extent);
  out.key("center").numbers(detail::items(stat.center.data(), 3));
  out.end_object();

  out.key("names").begin_object();
#define X(kind, word) \
  if (!model.names.kind.empty()) out.key(#kind).strings(model.names.kind);
  CORTEN_MODEL_NAMES(X)
#undef X
  out.end_object();

  out.key("arrays").begin_object();
#define X(type, name, rows, width, meaning) out.key(#name).numbers(model.name);
  CORTEN_MODEL_FIELDS(X)
#undef X
  out.end_object();
  out.end_object();
}

// ---- data ---------------------------------------------------------------------------------------

namespace detail {

// the full inertia matrix, from its lower triangle
template <class S, class D>
std::vector<double> full_inertia(const Model<S>& m, const D& d) {
  const auto nv = static_cast<std::size_t>(m.n.nv);
  std::vector<double> out(nv * nv);
  for (std::size_t i = 0; i < nv; ++i) {
    for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
      const auto j = static_cast<std::size_t>(m.M_colind[static_cast<std::size_t>(k)]);
      out[i * nv + j] = out[j * nv + i] = static_cast<double>(value(d.M[k]));
    }
  }
  return out;
}

// expands compressed rows to a dense matrix with nv columns
template <class F, class I>
std::vector<double> dense_rows(int rows, int nv, const F& entries, const I* nnz, const I* adr,
                               const I* col) {
  std::vector<double> out(static_cast<std::size_t>(rows) * static_cast<std::size_t>(nv));
  for (int r = 0; r < rows; ++r) {
    for (int k = adr[r]; k < adr[r] + nnz[r]; ++k) {
      out[static_cast<std::size_t>(r * nv + col[k])] = static_cast<double>(value(entries[k]));
    }
  }
  return out;
}

template <class D>
void write_contact(JsonWriter& out, const D& d, int c) {
  constexpr int none[2] = {-1, -1};
  const auto one = [&](const char* name, const auto& field) { out.key(name).number(field[c]); };
  const auto some = [&](const char* name, const auto& field, int width) {
    out.key(name).numbers(items(field.data + width * c, width));
  };
  out.begin_object();
  one("dist", d.contact_dist);
  some("pos", d.contact_pos, 3);
  some("frame", d.contact_frame, 9);
  one("dim", d.contact_dim);
  out.key("geom1").number(d.contact_geom[2 * c]).key("geom2").number(d.contact_geom[2 * c + 1]);
  some("friction", d.contact_friction, 5);
  some("solref", d.contact_solref, 2);
  some("solreffriction", d.contact_solreffriction, 2);
  some("solimp", d.contact_solimp, 5);
  one("includemargin", d.contact_includemargin);
  one("mu", d.contact_mu);
  one("adhesion", d.contact_adhesion);
  one("exclude", d.contact_exclude);
  one("efc_address", d.contact_efc_address);
  some("geom", d.contact_geom, 2);
  const bool flexes = d.n.nflex > 0;
  const auto ids = [&](const auto& field) { return flexes ? field.data + 2 * c : none; };
  out.key("flex").numbers(items(ids(d.contact_flex), 2));
  out.key("elem").numbers(items(ids(d.contact_elem), 2));
  out.key("vert").numbers(items(ids(d.contact_vert), 2));
  out.end_object();
}

template <class D>
std::vector<double> dense_jacobian(const D& d) {
  const auto nv = static_cast<std::size_t>(d.n.nv);
  std::vector<double> out(static_cast<std::size_t>(d.nefc) * nv);
  for (int r = 0; r < d.nefc; ++r) {
    each_entry(jacobian_rows(d), r, [&](int i, const auto& entry) {
      out[static_cast<std::size_t>(r) * nv + static_cast<std::size_t>(i)] =
          static_cast<double>(value(entry));
    });
  }
  return out;
}

// fields that are not written the way they are stored
inline bool stored_otherwise(std::string_view name) {
  return name.starts_with("contact_") || name.starts_with("moment_") || name == "ten_J" ||
         name.starts_with("efc_J") || name == "actuator_moment" || name == "solver_niter";
}

}  // namespace detail

// the members of write_data, written into an object that is already open
template <class S, class SD>
void write_data_members(JsonWriter& out, const Model<S>& model, const Data<SD>& data) {
  const auto& d = data.ref();
#define X(type, name, meaning) \
  if (!detail::stored_otherwise(#name)) out.key(#name).number(d.name.get());
  CORTEN_DATA_SHOWN_CELLS(X)
#undef X
  out.key("solver_niter").numbers(detail::items(d.solver_niter.data, 1));

  // The shapes in the field list are capacities; write only what is in use.
  const DataSizes n = sizes_in_use(d);
#define X(type, name, rows, width, meaning)                               \
  if (!detail::stored_otherwise(#name)) {                                 \
    out.key(#name).numbers(detail::items(d.name.data, (rows) * (width))); \
  }
  CORTEN_DATA_SHOWN_FIELDS(X)
#undef X

  out.key("M_full").numbers(detail::full_inertia(model, d));
  out.key("ten_J").numbers(detail::dense_rows(n.ntendon, n.nv, d.ten_J, model.ten_J_rownnz.data(),
                                              model.ten_J_rowadr.data(),
                                              model.ten_J_colind.data()));
  out.key("actuator_moment")
      .numbers(detail::dense_rows(n.nout, n.nv, d.actuator_moment, d.moment_rownnz.data,
                                  d.moment_rowadr.data, d.moment_colind.data));
  out.key("efc_J").numbers(detail::dense_jacobian(d));
  out.key("contact").begin_array();
  for (int c = 0; c < d.ncon; ++c) detail::write_contact(out, d, c);
  out.end_array();
}

template <class S, class SD>
void write_data(JsonWriter& out, const Model<S>& model, const Data<SD>& data) {
  out.begin_object();
  write_data_members(out, model, data);
  out.end_object();
}

// ---- state --------------------------------------------------------------------------------------

namespace detail {

template <class F>
Result<void> read_numbers(const Json& from, const F& to, int count) {
  const Json::Array* items = from.array();
  if (items == nullptr || items->size() != static_cast<std::size_t>(count)) {
    return Error("must be an array of " + std::to_string(count) + " numbers");
  }
  for (int i = 0; i < count; ++i) {
    const std::optional<double> x = (*items)[static_cast<std::size_t>(i)].number();
    if (!x) return Error("[" + std::to_string(i) + "] is not a number");
    to[i] = static_cast<typename F::Value>(*x);
  }
  return {};
}

// one member of a state
template <class D>
Result<void> read_state_member(std::string_view key, const Json& from, const D& d) {
  if (key == "time") {
    const std::optional<double> t = from.number();
    if (!t) return Error("must be a number");
    d.time = static_cast<typename D::Scalar>(*t);
    return {};
  }
  bool found = false;
  Result<void> done;
  each_state(d, [&](int, std::string_view name, const auto& field, int count) {
    if (key != name) return;
    found = true;
    done = read_numbers(from, field, count);
    if (key == "tree_asleep") fill(d.tree_rest, d.n.nsleep, 0);
  });
  if (found) return done;
  if (from.array() != nullptr && from.array()->empty()) return {};
  return Error("is not part of a state");
}

}  // namespace detail

// Sets the parts of the state and of the inputs that an object names ({"time": 0, "qpos": […],
// "ctrl": […], …}); all others keep their values.
template <class SD>
Result<void> read_state(const Json& from, Data<SD>& data, const std::string& file = {}) {
  const Json::Object* members = from.object();
  if (members == nullptr) return Error{{file, 0, 0}, {}, "a state must be an object"};
  for (const Json::Member& m : *members) {
    if (auto done = detail::read_state_member(m.first, m.second, data.ref()); !done) {
      return Error{{file, 0, 0}, m.first, done.error().message};
    }
  }
  return {};
}

}  // namespace corten::io
