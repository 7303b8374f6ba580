// SPDX-License-Identifier: Apache-2.0
//
// Data: everything that changes while a model moves, in one aligned block of memory (arrange.hpp
// explains why and how it is laid out). Fields are accessed through ref(), as in
// data.ref().qpos[0]; those that users need most also as spans, as in data.qpos(), which
// eigen(data.qpos()) turns into a vector of Eigen.
#pragma once

#include <corten/core/result.hpp>
#include <corten/core/status.hpp>
#include <corten/data/arrange.hpp>
#include <corten/data/body_view.hpp>
#include <corten/data/reset.hpp>
#include <corten/data/state_list.hpp>
#include <corten/fwd.hpp>
#include <corten/math/eigen.hpp>
#include <corten/model/model_ref.hpp>
#include <corten/scalar/concept.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace corten {

template <class S>
class Data {
  static_assert(detail::check_scalar<S>());

 public:
  using Scalar = S;
  using Primal = primal_t<S>;
  using Ref = DataRef<S, Contiguous>;

  Data() = default;

  template <class SM>
  explicit Data(const Model<SM>& model, Capacity capacity = {})
      : Data(ModelView<SM>(model), capacity) {}
  template <class SM>
  explicit Data(const ModelView<SM>& model, Capacity capacity = {}) {
    allocate(data_sizes<S>(model, capacity));
    growable_ = capacity.grow || (capacity.contacts < 0 && capacity.rows < 0);
    reset_state(model, ref_);
  }

  Data(const Data& other) { *this = other; }
  Data& operator=(const Data& other) {
    if (this == &other) return *this;
    if (other.block_ == nullptr) return *this = Data();  // nothing to copy
    allocate(other.ref_.n);
    growable_ = other.growable_;
    if constexpr (std::is_trivially_copyable_v<S>) {
      std::memcpy(block_.get(), other.block_.get(), bytes_);
    } else {
      copy_data(ref_, other.ref_);
    }
    return *this;
  }
  // The source is left empty, like a default-constructed Data.
  Data(Data&& other) noexcept { *this = std::move(other); }
  Data& operator=(Data&& other) noexcept {
    block_ = std::move(other.block_);
    bytes_ = std::exchange(other.bytes_, 0);
    ref_ = std::exchange(other.ref_, Ref{});
    growable_ = other.growable_;
    return *this;
  }

  // Was this data made for a model of these sizes? Functions on a Model and a Data return the
  // status wrong_model otherwise; functions on views do not check. Nothing fits a model that was
  // moved from, which lacks even the world body.
  template <class SM>
  bool fits(const Model<SM>& model) const {
    return fits(model.n);
  }
  template <class SM>
  bool fits(const ModelView<SM>& model) const {
    return fits(model.n);
  }
  bool fits(const Sizes& n) const {
    return n.nbody > 0 && bytes_ > 0 && static_cast<const Sizes&>(ref_.n) == n;
  }

  // the view that stages take
  const Ref& ref() const { return ref_; }
  Ref& ref() { return ref_; }

  // may functions on the host enlarge this data when contacts or rows do not fit?
  bool growable() const { return growable_; }

  // the capacity that the last overflowing step would have needed, with an eighth to spare
  Capacity needed() const { return enlarged(ref_.n.capacity(), capacity_needed(ref_)); }

  // Moves to a larger block. State, inputs and warning counts are kept, and qacc, which is an input
  // of inverse(); the next forward() computes everything else. Data of another model stays as is.
  template <class SM>
  void grow(const ModelView<SM>& model, Capacity capacity) {
    if (!fits(model)) return;
    Data bigger;
    bigger.allocate(data_sizes<S>(model, capacity));
    bigger.growable_ = growable_;
    copy_states(ref_, bigger.ref_);
    copy(bigger.ref_.warning, ref_.warning, status_bits);
    copy(bigger.ref_.qacc, ref_.qacc, ref_.n.nv);
    if (ref_.n.nsleep < bigger.ref_.n.nsleep) reset_sleep(model, bigger.ref_);
    *this = std::move(bigger);
  }
  template <class SM>
  void grow(const Model<SM>& model, Capacity capacity) {
    grow(ModelView<SM>(model), capacity);
  }

