// SPDX-License-Identifier: Apache-2.0
//
// A model in the memory of a device: all arrays in one block, and a view that points there.
#pragma once

#include <corten/model/model_ref.hpp>
#include <corten/sycl/device.hpp>

#include <cstring>

namespace corten {

template <class S, class P>
class DeviceModel {
 public:
  // not ok() if the model does not fit into the device's memory
  DeviceModel(::sycl::queue& queue, const Model<S>& model) : view_(make_ref<P>(model)) {
    std::vector<std::byte> block;
    const auto pack = [&block](const auto& list) {
      const std::size_t at = block.size(), bytes = sizeof(list[0]) * list.size();
      block.resize(at + (bytes + 63) / 64 * 64);
      if (bytes > 0) std::memcpy(block.data() + at, list.data(), bytes);
      return at;
    };
#define X(type, name, rows, width, meaning) const std::size_t name##_at = pack(model.name);
    CORTEN_MODEL_FIELDS(X)
#undef X
    memory_ = detail::allocate_device<std::byte>(queue, block.size());
    if (!memory_) return;
    queue.memcpy(memory_.get(), block.data(), block.size()).wait();
#define X(type, name, rows, width, meaning) \
  view_.name.data = reinterpret_cast<const type*>(memory_.get() + name##_at);
    CORTEN_MODEL_FIELDS(X)
#undef X
  }

  bool ok() const { return memory_ != nullptr; }
  const ModelRef<S, P>& view() const { return view_; }

 private:
  ModelRef<S, P> view_;
  detail::DeviceMemory<std::byte> memory_;
};

}  // namespace corten
