// SPDX-License-Identifier: Apache-2.0
//
// Carries a state over to another model, element by element: after a spec was edited and compiled
// again (compile/recompile.hpp does both), or between variants of a robot.
//
//     Data<double> next(edited);
//     if (Status s = carry_state(model, data, edited, next); !s) …
//
// Joints, bodies, actuators and equality constraints are matched by name. An unnamed element
// matches the one with the same place among the unnamed elements of the same body (bodies: of the
// same parent; actuators and constraints: of the model). What has no match, or has another type or
// size now, keeps the numbers of `next`, which is the reference pose for a new Data.
#pragma once

#include <corten/data/data.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

namespace corten {

namespace detail {

// Finds the counterparts of a model's elements in another model: an id for each element, or -1.
class Counterparts {
 public:
  CORTEN_COLD Counterparts(const Names& from, const Names& to) : from_(from), to_(to) {}

  // The owners say what body an element belongs to; `match` maps the owners themselves. Bodies are
  // owned by their parents, which come before them: they pass no map and use the one being made.
  CORTEN_COLD List<int> find(Names::Kind kind, const List<int>& from_owners,
                             const List<int>& to_owners, const List<int>* match) const {
    const Places here = places(to_, kind, to_owners), there = places(from_, kind, from_owners);
    std::map<std::pair<int, int>, int> unnamed;
    for (std::size_t i = 0; i < there.size(); ++i) {
      if (there[i] >= 0) unnamed[{from_owners[i], there[i]}] = static_cast<int>(i);
    }
    List<int> out(to_owners.size(), -1);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (here[i] < 0) {
        out[i] = from_.id(kind, to_.name(kind, static_cast<int>(i)));
        continue;
      }
      const int owner = (match != nullptr ? *match : out)[static_cast<std::size_t>(to_owners[i])];
      const auto found = unnamed.find({owner, here[i]});
      if (found != unnamed.end()) out[i] = found->second;
    }
    return out;
  }

 private:
  using Places = List<int>;

  // the place of each element among the unnamed ones of its owner; -1: it has a name
  CORTEN_COLD static Places places(const Names& names, Names::Kind kind, const List<int>& owners) {
    Places out(owners.size(), -1);
    std::map<int, int> count;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      if (names.name(kind, static_cast<int>(i)).empty()) out[i] = count[owners[i]]++;
    }
    return out;
  }

  const Names &from_, &to_;
};

// For each number of a state vector, the number of the other model's vector that it takes, or -1.
// There is one list for each size that the state table has.
class StateMap {
 public:
  template <class A, class B>
  StateMap(const Model<A>& from, const Model<B>& to) : same_elements_(same_devices(from, to)) {
    const Counterparts counterparts(from.names, to.names);
    const List<int> nobody(1, 0);
    bodies_ = counterparts.find(Names::Kind::body, from.body_parentid, to.body_parentid, nullptr);
    map_joints(from, to,
               counterparts.find(Names::Kind::jnt, from.jnt_bodyid, to.jnt_bodyid, &bodies_));
    map_actuators(
        from, to,
        counterparts.find(Names::Kind::actuator, List<int>(from.actuator_actadr.size(), 0),
                          List<int>(to.actuator_actadr.size(), 0), &nobody));
    equalities_ = counterparts.find(Names::Kind::eq, List<int>(from.eq_type.size(), 0),
                                    List<int>(to.eq_type.size(), 0), &nobody);
    for (std::size_t e = 0; e < equalities_.size(); ++e) {
      const int old = equalities_[e];
      if (old >= 0 && from.eq_type[at(old)] != to.eq_type[e]) equalities_[e] = -1;
    }
    mocap_.assign(at(to.n.nmocap), -1);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const int old = bodies_[b] < 0 ? -1 : from.body_mocapid[at(bodies_[b])];
      if (old >= 0) join(mocap_, to.body_mocapid[b], old, to.body_mocapid[b] >= 0 ? 1 : 0);
    }
  }

  // The list for vectors with so many rows, as the state table names them. Histories are carried
  // only between models with the same actuators and sensors; other vectors, which have no elements,
  // if their sizes agree.
  CORTEN_COLD List<int> of(std::string_view rows, int from, int to) const {
    if (rows == "n.nq") return coordinates_;
    if (rows == "n.nv") return dofs_;
    if (rows == "n.na") return activations_;
    if (rows == "n.nu") return controls_;
    if (rows == "n.nbody") return bodies_;
    if (rows == "n.neq") return equalities_;
    if (rows == "n.nmocap") return mocap_;
    List<int> out(at(to), -1);
    if (rows == "n.nsleep") return out;  // everything wakes
    if (from == to && (rows != "n.nhistory" || same_elements_)) join(out, 0, 0, to);
    return out;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // `count` numbers from `first` on are those from `old` on
  CORTEN_COLD static void join(List<int>& map, int first, int old, int count) {
    for (int k = 0; k < count; ++k) map[at(first + k)] = old + k;
  }

  // how many numbers element i has, in a vector of n numbers
  CORTEN_COLD static int width(const List<int>& addresses, int i, int n) {
    return (at(i + 1) < addresses.size() ? addresses[at(i + 1)] : n) - addresses[at(i)];
  }

  template <class A, class B>
  static bool same_devices(const Model<A>& from, const Model<B>& to) {
    return from.names.actuator == to.names.actuator && from.names.sensor == to.names.sensor;
  }

  template <class A, class B>
  void map_joints(const Model<A>& from, const Model<B>& to, const List<int>& match) {
    coordinates_.assign(at(to.n.nq), -1);
    dofs_.assign(at(to.n.nv), -1);
    for (int j = 0; j < to.n.njnt; ++j) {
      const int old = match[at(j)];
      if (old < 0 || from.jnt_type[at(old)] != to.jnt_type[at(j)]) continue;
      join(coordinates_, to.jnt_qposadr[at(j)], from.jnt_qposadr[at(old)],
           width(to.jnt_qposadr, j, to.n.nq));
      join(dofs_, to.jnt_dofadr[at(j)], from.jnt_dofadr[at(old)], width(to.jnt_dofadr, j, to.n.nv));
    }
  }

  template <class A, class B>
  void map_actuators(const Model<A>& from, const Model<B>& to, const List<int>& match) {
    activations_.assign(at(to.n.na), -1);
    controls_.assign(at(to.n.nu), -1);
    for (std::size_t a = 0; a < match.size(); ++a) {
      if (match[a] < 0) continue;
      const std::size_t old = at(match[a]);
      if (from.actuator_dyntype[old] == to.actuator_dyntype[a] &&
          from.actuator_actnum[old] == to.actuator_actnum[a]) {
        join(activations_, to.actuator_actadr[a], from.actuator_actadr[old], to.actuator_actnum[a]);
      }
      if (from.actuator_ctrlnum[old] == to.actuator_ctrlnum[a]) {
        join(controls_, to.actuator_ctrladr[a], from.actuator_ctrladr[old], to.actuator_ctrlnum[a]);
      }
    }
  }

  List<int> coordinates_, dofs_, activations_, controls_, bodies_, equalities_, mocap_;
  bool same_elements_;
};

}  // namespace detail

