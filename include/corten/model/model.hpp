// SPDX-License-Identifier: Apache-2.0
//
// Model: everything about a mechanism that does not change while it moves. It consists of flat
// arrays, which the compiler (compile/) fills in. They can be edited afterwards (model.body_mass[3]
// *= 2), and the whole model can be cast to another scalar.
#pragma once

#include <corten/core/array.hpp>
#include <corten/core/enums.hpp>
#include <corten/core/list.hpp>
#include <corten/math/field.hpp>
#include <corten/model/fields.hpp>
#include <corten/model/names.hpp>
#include <corten/scalar/concept.hpp>

#include <cstddef>
#include <iterator>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace corten {

// All sizes of a model, zero until compiled.
struct Sizes {
#define X(name, meaning) int name = 0;
  CORTEN_MODEL_SIZES(X)
#undef X

  friend bool operator==(const Sizes&, const Sizes&) = default;
};

// An option is a number, or a small array of numbers.
template <class T, int W>
using OptionValue = std::conditional_t<W == 1, T, Array<T, W>>;

namespace detail {

template <class T, int W>
CORTEN_FN OptionValue<T, W> option_value(const double (&v)[static_cast<std::size_t>(W)]) {
  if constexpr (W == 1) {
    return static_cast<T>(v[0]);
  } else {
    Array<T, W> out{};
    for (int i = 0; i < W; ++i) out[i] = static_cast<T>(v[i]);
    return out;
  }
}

}  // namespace detail

// Physics options, with MuJoCo's names and defaults.
template <class S>
struct Option {
#define X(type, name, width, form, merge, ...) \
  OptionValue<type, width> name = detail::option_value<type, width>({__VA_ARGS__});
  CORTEN_MODEL_OPTIONS(X)
#undef X

  CORTEN_FN bool enabled(EnableBit bit) const { return (enableflags & bit) != 0; }
  CORTEN_FN bool disabled(DisableBit bit) const { return (disableflags & bit) != 0; }
};

// Typical magnitudes of the model as it was built; solver tolerances and renderers scale with them.
template <class S>
struct Statistic {
  S meaninertia = S(1), meanmass = S(1), meansize = S(0.2), extent = S(2);
  Vec3<S> center = Vec3<S>::Zero();
};

// Each array sits in a union of its own, so that the compiler generates no code to construct, copy
// or destroy it. Loops over model_arrays (below) do that instead: generated code for several
// hundred arrays would make up a good part of a program.
template <class S>
struct Model {
  static_assert(detail::check_scalar<S>());

  using Scalar = S;
  Sizes n;
  Option<S> opt;
  Statistic<S> stat;
  Names names;

#define X(type, name, rows, width, meaning) \
  union {                                   \
    List<type> name;                        \
  };
  CORTEN_MODEL_FIELDS(X)
#undef X

  CORTEN_COLD Model();
  CORTEN_COLD Model(const Model& other) : Model() { *this = other; }
  // The source is left empty: no data fits it.
  CORTEN_COLD Model(Model&& other) noexcept : Model() { *this = std::move(other); }
  CORTEN_COLD Model& operator=(const Model& other);
  CORTEN_COLD Model& operator=(Model&& other) noexcept;
  CORTEN_COLD ~Model();

  // Ids by name: model.body("torso"), model.joint("knee"), …; the error names the nearest match.
  // Names by id: model.body_name(1), empty if the object has none or the id is out of range.
#define X(kind, word)                                                                           \
  Result<int> word(std::string_view name) const { return names.find(Names::Kind::kind, name); } \
  std::string_view word##_name(int id) const { return names.name(Names::Kind::kind, id); }
  CORTEN_MODEL_NAMES(X)
#undef X

  // Sets every array to the length that the sizes prescribe, filled with zeros. Given `rows`, does
  // so only for arrays whose rows entry in the field list starts with that text, e.g. "n.ngeom".
  CORTEN_COLD void allocate(std::string_view rows = {});
};

// One array of a model, as a row of a table; exactly one of the four member pointers is set.
template <class S>
struct ModelArray {
  const char* name;
  const char* per;  // its number of rows, as written in the field list, e.g. "n.ngeom"
  List<S> Model<S>::*of_S = nullptr;
  List<int> Model<S>::*of_int = nullptr;
  List<float> Model<S>::*of_float = nullptr;
  List<double> Model<S>::*of_double = nullptr;
};