  // The reference pose at rest, everything else zero. Data of another model becomes data of this
  // one, with new memory.
  template <class SM>
  void reset(const Model<SM>& model) {
    reset(make_ref<void>(model));
  }
  template <class SM, class P>
  void reset(const ModelRef<SM, P>& m) {
    if (!fits(m)) {
      allocate(data_sizes<S>(m, {}));
      growable_ = true;
    } else if (bytes_ > 0) {
      if constexpr (zero_bytes<S>) {
        std::memset(block_.get(), 0, bytes_);
      } else {
        clear_data(ref_);
      }
    }
    reset_state(m, ref_);
  }

  // the same, except that applied forces (qfrc_applied, xfrc_applied) are kept
  template <class SM>
  void reset_keep_forces(const Model<SM>& model) {
    reset_keep_forces(make_ref<void>(model));
  }
  template <class SM, class P>
  void reset_keep_forces(const ModelRef<SM, P>& m) {
    if (!fits(m)) return reset(m);
    const Data before = *this;
    reset(m);
    copy(ref_.qfrc_applied, before.ref_.qfrc_applied, ref_.n.nv);
    copy(ref_.xfrc_applied, before.ref_.xfrc_applied, 6 * ref_.n.nbody);
  }

  // the same, except that the vertices of soft bodies stay where they are, at rest
  template <class SM>
  void reset_keep_softs(const Model<SM>& model) {
    const auto m = make_ref<void>(model);
    if (!fits(m)) return reset(m);
    const Data before = *this;
    reset(m);
    copy(ref_.soft_pos, before.ref_.soft_pos, 3 * ref_.n.nsoftvert);
  }

  // sets the state to a keyframe of the model; bad_argument if there is no such keyframe
  template <class SM>
  Status reset(const Model<SM>& model, int key) {
    if (key < 0 || key >= model.n.nkey) return Status{bad_argument};
    reset(model);
    set_key(make_ref<void>(model), ref_, key);
    return {};
  }
  template <class SM>
  Result<void> reset(const Model<SM>& model, std::string_view key) {
    const Result<int> id = model.names.find(Names::Kind::key, key, model.n.nkey);
    if (!id) return id.error();
    reset(model);
    set_key(make_ref<void>(model), ref_, *id);
    return {};
  }

  // stores the state as a keyframe of the model; bad_argument if there is no such keyframe
  template <class SM>
  Status store_key(Model<SM>& model, int key) const {
    if (!fits(model)) return Status{wrong_model};
    if (key < 0 || key >= model.n.nkey) return Status{bad_argument};
    const DataSizes& n = ref_.n;
    detail::assign(model.key_time[static_cast<std::size_t>(key)], ref_.time.get());
#define X(name, source, count)                                                               \
  for (int i = 0; i < (count); ++i) {                                                        \
    detail::assign(model.source[static_cast<std::size_t>(key * (count) + i)], ref_.name[i]); \
  }
    CORTEN_KEY_FIELDS(X)
#undef X
    return {};
  }

