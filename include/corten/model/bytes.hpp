// SPDX-License-Identifier: Apache-2.0
//
// A compiled model as bytes, to be stored in a file or embedded in a program. Loading it takes no
// MJCF, no meshes or textures, and none of the headers that read them.
//
//     std::string bytes = corten::to_bytes(model);
//     // elsewhere: the same model, to the last bit
//     corten::Result<corten::Model<double>> same = corten::from_bytes(bytes);
//
// The format follows the field lists (model/fields.hpp). from_bytes refuses bytes that were written
// by another version of corten, with other field lists, for another scalar or another byte order,
// and bytes that are damaged. It does not check that the numbers make sense, so load compiled
// models only from sources you trust; an MJCF file, in contrast, is checked throughout.
#pragma once

#include <corten/core/hash.hpp>
#include <corten/core/result.hpp>
#include <corten/model/model.hpp>
#include <corten/version.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace corten {

namespace detail {

// precedes the model's bytes
struct ByteHeader {
  char mark[8] = {'c', 'o', 'r', 't', 'e', 'n', ' ', 'm'};
  std::uint64_t layout = 0;          // see byte_layout
  std::uint64_t size = 0, hash = 0;  // of the bytes after the header
};

// a hash of everything the format depends on: version, field lists and scalar
template <class S>
CORTEN_COLD std::uint64_t byte_layout() {
  // clang-format off
  static constexpr const char* words[] = {
#define X(name, meaning) #name,
      CORTEN_MODEL_SIZES(X)
#undef X
#define X(type, name, width, ...) #type " " #name " " #width,
      CORTEN_MODEL_OPTIONS(X)
#undef X
#define X(kind, word) #kind,
      CORTEN_MODEL_NAMES(X)
#undef X
#define X(type, name, rows, width, meaning) #type " " #name,
      CORTEN_MODEL_FIELDS(X)
#undef X
  };
  // clang-format on
  std::string text = std::to_string(CORTEN_VERSION) + ",";  // it fixes the values of enumerations
  for (const char* word : words) text += std::string(word) + ",";
  text += std::to_string(sizeof(value_t<S>)) + " " + std::to_string(sizeof(S));
  return hash_of(text);
}

class ByteWriter {
 public:
  std::string bytes;

  CORTEN_COLD void raw(const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
  }
  template <class T>
  void list(const List<T>& items) {
    count(items.size());
    raw(items.data(), items.size() * sizeof(T));
  }
  CORTEN_COLD void text(const std::string& text) {
    count(text.size());
    bytes += text;
  }
  CORTEN_COLD void texts(const List<std::string>& all) {
    count(all.size());
    for (const std::string& one : all) text(one);
  }

 private:
  CORTEN_COLD void count(std::uint64_t n) { raw(&n, sizeof n); }
};

// Reads what ByteWriter wrote. A read past the end fails, and so do all later ones; finished() is
// then false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  CORTEN_COLD void raw(void* to, std::size_t size) {
    ok_ = ok_ && size <= rest_.size();
    if (!ok_) return;
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  template <class T>
  void list(List<T>& items) {
    items.resize(count(sizeof(T)));
    raw(items.data(), items.size() * sizeof(T));
  }
  CORTEN_COLD void text(std::string& text) {
    text.resize(count(1));
    raw(text.data(), text.size());
  }
  CORTEN_COLD void texts(List<std::string>& all) {
    all.resize(count(sizeof(std::uint64_t)));
    for (std::string& one : all) text(one);
  }
  bool finished() const { return ok_ && rest_.empty(); }

 private:
  // the number of items that follow, each at least `each` bytes long
  CORTEN_COLD std::size_t count(std::size_t each) {
    std::uint64_t n = 0;
    raw(&n, sizeof n);
    ok_ = ok_ && n <= rest_.size() / each;
    return ok_ ? static_cast<std::size_t>(n) : 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

// passes every part of a model to a ByteWriter or a ByteReader
template <class A, class M>
void each_byte(A& a, M& m) {
  using S = typename M::Scalar;
  static_assert(std::is_trivially_copyable_v<S>, "corten: this scalar holds more than its bytes");
  const auto values = [&](auto&... v) { (a.raw(&v, sizeof v), ...); };
  values(m.n);  // nothing but ints, so it has no padding
#define X(type, name, width, ...) values(m.opt.name);
  CORTEN_MODEL_OPTIONS(X)
#undef X
  values(m.stat.meaninertia, m.stat.meanmass, m.stat.meansize, m.stat.extent);
  values(m.stat.center[0], m.stat.center[1], m.stat.center[2]);
  a.text(m.names.model);
#define X(kind, word) a.texts(m.names.kind);
  CORTEN_MODEL_NAMES(X)
#undef X
  for_arrays<S>([&](const auto&, auto array) { a.list(m.*array); });
}

}  // namespace detail

template <class S>
CORTEN_COLD std::string to_bytes(const Model<S>& model) {
  detail::ByteWriter content, out;
  detail::each_byte(content, model);
  detail::ByteHeader header;
  header.layout = detail::byte_layout<S>();
  header.size = content.bytes.size();
  header.hash = hash_of(content.bytes);
  out.raw(&header, sizeof header);
  out.bytes += content.bytes;
  return out.bytes;
}

template <class S = double>
CORTEN_COLD Result<Model<S>> from_bytes(std::string_view bytes) {
  const auto refuse = [](std::string_view what, std::string_view remedy) {
    return Error(what, remedy);
  };
  const detail::ByteHeader known;
  detail::ByteHeader header;
  if (bytes.size() < sizeof header) return refuse("too short for a compiled model", {});
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  if (std::memcmp(header.mark, known.mark, sizeof known.mark) != 0) {
    return refuse("not a compiled model", "to_bytes makes one; load reads MJCF");
  }
  if (header.layout != detail::byte_layout<S>()) {
    return refuse("compiled by another version of corten, or for another scalar or machine",
                  "compile it again");
  }
  if (header.size != bytes.size() || header.hash != hash_of(bytes)) {
    return refuse("the compiled model is damaged", "compile it again");
  }
  Model<S> out;
  detail::ByteReader reader(bytes);
  detail::each_byte(reader, out);
  if (!reader.finished()) return refuse("the compiled model is damaged", "compile it again");
  out.names.build_index();
  return out;
}

}  // namespace corten
