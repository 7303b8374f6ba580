// SPDX-License-Identifier: Apache-2.0
//
// Model fields that differ between the worlds of a batch, without a copy of the model for each. A
// varied field is a matrix with one row per world, and the view that a world steps with points at
// its row. Options (gravity, timestep) and the mean inertia are values in the view, so their rows
// are copied there.
#pragma once

#include <corten/core/result.hpp>
#include <corten/model/model_ref.hpp>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace corten {

// One varied field: where it is in the view, and its rows.
template <class S>
struct Variation {
  std::size_t offset = 0;   // bytes from the start of the ModelRef
  int width = 0;            // numbers per row
  bool by_pointer = false;  // the view holds a pointer to the numbers, not the numbers themselves
  const S* rows = nullptr;
};

// Turns a view of the shared model into that of one world.
template <class S, class P>
CORTEN_FN void apply(ModelRef<S, P>& m, const Variation<S>* list, int count, int world) {
  static_assert(sizeof(Field<const S>) == sizeof(const S*));
  for (int i = 0; i < count; ++i) {
    const Variation<S>& v = list[i];
    const S* row = v.rows + static_cast<std::ptrdiff_t>(world) * v.width;
    unsigned char* at = reinterpret_cast<unsigned char*>(&m) + v.offset;
    if (v.by_pointer) {
      std::memcpy(at, &row, sizeof row);
    } else {
      for (int k = 0; k < v.width; ++k) reinterpret_cast<S*>(at)[k] = row[k];
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
    version_ = other.version_;
    for (std::size_t i = 0; i < rows_.size(); ++i) list_[i].rows = rows_[i].data();
    return *this;
  }

  std::span<const Variation<S>> list() const { return list_; }
  const std::vector<S>& rows(int i) const { return rows_[static_cast<std::size_t>(i)]; }

  // Changes whenever rows are handed out to be edited, so that a device knows to fetch them again.
  int version() const { return version_; }

  // The rows of an array of the model; each starts as a copy of it.
  std::span<S> of(List<S> Model<S>::*field) {
    const List<S>& start = model_->*field;
    return find(offset_of(field), start.data(), static_cast<int>(start.size()), true);
  }

  // The rows of an option.
  template <class T>
  std::span<T> of(T Option<S>::*option) {
    static_assert(std::is_same_v<T, S> || sizeof(T) % sizeof(S) == 0);
    const T& start = model_->opt.*option;
    const ModelRef<S, P> m{};
    const std::span<S> rows = find(offset_in(m, m.opt.*option), reinterpret_cast<const S*>(&start),
                                   static_cast<int>(sizeof(T) / sizeof(S)), false);
    return {reinterpret_cast<T*>(rows.data()), static_cast<std::size_t>(worlds_)};
  }

  // Whatever differs between the batch's model and an edited copy of it becomes the row of one
  // world. Refused if the copy has another structure; the error names the field.
  Result<void> take(int world, const Model<S>& edited) {
    if (auto same = same_structure(edited); !same) return same;
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

  // the rows of the field at `offset`; new rows repeat the model's
  CORTEN_COLD std::span<S> find(std::size_t offset, const S* start, int width, bool by_pointer) {
    ++version_;
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
  CORTEN_COLD Result<void> same_structure(const Model<S>& edited) const {
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
  int version_ = 0;
  std::vector<Variation<S>> list_;
  std::vector<std::vector<S>> rows_;
};

// The model as each world of a batch sees it, while the batch runs.
template <class S, class P>
class WorldModels {
 public:
  WorldModels(const Model<S>& model, const Variations<S, P>& variations)
      : shared_(make_ref<P>(model)), variations_(&variations) {}

  const ModelRef<S, P>& shared() const { return shared_; }
  const Variations<S, P>& variations() const { return *variations_; }
  bool vary() const { return !variations_->list().empty(); }
  ModelRef<S, P> operator[](int world) const {
    ModelRef<S, P> m = shared_;
    const auto list = variations_->list();
    apply(m, list.data(), static_cast<int>(list.size()), world);
    return m;
  }

 private:
  ModelRef<S, P> shared_;
  const Variations<S, P>* variations_;
};

}  // namespace corten