template <class S>
inline constexpr ModelArray<S> model_arrays[] = {
#define X(type, field, rows, width, meaning) \
  {.name = #field, .per = #rows, .of_##type = &Model<S>::field},
    CORTEN_MODEL_FIELDS(X)
#undef X
};

namespace detail {

// f(row of the table, member pointer) for every array
template <class S, class F>
void for_arrays(F&& f) {
  for (const ModelArray<S>& a : model_arrays<S>) {
    if (a.of_S != nullptr) f(a, a.of_S);
    if (a.of_int != nullptr) f(a, a.of_int);
    if (a.of_float != nullptr) f(a, a.of_float);
    if (a.of_double != nullptr) f(a, a.of_double);
  }
}

}  // namespace detail

template <class S>
Model<S>::Model() {
  detail::for_arrays<S>([this](const auto&, auto array) { std::construct_at(&(this->*array)); });
}

template <class S>
Model<S>::~Model() {
  detail::for_arrays<S>([this](const auto&, auto array) { std::destroy_at(&(this->*array)); });
}

template <class S>
Model<S>& Model<S>::operator=(const Model& other) {
  n = other.n, opt = other.opt, stat = other.stat, names = other.names;
  detail::for_arrays<S>([&](const auto&, auto array) { this->*array = other.*array; });
  return *this;
}

template <class S>
Model<S>& Model<S>::operator=(Model&& other) noexcept {
  if (this == &other) return *this;
  n = std::exchange(other.n, Sizes{}), opt = other.opt, stat = other.stat;
  names = std::move(other.names);
  detail::for_arrays<S>([&](const auto&, auto array) { this->*array = std::move(other.*array); });
  return *this;
}

template <class S>
void Model<S>::allocate(std::string_view rows) {
  const std::size_t lengths[] = {
#define X(type, name, rows, width, meaning) \
  static_cast<std::size_t>(rows) * static_cast<std::size_t>(width),
    CORTEN_MODEL_FIELDS(X)
#undef X
  };
  const std::size_t* length = lengths;
  detail::for_arrays<S>([&](const ModelArray<S>& a, auto array) {
    if (std::string_view(a.per).starts_with(rows)) (this->*array).assign(*length, {});
    ++length;
  });
}

namespace detail {

// Assigns between scalars: derivatives are kept if the target can hold them, else only the value
// is.
template <class To, class From>
void assign(To& to, const From& from) {
  to = convert<To>(from);
}
inline void assign(int& to, const int& from) { to = from; }

template <class To, class From, int W>
void assign(Array<To, W>& to, const Array<From, W>& from) {
  for (int i = 0; i < W; ++i) assign(to[i], from[i]);
}

template <class To, class From>
CORTEN_COLD void assign(List<To>& to, const List<From>& from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) assign(to[i], from[i]);
}

}  // namespace detail

// Chooses how much of each row of M is computed. Rows of simple bodies are reduced to their
// diagonals, as the other entries are zero. Duals keep the whole rows, because the derivatives of
// those entries with respect to the model's numbers are not zero.
template <class S>
void choose_rows(Model<S>& m) {
  for (std::size_t v = 0; v < m.dof_Madr.size(); ++v) {
    const bool whole = is_dual<S> || m.dof_simplenum[v] == 0;
    m.M_rownnz[v] = whole ? m.dof_depth[v] : 1;
    m.M_rowadr[v] = m.dof_Madr[v] + m.dof_depth[v] - m.M_rownnz[v];
  }
}

// The same model in another scalar: cast<float>(model), cast<Dual<double, 8>>(model).
template <class To, class From>
Model<To> cast(const Model<From>& from) {
  Model<To> out;
  out.n = from.n;
  out.names = from.names;
#define X(type, name, width, ...) detail::assign(out.opt.name, from.opt.name);
  CORTEN_MODEL_OPTIONS(X)
#undef X
#define X(name) detail::assign(out.stat.name, from.stat.name);
  X(meaninertia)
  X(meanmass)
  X(meansize)
  X(extent)
#undef X
  for (int i = 0; i < 3; ++i) detail::assign(out.stat.center[i], from.stat.center[i]);
  for (std::size_t i = 0; i < std::size(model_arrays<To>); ++i) {
    const ModelArray<To>& to = model_arrays<To>[i];
    const ModelArray<From>& as = model_arrays<From>[i];
    if (to.of_S != nullptr) detail::assign(out.*to.of_S, from.*as.of_S);
    if (to.of_int != nullptr) detail::assign(out.*to.of_int, from.*as.of_int);
    if (to.of_float != nullptr) detail::assign(out.*to.of_float, from.*as.of_float);
    if (to.of_double != nullptr) detail::assign(out.*to.of_double, from.*as.of_double);
  }
  choose_rows(out);
  return out;
}

}  // namespace corten
