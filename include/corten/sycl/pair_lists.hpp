// SPDX-License-Identifier: Apache-2.0
//
// Collision over all worlds at once: each collider gets a list of the pairs that it serves, in all
// worlds, so that neighbouring work items do the same work. The lists are one array. Where the
// pairs of a world begin in it follows from counts by prefix sums, first over blocks of worlds,
// then within them: no atomics, and the same lists in every run. Colliders write their hits to
// places that the pairs have in their worlds (stage/collision_items.hpp), in MuJoCo's order.
#pragma once

#include <corten/stage/collision_items.hpp>
#include <corten/sycl/kernel.hpp>

namespace corten {

// worlds per block of the prefix sums
inline constexpr int worlds_per_block = 64;

// The parts of the general colliders that a model needs.
template <class M>
Ccd parts_needed(const M& m) {
  if (m.opt.disabled(disable_nativeccd)) return Ccd::portal;
  int largest = 0;
  for (int i = 0; i < m.n.nmeshpoly; ++i) largest = std::max(largest, int(m.mesh_polyvertnum[i]));
  // two such sides clipped by each other, with room to spare
  const bool small = 4 * largest <= detail::PlaceStore<float, false>::capacity;
  return small ? Ccd::small_sides : Ccd::native;
}

// The numbers of a model's colliders: those that can have something to do, from 0 on. This looks at
// all geoms and all sides of all meshes, so it is done when worlds are made and not per launch.
template <class M>
ServerNumbers number_servers(const M& m) {
  using List = typename M::Policies::Colliders;
  bool present[16] = {};
  for (int g = 0; g < m.n.ngeom; ++g) present[m.geom_type[g] & 15] = true;
  ServerNumbers out;
  out.parts = parts_needed(m);
  List::each_server([&](auto server, int number) {
    using One = typename decltype(server)::type;
    const auto has = [&](GeomType type) { return present[static_cast<int>(type)]; };
    out.number[number] = static_cast<short>(List::template serves<One>(has) ? out.count++ : -1);
  });
  return out;
}

namespace lists {

// counts the pairs of each collider in a world
struct Count {
  static constexpr Over over = Over::batch;
  static std::size_t items(int worlds, const ServerNumbers&) {
    return static_cast<std::size_t>(worlds);
  }
  template <class W>
  CORTEN_FN void operator()(const W& w, std::size_t item) const {
    const int world = static_cast<int>(item);
    for (int s = 0; s < w.servers.count; ++s) w.pair_counts[s * w.count + world] = 0;
    if (w.progress[world].passing == 0) return;
    const auto& m = w.model(world);
    const auto d = w.data(world);
    const int count = d.nitem;
    for (int i = 0; i < count; ++i) {
      ++w.pair_counts[w.servers.number[item_server(m, d, i)] * w.count + world];
    }
  }
};

// the sums of blocks of worlds
struct SumBlocks {
  static constexpr Over over = Over::batch;
  static std::size_t items(int worlds, const ServerNumbers& servers) {
    return static_cast<std::size_t>(servers.count * blocks_of(worlds));
  }
  CORTEN_FN static int blocks_of(int worlds) {
    return (worlds + worlds_per_block - 1) / worlds_per_block;
  }
  // f(count of a world) for the worlds of a block
  template <class W, class F>
  CORTEN_FN static void each(const W& w, int item, F&& f) {
    const int blocks = blocks_of(w.count), server = item / blocks, block = item % blocks;
    const int first = block * worlds_per_block, end = first + worlds_per_block;
    for (int i = first; i < (end < w.count ? end : w.count); ++i) {
      f(w.pair_counts[server * w.count + i]);
    }
  }
  template <class W>
  CORTEN_FN void operator()(const W& w, std::size_t item) const {
    int sum = 0;
    each(w, static_cast<int>(item), [&](int count) { sum += count; });
    w.pair_blocks[item] = sum;
  }
};

// where each block begins in the lists; behind them, where the lists end
struct ScanBlocks {
  static constexpr Over over = Over::batch;
  static std::size_t items(int, const ServerNumbers&) { return 1; }
  template <class W>
  CORTEN_FN void operator()(const W& w, std::size_t) const {
    const int blocks = w.servers.count * SumBlocks::blocks_of(w.count);
    int sum = 0;
    for (int i = 0; i < blocks; ++i) {
      const int count = w.pair_blocks[i];
      w.pair_blocks[i] = sum;
      sum += count;
    }
    w.pair_blocks[blocks] = sum;
  }
};

// where each world begins
struct PlaceWorlds {
  static constexpr Over over = Over::batch;
  static std::size_t items(int worlds, const ServerNumbers& servers) {
    return SumBlocks::items(worlds, servers);
  }
  template <class W>
  CORTEN_FN void operator()(const W& w, std::size_t item) const {
    int at = w.pair_blocks[item];
    SumBlocks::each(w, static_cast<int>(item), [&](int& count) {
      const int own = count;
      count = at;
      at += own;
    });
  }
};

// writes the pairs of a world into the lists
struct Fill {
  static constexpr Over over = Over::batch;
  static std::size_t items(int worlds, const ServerNumbers& servers) {
    return Count::items(worlds, servers);
  }
  template <class W>
  CORTEN_FN void operator()(const W& w, std::size_t item) const {
    const int world = static_cast<int>(item);
    if (w.progress[world].passing == 0) return;
    const auto& m = w.model(world);
    const auto d = w.data(world);
    const int count = d.nitem;
    for (int i = 0; i < count; ++i) {
      const int at = w.pair_counts[w.servers.number[item_server(m, d, i)] * w.count + world]++;
      w.pair_list[2 * at] = world;
      w.pair_list[2 * at + 1] = i;
    }
  }
};

// one collider, over its list
template <class Server>
struct Collide {
  static constexpr Over over = Over::batch;
  int server;