namespace detail {

// soft bodies with the same name and number of vertices keep their state
template <class A, class B, class D, class E>
void carry_softs(const Model<A>& model, const D& from, const Model<B>& edited, const E& to) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (int s = 0; s < edited.n.nsoft; ++s) {
    const Result<int> old = model.soft(edited.soft_name(s));
    const int count = edited.soft_vertnum[at(s)];
    if (!old || model.soft_vertnum[at(*old)] != count) continue;
    const int first = model.soft_vertadr[at(*old)], next = edited.soft_vertadr[at(s)];
    for (int i = 0; i < 3 * count; ++i) {
      assign(to.soft_pos[3 * next + i], from.soft_pos[3 * first + i]);
      assign(to.soft_vel[3 * next + i], from.soft_vel[3 * first + i]);
      assign(to.soft_force[3 * next + i], from.soft_force[3 * first + i]);
    }
    for (int v = 0; v < count; ++v) to.soft_flags[next + v] = from.soft_flags[first + v];
    to.soft_idle[s] = from.soft_idle[*old];
  }
}

}  // namespace detail

// Time, state and inputs of `data` become those of `next`, as far as elements match. Everything
// else follows with the next forward pass.
template <class A, class B, class S, class T>
Status carry_state(const Model<A>& model, const Data<S>& data, const Model<B>& edited,
                   Data<T>& next) {
  if (!data.fits(model) || !next.fits(edited)) return Status{wrong_model};
  const detail::StateMap map(model, edited);
  const auto& from = data.ref();
  const auto& to = next.ref();
  detail::assign(to.time.get(), from.time.get());
  const auto carry = [&](const char* rows, int from_rows, int to_rows, int width,
                         const auto& source, const auto& target) {
    const List<int> origins = map.of(rows, from_rows, to_rows);
    for (std::size_t i = 0; i < origins.size(); ++i) {
      if (origins[i] < 0) continue;
      for (int k = 0; k < width; ++k) {
        detail::assign(target[static_cast<int>(i) * width + k], source[origins[i] * width + k]);
      }
    }
  };
  const auto rows = [](const DataSizes& n) {
    return std::array {
#define X(type, name, rows, width, meaning) (rows),
      CORTEN_STATE_TABLE(X, X, X)
#undef X
    };
  };
  const auto old_rows = rows(from.n), new_rows = rows(to.n);
  std::size_t i = 0;
#define X(type, name, rows, width, meaning) \
  carry(#rows, old_rows[i], new_rows[i], width, from.name, to.name), ++i;
  CORTEN_STATE_TABLE(X, X, X)
#undef X
  detail::carry_softs(model, from, edited, to);
  return {};
}

}  // namespace corten
