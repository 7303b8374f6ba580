// SPDX-License-Identifier: Apache-2.0
//
// The elements of one kind in a spec: spec.world.bodies, body.geoms, spec.sensors.
//
//   spec::Geom& foot = leg.geoms.emplace_back();   // stays valid when more are added
//   for (const spec::Geom& g : leg.geoms) ...
//   leg.geoms.erase(0);
//
// Like a std::vector, a list owns its elements and copies them when it is copied. Unlike in a
// vector, each element is allocated separately, so references stay valid until the element is
// removed. Code that does not depend on the type is compiled once for all kinds.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>

#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace corten::spec {

namespace detail {

// pointers to elements of one type, with functions that copy and destroy such elements
class Pointers {
 public:
  std::size_t size() const { return at_.size(); }
  bool empty() const { return at_.empty(); }
  void erase(std::size_t index) { remove(index, index + 1); }
  void clear() { remove(0, at_.size()); }

 protected:
  struct Type {
    void* (*copy)(const void*);
    void (*destroy)(void*);
  };

  CORTEN_COLD explicit Pointers(const Type& type) : type_(&type) {}
  CORTEN_COLD Pointers(const Pointers& other) : type_(other.type_) { copy(other); }
  CORTEN_COLD Pointers(Pointers&& other) noexcept : type_(other.type_) { at_.swap(other.at_); }
  CORTEN_COLD Pointers& operator=(const Pointers& other) { return *this = Pointers(other); }
  CORTEN_COLD Pointers& operator=(Pointers&& other) noexcept {
    at_.swap(other.at_);
    return *this;
  }
  CORTEN_COLD ~Pointers() { clear(); }

  void* const* data() const { return at_.data(); }

  // reserves room for one more, so that put() cannot fail
  CORTEN_COLD void make_room() {
    if (at_.size() == at_.capacity()) at_.reserve(2 * at_.size() + 1);
  }
  CORTEN_COLD void* put(std::size_t index, void* element) noexcept {
    at_.insert(at_.begin() + static_cast<std::ptrdiff_t>(index), element);
    return element;
  }
  CORTEN_COLD void* put_copy(const void* element) {
    make_room();
    return put(at_.size(), type_->copy(element));
  }
  CORTEN_COLD void copy(const Pointers& other) {
    at_.reserve(at_.size() + other.size());
    for (std::size_t i = 0, n = other.size(); i < n; ++i) at_.push_back(type_->copy(other.at_[i]));
  }
  CORTEN_COLD void move(Pointers& other) {
    at_.append(other.at_);
    other.at_.clear();
  }

 private:
  CORTEN_COLD void remove(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) type_->destroy(at_[i]);
    at_.erase(at_.begin() + first, at_.begin() + last);
  }

  const Type* type_;
  List<void*> at_;
};

// the position of an iterator
struct PointerPlace {
  void* const* at = nullptr;

  friend std::ptrdiff_t operator-(PointerPlace a, PointerPlace b) { return a.at - b.at; }
  friend auto operator<=>(const PointerPlace&, const PointerPlace&) = default;
};

}  // namespace detail

template <class T>
class ElementsOf : public detail::Pointers {
 public:
  // a pointer into the array of pointers; U is T, or const T for a const list
  template <class U>
  class Iterator : public detail::PointerPlace {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = U*;
    using reference = U&;

    Iterator() = default;
    explicit Iterator(void* const* place) : PointerPlace{place} {}

    U& operator*() const { return *static_cast<U*>(*at); }
    U* operator->() const { return static_cast<U*>(*at); }
    U& operator[](std::ptrdiff_t i) const { return *static_cast<U*>(at[i]); }
    Iterator& operator++() { return ++at, *this; }
    Iterator operator++(int) { return Iterator(at++); }
    Iterator& operator--() { return --at, *this; }
    Iterator& operator+=(std::ptrdiff_t n) { return at += n, *this; }
    friend Iterator operator+(Iterator a, std::ptrdiff_t n) { return Iterator(a.at + n); }
  };

  ElementsOf() : Pointers(type) {}
  ElementsOf(std::initializer_list<T> elements) : Pointers(type) {
    for (const T& element : elements) push_back(element);
  }

  T& operator[](std::size_t i) { return *static_cast<T*>(data()[i]); }
  const T& operator[](std::size_t i) const { return *static_cast<const T*>(data()[i]); }
  T& back() { return (*this)[size() - 1]; }
  const T& back() const { return (*this)[size() - 1]; }

  Iterator<T> begin() { return Iterator<T>(data()); }
  Iterator<T> end() { return Iterator<T>(data() + size()); }
  Iterator<const T> begin() const { return Iterator<const T>(data()); }
  Iterator<const T> end() const { return Iterator<const T>(data() + size()); }

  // appends a new element, or a copy of one
  T& emplace_back() { return insert(size()); }
  T& push_back(const T& element) { return *static_cast<T*>(put_copy(&element)); }
  // appends copies of all elements of another list
  void append(const ElementsOf& others) { copy(others); }
  // moves all elements of another list to the end; references to them stay valid
  void take(ElementsOf& others) { move(others); }

  // inserts a new element before the one at `index`
  CORTEN_COLD T& insert(std::size_t index) {
    make_room();
    return *static_cast<T*>(put(index, new T()));
  }

 private:
  static void* copy_one(const void* from) { return new T(*static_cast<const T*>(from)); }
  static void destroy_one(void* element) { delete static_cast<T*>(element); }
  static constexpr Type type{copy_one, destroy_one};
};

}  // namespace corten::spec
