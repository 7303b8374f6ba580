// SPDX-License-Identifier: Apache-2.0
//
// The names of a model's objects: ids by name, and names by id.
//
//     Result<int> id = model.body("torso");         // or why not: did you mean 'torso1'?
//     std::string_view name = model.body_name(1);   // empty if unnamed or out of range
//
// The lists of names may be edited, like every array of a model. The hash table that finds names is
// therefore only an accelerator, built by compile() and from_bytes(): an id that it finds is
// checked against the list, and a name that it does not find is searched for in the list.
#pragma once

#include <corten/core/hash.hpp>
#include <corten/core/list.hpp>
#include <corten/core/result.hpp>
#include <corten/model/fields.hpp>
#include <corten/spec/suggest.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace corten {

// An object by its name or by its id, for functions that accept both.
struct NameOrId {
  std::string_view name;
  int id = -1;
  bool named = true;

  NameOrId(int number) : id(number), named(false) {}
  NameOrId(std::string_view text) : name(text) {}
  NameOrId(const std::string& text) : name(text) {}
  NameOrId(const char* text) : name(text == nullptr ? "" : text) {}
};

// Names by kind and id; the name of an unnamed object is empty.
struct Names {
  enum class Kind {
#define X(kind, word) kind,
    CORTEN_MODEL_NAMES(X)
#undef X
  };

  std::string model;
#define X(kind, word) List<std::string> kind;
  CORTEN_MODEL_NAMES(X)
#undef X

  CORTEN_COLD const List<std::string>& of(Kind which) const;

  // empty if the object has no name or the id is out of range
  CORTEN_COLD std::string_view name(Kind kind, int number) const;

  // the id of a name, or -1
  CORTEN_COLD int id(Kind kind, std::string_view name) const;

  // The error says which name is nearest, or which kind of object has this name.
  CORTEN_COLD Result<int> find(Kind kind, std::string_view name) const;

  // the same for a name or an id, which must be below `count`
  CORTEN_COLD Result<int> find(Kind kind, const NameOrId& which, int count) const;

  // builds the hash table; calling it again after names were edited makes find() fast again
  CORTEN_COLD void build_index();

 private:
  static std::size_t hash(Kind kind, std::string_view name) {
    return static_cast<std::size_t>(hash_of(name)) + 31 * static_cast<std::size_t>(kind);
  }
  CORTEN_COLD std::string remedy(Kind kind, std::string_view name) const;

  // Ids of all kinds, each at the first free place from the hash of its kind and name on; -1: free.
  // The length is a power of two, and at least half of the places are free.
  List<int> index_;
};

namespace detail {

// what users call a kind of objects, and its names
struct NameKind {
  Names::Kind kind;
  const char* word;
  List<std::string> Names::*list;
};
inline constexpr NameKind name_kinds[] = {
#define X(kind, word) {Names::Kind::kind, #word, &Names::kind},
    CORTEN_MODEL_NAMES(X)
#undef X
};

// for an id that is not below `count`
CORTEN_COLD Error no_such_id(std::string_view word, int id, int count) {
  const std::string last = std::to_string(count - 1);
  return Error("there is no " + std::string(word) + " " + std::to_string(id),
               count > 0 ? "ids count from 0 to " + last : "there are none at all");
}

constexpr const NameKind& name_kind(Names::Kind kind) { return name_kinds[static_cast<int>(kind)]; }

}  // namespace detail

const List<std::string>& Names::of(Kind which) const {
  return this->*detail::name_kind(which).list;
}

std::string_view Names::name(Kind kind, int number) const {
  const List<std::string>& names = of(kind);
  if (number < 0 || static_cast<std::size_t>(number) >= names.size()) return {};
  return names[static_cast<std::size_t>(number)];
}

Result<int> Names::find(Kind kind, std::string_view name) const {
  if (const int found = id(kind, name); found >= 0) return found;
  const std::string word = detail::name_kind(kind).word;
  return Error("there is no " + word + " '" + std::string(name) + "'", remedy(kind, name));
}

Result<int> Names::find(Kind kind, const NameOrId& which, int count) const {
  Result<int> found = which.named ? find(kind, which.name) : Result<int>(which.id);
  if (!found || (*found >= 0 && *found < count)) return found;
  return detail::no_such_id(detail::name_kind(kind).word, *found, count);
}

void Names::build_index() {
  std::size_t count = 0, size = 1;
  for (const detail::NameKind& k : detail::name_kinds) count += of(k.kind).size();
  while (size < 2 * count) size *= 2;
  index_.assign(size, -1);
  for (const detail::NameKind& k : detail::name_kinds) {
    const List<std::string>& names = of(k.kind);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].empty()) continue;
      std::size_t place = hash(k.kind, names[i]) & (size - 1);
      while (index_[place] >= 0) place = (place + 1) & (size - 1);
      index_[place] = static_cast<int>(i);
    }
  }
}

int Names::id(Kind kind, std::string_view name) const {
  if (name.empty()) return -1;
  if (const std::size_t size = index_.size(); size > 0) {
    std::size_t place = hash(kind, name) & (size - 1);
    for (; index_[place] >= 0; place = (place + 1) & (size - 1)) {
      if (this->name(kind, index_[place]) == name) return index_[place];
    }
  }
  const List<std::string>& names = of(kind);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

// what to write instead of a name that the kind does not have
std::string Names::remedy(Kind kind, std::string_view name) const {
  for (const detail::NameKind& k : detail::name_kinds) {
    if (id(k.kind, name) < 0) continue;
    return "did you mean the " + std::string(k.word) + " of that name?";
  }
  if (std::string nearest = spec::suggest(name, of(kind)); !nearest.empty()) return nearest;
  std::string some;
  int left = 8, more = 0;
  for (const std::string& known : of(kind)) {
    if (known.empty()) continue;
    if (left-- > 0) {
      some += (some.empty() ? "'" : ", '") + known + "'";
    } else {
      ++more;
    }
  }
  if (some.empty()) return "none has a name";
  return "there are " + some + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

}  // namespace corten
