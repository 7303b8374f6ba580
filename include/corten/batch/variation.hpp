// SPDX-License-Identifier: Apache-2.0
//
// Worlds with model fields of their own, without a copy of the model for each: a varied field is a
// matrix with a row a world, and the view that a world steps with points at its row. Options
// (gravity, timestep) and the mean inertia are values in the view; their row is copied there.
#pragma once

#include <corten/core/result.hpp>
#include <corten/model/model_ref.hpp>

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace corten {

// One varied field, as a kernel sees it: where it is in the view, and the rows.
template <class S>
struct Variation {
  std::size_t offset = 0;   // bytes from the start of the ModelRef
  int width = 0;            // numbers a row
  bool by_pointer = false;  // the view has a pointer to the numbers, or the numbers themselves
  const S* rows = nullptr;
};

// the view of one world
template <class S, class P>
CORTEN_FN void apply(ModelRef<S, P>& m, const Variation<S>* list, int count, int world) {
  static_assert(std::is_trivially_copyable_v<ModelRef<S, P>> &&
                sizeof(Field<const S>) == sizeof(const S*));
  for (int i = 0; i < count; ++i) {
    const Variation<S>& v = list[i];
    const S* row = v.rows + static_cast<std::ptrdiff_t>(world) * v.width;
    unsigned char* at = reinterpret_cast<unsigned char*>(&m) + v.offset;
    if (v.by_pointer) {
      std::memcpy(at, &row, sizeof row);
    } else {
      std::memcpy(at, row, sizeof(S) * static_cast<std::size_t>(v.width));
    }
  }
}

// All varied fields of a batch, on the host.
template <class S, class P>
class Variations {
 public:
  Variations(const Model<S>& model, int worlds) : model_(&model), worlds_(worlds) {}
  Variations(const Variations& other) { *this = other; }
  Variations(Variations&&) noexcept = default;
  Variations& operator=(Variations&&) noexcept = default;
  Variations& operator=(const Variations& other) {
    model_ = other.model_;
    worlds_ = other.worlds_;
    list_ = other.list_;
    rows_ = other.rows_;
    for (std::size_t i = 0; i < rows_.size(); ++i) list_[i].rows = rows_[i].data();
    return *this;
  }

  std::span<const Variation<S>> list() const { return list_; }
  const std::vector<S>& rows(int i) const { return rows_[static_cast<std::size_t>(i)]; }

  // Rows of an array of the model; they start as the model has it.
  std::span<S> of(List<S> Model<S>::*field) {
    const List<S>& start = model_->*field;
    return find(offset_of(field), start.data(), static_cast<int>(start.size()), true);
  }

  // Rows of an option.
  template <class T>
  std::span<T> of(T Option<S>::*option) {
    static_assert(std::is_same_v<T, S> || sizeof(T) % sizeof(S) == 0);
    const T& start = model_->opt.*option;
    const ModelRef<S, P> m{};
    const std::span<S> rows = find(offset_in(m, m.opt.*option), reinterpret_cast<const S*>(&start),
                                   static_cast<int>(sizeof(T) / sizeof(S)), false);
    return {reinterpret_cast<T*>(rows.data()), static_cast<std::size_t>(worlds_)};
  }

  // What differs between the batch's model and an edited copy of it becomes the row of one world.
  // The structure must be the same: an Error names a field that is not.
  std::optional<Error> take(int world, const Model<S>& edited) {
    if (auto problem = same_structure(edited)) return problem;
#define X(type, name, rows, width, meaning) \
  if constexpr (std::is_same_v<type, S>) take_array(world, &Model<S>::name, edited);
    CORTEN_MODEL_FIELDS(X)
#undef X
#define X(type, name, width, ...) \
  if constexpr (std::is_same_v<type, S>) take_option(world, &Option<S>::name, edited);
    CORTEN_MODEL_OPTIONS(X)
#undef X
    const ModelRef<S, P> m{};
    const std::size_t offset = offset_in(m, m.meaninertia);
    if (known(offset) || !same(edited.stat.meaninertia, model_->stat.meaninertia)) {
      find(offset, &model_->stat.meaninertia, 1, false)[static_cast<std::size_t>(world)] =
          edited.stat.meaninertia;
    }
    return {};
  }

 private:
  // bit by bit: a dual with another tangent is another number
  static bool same(const S& a, const S& b) { return std::memcmp(&a, &b, sizeof(S)) == 0; }

  template <class T>
  static std::size_t offset_in(const ModelRef<S, P>& m, const T& member) {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(&member) -
                                    reinterpret_cast<const char*>(&m));
  }

  static std::size_t offset_of(List<S> Model<S>::*field) {
    const ModelRef<S, P> m{};
#define X(type, name, rows, width, meaning)                    \
  if constexpr (std::is_same_v<type, S>) {                     \
    if (field == &Model<S>::name) return offset_in(m, m.name); \
  }
    CORTEN_MODEL_FIELDS(X)
#undef X
    return 0;
  }

  bool known(std::size_t offset) const {
    for (const Variation<S>& v : list_) {
      if (v.offset == offset) return true;
    }
    return false;
  }

  // the rows of the field at `offset`; new ones repeat what the model has
  CORTEN_COLD std::span<S> find(std::size_t offset, const S* start, int width, bool by_pointer) {
    for (std::size_t i = 0; i < list_.size(); ++i) {
      if (list_[i].offset == offset) return rows_[i];
    }
    std::vector<S> rows;
    rows.reserve(static_cast<std::size_t>(worlds_) * static_cast<std::size_t>(width));
    for (int w = 0; w < worlds_; ++w) rows.insert(rows.end(), start, start + width);
    rows_.push_back(std::move(rows));
    list_.push_back({offset, width, by_pointer, rows_.back().data()});
    return rows_.back();
  }

  CORTEN_COLD void take_array(int world, List<S> Model<S>::*field, const Model<S>& edited) {
    const List<S>&from = edited.*field, &base = model_->*field;
    bool equal = true;
    for (std::size_t i = 0; i < from.size(); ++i) equal = equal && same(from[i], base[i]);
    if (equal && !known(offset_of(field))) return;
    std::copy(from.begin(), from.end(),
              of(field).begin() + world * static_cast<std::ptrdiff_t>(from.size()));
  }

  template <class T>
  CORTEN_COLD void take_option(int world, T Option<S>::*option, const Model<S>& edited) {
    const T &from = edited.opt.*option, &base = model_->opt.*option;
    const ModelRef<S, P> m{};
    const bool equal = std::memcmp(&from, &base, sizeof(T)) == 0;
    if (equal && !known(offset_in(m, m.opt.*option))) return;
    of(option)[static_cast<std::size_t>(world)] = from;
  }

  // sizes, kinds and addresses are the same in all worlds
  CORTEN_COLD std::optional<Error> same_structure(const Model<S>& edited) const {
    const auto differs = [](const char* name) {
      return Error{
          {}, name, "differs from the model of the batch", "only numbers may vary between worlds"};
    };
#define X(name, meaning) \
  if (edited.n.name != model_->n.name) return differs(#name);
    CORTEN_MODEL_SIZES(X)
#undef X
#define X(type, name, width, ...)                                   \
  if constexpr (!std::is_same_v<type, S>) {                         \
    if (edited.opt.name != model_->opt.name) return differs(#name); \
  }
    CORTEN_MODEL_OPTIONS(X)
#undef X
#define X(type, name, rows, width, meaning)                 \
  if constexpr (!std::is_same_v<type, S>) {                 \
    if (edited.name != model_->name) return differs(#name); \
  }
    CORTEN_MODEL_FIELDS(X)
#undef X
    return {};
  }

  const Model<S>* model_ = nullptr;
  int worlds_ = 0;
  std::vector<Variation<S>> list_;
  std::vector<std::vector<S>> rows_;
};

}  // namespace corten