  // The fields that users need most, as spans; every other field is in ref(). A temporary has none,
  // because they would not outlive it. Empty data has empty spans, and a time that nothing reads.
  S& time() { return bytes_ > 0 ? ref_.time.get() : no_time_; }
  const S& time() const { return bytes_ > 0 ? ref_.time.get() : no_time_; }
#define X(name, count)                                                                           \
  std::span<S> name()& { return {ref_.name.data, static_cast<std::size_t>(count)}; }             \
  std::span<const S> name() const& { return {ref_.name.data, static_cast<std::size_t>(count)}; } \
  void name() const&& = delete;
  X(qpos, ref_.n.nq)
  X(qvel, ref_.n.nv)
  X(act, ref_.n.na)
  X(ctrl, ref_.n.nu)
  X(qacc, ref_.n.nv)
  X(qfrc_applied, ref_.n.nv)
  X(xfrc_applied, 6 * ref_.n.nbody)
  X(sensordata, ref_.n.nsensordata)
  X(xpos, 3 * ref_.n.nbody)
  X(site_xpos, 3 * ref_.n.nsite)
  X(energy, bytes_ > 0 ? 2 : 0)
  X(soft_pos, 3 * ref_.n.nsoftvert)
  X(soft_vel, 3 * ref_.n.nsoftvert)
  X(soft_force, 3 * ref_.n.nsoftvert)
#undef X
  // The readings of one sensor, by name or id. Valid until the data grows, moves or is destroyed.
  template <class SM>
  Result<std::span<const S>> sensor(const Model<SM>& model, NameOrId which) const& {
    const Result<int> id = find(model, Names::Kind::sensor, which, model.n.nsensor);
    if (!id) return id.error();
    const auto i = static_cast<std::size_t>(*id);
    return sensordata().subspan(static_cast<std::size_t>(model.sensor_adr[i]),
                                static_cast<std::size_t>(model.sensor_dim[i]));
  }
  template <class SM>
  void sensor(const Model<SM>& model, NameOrId which) const&& = delete;

  // Pose, velocity and applied force of one body, by name or id (body_view.hpp).
  template <class SM>
  Result<BodyView<Data>> body(const Model<SM>& model, NameOrId which) & {
    return body_of(*this, model, which);
  }
  template <class SM>
  Result<BodyView<const Data>> body(const Model<SM>& model, NameOrId which) const& {
    return body_of(*this, model, which);
  }
  template <class SM>
  void body(const Model<SM>& model, NameOrId which) const&& = delete;

  int ncon() const { return bytes_ > 0 ? int(ref_.ncon) : 0; }
  int nefc() const { return bytes_ > 0 ? int(ref_.nefc) : 0; }

  // derive::transition(model, *this, …): the linearisation of a step from here. Needs
  // corten/derive.hpp.
  template <class SM>
  derive::Transition<S> transition(const Model<SM>& model) const;
  template <class SM>
  derive::Transition<S> transition(const Model<SM>& model, const derive::Options& options) const;

  // the whole block as plain memory, laid out by arrange()
  std::size_t bytes() const { return bytes_; }
  std::span<std::byte> memory() { return {block_.get(), bytes_}; }
  std::span<const std::byte> memory() const { return {block_.get(), bytes_}; }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };

  // the id of an object of a model that this data belongs to
  template <class SM>
  Result<int> find(const Model<SM>& model, Names::Kind kind, NameOrId which, int count) const {
    if (!fits(model)) return Error(Status::describe(wrong_model));
    return model.names.find(kind, which, count);
  }
  template <class D, class SM>
  static Result<BodyView<D>> body_of(D& data, const Model<SM>& model, NameOrId which) {
    const Result<int> id = data.find(model, Names::Kind::body, which, model.n.nbody);
    if (!id) return id.error();
    return BodyView<D>(data, *id, model.body_rootid[static_cast<std::size_t>(*id)]);
  }

  // Allocates one block of zeros. If zero bytes do not make a zero, as in multiprecision numbers,
  // the numbers are constructed one by one. No scalar needs to be destroyed.
  void allocate(const DataSizes& sizes) {
    ref_.n = sizes;
    bytes_ = arrange(ref_, nullptr);
    block_.reset(static_cast<std::byte*>(::operator new[](bytes_, std::align_val_t{64})));
    std::memset(block_.get(), 0, bytes_);
    arrange(ref_, block_.get());
    if constexpr (!zero_bytes<S>) construct_data(ref_);
  }

  std::unique_ptr<std::byte[], Free> block_;
  std::size_t bytes_ = 0;
  Ref ref_;
  bool growable_ = true;
  S no_time_ = S(0);
};

}  // namespace corten
