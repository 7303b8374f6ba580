// SPDX-License-Identifier: Apache-2.0
//
// The list of constraint kinds that a pipeline knows. A kind is a type with static functions
// (kind.hpp). The list maps the type stored with a row to a call of that kind's function; no other
// code distinguishes kinds of rows.
//
// A kind of your own is written in <equality>, as an element with its name:
//
//     struct Rod : corten::constraints::BodyElement {
//       static constexpr corten::EqualityType type = corten::user_equality(0);
//       static constexpr const char* name = "rod";
//       static constexpr int dim = 1;  // rows per element
//       static constexpr corten::ObjectType object = corten::ObjectType::site;  // site1, site2
//       static constexpr corten::Parameter parameters[] = {{"length", 1}};  // stored in eq_data
//       template <class M, class D>
//       static void rows(const M& m, const D& d, int e) { … }
//     };
//     using MyPolicies = Policies<DefaultConstraints::with<Rod>>;
//
// A kind whose rows can only push sets `group = RowGroup::limit` and writes rows of type
// ConstraintType::element_limit.
#pragma once

#include <corten/constraint/connect.hpp>
#include <corten/constraint/contact.hpp>
#include <corten/constraint/distance.hpp>
#include <corten/constraint/dof_friction.hpp>
#include <corten/constraint/flex_edges.hpp>
#include <corten/constraint/flex_strain.hpp>
#include <corten/constraint/flex_vertices.hpp>
#include <corten/constraint/joint_coupling.hpp>
#include <corten/constraint/joint_limit.hpp>
#include <corten/constraint/tendon_coupling.hpp>
#include <corten/constraint/tendon_friction.hpp>
#include <corten/constraint/tendon_limit.hpp>
#include <corten/constraint/weld.hpp>
#include <corten/core/kinds.hpp>

#include <iterator>
#include <string>
#include <type_traits>

namespace corten {

namespace detail {

// Does a row belong to kind K? `row` is its type and `element` the EqualityType of the element it
// comes from, or -1 if it comes from none.
template <class K>
CORTEN_FN bool is_row_of(ConstraintType row, int element) {
  if constexpr (holds_elements<K>) {
    return element == static_cast<int>(K::type);
  } else if constexpr (requires { K::owns(row); }) {
    return K::owns(row);
  } else {
    return row == K::row_type;
  }
}

template <class K, class M, class D>
CORTEN_FN int rows_in_group(const M& m, const D& d, int row) {
  if constexpr (holds_elements<K>) {
    return K::dim;
  } else {
    return K::count(m, d, row);
  }
}

}  // namespace detail

template <class... K>
struct Constraints {
  using Sound = detail::Sound<Constraints, detail::Complete<constraint_policy::Rules, K...>,
                              detail::Distinct<constraint_policy::distinct_type, K...>,
                              detail::Distinct<constraint_policy::distinct_row_type, K...>>;

  // this list with further kinds appended
  template <class... More>
  using with = Constraints<K..., More...>;

  // are all kinds built into the library?
  static constexpr bool builtin = [] {
    bool out = true;
    (static_cast<void>([&] {
       if constexpr (detail::holds_elements<K>) out = out && !is_user(K::type);
     }()),
     ...);
    return out;
  }();

  // are kinds that the library does not have elements of <equality>, if there are any?
  static constexpr bool only_elements_added = [] {
    bool out = true;
    (static_cast<void>([&] {
       if constexpr (requires { K::row_type; }) {
         out = out && K::row_type <= ConstraintType::element_limit;
       }
     }()),
     ...);
    return out;
  }();

  static constexpr bool has(EqualityType type) {
    bool out = false;
    each([&](auto kind) {
      if constexpr (detail::holds_elements<decltype(kind)>) out = out || kind.type == type;
    });
    return out;
  }

  static constexpr const char* name(EqualityType type) {
    const char* out = "unknown";
    each([&](auto kind) {
      if constexpr (detail::holds_elements<decltype(kind)>) {
        if (kind.type == type) out = kind.name;
      }
    });
    return out;
  }

  // the names of the kinds that consist of elements, for messages
  static std::string list() {
    std::string out;
    each([&](auto kind) {
      if constexpr (detail::holds_elements<decltype(kind)>) {
        out += out.empty() ? "" : ", ";
        out += kind.name;
      }
    });
    return out;
  }

  // f(K{}) for every kind
  template <class F>
  CORTEN_FN static constexpr void each(F&& f) {
    (f(K{}), ...);
  }

  // f(K{}) for the kind of element e
  template <class M, class F>
  CORTEN_FN static void visit_element(const M& m, int e, F&& f) {
    const int type = m.eq_type[e];
    const auto call = [&](auto kind) {
      if constexpr (detail::holds_elements<decltype(kind)>) {
        if (type != static_cast<int>(kind.type)) return false;
        f(kind);
        return true;
      } else {
        return false;
      }
    };
    static_cast<void>((call(K{}) || ...));
  }

  // f(K{}) for the kind of a row
  template <class M, class D, class F>
  CORTEN_FN static void visit(const M& m, const D& d, int row, F&& f) {
    const auto type = static_cast<ConstraintType>(d.efc_type[row]);
    const bool element = type == ConstraintType::equality || type == ConstraintType::element_limit;
    const int of = element ? int(m.eq_type[d.efc_id[row]]) : -1;
    static_cast<void>(((detail::is_row_of<K>(type, of) ? (f(K{}), true) : false) || ...));
  }
};

// a kind that consists of elements, described as data for the reader and the compiler
template <class K>
inline constexpr EqualityKind equality_kind = [] {
  static_assert(K::group == RowGroup::equality || K::group == RowGroup::limit,
                "corten: rows of <equality> elements must be equalities or limits");
  EqualityKind out{K::type, K::name, K::dim, K::object};
  if constexpr (requires { K::attributes; }) out.attributes = K::attributes;
  if constexpr (requires { K::parameters; }) {
    static_assert(std::size(K::parameters) <= 11, "corten: eq_data has room for 11 parameters");
    out.parameters = K::parameters;
  }
  if constexpr (requires(const spec::Equality& e) { K::valid(e); }) {
    out.valid = [](const spec::Equality& e) { return K::valid(e); };
  }
  if constexpr (requires(const spec::Equality& e, double* x) { K::data(e, x); }) {
    out.data = [](const spec::Equality& e, double* x) { K::data(e, x); };
  }
  return out;
}();

using DefaultConstraints =
    Constraints<constraints::Connect, constraints::Weld, constraints::JointCoupling,
                constraints::TendonCoupling, constraints::FlexEdges, constraints::FlexVertices,
                constraints::FlexStrain, constraints::Distance, constraints::DofFriction,
                constraints::TendonFriction, constraints::JointLimit, constraints::TendonLimit,
                constraints::Contact>;
template <>
inline constexpr bool detail::is_default<DefaultConstraints> = true;

}  // namespace corten