  // there are no more pairs than hits
  static std::size_t items_for(int worlds, const DataSizes& n) {
    return static_cast<std::size_t>(worlds) * static_cast<std::size_t>(n.nhit);
  }
  template <class W>
  CORTEN_FN void operator()(const W& w, std::size_t item) const {
    const int blocks = SumBlocks::blocks_of(w.count);
    const int begin = w.pair_blocks[server * blocks], end = w.pair_blocks[(server + 1) * blocks];
    if (item >= static_cast<std::size_t>(end - begin)) return;
    const int at = begin + static_cast<int>(item), world = w.pair_list[2 * at];
    collide_item<Server>(w.model(world), w.data(world), w.pair_list[2 * at + 1]);
  }
};

// the whole stage for a world: where trees sleep, contacts may have to be found twice
struct Together {
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    collision<false>(m, d);
  }
};

}  // namespace lists

// The parts of the collision stage.
template <class M, class F>
void collision_parts(const M& m, const ServerNumbers& servers, F&& f) {
  if (m.opt.enabled(enable_sleep)) return f(lists::Together{});
  f(ListItems{});
  if (servers.count == 0 || (m.n.ncandidate == 0 && m.n.ngrid == 0)) return;
  f(lists::Count{});
  f(lists::SumBlocks{});
  f(lists::ScanBlocks{});
  f(lists::PlaceWorlds{});
  f(lists::Fill{});
  M::Policies::Colliders::each_server([&](auto server, int number) {
    using One = typename decltype(server)::type;
    const int at = servers.number[number];
    if (at < 0) return;
    if constexpr (requires { typename One::template with<Ccd::all>; }) {
      switch (servers.parts) {
        case Ccd::portal: return f(lists::Collide<typename One::template with<Ccd::portal>>{at});
        case Ccd::native: return f(lists::Collide<typename One::template with<Ccd::native>>{at});
        default: return f(lists::Collide<typename One::template with<Ccd::small_sides>>{at});
      }
    } else {
      f(lists::Collide<One>{at});
    }
  });
  f(GatherItems{});
}

}  // namespace corten
