// SPDX-License-Identifier: Apache-2.0
//
// The attributes of an element as a table at run time, made from its field list (fields.hpp):
//
//   for (const Field& field : fields_of<Geom>()) ...   // name, rules, type and offset of a member
//
// Reading, inheriting and writing attributes are plain functions over such tables, so their code
// exists once instead of once per element. Values are passed to and from members as numbers; a
// keyword is passed as the value of its enumerator.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/fields.hpp>
#include <corten/spec/keywords.hpp>

namespace corten::spec {

enum class FieldKind : unsigned char {
  text,           // std::string
  optional_text,  // Optional<std::string>
  keyword,        // Optional of an enumeration or a bool
  numbers,        // a number, or a whole array of them
  leading,        // the first numbers of an array
  list,           // any number of numbers
  orientation,
  parameters
};

struct FieldType {
  FieldKind kind;
  std::size_t most = 1;                 // maximum number of numbers
  bool integral = false;                // whole numbers only
  std::span<const Keyword> words = {};  // the words of a keyword
  // The numbers of a member; none if it is absent. `room` is memory to convert integers in.
  std::span<const double> (*get)(const void* member, List<double>& room) = nullptr;
  void (*set)(void* member, std::span<const double> numbers) = nullptr;
};

namespace detail {

inline std::span<const double> one_number(double value, List<double>& room) {
  room.assign(1, value);
  return room;
}

CORTEN_COLD std::span<const double> doubles(const int* from, std::size_t n, List<double>& room) {
  room.resize(n);
  for (std::size_t i = 0; i < n; ++i) room[i] = from[i];
  return room;
}

CORTEN_COLD void integers(std::span<const double> from, int* to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<int>(from[i]);
}

template <class T>
struct Member;

template <>
struct Member<std::string> {
  static constexpr FieldType type{FieldKind::text};
};
template <>
struct Member<Optional<std::string>> {
  static constexpr FieldType type{FieldKind::optional_text};
};
template <>
struct Member<Orientation> {
  static constexpr FieldType type{FieldKind::orientation};
};
template <>
struct Member<Parameters> {
  static constexpr FieldType type{FieldKind::parameters};
};

// one number or one keyword
template <class T>
struct Member<Optional<T>> {
  using Given = Optional<T>;
  static std::span<const double> get(const void* member, List<double>& room) {
    const Given& from = *static_cast<const Given*>(member);
    if (!from) return {};
    return one_number(static_cast<double>(*from), room);
  }
  static void set(void* member, std::span<const double> numbers) {
    if constexpr (std::is_enum_v<T>) {
      *static_cast<Given*>(member) = static_cast<T>(static_cast<int>(numbers[0]));
    } else {
      *static_cast<Given*>(member) = static_cast<T>(numbers[0]);
    }
  }
  static constexpr FieldType make() {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
      return {FieldKind::numbers, 1, std::is_same_v<T, int>, {}, get, set};
    } else {
      return {FieldKind::keyword, 1, true, KeywordTable<T>::words, get, set};
    }
  }
  static constexpr FieldType type = make();
};

template <std::size_t N>
struct Member<Optional<std::array<double, N>>> {
  using Given = Optional<std::array<double, N>>;
  static std::span<const double> get(const void* member, List<double>&) {
    const Given& from = *static_cast<const Given*>(member);
    return from ? std::span<const double>(from->data(), N) : std::span<const double>();
  }
  static void set(void* member, std::span<const double> numbers) {
    std::array<double, N>& to = static_cast<Given*>(member)->emplace();
    for (std::size_t i = 0; i < N && i < numbers.size(); ++i) to[i] = numbers[i];
  }
  static constexpr FieldType type{FieldKind::numbers, N, false, {}, get, set};
};

template <std::size_t N>
struct Member<Optional<std::array<int, N>>> {
  using Given = Optional<std::array<int, N>>;
  static std::span<const double> get(const void* member, List<double>& room) {
    const Given& from = *static_cast<const Given*>(member);
    return from ? doubles(from->data(), N, room) : std::span<const double>();
  }
  static void set(void* member, std::span<const double> numbers) {
    integers(numbers, static_cast<Given*>(member)->emplace().data());
  }
  static constexpr FieldType type{FieldKind::numbers, N, true, {}, get, set};
};

template <std::size_t N>
struct Member<Leading<N>> {
  static std::span<const double> get(const void* member, List<double>&) {
    const Leading<N>& from = *static_cast<const Leading<N>*>(member);
    return {from.values.data(), static_cast<std::size_t>(from.count)};
  }
  static void set(void* member, std::span<const double> numbers) {
    Leading<N>& to = *static_cast<Leading<N>*>(member);
    to.count = std::max(to.count, static_cast<int>(numbers.size()));  // keeps later numbers
    for (std::size_t i = 0; i < N && i < numbers.size(); ++i) to.values[i] = numbers[i];
  }
  static constexpr FieldType type{FieldKind::leading, N, false, {}, get, set};
};

inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

template <>
struct Member<Optional<List<double>>> {
  using Given = Optional<List<double>>;
  static std::span<const double> get(const void* member, List<double>&) {
    const Given& from = *static_cast<const Given*>(member);
    return from ? std::span<const double>(*from) : std::span<const double>();
  }
  static void set(void* member, std::span<const double> numbers) {
    static_cast<Given*>(member)->emplace().assign(numbers.begin(), numbers.end());
  }
  static constexpr FieldType type{FieldKind::list, any_number, false, {}, get, set};
};

template <>
struct Member<Optional<List<int>>> {
  using Given = Optional<List<int>>;
  static std::span<const double> get(const void* member, List<double>& room) {
    const Given& from = *static_cast<const Given*>(member);
    return from ? doubles(from->data(), from->size(), room) : std::span<const double>();
  }
  static void set(void* member, std::span<const double> numbers) {
    List<int>& to = static_cast<Given*>(member)->emplace();
    to.resize(numbers.size());
    integers(numbers, to.data());
  }
  static constexpr FieldType type{FieldKind::list, any_number, true, {}, get, set};
};

}  // namespace detail

