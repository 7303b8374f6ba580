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
//
// A compiled model keeps no classes, materials or files, so the MJCF text cannot be computed from
// it. The bytes can carry the text instead, in a part of its own behind the model:
//
//     std::string bytes = corten::to_bytes(model, corten::source_of(spec).value());
//     corten::Result<corten::Source> source = corten::source_from_bytes(bytes);
//
// from_bytes skips it. It does not depend on the field lists, so any later version can read it.
#pragma once

#include <corten/asset/source.hpp>
#include <corten/core/hash.hpp>
#include <corten/core/result.hpp>
#include <corten/model/model.hpp>
#include <corten/version.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace corten {

namespace detail {

// precedes each part of the bytes: the model, and its source
struct ByteHeader {
  char mark[8] = {'c', 'o', 'r', 't', 'e', 'n', ' ', 'm'};  // the last is s for a source
  std::uint64_t layout = 0;          // of a model, see byte_layout; of a source, source_layout
  std::uint64_t size = 0, hash = 0;  // of the part after the header
};
static_assert(sizeof(ByteHeader) == 32);

inline constexpr std::uint64_t source_layout = 1;

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
  bool more() const { return ok_ && !rest_.empty(); }

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

CORTEN_COLD void append_part(char mark, std::uint64_t layout, const std::string& content,
                             std::string& to) {
  ByteHeader header;
  header.mark[7] = mark;
  header.layout = layout;
  header.size = content.size();
  header.hash = hash_of(content);
  to.append(reinterpret_cast<const char*>(&header), sizeof header);
  to += content;
}

CORTEN_COLD Error damaged() { return Error("the compiled model is damaged", "compile it again"); }

// One part of the bytes. `content` has a value if the part is whole.
struct BytePart {
  ByteHeader header;
  std::optional<std::string_view> content;
};

// takes a part with this mark off the front; nothing if there is none
CORTEN_COLD std::optional<BytePart> take_part(char mark, std::string_view& bytes) {
  BytePart out;
  ByteHeader known;
  known.mark[7] = mark;
  if (bytes.size() < sizeof known) return std::nullopt;
  std::memcpy(&out.header, bytes.data(), sizeof known);
  if (std::memcmp(out.header.mark, known.mark, sizeof known.mark) != 0) return std::nullopt;
  bytes.remove_prefix(sizeof known);
  if (out.header.size > bytes.size()) return out;
  const std::string_view content = bytes.substr(0, static_cast<std::size_t>(out.header.size));
  bytes.remove_prefix(content.size());
  if (hash_of(content) == out.header.hash) out.content = content;
  return out;
}

CORTEN_COLD Result<BytePart> take_model(std::string_view& bytes) {
  if (bytes.size() < sizeof(ByteHeader)) return Error("too short for a compiled model");
  std::optional<BytePart> out = take_part('m', bytes);
  if (!out) return Error("not a compiled model", "to_bytes makes one; load reads MJCF");
  return *out;
}

}  // namespace detail

template <class S>
CORTEN_COLD std::string to_bytes(const Model<S>& model) {
  detail::ByteWriter content;
  detail::each_byte(content, model);
  std::string out;
  detail::append_part('m', detail::byte_layout<S>(), content.bytes, out);
  return out;
}

// The same with what the model was compiled from.
template <class S>
CORTEN_COLD std::string to_bytes(const Model<S>& model, const Source& source) {
  detail::ByteWriter content;
  content.text(source.mjcf);
  for (const Source::File& file : source.files) {
    content.text(file.name);
    content.text(file.bytes);
  }
  std::string out = to_bytes(model);
  detail::append_part('s', detail::source_layout, content.bytes, out);
  return out;
}

template <class S = double>
CORTEN_COLD Result<Model<S>> from_bytes(std::string_view bytes) {
  const auto part = detail::take_model(bytes);
  if (!part) return part.error();
  const auto source = detail::take_part('s', bytes);
  if (part->header.layout != detail::byte_layout<S>()) {
    return Error("compiled by another version of corten, or for another scalar or machine",
                 source ? "compile it again; it carries its MJCF text, see source_from_bytes"
                        : "compile it again");
  }
  if (!part->content || (source && !source->content) || !bytes.empty()) return detail::damaged();
  Model<S> out;
  detail::ByteReader reader(*part->content);
  detail::each_byte(reader, out);
  if (!reader.finished()) return detail::damaged();
  out.names.build_index();
  return out;
}

// What the model was compiled from, if the bytes carry it. The model itself is not looked at: it
// may have been compiled by another version of corten.
CORTEN_COLD Result<Source> source_from_bytes(std::string_view bytes) {
  const auto model = detail::take_model(bytes);
  if (!model) return model.error();
  const auto part = detail::take_part('s', bytes);
  if (!part && !bytes.empty()) return detail::damaged();
  if (!part) {
    return Error("the compiled model does not carry the MJCF text that it was compiled from",
                 "use the MJCF file itself");
  }
  if (part->header.layout != detail::source_layout) {
    return Error("the source of the compiled model has a newer format", "use a newer corten");
  }
  if (!part->content || !bytes.empty()) return detail::damaged();
  Source out;
  detail::ByteReader reader(*part->content);
  reader.text(out.mjcf);
  while (reader.more()) {
    Source::File& file = out.files.emplace_back();
    reader.text(file.name);
    reader.text(file.bytes);
    if (!is_plain_name(file.name)) return detail::damaged();
  }
  if (!reader.finished()) return detail::damaged();
  return out;
}

}  // namespace corten
