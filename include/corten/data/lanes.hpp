// SPDX-License-Identifier: Apache-2.0
//
// Moves numbers between worlds and lanes. A world is a Data<T>. A block is a Data<Pack<T, N>> (or
// one of duals of packs) without room for contacts and rows, in which N worlds run the smooth
// stages together: each number of the block is a register that holds this number of N worlds, one
// per lane.
//
// Collision, constraint rows and the solver diverge, as worlds touch the ground at different times.
// They run world by world, on the worlds' own data, so numbers cross in both directions:
//
//     load_lane      state and inputs, from a world into its lane, before the first step
//     Lane::take     what a diverging stage reads, from the lane into the world
//     Lane::give     what it wrote, from the world into the lane
//     store_state    the state, from the lane into the world, after every step
//     publish_lane   everything computed in packs, from the lane into the world, for readers
//     collect_lane   the opposite, for stages that do not say which fields they write
//
// Why copy? Diverging stages could also work on the block in place, through a Strided view of one
// lane. But their inner loops then do not vectorise. For MuJoCo's humanoid with 4 contacts, with
// clang 14 -O3 -march=native on an EPYC, a solve takes 9.7 µs through a view with a stride of 4
// numbers and 6.2 µs on contiguous memory; collision and constraint rows take 3.6 and 3.0 µs. The
// difference is more than a quarter of a forward pass (14 µs), whereas all the copies take about
// 4 % of a step (bench/README.md).
#pragma once

#include <corten/data/data_ref.hpp>
#include <corten/scalar/lanes.hpp>

#include <type_traits>

namespace corten {

// One lane of a block, and the world that it belongs to. A stage that diverges has an overload for
// a Lane: it takes the fields the stage reads out of the block, runs the stage on the world, and
// gives the fields the stage wrote to the block (pipeline/stages.hpp).
template <class S>
struct Lane {
  using World = DataRef<lane_t<S>>;

  const DataRef<S>& block;
  const World& world;
  int index;

  // copies a field of the block into the world
  CORTEN_FN void take(Field<S> from, Field<lane_t<S>> to, int count) const {
    for (int i = 0; i < count; ++i) to[i] = LaneTraits<S>::get(from[i], index);
  }
  // copies a field of the world into the block
  CORTEN_FN void give(Field<lane_t<S>> from, Field<S> to, int count) const {
    for (int i = 0; i < count; ++i) LaneTraits<S>::set(to[i], index, from[i]);
  }
};

// a block and views of its worlds, lane by lane
template <class S>
struct LaneBlock {
  const DataRef<S>& block;
  const DataRef<lane_t<S>>* world[static_cast<std::size_t>(lane_count<S>)];

  CORTEN_FN Lane<S> operator[](int lane) const { return {block, *world[lane], lane}; }
};

// f(lane) for each lane in a bit set
template <class F>
CORTEN_FN void each_lane(unsigned lanes, F&& f) {
  for (int lane = 0; lanes != 0; ++lane, lanes >>= 1) {
    if ((lanes & 1u) != 0) f(lane);
  }
}

// ---- from a world into its lane -----------------------------------------------------------------

template <class S>
CORTEN_FN void load_controls(const Lane<S>& lane) {
  lane.give(lane.world.ctrl, lane.block.ctrl, lane.block.n.nu);
}

// state and inputs: everything that a step starts from, except the integers, which worlds keep
template <class S>
CORTEN_FN void load_lane(const Lane<S>& lane) {
  const DataSizes& n = lane.block.n;
  LaneTraits<S>::set(lane.block.time.get(), lane.index, lane.world.time);
#define X(type, name, rows, width, meaning) \
  lane.give(lane.world.name, lane.block.name, (rows) * (width));
  CORTEN_STATE_TABLE(X, X, CORTEN_DATA_NONE)
#undef X
}

// ---- from a lane into its world -----------------------------------------------------------------

template <class S>
CORTEN_FN void store_state(const Lane<S>& lane) {
  const DataSizes& n = lane.block.n;
  lane.world.time = LaneTraits<S>::get(lane.block.time, lane.index);
#define X(type, name, rows, width, meaning) \
  lane.take(lane.block.name, lane.world.name, (rows) * (width));
  CORTEN_STATE_TABLE(X, CORTEN_DATA_NONE, CORTEN_DATA_NONE)
#undef X
}

// ---- everything that is computed in packs -------------------------------------------------------

// From a lane into its world.
template <class S>
CORTEN_FN void publish_lane(const Lane<S>& lane) {
  const DataSizes& n = lane.block.n;
  lane.world.time = LaneTraits<S>::get(lane.block.time, lane.index);
#define X(type, name, rows, width, meaning)                        \
  if constexpr (std::is_same_v<type, int>) {                       \
    copy(lane.world.name, lane.block.name, (rows) * (width));      \
  } else {                                                         \
    lane.take(lane.block.name, lane.world.name, (rows) * (width)); \
  }
  CORTEN_DATA_LANE_FIELDS(X)
#undef X
}

// From a world into its lane. Integers describe sparsity patterns, which all lanes of a block
// share. With `settle` the block adopts the world's patterns; without it the function returns false
// if they differ from the block's.
template <class S>
CORTEN_FN bool collect_lane(const Lane<S>& lane, bool settle) {
  const DataSizes& n = lane.block.n;
  bool same = true;
#define X(type, name, rows, width, meaning)                               \
  if constexpr (std::is_same_v<type, int>) {                              \
    if (settle) copy(lane.block.name, lane.world.name, (rows) * (width)); \
    for (int i = 0; i < (rows) * (width); ++i) {                          \
      same = same && lane.block.name[i] == lane.world.name[i];            \
    }                                                                     \
  } else {                                                                \
    lane.give(lane.world.name, lane.block.name, (rows) * (width));        \
  }
  CORTEN_DATA_LANE_FIELDS(X)
#undef X
  return same;
}

}  // namespace corten
