// SPDX-License-Identifier: Apache-2.0
//
// State shared by all readers: the options, the spec under construction, and the errors. After an
// error in an element, reading continues with the next element, so that all problems of a file are
// reported, one per element. An error that makes the rest meaningless stops all readers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <corten/core/list.hpp>
#include <corten/core/name_table.hpp>
#include <corten/core/result.hpp>
#include <corten/mjcf/options.hpp>
#include <corten/mjcf/xml.hpp>
#include <corten/spec/spec.hpp>

namespace corten::mjcf {

struct Context {
  // "kind/name" of all elements, and their locations
  struct Names {
    NameTable table;
    List<Location> places;
  };

  ReadOptions options;
  Spec spec;
  List<Error> errors;
  List<Spec> models;          // from <asset><model>; model_name is the name
  List<std::string> parents;  // files that contain this one as a model

  static constexpr std::size_t most_errors = 50;

  bool stopped() const { return stopped_; }

  // Reports an error in an element. Further errors in the same element tend to be consequences, and
  // are dropped.
  CORTEN_COLD void fail(const XmlElement& element, Error e) {
    if (failed(element)) return;
    failed_ = &element;
    errors.push_back(std::move(e));
    if (errors.size() == most_errors) stopped_ = true;
  }
  CORTEN_COLD void fail(const XmlElement& element, const std::string& path,
                        std::string_view message, std::string_view remedy = {}) {
    fail(element, Error{element.where(), path, message, remedy});
  }
  // reports an error after which reading cannot continue
  CORTEN_COLD void stop(Error e) {
    errors.push_back(std::move(e));
    stopped_ = true;
  }

  // did this element cause the latest error?
  bool failed(const XmlElement& element) const { return failed_ == &element; }

  CORTEN_COLD void warn(Error e) { spec.warnings.push_back(std::move(e)); }

  // reports an error, or a warning if the reader is lenient
  CORTEN_COLD void complain(const XmlElement& element, Error e) {
    if (options.lenient) {
      warn(std::move(e));
    } else {
      fail(element, std::move(e));
    }
  }

  // MuJoCo does not check <frame> and <replicate> against its grammar: it ignores unknown
  // attributes there, and unknown elements inside the elements of a body. Public models rely on
  // that.
  struct Unchecked {
    explicit Unchecked(Context& c) : context(c) { ++context.unchecked_; }
    ~Unchecked() { --context.unchecked_; }
    Unchecked(const Unchecked&) = delete;
    Unchecked& operator=(const Unchecked&) = delete;
    Context& context;
  };
  bool is_unchecked() const { return unchecked_ > 0; }
  CORTEN_COLD void complain_of_grammar(const XmlElement& element, Error e) {
    if (unchecked_ == 0) return complain(element, std::move(e));
    e.message += " is ignored";
    warn(std::move(e));
  }

  // the names registered by claim()
  const Names& names() const { return names_; }
  void set_names(const Names& names) { names_ = names; }

  // Registers the name of an element; names must be unique within a kind of element.
  CORTEN_COLD void claim(std::string_view kind, const XmlElement& xml,
                         const spec::Element& element) {
    if (element.name.empty()) return;
    const std::string key = std::string(kind) + "/" + element.name;
    if (names_.table.add(key, static_cast<int>(names_.places.size()))) {
      names_.places.push_back(element.where);
      return;
    }
    const Location& first = names_.places[static_cast<std::size_t>(names_.table.find(key))];
    const std::string remedy = first.line == 0
                                   ? "that name is taken by a built-in element"
                                   : "the first is on line " + std::to_string(first.line) +
                                         (first.file.empty() ? "" : " of " + first.file);
    fail(xml,
         element.error("repeated " + std::string(kind) + " name '" + element.name + "'", remedy));
  }

 private:
  bool stopped_ = false;
  int unchecked_ = 0;  // nesting depth of frames and replicates
  const XmlElement* failed_ = nullptr;
  Names names_;
};

// parent/geom 'head'
inline std::string path_of(const std::string& parent, const XmlElement& xml) {
  std::string out = parent.empty() ? std::string(xml.name) : parent + "/" + std::string(xml.name);
  const XmlAttribute* name = xml.find(xml.name == "default" ? "class" : "name");
  if (name != nullptr && !name->value.empty()) out += " '" + std::string(name->value) + "'";
  return out;
}

}  // namespace corten::mjcf
