// SPDX-License-Identifier: Apache-2.0
//
// Between worlds and lanes. A world is a Data<T>; a block is a Data<Pack<T, N>> without room for contacts and
// rows, in which N worlds take the smooth stages together. Numbers cross in both directions: state and
// inputs into the block, what the diverging stages read out of it. They are copied, so that collision and
// solver find the contiguous memory that their vector code wants; through strided views of the block the
// solver alone would lose more than all the copies cost.
#pragma once

#include <corten/data/data_ref.hpp>
#include <corten/scalar/pack.hpp>

#include <string_view>

namespace corten {

// views of the N worlds of a block, lane by lane
template <class T, int N>
struct LaneWorlds {
  const DataRef<T>* world[static_cast<std::size_t>(N)];

  CORTEN_FN const DataRef<T>& operator[](int lane) const { return *world[lane]; }
};

// f(lane) for each bit of a set of lanes
template <class F>
CORTEN_FN void each_lane(unsigned lanes, F&& f) {
  for (int lane = 0; lanes != 0; ++lane, lanes >>= 1) {
    if ((lanes & 1u) != 0) f(lane);
  }
}

// one lane of a field into a world
template <class T, int N>
CORTEN_FN void take_lane(Field<T> to, Field<Pack<T, N>> from, int lane, int count) {
  for (int i = 0; i < count; ++i) to[i] = from[i][lane];
}

// a world into one lane of a field
template <class T, int N>
CORTEN_FN void give_lane(Field<Pack<T, N>> to, Field<T> from, int lane, int count) {
  for (int i = 0; i < count; ++i) to[i].set(lane, from[i]);
}

// ---- from a world into its lane -----------------------------------------------------------------------

template <class T, int N>
CORTEN_FN void load_controls(const DataRef<Pack<T, N>>& d, int lane, const DataRef<T>& world) {
  give_lane(d.ctrl, world.ctrl, lane, d.n.nu);
}

// state and inputs: everything that a step starts from
template <class T, int N>
CORTEN_FN void load_lane(const DataRef<Pack<T, N>>& d, int lane, const DataRef<T>& world) {
  const DataSizes& n = d.n;
  d.time.get().set(lane, world.time);
  // clang-format off
#define X(name, count) give_lane(d.name, world.name, lane, count)
  X(qpos, n.nq); X(qvel, n.nv); X(act, n.na); X(history, n.nhistory); X(qacc_warmstart, n.nv); X(ctrl, n.nu);
  X(qfrc_applied, n.nv); X(xfrc_applied, 6 * n.nbody); X(mocap_pos, 3 * n.nmocap);
  X(mocap_quat, 4 * n.nmocap);
#undef X
  // clang-format on
}

// ---- from a lane into its world -----------------------------------------------------------------------

template <class T, int N>
CORTEN_FN void store_state(const DataRef<Pack<T, N>>& d, int lane, const DataRef<T>& world) {
  const DataSizes& n = d.n;
  world.time = d.time.get()[lane];
  // clang-format off
#define X(name, count) take_lane(world.name, d.name, lane, count)
  X(qpos, n.nq); X(qvel, n.nv); X(act, n.na); X(history, n.nhistory); X(qacc_warmstart, n.nv);
#undef X
  // clang-format on
}

namespace detail {

// Scratch stays in the block. Readings do too: some of them are made in the world, which is where all of
// them are collected. Points of tendon paths differ in number between worlds (tendon_points).
constexpr bool published(std::string_view field) {
  if (field.starts_with("wrap_") || field.starts_with("ten_wrap")) return false;
  return !field.starts_with("work_") && !field.starts_with("slip_") && !field.starts_with("rk_") &&
         !field.starts_with("isl_") &&
         field != "sensordata" && field != "eq_active" && field != "warning" &&
         field != "cacc" && field != "cfrc_int" && field != "cfrc_ext";
}

}  // namespace detail

// Every result of the smooth stages. The block has no room for contacts and rows, so that the lists of
// those are empty here: they are the world's own.
template <class T, int N>
CORTEN_FN void publish_lane(const DataRef<Pack<T, N>>& d, int lane, const DataRef<T>& world) {
  using S = Pack<T, N>;
  struct Primal {};
  const DataSizes& n = d.n;
  world.time = d.time.get()[lane];
#define X(type, name, rows, width, meaning)                  \
  if constexpr (detail::published(#name)) {                  \
    if constexpr (std::is_same_v<type, S>) {                 \
      take_lane(world.name, d.name, lane, (rows) * (width)); \
    } else if constexpr (std::is_same_v<type, int>) {        \
      copy(world.name, d.name, (rows) * (width));            \
    }                                                        \
  }
  CORTEN_DATA_FIELDS(X)
#undef X
}

}  // namespace corten
