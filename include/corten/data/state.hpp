// SPDX-License-Identifier: Apache-2.0
//
// The state of a world as one vector. A bit set (StateBit) selects the parts, which follow each
// other in MuJoCo's order (mjtState); the last part, which trees sleep, is not in MuJoCo's. With
// state_integration a simulation resumes exactly, to the last bit.
//
//     std::vector<double> x(std::size_t(state_size(data, state_integration)));
//     get_state(data, x, state_integration);
//     // … later, or in another Data of the same model
//     set_state(data, x, state_integration);
#pragma once

#include <corten/data/data.hpp>
#include <corten/data/state_list.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace corten {

namespace detail {

// f(field, count) for each selected part, in order
template <class D, class F>
CORTEN_FN void each_part(const D& d, int bits, F&& f) {
  each_state(d, [&](int bit, const char*, const auto& field, int count) {
    if ((bits & bit) != 0) f(field, count);
  });
}

}  // namespace detail

// ---- on views, host or device -------------------------------------------------------------------

template <class S, class L>
CORTEN_FN int state_size(const DataRef<S, L>& d, int bits) {
  int size = 0;
  detail::each_part(d, bits, [&](const auto&, int count) { size += count; });
  return size;
}

template <class S, class L, class X>
CORTEN_FN void get_state(const DataRef<S, L>& d, const X& out, int bits) {
  int at = 0;
  detail::each_part(d, bits, [&](const auto& field, int count) {
    for (int i = 0; i < count; ++i) out[at + i] = S(field[i]);
    at += count;
  });
}

template <class S, class L, class X>
CORTEN_FN void set_state(const DataRef<S, L>& d, const X& in, int bits) {
  int at = 0;
  detail::each_part(d, bits, [&](const auto& field, int count) {
    using T = std::remove_cvref_t<decltype(field[0])>;
    for (int i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<T, int>) {
        field[i] = static_cast<int>(value(in[at + i]));
      } else {
        field[i] = in[at + i];
      }
    }
    at += count;
  });
  // trees that the vector puts to sleep sleep where it puts them
  if ((bits & state_tree_asleep) != 0) fill(d.tree_rest, d.n.nsleep, 0);
}

// ---- on the host; bad_argument if a span has the wrong size or a bit stands for no part ---------

// -1 if a bit stands for no part; empty data has no parts
template <class S>
int state_size(const Data<S>& data, int bits) {
  if ((bits & ~state_integration) != 0) return -1;
  return data.bytes() > 0 ? state_size(data.ref(), bits) : 0;
}

namespace detail {

template <class S, class X>
bool holds_state(const Data<S>& data, const X& x, int bits) {
  const int size = state_size(data, bits);
  return size >= 0 && x.size() == static_cast<std::size_t>(size);
}

}  // namespace detail

template <class S>
Status get_state(const Data<S>& data, std::type_identity_t<std::span<S>> out, int bits) {
  if (!detail::holds_state(data, out, bits)) return Status{bad_argument};
  if (!out.empty()) get_state(data.ref(), Field<S>{out.data()}, bits);
  return {};
}

template <class S>
Status set_state(Data<S>& data, std::type_identity_t<std::span<const S>> in, int bits) {
  if (!detail::holds_state(data, in, bits)) return Status{bad_argument};
  if (!in.empty()) set_state(data.ref(), Field<const S>{in.data()}, bits);
  return {};
}

// Extracts some parts of a vector that holds more of them; `data` supplies the sizes.
template <class S>
Status extract_state(const Data<S>& data, std::type_identity_t<std::span<const S>> from,
                     int from_bits, std::type_identity_t<std::span<S>> out, int bits) {
  if ((bits & ~from_bits) != 0 || !detail::holds_state(data, from, from_bits) ||
      !detail::holds_state(data, out, bits)) {
    return Status{bad_argument};
  }
  const auto size = [&](int b) { return static_cast<std::size_t>(state_size(data, b)); };
  std::size_t at = 0, to = 0;
  for (int bit = state_time; bit < state_integration; bit <<= 1) {
    if ((from_bits & bit) == 0) continue;
    for (std::size_t i = 0; i < size(bit); ++i, ++at) {
      if ((bits & bit) != 0) out[to++] = from[at];
    }
  }
  return {};
}

// copies parts of the state of one world to another of the same model; wrong_model if their sizes
// differ
template <class S>
Status copy_state(const Data<S>& from, Data<S>& to, int bits) {
  if (!to.fits(from.ref().n)) return Status{wrong_model};
  if (state_size(from, bits) < 0) return Status{bad_argument};
  std::vector<S> x(static_cast<std::size_t>(state_size(from, bits)));
  if (const Status read = get_state(from, x, bits); !read) return read;
  return set_state(to, x, bits);
}

}  // namespace corten
