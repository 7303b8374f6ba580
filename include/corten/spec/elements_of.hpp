// SPDX-License-Identifier: Apache-2.0
//
// The elements of one kind in a spec: spec.world.bodies, body.geoms, spec.sensors.
//
//   spec::Geom& foot = leg.geoms.emplace_back();   // stays where it is when more are added
//   for (const spec::Geom& g : leg.geoms) ...
//   leg.geoms.erase(0);
//
// A list owns its elements and copies them when it is copied, like a std::vector; but each element has a
// place of its own, so that references hold until the element is removed. What does not depend on the
// type is compiled once for all kinds.
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

// pointers to elements of one type, which two functions can copy and destroy
class Pointers {
 public:
  struct Type {
    void* (*copy)(const void*);
    void (*destroy)(void*);
  };

  CORTEN_COLD explicit Pointers(const Type& type) : type_(&type) {}
  CORTEN_COLD Pointers(const Pointers& other) : type_(other.type_) { append(other); }
  CORTEN_COLD Pointers(Pointers&& other) noexcept : type_(other.type_) { at_.swap(other.at_); }
  CORTEN_COLD Pointers& operator=(Pointers other) noexcept {
    at_.swap(other.at_);
    return *this;
  }
  CORTEN_COLD ~Pointers() { remove(0, at_.size()); }

  std::size_t size() const { return at_.size(); }
  void* const* data() const { return at_.data(); }

  CORTEN_COLD void append(const Pointers& other) {
    at_.reserve(at_.size() + other.size());
    for (std::size_t i = 0, n = other.size(); i < n; ++i) at_.push_back(type_->copy(other.at_[i]));
  }
  // room for one more, so that insert() cannot fail
  CORTEN_COLD void make_room() {
    if (at_.size() == at_.capacity()) at_.reserve(2 * at_.size() + 1);
  }
  CORTEN_COLD void insert(std::size_t index, void* element) noexcept {
    at_.insert(at_.begin() + static_cast<std::ptrdiff_t>(index), element);
  }
  CORTEN_COLD void take(Pointers& other) {
    at_.append(other.at_);
    other.at_.clear();
  }
  CORTEN_COLD void remove(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) type_->destroy(at_[i]);
    at_.erase(at_.begin() + static_cast<std::ptrdiff_t>(first),
              at_.begin() + static_cast<std::ptrdiff_t>(last));
  }

 private:
  const Type* type_;
  List<void*> at_;
};

}  // namespace detail

template <class T>
class ElementsOf {
 public:
  // a pointer to pointers; T is const in a list that is
  template <class U>
  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = U*;
    using reference = U&;

    Iterator() = default;
    explicit Iterator(void* const* at) : at_(at) {}

    U& operator*() const { return *static_cast<U*>(*at_); }
    U* operator->() const { return static_cast<U*>(*at_); }
    U& operator[](std::ptrdiff_t i) const { return *static_cast<U*>(at_[i]); }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(at_++); }
    Iterator& operator--() { return --at_, *this; }
    Iterator& operator+=(std::ptrdiff_t n) { return at_ += n, *this; }
    friend Iterator operator+(Iterator a, std::ptrdiff_t n) { return Iterator(a.at_ + n); }
    friend std::ptrdiff_t operator-(Iterator a, Iterator b) { return a.at_ - b.at_; }
    friend auto operator<=>(const Iterator&, const Iterator&) = default;

   private:
    void* const* at_ = nullptr;
  };

  ElementsOf() : list_(type) {}
  ElementsOf(std::initializer_list<T> elements) : list_(type) {
    for (const T& element : elements) push_back(element);
  }

  std::size_t size() const { return list_.size(); }
  bool empty() const { return list_.size() == 0; }
  T& operator[](std::size_t i) { return *static_cast<T*>(list_.data()[i]); }
  const T& operator[](std::size_t i) const { return *static_cast<const T*>(list_.data()[i]); }
  T& back() { return (*this)[size() - 1]; }
  const T& back() const { return (*this)[size() - 1]; }

  Iterator<T> begin() { return Iterator<T>(list_.data()); }
  Iterator<T> end() { return Iterator<T>(list_.data() + size()); }
  Iterator<const T> begin() const { return Iterator<const T>(list_.data()); }
  Iterator<const T> end() const { return Iterator<const T>(list_.data() + size()); }

  // a new element, or a copy of one, at the end
  T& emplace_back() { return insert(size()); }
  CORTEN_COLD T& push_back(const T& element) {
    list_.make_room();
    T* const copied = new T(element);
    list_.insert(size(), copied);
    return *copied;
  }
  // copies of others, at the end
  void append(const ElementsOf& others) { list_.append(others.list_); }
  // all elements of another list, which keep their place in memory, at the end
  void take(ElementsOf& others) { list_.take(others.list_); }

  // a new element before the one at `index`
  CORTEN_COLD T& insert(std::size_t index) {
    list_.make_room();
    T* const element = new T();
    list_.insert(index, element);
    return *element;
  }

  void erase(std::size_t index) { list_.remove(index, index + 1); }
  void clear() { list_.remove(0, size()); }

 private:
  static void* copy(const void* from) { return new T(*static_cast<const T*>(from)); }
  static void destroy(void* element) { delete static_cast<T*>(element); }
  static constexpr detail::Pointers::Type type{copy, destroy};

  detail::Pointers list_;
};

}  // namespace corten::spec