template <class T>
inline constexpr const FieldType& field_type = detail::Member<T>::type;

struct Field {
  Attribute attribute;
  const FieldType* type;
  std::size_t offset;  // of the member in the element

  const void* in(const void* element) const { return static_cast<const char*>(element) + offset; }
  void* in(void* element) const { return static_cast<char*>(element) + offset; }
};

using FieldTable = List<Field>;

namespace detail {

// adds the members of an element at address `start` to a table
struct Tabulate {
  FieldTable& table;
  const char* start;

  template <class T>
  void operator()(Attribute attribute, T& member) const {
    add(attribute, field_type<T>, &member);
  }
  CORTEN_COLD void add(Attribute attribute, const FieldType& type, const void* member) const {
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(member) - start);
    table.push_back({attribute, &type, offset});
  }
};

template <class T>
CORTEN_COLD FieldTable make_table() {
  FieldTable table;
  T element;
  T::fields(Tabulate{table, reinterpret_cast<const char*>(&element)}, element);
  return table;
}

struct Rooms {
  List<double> own, base, both;
};

// fills in what a member lacks
CORTEN_COLD void inherit_field(const FieldType& type, void* out, const void* base, Rooms& rooms) {
  switch (type.kind) {
    case FieldKind::text:  // names and classes are not inherited
      return;
    case FieldKind::optional_text: {
      auto& to = *static_cast<Optional<std::string>*>(out);
      if (!to) to = *static_cast<const Optional<std::string>*>(base);
      return;
    }
    case FieldKind::orientation:
      return static_cast<Orientation*>(out)->inherit(*static_cast<const Orientation*>(base));
    case FieldKind::parameters:
      return static_cast<Parameters*>(out)->inherit(*static_cast<const Parameters*>(base));
    case FieldKind::keyword:
    case FieldKind::numbers:
    case FieldKind::list:
    case FieldKind::leading: break;
  }
  const std::span<const double> own = type.get(out, rooms.own);
  const std::span<const double> other = type.get(base, rooms.base);
  const std::size_t keep = own.size();
  if (other.size() <= keep || (keep > 0 && type.kind != FieldKind::leading)) return;
  rooms.both.assign(other.begin(), other.end());
  std::copy(own.begin(), own.end(), rooms.both.begin());
  type.set(out, rooms.both);
}

CORTEN_COLD void inherit_fields(const FieldTable& table, void* out, const void* base) {
  Rooms rooms;
  for (const Field& field : table) {
    inherit_field(*field.type, field.in(out), field.in(base), rooms);
  }
}

CORTEN_COLD void assign_fields(const FieldTable& table, void* to, const void* from) {
  List<double> room;
  for (const Field& field : table) {
    void* const out = field.in(to);
    const void* const in = field.in(from);
    switch (field.type->kind) {
      case FieldKind::text:
        *static_cast<std::string*>(out) = *static_cast<const std::string*>(in);
        break;
      case FieldKind::optional_text:
        *static_cast<Optional<std::string>*>(out) = *static_cast<const Optional<std::string>*>(in);
        break;
      case FieldKind::orientation:
        *static_cast<Orientation*>(out) = *static_cast<const Orientation*>(in);
        break;
      case FieldKind::parameters:
        *static_cast<Parameters*>(out) = *static_cast<const Parameters*>(in);
        break;
      default: {
        const std::span<const double> numbers = field.type->get(in, room);
        if (!numbers.empty()) field.type->set(out, numbers);
      }
    }
  }
}

}  // namespace detail

template <class T>
const FieldTable& fields_of() {
  static const FieldTable table = detail::make_table<T>();
  return table;
}

// Fills in attributes that an element lacks and `base` has. This is how a default class applies to
// an element, and to the classes nested in it.
template <class T>
void inherit(T& element, const T& base) {
  detail::inherit_fields(fields_of<T>(), &element, &base);
}

// Copies every attribute that `from` has.
template <class T>
void assign(T& to, const T& from) {
  detail::assign_fields(fields_of<T>(), &to, &from);
}

}  // namespace corten::spec
